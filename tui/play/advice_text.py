"""The sentences beside the board: advice, and answers to commands, until the position changes."""

from collections.abc import Sequence
from typing import Final

from engine.game import Side
from lab.board import events
from lab.board.board_advice import PositionState
from learners.core.learner import PERSON

SEATS: Final = events.Seated, events.SeatFilled
ADVICE: Final = (
    *(events.HintGiven, events.MoveHeldBack, events.CheckSwitched, events.LearningSwitched),
    *(events.DrawOffered, events.DrawRefused, events.Refused),
    *(events.GameNotStored, events.GameNotWithdrawn, events.SaveNotLearned),
    *SEATS,
)
"""The events whose sentences are shown beside the board until the position changes."""
RESIGNING: Final = "Press F once more to resign."


class AdviceText:
    text = ""
    """One sentence in each line; empty if there is nothing to say."""
    asks_to_resign = False
    """Whether it asks the person to confirm a resignation."""
    _tells_seats = False
    """Whether it tells who plays."""
    _state: PositionState | None = None
    """The state of the position that the text belongs to."""

    def say(self, state: PositionState, *sentences: str) -> None:
        self.text, self._state = "\n".join(sentences), state
        self.asks_to_resign = self._tells_seats = False

    def ask_to_resign(self, state: PositionState) -> None:
        self.say(state, RESIGNING)
        self.asks_to_resign = True

    def tell_event(self, event: events.Event, sentences: Sequence[str], state: PositionState) -> None:
        """Say what is said of an event, if that is advice; who plays is said together with what follows it."""
        is_by_machine = isinstance(event, events.MovePlayed) and event.label != PERSON
        if self._tells_seats and is_by_machine and len(state.match.moves) <= len(Side):  # it leaves no time to read
            self._state = state
        if not isinstance(event, ADVICE) or not sentences:
            return
        if self._tells_seats:
            sentences = [self.text, *sentences]
        self.say(state, *sentences)
        self._tells_seats = isinstance(event, SEATS)

    def is_outdated(self, state: PositionState) -> bool:
        return self._state is not state
