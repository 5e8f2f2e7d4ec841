"""`noughts tree`: the counts of a game tree, complete or to a depth, and its nodes as a file."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from cli.shared.common import game_option, json_option, number_option, path_option, print_result, replace_option
from cli.shared.progress import progress_bar
from cli.shared.streams import is_stream, output_file, require_one_document
from engine.game import Game
from engine.games import GAMES
from engine.space import TooLarge
from engine.trees.plies import Plies, WalkedNode
from engine.trees.tree import WHY, Games, Reduction, Statistics, TreeLevel, TreeRules, tree_of
from lab.search import REDUCTIONS, best_play
from lab.text.columns import columns
from lab.text.numbers import count_text, percent_text
from saves.files import writable_file, write_text

MAX_NODES: Final = 10_000_000
"""The maximum number of nodes of an export, which takes some minutes and about a gigabyte."""


def json_lines(game: Game, nodes: Iterable[WalkedNode]) -> Iterator[str]:
    for node in nodes:
        fields = {
            "id": node.number,
            "parent": node.parent,
            "ply": node.ply,
            "move": None if node.move is None else game.move_name(node.move),
            "position": game.to_text(node.position),
            "outcome": None if node.outcome is None else node.outcome.name.lower(),
            "value": node.value,
            "children": node.children,
        }
        yield json.dumps(fields) + "\n"


def dot(game: Game, nodes: Iterable[WalkedNode]) -> Iterator[str]:
    """Yield a directed graph: a node shows its board and how the game ends under best play, an edge its move."""
    yield f"digraph {_quoted(game.name)} {{\nnode [shape=box fontname=monospace]\n"
    for node in nodes:
        lines = game.to_text(node.position).split("/")
        known = [] if node.value is None else [best_play(game, node.value)]
        yield f"{node.number} [label={_quoted(*lines, *known)}]\n"
        if node.move is not None:
            yield f"{node.parent} -> {node.number} [label={_quoted(game.move_name(node.move))}]\n"
    yield "}\n"


def _quoted(*lines: str) -> str:
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'


FORMATS: Final[dict[str, Callable[[Game, Iterable[WalkedNode]], Iterator[str]]]] = {"jsonl": json_lines, "dot": dot}


MAX_DEPTH: Final = 1_000
NODES_AT_ONCE: Final = 1_000
"""The nodes that are written between two updates of the progress."""


@click.command()
@game_option
@click.option(
    "--rules",
    type=click.Choice([each.value for each in TreeRules]),
    default=TreeRules.CORRECT.value,
    help="published counts with the mistake of the data.tree post.  [default: correct]",
)
@click.option(
    "--reduce",
    "reduction",
    type=click.Choice([each.value for each in Reduction]),
    help="Which symmetric moves count as one.  [default: none; first-move with published rules]",
)
@number_option("--depth", MAX_DEPTH, "Count the first N moves only, in games of any size.  [default: to the end]")
@path_option(
    "--export",
    help="Write the nodes to FILE, or - for standard output: as DOT if its name ends in .dot, else as JSON lines.",
)
@click.option("--format", "form", type=click.Choice(list(FORMATS)), help="The format of --export.")
@replace_option
@json_option
def tree(  # noqa: PLR0913  one parameter an option
    *,
    game: Game | None,
    rules: str,
    reduction: str | None,
    depth: int | None,
    export: Path | None,
    form: str | None,
    replace: bool,
    as_json: bool,
) -> None:
    """Count the game tree, to the end or to a depth.

    With --rules published it repeats the counts of the data.tree post on
    tic-tac-toe, and explains the mistake in them.

    \b
    Examples:
      noughts tree
      noughts tree --reduce symmetry
      noughts tree --rules published
      noughts tree --game connectfour --depth 8
      noughts tree --depth 3 --export tree.dot
    """
    played, chosen = game or GAMES[0], TreeRules(rules)
    published = chosen is TreeRules.PUBLISHED
    reduce = Reduction(reduction or (Reduction.FIRST_MOVE if published else Reduction.NONE))
    if form is not None and export is None:
        raise click.UsageError("--format needs --export")
    require_one_document(export, as_json=as_json)
    if export is not None and not is_stream(export):
        writable_file(export, replace=replace)
    if depth is None and not played.numbered:
        raise TooLarge(f"{played.title} is too large for its whole tree: add --depth N to count the first N moves")
    document: dict[str, object] = {"game": played.name, "rules": rules, "reduce": reduce.value}
    levels = (
        [] if depth is None else _counted_levels(Plies(played, chosen, reduce), depth, MAX_NODES if export else None)
    )
    whole = depth is None or (played.numbered and levels[-1].nodes == levels[-1].games.total)
    if whole:
        counts = tree_of(played, chosen, reduce).statistics()
        nodes = counts.nodes
        document |= ({} if depth is None else {"depth": depth}) | _document(played, counts)
        lines = [f"{played.title}, complete tree, {REDUCTIONS[reduce]}", "", *_lines(played, counts)]
    else:
        nodes = sum(level.nodes for level in levels)
        document |= {"depth": depth, **_document_of_levels(levels)}
        lines = [f"{played.title}, tree to a depth of {depth}, {REDUCTIONS[reduce]}", "", *_plies(played, levels)]
    if export is not None:
        _require_few(nodes, played)
        _export(Plies(played, chosen, reduce), depth or played.longest, nodes, export, form, replace=replace)
        if is_stream(export):
            return
        lines += ["", f"{nodes:,} nodes written to {export}"]
    if published:
        document["why"] = WHY
        lines[1:1] = ["", f"As published: {WHY}."]
        if whole:
            correct = tree_of(played, TreeRules.CORRECT, reduce).statistics()
            lines[3:3] = [f"By the correct rules: {correct.leaves:,} leaves, {correct.nodes:,} nodes."]
    print_result(lines, document, as_json=as_json)


def _counted_levels(plies: Plies, depth: int, most: int | None) -> list[TreeLevel]:
    """Count to a depth, with progress; with `most`, raise `TooLarge` as soon as there are more nodes."""
    levels = list[TreeLevel]()

    def described(state: tuple[int, int, int]) -> tuple[float, str]:
        ply, done, total = state
        return done / total, f"move {ply}, {count_text(done)} of {count_text(total)} positions"

    with progress_bar("counting", described) as show:
        for level in plies.count(depth, lambda *state: show(state)):
            levels.append(level)
            if most is not None:
                _require_few(sum(each.nodes for each in levels), plies.game)
    return levels


def _require_few(nodes: int, game: Game) -> None:
    if nodes > MAX_NODES:
        raise TooLarge(
            f"this tree of {game.title} has more than {MAX_NODES:,} nodes, the most of an export: "
            "choose a smaller --depth"
        )


def _export(  # noqa: PLR0913  what to write, and where
    plies: Plies, depth: int, count: int, path: Path, form: str | None, *, replace: bool
) -> None:
    """Write all nodes to a depth, piece by piece. Raises `LibraryError`, `OSError`."""
    write_nodes = FORMATS[form or ("dot" if path.name.lower().endswith((".dot", ".gv")) else "jsonl")]
    plies.prepare()  # it may show progress of its own

    def described(done: int) -> tuple[float, str]:
        return done / count, f"{done:,} of {count:,} nodes"

    def write(out: Callable[[bytes], object]) -> None:
        with progress_bar("writing", described) as show:
            for piece in write_nodes(plies.played, _shown(plies.walk(depth), show)):
                out(piece.encode())

    if is_stream(path):
        with output_file() as file:
            write(file.write)
    else:
        write_text(path, lambda file: write(file.write), replace=replace)


def _shown(nodes: Iterable[WalkedNode], show: Callable[[int], None]) -> Iterator[WalkedNode]:
    for node in nodes:
        if not node.number % NODES_AT_ONCE:
            show(node.number)
        yield node


def _lines(game: Game, tree: Statistics) -> list[str]:
    first, second = game.marks
    sizes = [(name, f"{getattr(tree, name):,}", "") for name in ("positions", "nodes", "leaves")]
    ends = (f"{first} wins", f"{second} wins", "draws")
    shares = [
        (name, f"{count:,}", percent_text(count / tree.leaves))
        for name, count in zip(ends, vars(tree.games).values(), strict=True)
    ]
    levels = [TreeLevel(*each) for each in zip(tree.by_ply, tree.games_by_ply, strict=True)]
    branches = [
        (game.move_name(branch.move), f"{branch.nodes:,}", *_counted(branch.games), best_play(game, branch.value))
        for branch in tree.by_first_move
    ]
    return [
        *columns([*sizes, *shares], "<>>"),
        *columns([("mean length", f"{tree.mean_length:.6f}"), ("mean branching", f"{tree.mean_branching:.6f}")], "<>"),
        "",
        *_plies(game, levels),
        "",
        *columns([("first move", "nodes", "games", *ends, "best play"), *branches], "<>>>>><"),
    ]


def _plies(game: Game, levels: list[TreeLevel]) -> list[str]:
    first, second = game.marks
    rows = [(str(ply), f"{level.nodes:,}", *_counted(level.games)) for ply, level in enumerate(levels)]
    return columns([("moves", "nodes", "games", f"{first} wins", f"{second} wins", "draws"), *rows], ">>>>>>")


def _counted(games: Games) -> tuple[str, ...]:
    return f"{games.total:,}", *(f"{count:,}" for count in vars(games).values())


def _document_of_levels(levels: list[TreeLevel]) -> dict[str, object]:
    ended = [level.games for level in levels]
    return {
        "nodes": sum(level.nodes for level in levels),
        "leaves": sum(games.total for games in ended),
        "first_wins": sum(games.first_wins for games in ended),
        "second_wins": sum(games.second_wins for games in ended),
        "draws": sum(games.draws for games in ended),
        "by_ply": [level.nodes for level in levels],
        "leaves_by_ply": [games.total for games in ended],
    }


def _document(game: Game, tree: Statistics) -> dict[str, object]:
    return {
        "nodes": tree.nodes,
        "leaves": tree.leaves,
        **vars(tree.games),
        "mean_length": tree.mean_length,
        "mean_branching": tree.mean_branching,
        "by_ply": list(tree.by_ply),
        "leaves_by_ply": [games.total for games in tree.games_by_ply],
        "by_first_move": [
            {
                "move": game.move_name(branch.move),
                "nodes": branch.nodes,
                "leaves": branch.games.total,
                **vars(branch.games),
                "value": branch.value,
            }
            for branch in tree.by_first_move
        ],
        "games": tree.leaves,
        "positions": tree.positions,
        "running_positions": tree.running_positions,
    }
