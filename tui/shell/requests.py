"""Requests of screens to the app to open another screen.

A screen of one mode imports no other mode. It makes one of these requests, and the app opens the screen.
"""

from dataclasses import dataclass

from engine.game import Position
from lab.board.game_review import GameReview
from lab.board.session import Seating
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
class OpenMemory:
    """Open the memory of a save over this screen.

    With `at`, at its card of that position; with `rounds`, as it was at the first checkpoint after so many rounds.
    """

    save: str
    at: Position | None = None
    rounds: int | None = None


@dataclass(frozen=True)
class OpenSweep:
    """Open the sweep over this screen."""


@dataclass(frozen=True)
class PlayAgainst:
    """Switch to Play and seat these players."""

    seating: Seating


@dataclass(frozen=True)
class TrainOn:
    """Switch to Train, to train on from the snapshot of a save, under a name."""

    name: str
    snapshot: Snapshot


@dataclass(frozen=True)
class RaceOf:
    """Switch to Race, and prepare a race of these entrants."""

    entrants: tuple[Entrant, ...]
    seeds: range
    games: int | None
    """How many games each machine trains; `None` for as many as the form has."""


ScreenRequest = DebriefGame | ListGames | OpenMemory | OpenSweep
"""Opens a screen over the one that asks; it may return a position to play on from."""
ModeRequest = PlayAgainst | RaceOf | TrainOn
"""Leads to another mode."""
