"""The commands about whole games: debrief, practice, copy and paste, and the list of finished games."""

from collections.abc import Iterator, Sequence

from cli.plain.presenter import Presenter, pieces_text
from cli.shared.board_text import board
from cli.shared.common import whole_number
from engine.analysis.debrief import Turn, debrief, mistakes
from engine.games import find_game
from engine.notation import game_text, parse_game_text, position_text
from engine.plural import counted_noun
from lab.board.session import GameReview, review_of_record
from lab.review.debrief import match_ending_text, turn_text, verdict_text
from lab.review.finished_games import short_names, summary_text
from lab.text.sanitise import plain
from saves.library.game_record import LARGEST_NUMBER, DamagedGame

LISTED = 10
"""The number of finished games that are listed."""
EVERY = "all"


def show_debrief(view: Presenter, which: str) -> None:
    """Say what decided the game at the board; with `all`, go through every move."""
    if which.lower() not in ("", EVERY):
        view.say(f"Write debrief, or debrief {EVERY} for every move.")
    elif not view.table.match.moves:
        view.say("No move is made yet. To see finished games, write: games")
    else:
        _review(view, view.table.review(), whole=bool(which))
        view.say("To play on from before a move: retry and its number.")


def _review(view: Presenter, review: GameReview, *, whole: bool) -> None:
    """Say how a game ended, what decided it, and its mistakes, or all its moves if `whole`."""
    match = review.match
    view.say(match_ending_text(match, short_names(review.labels)))
    if not match.game.numbered:
        view.say(f"Looking at {counted_noun(len(match.moves), 'move')}.")  # the analysis takes a few seconds
    turns = debrief(match)
    view.say(verdict_text(match, turns))
    for turn in turns if whole else mistakes(turns):
        for line in _turn_lines(view, review, turns, turn):
            view.say(line)


def _turn_lines(view: Presenter, review: GameReview, turns: Sequence[Turn], turn: Turn) -> Iterator[str]:
    """Return a move in sentences, after the board if the move was a mistake."""
    game, after = review.match.game, turn.ply + 1
    if turn.cost:
        yield f"Before move {after}:"
        yield from [pieces_text(game, turn.position)] if view.in_words else board(game, turn.position)
    follow = turns[after] if after < len(turns) else None
    name = short_names(review.labels)[turn.side.other]
    yield f"Move {after}: {' '.join(turn_text(game, turn, follow, name, review.chance(after)))}"


def retry(view: Presenter, number: str) -> None:
    """Play on from before move `number`; without one, from before the last mistake. Raises `BadParameter`."""
    match = view.table.match
    if not match.moves:
        view.say("No move is made yet.")
        return
    if number:
        view.practise(match.until(whole_number(number, 1, len(match.moves)) - 1))
        return
    found = mistakes(debrief(match))
    if found:
        view.practise(match.until(found[-1].ply))
    else:
        view.say("No move was a mistake. Give the number of the move to play on from, as in: retry 1")


def show_position(view: Presenter, _: str = "") -> None:
    view.say(position_text(view.table.match))


def show_record(view: Presenter, _: str = "") -> None:
    view.say(game_text(view.table.match))


def show_copies(view: Presenter, _: str = "") -> None:
    """Say the position and the whole game as text, like the copy dialog of the app."""
    show_position(view)
    show_record(view)


def paste(view: Presenter, text: str) -> None:
    """Play on from a position or a game given as text. Raises `BadText`."""
    if text:
        view.practise(parse_game_text(text, find_game, view.table.game))
    else:
        view.say(f"Give a position or a game, as in: paste {game_text(view.table.match)}")


def list_games(view: Presenter, _: str = "") -> None:
    numbers = view.table.library.games.numbers()
    for stored in view.table.library.games.read(numbers[:LISTED]):
        text = f"cannot be read: {stored.trouble}" if isinstance(stored, DamagedGame) else summary_text(stored)
        view.say(f"  {stored.id}: {plain(text, 400)}")
    if not numbers:
        view.say("No games yet.")
    elif len(numbers) > LISTED:
        earlier = len(numbers) - LISTED
        view.say(f"  and {counted_noun(earlier, 'earlier game')}. To see one: show and its number.")


def show_game(view: Presenter, number: str) -> None:
    if not number:
        view.say("Give the number of a game, as in: show 1. To list the games, write: games")
        return
    stored = view.table.library.games.read_one(whole_number(number, 1, LARGEST_NUMBER))
    if isinstance(stored, DamagedGame):
        view.say(f"Game {stored.id} cannot be read: {plain(stored.trouble, 400)}")
        return
    review = review_of_record(stored.record)
    view.say(f"Game {stored.id}: {plain(summary_text(stored), 400)}")
    _review(view, review, whole=False)
    view.say(f"To play on from any position of it: paste {game_text(review.match)}")
