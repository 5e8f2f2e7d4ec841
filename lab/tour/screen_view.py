"""What the tour knows about the current screen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from lab.board.session import Session
from lab.memory.timeline import Timeline
from lab.results.exact_results import TimelinePoint
from lab.training.training_job import TrainingJob

INSIDE: Final = "save"
"""The place where a save is open. The other places are modes."""


@dataclass(frozen=True)
class OpenSave:
    """The save whose memory is shown."""

    name: str
    timeline: Timeline
    point: TimelinePoint
    """The checkpoint that is shown."""
    cards: int
    """The number of cards."""
    moved: bool
    """Whether the cursor has left the first card."""
    covered: bool
    """Whether a card is shown instead of the exact results."""


@dataclass(frozen=True)
class ScreenView:
    """What a screen shows, as far as the tour needs it."""

    mode: str
    above: bool = False
    """Whether another screen of the same mode is below this one."""
    job: TrainingJob | None = None
    session: Session | None = None
    form: str = ""
    """A description of the training in the form; empty if it cannot be started."""
    saves: Sequence[str] = ()
    """The names of the saves in the list."""
    chosen: str = ""
    """The name of the selected save."""
    opened: OpenSave | None = None

    @property
    def place(self) -> str:
        """The mode or `INSIDE`; empty for other screens above a mode."""
        if self.opened is not None:
            return INSIDE
        return "" if self.above else self.mode
