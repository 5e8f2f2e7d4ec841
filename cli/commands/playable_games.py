"""`noughts games playable`: the games that can be played, with their sizes."""

import click

from cli.shared.common import json_option, print_result
from engine.game import Family, Game, SpaceSize
from engine.games import FAMILIES, known_games
from engine.plugin_guard import PluginFailed
from engine.space import Endless, TooLarge
from engine.spaces import space_of
from lab.text.columns import columns
from lab.text.numbers import count_text
from lab.text.sanitise import plain


@click.command()
@json_option
def playable(*, as_json: bool) -> None:
    """List the games that can be played, with their sizes.

    A game has exact results if its positions are counted; the others are too
    large to list their positions. The games of a family differ in parameters,
    which you may choose.

    \b
    Examples:
      noughts games playable
      noughts games playable --json
    """
    sizes = {game: size_of(game) for game in known_games()}
    lines = [
        *columns([("game", "board", "positions", ""), *(_row(game, size) for game, size in sizes.items())], "<>><"),
        "",
        "Families, whose parameters you choose:",
        *columns([(_form(each), f"for example {', '.join(each.examples)}") for each in FAMILIES], "<<"),
    ]
    document = {
        "games": [_document(game, size) for game, size in sizes.items()],
        "families": [{"name": each.name, "form": _form(each), "examples": [*each.examples]} for each in FAMILIES],
    }
    print_result(lines, document, as_json=as_json)


def size_of(game: Game) -> SpaceSize | None:
    """Return the numbers of positions and edges of a game; `None` if they are too many to list."""
    if not game.numbered or game.space_size is not None:
        return game.space_size
    try:
        space = space_of(game)
    except (TooLarge, Endless, PluginFailed):
        return None
    return SpaceSize(len(space.position), len(space.move))


def _form(family: Family) -> str:
    return plain(f"{family.name}:{family.form}")


def _row(game: Game, size: SpaceSize | None) -> tuple[str, ...]:
    positions = "" if size is None else count_text(size.positions)
    return game.name, f"{game.board.columns}×{game.board.rows}", positions, plain(f"{game.title}: {game.summary}")


def _document(game: Game, size: SpaceSize | None) -> dict[str, object]:
    return {
        "name": game.name,
        "title": game.title,
        "summary": game.summary,
        "columns": game.board.columns,
        "rows": game.board.rows,
        "positions": None if size is None else size.positions,
        "edges": None if size is None else size.edges,
        "exact": game.learnable,
    }
