"""The figures of a game's whole tree."""

import click

from cli.shared.common import game_option, json_option, report
from engine.game import Game
from engine.games import GAMES, parse_game
from engine.trees.published import WHY
from engine.trees.tree import Games, Reduction, Rules, Statistics, tree_of
from lab.words.columns import columns
from lab.words.numbers import percent_text

REDUCED = {
    Reduction.NONE: "every move",
    Reduction.FIRST_MOVE: "symmetric first moves as one",
    Reduction.SYMMETRY: "symmetric moves as one",
}


@click.command()
@game_option
@click.option(
    "--rules",
    type=click.Choice([each.value for each in Rules]),
    default=Rules.CORRECT.value,
    help="Published: with the slip of the data.tree post.",
)
@click.option(
    "--reduce",
    "reduction",
    type=click.Choice([each.value for each in Reduction]),
    help="Which symmetric moves count as one: none, those of the first move, or all. As published: of the first move.",
)
@json_option
def tree(game: str | None, rules: str, reduction: str | None, *, as_json: bool) -> None:
    """Count the complete game tree: every way to play a game.

    With `--rules published` it counts as the data.tree post on tic-tac-toe did, and says what is wrong there.

    \b
    Examples:
      noughts tree
      noughts tree --reduce symmetry
      noughts tree --rules published
    """
    played, chosen = parse_game(game) if game else GAMES[0], Rules(rules)
    published = chosen is Rules.PUBLISHED
    reduce = Reduction(reduction or (Reduction.FIRST_MOVE if published else Reduction.NONE))
    told = tree_of(played, chosen, reduce).statistics()
    document = {"game": played.name, "rules": rules, "reduce": reduce.value, **_document(played, told)}
    lines = [f"{played.title}, the whole tree, {REDUCED[reduce]}", "", *_lines(played, told)]
    if published:
        right = tree_of(played, Rules.CORRECT, reduce).statistics()
        lines[1:1] = [
            "",
            f"As published: {WHY}.",
            f"By the right rules: {right.leaves:,} leaves, {right.nodes:,} nodes.",
        ]
        document["why"] = WHY
    report(lines, document, as_json=as_json)


def _lines(game: Game, told: Statistics) -> list[str]:
    first, second = game.marks
    ends = (f"{first} wins", f"{second} wins", "draws")
    shares = [
        (name, f"{count:,}", percent_text(count / told.leaves))
        for name, count in zip(ends, vars(told.games).values(), strict=True)
    ]
    plies = [
        (str(ply), f"{nodes:,}", *_counted(games))
        for ply, (nodes, games) in enumerate(zip(told.by_ply, told.games_by_ply, strict=True))
    ]
    branches = [
        (game.move_name(branch.move), f"{branch.nodes:,}", *_counted(branch.games), _verdict(game, branch.value))
        for branch in told.by_first_move
    ]
    return [
        *columns([("nodes", f"{told.nodes:,}", ""), ("leaves", f"{told.leaves:,}", ""), *shares], "<>>"),
        *columns([("mean length", f"{told.mean_length:.6f}"), ("mean branching", f"{told.mean_branching:.6f}")], "<>"),
        "",
        *columns([("moves", "nodes", "games", *ends), *plies], ">>>>>>"),
        "",
        *columns([("first move", "nodes", "games", *ends, "best play"), *branches], "<>>>>><"),
    ]


def _counted(games: Games) -> tuple[str, ...]:
    return f"{games.total:,}", *(f"{count:,}" for count in vars(games).values())


def _verdict(game: Game, value: int) -> str:
    return f"{game.marks[value < 0]} wins" if value else "a draw"


def _document(game: Game, told: Statistics) -> dict[str, object]:
    return {
        "nodes": told.nodes,
        "leaves": told.leaves,
        **vars(told.games),
        "mean_length": told.mean_length,
        "mean_branching": told.mean_branching,
        "by_ply": list(told.by_ply),
        "leaves_by_ply": [games.total for games in told.games_by_ply],
        "by_first_move": [
            {
                "move": game.move_name(branch.move),
                "nodes": branch.nodes,
                "leaves": branch.games.total,
                **vars(branch.games),
                "value": branch.value,
            }
            for branch in told.by_first_move
        ],
    }
