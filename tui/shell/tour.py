"""The tour for new users: a few stages, each of which ends when the person has done what it asks for."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import zip_longest
from typing import ClassVar, Final

from rich.console import Console
from rich.style import Style
from rich.text import Text

from lab.board.seating import Seating
from tui.shell.filters import JOINT
from tui.shell.parts import CORNERS, FRAME, LiveText
from tui.shell.tour_stages import STAGES, Condition, ScreenView, Stage, Words, has_beads, words_of

OFFER: Final = "New here? `F2` the story in five minutes · `F4` no thanks"
OFFER_TO_GO_ON: Final = "`F2` goes on with the tour · `F4` no thanks"


class Tour:
    """The state of the tour."""

    def __init__(self, *, offered: bool, left: bool = False, chapter: str = "") -> None:
        """Offer the tour, if it is `offered`, from the number of the `chapter` where it was left."""
        self.is_offered = offered
        self.is_under_way = False
        self.at = int(chapter) - 1 if chapter in map(str, range(1, len(STAGES) + 1)) else 0
        """The index of the current stage. It is kept when the person leaves the tour."""
        self.news = ""
        """A sentence about the result of the previous stage."""
        self.left_out = ""
        """The title of the stage that was left out just before, if any."""
        self.was_left = left
        """Whether the person has taken, left or declined it: then Play shows the key that takes it again."""
        self.seats_pupil = False
        """Whether a machine that learns must first be seated, since the tour has just begun or gone on."""
        self._done = set[int]()
        """The indices of the stages that ended with a result."""
        self._spent: list[tuple[Condition, object]] = []
        """The results that have ended a stage, or that were there before it; only another result ends one."""
        self._losses: tuple[float, float] | None = None
        """How often a machine of matchboxes lost to a perfect player before its training and after it, if seen."""

    @property
    def stage(self) -> Stage:
        return STAGES[self.at]

    @property
    def chapter(self) -> str:
        """The number of the current stage from 1, as it is kept for the next start."""
        return str(self.at + 1)

    @property
    def offer(self) -> str:
        """The offer to take the tour, or to go on with it; empty if it is not offered."""
        return "" if not self.is_offered else OFFER_TO_GO_ON if self.at else OFFER

    def begin(self, view: ScreenView) -> None:
        """Begin the tour, or continue at the stage where it was left."""
        self.is_offered, self.is_under_way, self.was_left = False, True, False
        self.go_to(self.at)
        if not self.at:  # a game that has just ended counts, but no training of another machine
            self._spend(view, (each for each in STAGES if each.result is not self.stage.result))
        self.seats_pupil = self.stage.needs_pupil

    def leave(self) -> None:
        """End the tour, or decline the offer."""
        self.is_offered = self.is_under_way = self.seats_pupil = False
        self.was_left = True

    def turn(self, stages: int, view: ScreenView) -> None:
        """Go forward or back by one stage. Going on from the last one ends the tour."""
        at, title = max(0, self.at + stages), self.stage.title
        left_out = stages > 0 and self.at not in self._done and not self.stage.seen(view)
        if at == len(STAGES):
            self.leave()
        self.go_to(at % len(STAGES))
        self._spend(view, [self.stage])
        self.left_out = title if left_out else ""

    def introduce(self, view: ScreenView) -> Seating | None:
        """Return the seating that is needed before the tour goes on from this stage and screen; `None` for none."""
        if (
            self.stage.seating is None
            or not self.is_under_way
            or view.place != self.stage.place
            or self.stage.seen(view)
        ):
            return None
        self.news = ""
        return self.stage.seating

    def stage_words(self, at: int, view: ScreenView) -> Words:
        """Return the text of the stage with the index `at`, without news."""
        stage = STAGES[at]
        if at == self.at and stage.done is not None and view.place == stage.place and self._has_new_result(view):
            return stage.done(view)
        return words_of(stage, view)

    def _has_new_result(self, view: ScreenView) -> bool:
        result, condition = self.stage.result(view), self.stage.result
        return result is not None and all(result is not old for by, old in self._spent if by is condition)

    def _spend(self, view: ScreenView, stages: Iterable[Stage]) -> None:
        """Let the present results of stages end no stage."""
        self._spent += [(each.result, each.result(view)) for each in stages]

    def go_to(self, at: int, news: str = "") -> None:
        """Begin the stage with the index `at`."""
        self.at, self.news, self.left_out = at, news, ""

    def update(self, view: ScreenView) -> None:
        """Go to the next stage if the screen shows a new result of this one. Call this when the screen changes."""
        if not self.is_under_way or self.seats_pupil:
            return
        if view.job is not None and has_beads(view.job):
            self._losses = view.losses or self._losses
        if self.stage.result(view) is None:
            self._spent = [each for each in self._spent if each[0] is not self.stage.result]
        elif self._has_new_result(view) and not (self.stage.done and view.place == self.stage.place):
            self._done.add(self.at)
            self._spend(view, [self.stage])
            self.go_to(self.at + 1, self.stage.news(view))

    def words(self, view: ScreenView) -> Words:
        known = replace(view, losses=self._losses) if self.at == len(STAGES) - 1 else view
        words = self.stage_words(self.at, known)
        if view.place == "train" and view.job is not None:  # a training needs the room
            return words
        return replace(words, news=self.news)


def split_keys(text: str) -> Iterable[tuple[str, bool]]:
    """Return the parts of a text, and for each whether it is a key in backticks."""
    return ((part, at % 2 == 1) for at, part in enumerate(text.split("`")) if part)


CONSOLE: Final = Console()
EDGES: Final = 4
"""The columns of the frame and of the padding in it."""
TEXT_LINES: Final = 3
"""The lines of the text, however short it is: so nothing beside it moves."""
LONGEST, APART = 116, 4
"""The maximum length of a line, in columns; and those between what there is to know and what to do beside it."""
BESIDE_FROM: Final = 150
"""The least width in columns from which on what to do stands beside what there is to know."""
FRAMED_FROM: Final = 24
"""The lines of a terminal from which on the bar has a whole frame."""
SENTENCE_END: Final = re.compile(r"(?<=[.!?]) ")
ACTIONS: Final = {"F2": "screen.tour(1)", "F3": "screen.tour(-1)", "F4": "screen.leave_tour"}


class TourBar(LiveText):
    """Shows the stage of the tour and its keys; hidden unless it is in progress."""

    DEFAULT_CSS: ClassVar[str] = """
    TourBar {
        display: none; height: auto; padding: 0 1; background: $primary 15%; border: round $foreground 25%;
        border-title-color: $role-lit; border-title-style: bold; border-subtitle-color: $text-muted;
        &:light { border: round $foreground 50%; }
        &:ansi { border: round ansi_bright_black; }
    }
    TourBar.-shown { display: block; }
    """

    def __init__(self) -> None:
        super().__init__(id="tour")

    @property
    def lines(self) -> int:
        """The number of lines of the bar, whether or not it has been laid out."""
        return TEXT_LINES + self._frame if self.has_class("-shown") else 0

    @property
    def _frame(self) -> int:
        """The lines of the frame: in a low terminal there is only its upper border."""
        return 1 if self.app.size.height < FRAMED_FROM else FRAME

    def hide(self) -> None:
        self.remove_class("-shown")
        self.screen.remove_class("-touring")

    def show_stage(self, tour: Tour, view: ScreenView) -> None:
        """Show the current stage of the tour. `view` is the state of the screen."""
        width = self.app.size.width
        self.add_class("-shown")
        self.screen.add_class("-touring")
        lines = tour_lines(tour.words(view), width - EDGES)
        self.set_text(Text("\n").join(lines + [Text()] * (TEXT_LINES - len(lines))))
        keys = tour_keys_text(tour_keys(tour))  # not by `entitle`: the keys can be clicked
        framed = self._frame == FRAME
        self.border_title = tour_title(tour, Text(tour.stage.title) if framed else keys, width - CORNERS)
        self.border_subtitle = keys if framed else ""


def tour_title(tour: Tour, named: Text, width: int) -> Text:
    """Return the number of the stage, then `named`, then the stage that was left out: its title, or its number."""
    title = Text.assemble(f"Tour {tour.at + 1} of {len(STAGES)} · ", named)
    ways = [f" · skipped: {tour.left_out}", f" · skipped {tour.at}"] if tour.left_out else [""]
    return title.append(next((way for way in ways if title.cell_len + len(way) <= width), ways[-1]))


def tour_lines(words: Words, width: int) -> list[Text]:
    """Return the text of a stage in at most `TEXT_LINES` lines: what to know, then, on a new line, what to do.

    What to know is left out until it fits: first the news, then sentence by sentence, the last one first. Where there
    is room for all of it, what to do stands beside it.
    """
    sentences = [each for each in SENTENCE_END.split(words.said) if each]
    ways = [[words.news, *sentences], *(sentences[:count] for count in range(len(sentences), -1, -1))]
    do = wrapped(words.do, width - LONGEST - APART) if width >= BESIDE_FROM and words.said else []
    beside = 0 < len(do) <= TEXT_LINES
    do = do if beside else wrapped(words.do, width)
    for way in ways:
        known = wrapped(" ".join(filter(None, way)), min(LONGEST, width))
        if beside:
            known += [Text() for _ in do[len(known) :]]
            for line in known:
                line.pad_right(LONGEST + APART - line.cell_len)
            lines = [Text.assemble(*parts) for parts in zip_longest(known, do, fillvalue=Text())]
        else:
            lines = [*known, *do]
        if len(lines) <= TEXT_LINES:
            break
    return lines


def wrapped(text: str, width: int) -> list[Text]:
    """Return a text with its keys bold, in lines of a width."""
    return [*keyed_text(text.replace(" %", f"{JOINT}%")).wrap(CONSOLE, width)] if text else []


def tour_keys(tour: Tour) -> dict[str, str]:
    last = tour.at == len(STAGES) - 1
    names = {"F2": "end" if last else "next", "F3": "back", "F4": "leave"}
    return names if tour.at else {key: name for key, name in names.items() if key != "F3"}


def tour_keys_text(names: Mapping[str, str]) -> Text:
    return Text(" · ").join(keyed_text(f"`{key}` ").append(name, _link(key)) for key, name in names.items())


def keyed_text(text: str) -> Text:
    """Return text with the keys in it bold; the keys of the tour can be clicked."""
    parts = ((part, _link(part) + Style(bold=True) if key else "") for part, key in split_keys(text))
    return Text.assemble(*parts)


def _link(key: str) -> Style:
    return Style(meta={"@click": ACTIONS[key]}) if key in ACTIONS else Style()
