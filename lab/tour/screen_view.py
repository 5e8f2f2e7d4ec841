"""What the tour sees of the screen that is shown."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lab.board.session import Session
from lab.training.training_job import TrainingJob

if TYPE_CHECKING:  # the screen of a save imports it
    from lab.memory.timeline import Past, Then

INSIDE: Final = "save"
"""Where a save is open; the other places are modes."""


@dataclass(frozen=True)
class Opened:
    """A save that the person looks into."""

    name: str
    past: "Past"
    then: "Then"
    """The moment that is shown."""
    cards: int
    moved: bool
    """Whether the person went on from the first card."""
    covered: bool
    """Whether a card stands in the place of the exact results."""


@dataclass(frozen=True)
class Sight:
    """What a screen shows, as far as the tour cares."""

    mode: str
    above: bool = False
    """Whether the screen lies above the one that its mode begins with."""
    job: TrainingJob | None = None
    session: Session | None = None
    form: str = ""
    """The training that is set up, in words, if it can be started."""
    shelf: Sequence[str] = ()
    """The saves that can be chosen."""
    chosen: str = ""
    opened: Opened | None = None

    @property
    def place(self) -> str:
        if self.opened is not None:
            return INSIDE
        return "" if self.above else self.mode
