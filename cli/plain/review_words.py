"""Words for games as a whole: what decided them, playing on from their midst, text to copy and paste, earlier ones."""

from collections.abc import Iterator, Sequence

from cli.plain.seat_words import practise
from cli.plain.spoken import pieces_text
from cli.plain.table import Table
from cli.shared.board_text import board
from cli.shared.common import whole_number
from engine.debrief import Turn, debrief, decisive
from engine.games import GAMES
from engine.notation import game_text, parse_game_text, position_text
from lab.board.game_review import Story, story_of, story_of_record
from lab.words.debrief import ending_text, turn_text, verdict_text
from lab.words.finished_games import summary_text
from lab.words.sanitise import plain
from learners.core.plural import plural
from saves.library.game_record import LARGEST_NUMBER, DamagedGame

LISTED = 10
"""How many of the kept games are listed."""
EVERY = "all"


def tell_debrief(table: Table, which: str) -> None:
    """What decided the game at the table; with `all`, every move of it."""
    if which.lower() not in ("", EVERY):
        table.say(f"Write debrief, or debrief {EVERY} for every move.")
    elif not table.match.moves:
        table.say("There is nothing to go through yet: games lists earlier ones.")
    else:
        _review(table, story_of(table.session), whole=bool(which))
        table.say("To play on from before a move: retry and its number.")


def _review(table: Table, story: Story, *, whole: bool) -> None:
    """How a game ended, what decided it, and its moves: those that gave something away, or all."""
    match = story.match
    table.say(ending_text(match, story.names))
    if not match.game.numbered:
        table.say(f"Looking at {len(match.moves)} {plural('move', len(match.moves))}.")  # which takes a while
    turns = debrief(match)
    table.say(verdict_text(match, turns))
    for turn in turns if whole else decisive(turns):
        for line in _turn_lines(table, story, turns, turn):
            table.say(line)


def _turn_lines(table: Table, story: Story, turns: Sequence[Turn], turn: Turn) -> Iterator[str]:
    """A move in sentences; before one that gave something away, where it was made."""
    game, after = story.match.game, turn.ply + 1
    if turn.cost:
        yield f"Before move {after}:"
        yield from [pieces_text(game, turn.position)] if table.spoken else board(game, turn.position)
    follow = turns[after] if after < len(turns) else None
    told = turn_text(game, turn, follow, story.names[turn.side.other], story.chance(after))
    yield f"Move {after}: {' '.join(told)}"


def retry(table: Table, number: str) -> None:
    """Play on from before a move, else from before the last that gave something away. Raises `BadParameter`."""
    match = table.match
    if not match.moves:
        table.say("No move is made yet.")
        return
    if number:
        practise(table, match.until(whole_number(number, 1, len(match.moves)) - 1))
        return
    gave = decisive(debrief(match))
    if gave:
        practise(table, match.until(gave[-1].ply))
    else:
        table.say("No move gave anything away. Say before which to play on, as in: retry 1")


def tell_position(table: Table, _: str = "") -> None:
    table.say(position_text(table.match))


def tell_record(table: Table, _: str = "") -> None:
    table.say(game_text(table.match))


def tell_copies(table: Table, _: str = "") -> None:
    """Both texts, as the app offers both to be copied."""
    tell_position(table)
    tell_record(table)


def paste(table: Table, text: str) -> None:
    """Go on from a position or a game that is given as text. Raises `BadText`."""
    if text:
        practise(table, parse_game_text(text, GAMES, table.game))
    else:
        table.say(f"Write a position or a game after it, such as: paste {game_text(table.match)}")


def list_games(table: Table, _: str = "") -> None:
    """The games kept last. Raises `LibraryError`."""
    numbers = table.library.game_numbers()
    for kept in table.library.kept_games(numbers[:LISTED]):
        told = f"cannot be read: {kept.trouble}" if isinstance(kept, DamagedGame) else summary_text(kept)
        table.say(f"  {kept.id}: {plain(told, 400)}")
    if not numbers:
        table.say("No games yet.")
    elif len(numbers) > LISTED:
        earlier = len(numbers) - LISTED
        table.say(f"  and {earlier:,} earlier {plural('one', earlier)}. To see one: show and its number.")


def show_game(table: Table, number: str) -> None:
    """A kept game, and what decided it. Raises `LibraryError`, `BadParameter`."""
    if not number:
        table.say("Say which, as in: show 1. The word games lists them.")
        return
    kept = table.library.kept_game(whole_number(number, 1, LARGEST_NUMBER))
    if isinstance(kept, DamagedGame):
        table.say(f"Game {kept.id} cannot be read: {plain(kept.trouble, 400)}")
        return
    story = story_of_record(kept.record)
    table.say(f"Game {kept.id}: {plain(summary_text(kept), 400)}")
    _review(table, story, whole=False)
    table.say(f"To go on from any moment of it: paste {game_text(story.match)}")
