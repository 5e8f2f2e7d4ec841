"""`noughts games`: the games that can be played; finished games, and what they tell about the person."""

import shutil
from itertools import pairwise
from typing import Final

import click
from rich.cells import cell_len

from cli.shared import common
from cli.shared.arguments import chosen_library
from cli.shared.board_text import board_lines, join_blocks
from engine.game import Family, Game, PluginFailed, Side, SpaceSize
from engine.games import FAMILIES, GAMES, known_games
from engine.match import replay_record
from engine.plural import counted_noun
from engine.space import Endless, TooLarge
from engine.spaces import space_of
from lab.review.finished_games import (
    filter_text,
    manner_of_ending,
    moment_text,
    players_text,
    record_end_text,
    record_ending_text,
    seats_lines,
    summary_text,
)
from lab.text.columns import columns, cut
from lab.text.numbers import count_text
from lab.text.sanitise import plain
from saves.errors import LibraryError
from saves.library.game_record import LARGEST_NUMBER, DamagedGame, GameFilter, StoredGame
from saves.paths import settings_path

USUAL_LIMIT: Final = 20
"""The default number of games in the list."""
MAX_LIMIT: Final = 10_000
"""The maximum number of games in the list."""
MAX_NAME_WIDTH: Final = 30
"""The maximum width of a player's name, in columns."""
GAP: Final = 4
"""The columns between two boards."""


@click.group(cls=common.ListingGroup, no_args_is_help=False)
@common.library_option
def games() -> None:
    """List the games that can be played, or have been.

    Without a command, the games that people have finished are listed; playable
    lists the games that there are.

    \b
    Examples:
      noughts games --game hexapawn
      noughts games show 3
      noughts games playable
    """


@games.command(common.LIST)
@click.option("--game", type=common.GameName(), help="The game.  [default: all]")
@click.option("--limit", metavar="N", default=str(USUAL_LIMIT), help=f"List at most N games.  [default: {USUAL_LIMIT}]")
@common.library_and_json
def list_games(*, game: Game | None, limit: str, as_json: bool) -> None:
    """List finished games, the newest first.

    \b
    Example:
      noughts games list --limit 100
    """
    max_games = common.parse_number(limit, 1, MAX_LIMIT)
    library = chosen_library()
    numbers = library.games.numbers(filter_of(game))
    stored_games = library.games.read(numbers[:max_games])
    document = {"total": len(numbers), "games": [game_document(stored) for stored in stored_games]}
    common.print_result(list_lines(stored_games, len(numbers), game), document, as_json=as_json)


def filter_of(game: Game | None) -> GameFilter:
    return GameFilter(None if game is None else game.name)


def list_lines(stored_games: list[StoredGame | DamagedGame], count: int, game: Game | None) -> list[str]:
    """Return a table of games; if it leaves out some of all `count` games, a line below it says so."""
    if not stored_games:
        line = "No games yet." if game is None else f"No games of {game.title} yet."
        return [line, "noughts games playable lists the games that can be played."]
    headings = ("number", "when", "game", "first", "second", "ended", "moves")
    lines = columns([headings, *map(_list_row, stored_games)], "><<<<<>")
    if len(stored_games) < count:
        total = counted_noun(count, "game")
        lines.append(f"{count_text(len(stored_games))} of {total}, {filter_text(filter_of(game))}: --limit lists more")
    return lines


def _list_row(stored: StoredGame | DamagedGame) -> tuple[str, ...]:
    if isinstance(stored, DamagedGame):
        return str(stored.id), "", "", "", "", "unreadable", ""
    record, game = stored.record, stored.record.game
    players = zip(game.marks, players_text(record.players), strict=True)
    first, second = (cut(f"{mark} {name}", MAX_NAME_WIDTH) for mark, name in players)
    ending, moves = record_ending_text(record), str(len(record.moves))
    return str(stored.id), moment_text(stored.played), game.name, first, second, ending, moves


@games.command()
@click.argument("number", metavar="N")
@common.library_and_json
def show(number: str, *, as_json: bool) -> None:
    """Show game N move by move. The list has the numbers of the games.

    \b
    Example:
      noughts games show 3
    """
    stored = load_game(number)
    common.print_result(show_lines(stored), game_document(stored), as_json=as_json)


def load_game(number: str) -> StoredGame:
    stored = chosen_library().games.read_one(common.parse_number(number, 1, LARGEST_NUMBER))
    if isinstance(stored, DamagedGame):
        raise LibraryError(damage_text(stored))
    return stored


def damage_text(damaged: DamagedGame) -> str:
    return f"game {damaged.id} cannot be read: {damaged.trouble}"


def show_lines(stored: StoredGame) -> list[str]:
    """Return a game as boards, as many side by side as fit into the terminal."""
    record, game = stored.record, stored.record.game
    match = replay_record(record)
    blocks = [["Start", *board_lines(game, game.start)]]
    positions = pairwise(match.positions)
    for number, (move, (before, after)) in enumerate(zip(match.moves, positions, strict=True), 1):
        title = f"{number}. {game.mark(game.side(before))} {game.move_name(move)}"
        blocks.append([title, *board_lines(game, after)])
    width = max(cell_len(line) for block in blocks for line in block)
    blocks = [[line.ljust(width) for line in block] for block in blocks]
    count = max(1, (shutil.get_terminal_size().columns + GAP) // (width + GAP))
    lines = [f"Game {stored.id}: {game.title}, {moment_text(stored.played)}", *seats_lines(record)]
    for start in range(0, len(blocks), count):
        lines += ["", *join_blocks(blocks[start : start + count], GAP)]
    return [*lines, "", record_end_text(record)]


def game_document(stored: StoredGame | DamagedGame) -> dict[str, object]:
    if isinstance(stored, DamagedGame):
        return {"number": stored.id, "error": damage_text(stored)}
    record, game = stored.record, stored.record.game
    positions = replay_record(record).positions
    return {
        "number": stored.id,
        "played": stored.played.isoformat(),
        "game": game.name,
        **{side.name.lower(): label for side, label in zip(Side, record.players, strict=True)},
        "moves": [game.move_name(move) for move in record.moves],
        "positions": [game.to_text(position) for position in positions],
        "plies": len(record.moves),
        "outcome": record.outcome.name.lower(),
        "ended": manner_of_ending(record),
    }


@games.command()
@click.argument("number", metavar="N|all")
@common.library_and_json
def delete(number: str, *, as_json: bool) -> None:
    """Delete game N permanently; with all, every game, and with them your curve.

    \b
    Examples:
      noughts games delete 3
      noughts games delete all
    """
    library = chosen_library()
    if number == "all":
        count = library.games.delete_all()
        common.print_result([f"Deleted {counted_noun(count, 'game')}."], {"deleted": count}, as_json=as_json)
        return
    game_id = common.parse_number(number, 1, LARGEST_NUMBER)
    stored = library.games.read_one(game_id)
    library.games.delete(game_id)
    summary = summary_text(stored) if isinstance(stored, StoredGame) else "it could not be read"
    common.print_result([f"Deleted game {game_id}: {summary}"], {"number": game_id, "deleted": True}, as_json=as_json)


@games.command()
@common.game_option
@click.option("--exercises", type=click.Choice(["on", "off"]), help="Switch the exercises on or off, from now on.")
@common.library_and_json
def you(*, game: Game | None, exercises: str | None, as_json: bool) -> None:
    """Show where you gave something away, beside a MENACE after equally many games.

    Positions that you gave away come back as exercises after 1, 3, 10 and 30
    games, until you hold them. All of this is computed from your games, which stay in
    your library; noughts games delete all deletes them.

    \b
    Examples:
      noughts games you --game hexapawn
      noughts games you --exercises off
    """
    from lab.review.yourself import SETTING, yourself, yourself_document, yourself_lines  # imports learners
    from saves.settings import change_settings, load_settings

    if exercises is not None:
        change_settings(settings_path(), {SETTING: exercises})
    with_exercises = load_settings(settings_path()).get(SETTING) != "off"
    view = yourself(chosen_library().games, game or GAMES[0])
    lines = yourself_lines(view, exercises=with_exercises)
    common.print_result(lines, yourself_document(view, exercises=with_exercises), as_json=as_json)


@games.command()
@common.json_option
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
    game_rows = [_game_row(game, size) for game, size in sizes.items()]
    family_rows = [(_form(family), f"for example {', '.join(family.examples)}") for family in FAMILIES]
    lines = [
        *columns([("game", "board", "positions", ""), *game_rows], "<>><"),
        "",
        "Families, whose parameters you choose:",
        *columns(family_rows, "<<"),
    ]
    document = {
        "games": [_size_document(game, size) for game, size in sizes.items()],
        "families": [
            {"name": family.name, "form": _form(family), "examples": [*family.examples]} for family in FAMILIES
        ],
    }
    common.print_result(lines, document, as_json=as_json)


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


def _game_row(game: Game, size: SpaceSize | None) -> tuple[str, ...]:
    positions = "" if size is None else count_text(size.positions)
    return game.name, f"{game.board.columns}×{game.board.rows}", positions, plain(f"{game.title}: {game.summary}")


def _size_document(game: Game, size: SpaceSize | None) -> dict[str, object]:
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
