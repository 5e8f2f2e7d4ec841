"""`noughts tree`: the counts of a complete game tree."""

import click

from cli.shared.common import game_option, json_option, print_result
from engine.game import Game
from engine.games import GAMES, parse_game
from engine.space import RUNNING
from engine.spaces import space_of
from engine.trees.published import WHY
from engine.trees.tree import Games, Reduction, Statistics, TreeRules, tree_of
from lab.words.columns import columns
from lab.words.numbers import percent_text
from lab.words.trees import REDUCTIONS, best_play


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
@json_option
def tree(game: str | None, rules: str, reduction: str | None, *, as_json: bool) -> None:
    """Count the complete game tree: every way to play a game.

    With --rules published it repeats the counts of the data.tree post on
    tic-tac-toe, and explains the mistake in them.

    \b
    Examples:
      noughts tree
      noughts tree --reduce symmetry
      noughts tree --rules published
    """
    played, chosen = parse_game(game) if game else GAMES[0], TreeRules(rules)
    published = chosen is TreeRules.PUBLISHED
    reduce = Reduction(reduction or (Reduction.FIRST_MOVE if published else Reduction.NONE))
    counts = tree_of(played, chosen, reduce).statistics()
    document = {"game": played.name, "rules": rules, "reduce": reduce.value, **_document(played, counts)}
    if not published:
        document |= {"games": counts.leaves, **_positions(played)}
    lines = [f"{played.title}, complete tree, {REDUCTIONS[reduce]}", "", *_lines(played, counts)]
    if published:
        correct = tree_of(played, TreeRules.CORRECT, reduce).statistics()
        lines[1:1] = [
            "",
            f"As published: {WHY}.",
            f"By the correct rules: {correct.leaves:,} leaves, {correct.nodes:,} nodes.",
        ]
        document["why"] = WHY
    print_result(lines, document, as_json=as_json)


def _lines(game: Game, tree: Statistics) -> list[str]:
    first, second = game.marks
    ends = (f"{first} wins", f"{second} wins", "draws")
    shares = [
        (name, f"{count:,}", percent_text(count / tree.leaves))
        for name, count in zip(ends, vars(tree.games).values(), strict=True)
    ]
    plies = [
        (str(ply), f"{nodes:,}", *_counted(games))
        for ply, (nodes, games) in enumerate(zip(tree.by_ply, tree.games_by_ply, strict=True))
    ]
    branches = [
        (game.move_name(branch.move), f"{branch.nodes:,}", *_counted(branch.games), best_play(game, branch.value))
        for branch in tree.by_first_move
    ]
    return [
        *columns([("nodes", f"{tree.nodes:,}", ""), ("leaves", f"{tree.leaves:,}", ""), *shares], "<>>"),
        *columns([("mean length", f"{tree.mean_length:.6f}"), ("mean branching", f"{tree.mean_branching:.6f}")], "<>"),
        "",
        *columns([("moves", "nodes", "games", *ends), *plies], ">>>>>>"),
        "",
        *columns([("first move", "nodes", "games", *ends, "best play"), *branches], "<>>>>><"),
    ]


def _counted(games: Games) -> tuple[str, ...]:
    return f"{games.total:,}", *(f"{count:,}" for count in vars(games).values())


def _positions(game: Game) -> dict[str, object]:
    """The positions that play reaches, each once, and those of them in which the game is not over."""
    outcome = space_of(game).outcome
    return {"positions": len(outcome), "running_positions": int((outcome == RUNNING).sum())}


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
    }
