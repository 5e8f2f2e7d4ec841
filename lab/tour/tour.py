"""The tour: once round the program in a few stages, each of which goes on when the person has done it."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from lab.tour.screen_view import Sight
from lab.tour.stages import STAGES, Stage, Words, words_of

OFFER: Final = "New here? `F2`: a tour of five minutes, `F4`: no thanks."


class Tour:
    """Where somebody is on the tour, while the program runs."""

    def __init__(self, *, offered: bool) -> None:
        self.offered = offered
        """Whether a person is asked, on Play, to take it."""
        self.under_way = False
        self.at = 0
        """The stage, also of a tour that was left."""
        self.news = ""
        """What came of the stage before."""
        self._before: object = None
        """What was done of this stage already when it began."""

    @property
    def stage(self) -> Stage:
        return STAGES[self.at]

    def begin(self, sight: Sight) -> None:
        """Begin, or go on from where it was left."""
        self.offered, self.under_way = False, True
        self.go_to(self.at, sight)

    def leave(self) -> None:
        self.offered = self.under_way = False

    def turn(self, stages: int, sight: Sight) -> None:
        """Go so many stages on, or back; the tour ends after the last."""
        at = max(0, self.at + stages)
        if at == len(STAGES):
            self.leave()
        self.go_to(at % len(STAGES), sight)

    def go_to(self, at: int, sight: Sight, news: str = "") -> None:
        self.at, self.news = at, news
        self._before = self.stage.deed(sight)

    @property
    def silent(self) -> bool:
        return not self.offered and not self.under_way

    def see(self, sight: Sight) -> None:
        """Go on by itself once the person has done what the stage is about, and had not when it began."""
        deed = self.stage.deed(sight) if self.under_way else None
        if deed is not None and deed != self._before:
            self.go_to(self.at + 1, sight, self.stage.news(sight))
        elif deed is None:
            self._before = None

    def words(self, sight: Sight) -> Words:
        words = words_of(self.stage, sight)
        return replace(words, before=" ".join(part for part in (self.news, words.before) if part))


def keyed(text: str) -> Iterable[tuple[str, bool]]:
    """The text in parts, and whether each is a key."""
    return ((part, at % 2 == 1) for at, part in enumerate(text.split("`")) if part)
