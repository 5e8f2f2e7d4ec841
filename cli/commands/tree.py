"""`noughts tree`: the counts of a game tree, complete or to a depth, and its nodes as a file."""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Final

import click

from cli.shared.common import game_option, json_option, number_option, path_option, print_result, replace_option
from cli.shared.progress import progress_bar
from cli.shared.streams import is_stream, output_file, require_one_document, require_writable
from engine.game import Game
from engine.games import GAMES
from engine.space import TooLarge
from engine.trees.plies import Plies, WalkedNode
from engine.trees.tree import PUBLISHED_MISTAKE, Games, Reduction, Statistics, TreeLevel, TreeRules, tree_of
from lab.search import REDUCTIONS, best_play_text
from lab.text.columns import columns
from lab.text.numbers import count_text, percent_text
from saves.files import write_text

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


def dot_lines(game: Game, nodes: Iterable[WalkedNode]) -> Iterator[str]:
    """Yield a directed graph: a node shows its board and how the game ends under best play, an edge its move."""
    yield f"digraph {_quote(game.name)} {{\nnode [shape=box fontname=monospace]\n"
    for node in nodes:
        lines = game.to_text(node.position).split("/")
        if node.value is not None:
            lines.append(best_play_text(game, node.value))
        yield f"{node.number} [label={_quote(*lines)}]\n"
        if node.move is not None:
            yield f"{node.parent} -> {node.number} [label={_quote(game.move_name(node.move))}]\n"
    yield "}\n"


def _quote(*lines: str) -> str:
    escaped = (line.replace("\\", "\\\\").replace('"', '\\"') for line in lines)
    return '"' + "\\n".join(escaped) + '"'


WriteNodes = Callable[[Game, Iterable[WalkedNode]], Iterator[str]]
FORMATS: Final[dict[str, WriteNodes]] = {"jsonl": json_lines, "dot": dot_lines}
"""The formats of an export: for each, a function that yields the text of the nodes, piece by piece."""
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
    played, tree_rules = game or GAMES[0], TreeRules(rules)
    is_published = tree_rules is TreeRules.PUBLISHED
    usual_reduction = Reduction.FIRST_MOVE if is_published else Reduction.NONE
    reduce = Reduction(reduction or usual_reduction)
    if form is not None and export is None:
        raise click.UsageError("--format needs --export")
    require_one_document(export, as_json=as_json)
    if export is not None:
        require_writable(export, replace=replace)
    if depth is None and not played.numbered:
        raise TooLarge(f"{played.title} is too large for its whole tree: add --depth N to count the first N moves")
    document: dict[str, object] = {"game": played.name, "rules": rules, "reduce": reduce.value}
    levels = list[TreeLevel]()
    if depth is not None:
        document["depth"] = depth
        levels = _count_levels(Plies(played, tree_rules, reduce), depth, limited=export is not None)
    is_whole = depth is None or (played.numbered and levels[-1].nodes == levels[-1].games.total)
    if is_whole:
        title = f"{played.title}, complete tree, {REDUCTIONS[reduce]}"
        counts = tree_of(played, tree_rules, reduce).statistics()
        nodes = counts.nodes
        document |= _tree_document(played, counts)
        lines = _tree_lines(played, counts)
    else:
        title = f"{played.title}, tree to a depth of {depth}, {REDUCTIONS[reduce]}"
        nodes = sum(level.nodes for level in levels)
        document |= _levels_document(levels)
        lines = _level_lines(played, levels)
    if export is not None:
        _require_few(nodes, played)
        _export(Plies(played, tree_rules, reduce), depth or played.longest, nodes, export, form, replace=replace)
        if is_stream(export):
            return
        lines += ["", f"{nodes:,} nodes written to {export}"]
    notes = list[str]()
    if is_published:
        document["why"] = PUBLISHED_MISTAKE
        notes = ["", f"As published: {PUBLISHED_MISTAKE}."]
        if is_whole:
            correct = tree_of(played, TreeRules.CORRECT, reduce).statistics()
            notes.append(f"By the correct rules: {correct.leaves:,} leaves, {correct.nodes:,} nodes.")
    print_result([title, *notes, "", *lines], document, as_json=as_json)


def _count_levels(plies: Plies, depth: int, *, limited: bool) -> list[TreeLevel]:
    """Count to a depth, with progress; if `limited`, raise `TooLarge` as soon as there are too many for an export."""
    levels = list[TreeLevel]()

    def describe(state: tuple[int, int, int]) -> tuple[float, str]:
        ply, done, total = state
        return done / total, f"move {ply}, {count_text(done)} of {count_text(total)} positions"

    with progress_bar("counting", describe) as show:
        for level in plies.count(depth, lambda *state: show(state)):
            levels.append(level)
            if limited:
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

    def describe(done: int) -> tuple[float, str]:
        return done / count, f"{done:,} of {count:,} nodes"

    def write(write_bytes: Callable[[bytes], object]) -> None:
        with progress_bar("writing", describe) as show:
            for piece in write_nodes(plies.played, _with_progress(plies.walk(depth), show)):
                write_bytes(piece.encode())

    if is_stream(path):
        with output_file() as file:
            write(file.write)
    else:
        write_text(path, lambda file: write(file.write), replace=replace)


def _with_progress(nodes: Iterable[WalkedNode], show: Callable[[int], None]) -> Iterator[WalkedNode]:
    for node in nodes:
        if not node.number % NODES_AT_ONCE:
            show(node.number)
        yield node


def _tree_lines(game: Game, tree: Statistics) -> list[str]:
    first, second = game.marks
    sizes = [("positions", tree.positions), ("nodes", tree.nodes), ("leaves", tree.leaves)]
    endings = (f"{first} wins", f"{second} wins", "draws")
    rows = [(name, f"{count:,}", "") for name, count in sizes]
    for name, count in zip(endings, vars(tree.games).values(), strict=True):
        rows.append((name, f"{count:,}", percent_text(count / tree.leaves)))
    levels = [TreeLevel(nodes, games) for nodes, games in zip(tree.by_ply, tree.games_by_ply, strict=True)]
    branches = [
        (
            game.move_name(branch.move),
            f"{branch.nodes:,}",
            *_count_texts(branch.games),
            best_play_text(game, branch.value),
        )
        for branch in tree.by_first_move
    ]
    return [
        *columns(rows, "<>>"),
        *columns([("mean length", f"{tree.mean_length:.6f}"), ("mean branching", f"{tree.mean_branching:.6f}")], "<>"),
        "",
        *_level_lines(game, levels),
        "",
        *columns([("first move", "nodes", "games", *endings, "best play"), *branches], "<>>>>><"),
    ]


def _level_lines(game: Game, levels: list[TreeLevel]) -> list[str]:
    first, second = game.marks
    rows = [(str(ply), f"{level.nodes:,}", *_count_texts(level.games)) for ply, level in enumerate(levels)]
    return columns([("moves", "nodes", "games", f"{first} wins", f"{second} wins", "draws"), *rows], ">>>>>>")


def _count_texts(games: Games) -> tuple[str, ...]:
    return f"{games.total:,}", *(f"{count:,}" for count in vars(games).values())


def _levels_document(levels: list[TreeLevel]) -> dict[str, object]:
    return {
        "nodes": sum(level.nodes for level in levels),
        "leaves": sum(level.games.total for level in levels),
        "first_wins": sum(level.games.first_wins for level in levels),
        "second_wins": sum(level.games.second_wins for level in levels),
        "draws": sum(level.games.draws for level in levels),
        "by_ply": [level.nodes for level in levels],
        "leaves_by_ply": [level.games.total for level in levels],
    }


def _tree_document(game: Game, tree: Statistics) -> dict[str, object]:
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
