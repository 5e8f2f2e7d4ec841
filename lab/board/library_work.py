"""What the tasks of the table do with the library. Every function blocks, and may run in another thread."""

from collections.abc import Collection, Sequence
from typing import Final

from engine.game import BadText, Game, Side
from engine.match import Record
from engine.space import TooLarge
from lab.board.events import GameNotWithdrawn, GameWithdrawn, SaveLearned, SaveNotLearned, SeatFilled
from lab.board.first_game import make_fresh_machine
from lab.board.opponents import side_against
from lab.board.seating import Seating, machine_for
from lab.board.session import Seats
from lab.board.teaching import teach
from learners.core.learner import PERSON
from learners.core.player import Player
from learners.core.save_ref import short_label
from saves.errors import LibraryError
from saves.library.library import Library

IN_TRAINING: Final = "it is in training"
"""Why a save that is being trained does not learn at the board."""
PROBLEMS: Final = BadText, LibraryError, OSError, TooLarge

Learned = list[SaveLearned | SaveNotLearned]


def load_players(library: Library, seating: Seating) -> tuple[Seats, list[SeatFilled]]:
    """Load the players of both seats; the usual machine of the game replaces one that cannot be loaded."""
    seats, filled, stand_in = list[Player | None](), list[SeatFilled](), machine_for(seating.game)
    if seating.fresh:
        try:
            make_fresh_machine(library, short_label(seating.first))
        except PROBLEMS as error:
            return (None, _load_player(library, stand_in, seating.game)), [SeatFilled(str(error), stand_in)]
    for label in (seating.first, seating.second):
        try:
            seats.append(_load_player(library, label, seating.game))
        except PROBLEMS as error:
            seats.append(_load_player(library, stand_in, seating.game))
            filled.append(SeatFilled(str(error), stand_in))
    first, second = seats
    machine = second if first is None else first
    if seating.suits and machine is not None and None in seats:
        person_side = Side(seats.index(None))
        if side_against(machine, person_side) is not person_side:
            return (second, first), filled
    return (first, second), filled


def _load_player(library: Library, label: str, game: Game) -> Player | None:
    return None if label == PERSON else library.player(label, game)


def store(library: Library, record: Record) -> int | str:
    """Store a finished game. Return its number, or the reason why it is not stored."""
    try:
        return library.games.add(record)
    except (LibraryError, OSError) as error:
        return str(error)


def withdraw(library: Library, number: int) -> GameWithdrawn | GameNotWithdrawn:
    """Remove a stored game from the library, since its last move was taken back."""
    try:
        library.games.withdraw(number)
    except (LibraryError, OSError) as error:
        return GameNotWithdrawn(str(error))
    return GameWithdrawn()


def learn(library: Library, record: Record, labels: Sequence[str], training: Collection[str]) -> Learned:
    """Let saves learn from a game, but not those that are in `training`."""
    learned: Learned = []
    for label in labels:
        if label in training:
            learned.append(SaveNotLearned(label, IN_TRAINING))
            continue
        try:
            learned.append(SaveLearned(teach(library, record, label)))
        except PROBLEMS as error:
            learned.append(SaveNotLearned(label, str(error)))
    return learned
