"""Requests by which a screen asks the app to open another screen.

A mode imports no other mode: its screen makes one of these requests, and the app opens the other screen.
"""

from dataclasses import dataclass

from engine.game import Game, Position
from lab.board.seating import Seating
from lab.board.session import GameReview
from learners.core.snapshot import Snapshot
from learners.race.entrants import Entrant


@dataclass(frozen=True)
class DebriefGame:
    """Open the debrief of a game over this screen."""

    review: GameReview


@dataclass(frozen=True)
class ListGames:
    """Open the list of finished games over this screen."""


@dataclass(frozen=True)
class ShowYourself:
    """Open what the person's games tell about them over this screen."""

    game: Game


@dataclass(frozen=True)
class OpenMemory:
    """Open the memory of a save over this screen.

    With `at`, only the card of that position is shown. With `rounds`, the memory is shown as it was at the first
    checkpoint with at least that many.
    """

    save: str
    at: Position | None = None
    rounds: int | None = None


@dataclass(frozen=True)
class OpenSweep:
    """Open the Sweep screen over this screen."""


@dataclass(frozen=True)
class PlayAgainst:
    """Switch to Play and seat these players."""

    seating: Seating


@dataclass(frozen=True)
class TrainOn:
    """Switch to Train, to continue training from the snapshot of a save; the result is saved as `name`.

    With `rounds`, the training starts at once, and lasts that long.
    """

    name: str
    snapshot: Snapshot
    rounds: int | None = None


@dataclass(frozen=True)
class PrepareRace:
    """Switch to Race, and prepare a race of these entrants."""

    entrants: tuple[Entrant, ...]
    seeds: range
    games: int | None
    """How many games each machine is trained for; `None` keeps the number in the form."""


ScreenRequest = DebriefGame | ListGames | ShowYourself | OpenMemory | OpenSweep
"""Opens a screen over the one that asks; that screen may return a position to play on from."""
ModeRequest = PlayAgainst | PrepareRace | TrainOn
"""Switches to another mode."""
