"""The tour for new users: a few stages, each of which ends when the person has done what it asks for."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from lab.tour.screen_view import ScreenView
from lab.tour.stages import STAGES, Stage, Words, words_of

OFFER: Final = "New here? `F2`: a five-minute tour, `F4`: no thanks."


class Tour:
    """The state of the tour."""

    def __init__(self, *, offered: bool) -> None:
        """`offered` shows the offer to take the tour."""
        self.offered = offered
        self.under_way = False
        self.at = 0
        """The index of the current stage. It is kept when the person leaves the tour."""
        self.news = ""
        """A sentence about the result of the previous stage."""
        self._before: object = None
        """The result of this stage when it began, which does not end it."""

    @property
    def stage(self) -> Stage:
        """The current stage."""
        return STAGES[self.at]

    def begin(self, view: ScreenView) -> None:
        """Begin the tour, or continue at the stage where it was left."""
        self.offered, self.under_way = False, True
        self.go_to(self.at, view)

    def leave(self) -> None:
        """End the tour, or decline the offer."""
        self.offered = self.under_way = False

    def turn(self, stages: int, view: ScreenView) -> None:
        """Go forward or back by `stages`; the tour ends after the last one."""
        at = max(0, self.at + stages)
        if at == len(STAGES):
            self.leave()
        self.go_to(at % len(STAGES), view)

    def go_to(self, at: int, view: ScreenView, news: str = "") -> None:
        """Begin the stage with the index `at`."""
        self.at, self.news = at, news
        self._before = self.stage.result(view)

    @property
    def silent(self) -> bool:
        """Whether the tour shows nothing."""
        return not self.offered and not self.under_way

    def see(self, view: ScreenView) -> None:
        """Go to the next stage if the screen shows a new result of this one. Call this when the screen changes."""
        result = self.stage.result(view) if self.under_way else None
        if result is not None and result != self._before:
            self.go_to(self.at + 1, view, self.stage.news(view))
        elif result is None:
            self._before = None

    def words(self, view: ScreenView) -> Words:
        """The text for the current stage and screen."""
        words = words_of(self.stage, view)
        return replace(words, before=" ".join(part for part in (self.news, words.before) if part))


def keyed(text: str) -> Iterable[tuple[str, bool]]:
    """The parts of a text, and for each whether it is a key in backticks."""
    return ((part, at % 2 == 1) for at, part in enumerate(text.split("`")) if part)
