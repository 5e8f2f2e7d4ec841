"""The tour for new users: a few stages, each of which ends when the person has done what it asks for."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
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
        chapters = [str(number) for number in range(1, len(STAGES) + 1)]
        self.index = chapters.index(chapter) if chapter in chapters else 0
        """The index of the current stage. It is kept when the person leaves the tour."""
        self.news = ""
        """A sentence about the result of the previous stage."""
        self.skipped_title = ""
        """The title of the stage that was skipped just before, if any."""
        self.was_left = left
        """Whether the person has taken, left or declined it: then Play shows the key that takes it again."""
        self.seats_pupil = False
        """Whether a machine that learns must first be seated, since the tour has just begun or gone on."""
        self._completed = set[int]()
        """The indices of the stages that ended with a result."""
        self._old_results: list[tuple[Condition, object]] = []
        """The results that have ended a stage, or that were there before it; only another result ends one."""
        self._losses: tuple[float, float] | None = None
        """How often a machine of matchboxes lost to a perfect player before its training and after it, if seen."""

    @property
    def stage(self) -> Stage:
        return STAGES[self.index]

    @property
    def chapter(self) -> str:
        """The number of the current stage from 1, as it is kept for the next start."""
        return str(self.index + 1)

    @property
    def offer(self) -> str:
        """The offer to take the tour, or to go on with it; empty if it is not offered."""
        if not self.is_offered:
            return ""
        return OFFER_TO_GO_ON if self.index else OFFER

    def begin(self, view: ScreenView) -> None:
        """Begin the tour, or continue at the stage where it was left."""
        self.is_offered, self.is_under_way, self.was_left = False, True, False
        self.go_to(self.index)
        if not self.index:  # a game that has just ended counts, but no training of another machine
            self._ignore_results(view, [each for each in STAGES if each.result is not self.stage.result])
        self.seats_pupil = self.stage.needs_pupil

    def leave(self) -> None:
        """End the tour, or decline the offer."""
        self.is_offered = self.is_under_way = self.seats_pupil = False
        self.was_left = True

    def turn(self, stages: int, view: ScreenView) -> None:
        """Go forward or back by one stage. Going on from the last one ends the tour."""
        index, title = max(0, self.index + stages), self.stage.title
        is_skipped = stages > 0 and self.index not in self._completed and not self.stage.shows_subject(view)
        if index == len(STAGES):
            self.leave()
            index = 0
        self.go_to(index)
        self._ignore_results(view, [self.stage])
        if is_skipped:
            self.skipped_title = title

    def introduce(self, view: ScreenView) -> Seating | None:
        """Return the seating that is needed before the tour goes on from this stage and screen; `None` for none."""
        stage = self.stage
        if not self.is_under_way or view.place != stage.place or stage.seating is None or stage.shows_subject(view):
            return None
        self.news = ""
        return stage.seating

    def _has_new_result(self, view: ScreenView) -> bool:
        result, condition = self.stage.result(view), self.stage.result
        old_results = [old for each, old in self._old_results if each is condition]
        return result is not None and all(result is not old for old in old_results)

    def _ignore_results(self, view: ScreenView, stages: Iterable[Stage]) -> None:
        """Let the present results of stages end no stage."""
        self._old_results += [(each.result, each.result(view)) for each in stages]

    def go_to(self, index: int, news: str = "") -> None:
        """Begin the stage with this index."""
        self.index, self.news, self.skipped_title = index, news, ""

    def update(self, view: ScreenView) -> None:
        """Go to the next stage if the screen shows a new result of this one. Call this when the screen changes."""
        if not self.is_under_way or self.seats_pupil:
            return
        stage = self.stage
        if view.job is not None and has_beads(view.job):
            self._losses = view.losses or self._losses
        if stage.result(view) is None:
            self._old_results = [each for each in self._old_results if each[0] is not stage.result]
            return
        stays_for_words = stage.done_words is not None and view.place == stage.place
        if self._has_new_result(view) and not stays_for_words:
            self._completed.add(self.index)
            self._ignore_results(view, [stage])
            self.go_to(self.index + 1, stage.news(view))

    def words(self, view: ScreenView) -> Words:
        """Return the text of the current stage, with the news unless a training needs its room."""
        stage = self.stage
        if self.index == len(STAGES) - 1:
            view = replace(view, losses=self._losses)
        if stage.done_words is not None and view.place == stage.place and self._has_new_result(view):
            words = stage.done_words(view)
        else:
            words = words_of(stage, view)
        if view.place == "train" and view.job is not None:
            return words
        return replace(words, news=self.news)


CONSOLE: Final = Console()
EDGES: Final = 4
"""The columns of the frame and of the padding in it."""
TEXT_LINES: Final = 3
"""The lines of the text, however short it is: so nothing beside it moves."""
MAX_LINE_WIDTH: Final = 116
"""The maximum width of a line, in columns."""
COLUMN_GAP: Final = 4
"""The columns between the explanation and the instruction beside it."""
BESIDE_FROM: Final = 150
"""The minimum width, in columns, with which the instruction stands beside the explanation."""
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
        lines += [Text()] * (TEXT_LINES - len(lines))
        self.set_text(Text("\n").join(lines))
        keys = tour_keys_text(tour_keys(tour))  # not by `entitle`: the keys can be clicked
        is_framed = self._frame == FRAME
        self.border_title = tour_title(tour, Text(tour.stage.title) if is_framed else keys, width - CORNERS)
        self.border_subtitle = keys if is_framed else ""


def tour_title(tour: Tour, middle: Text, width: int) -> Text:
    """Return the number of the stage, then `middle`, then the stage that was skipped: its title, or its number."""
    title = Text.assemble(f"Tour {tour.index + 1} of {len(STAGES)} · ", middle)
    if not tour.skipped_title:
        return title
    skipped = f" · skipped: {tour.skipped_title}"
    if title.cell_len + len(skipped) > width:
        skipped = f" · skipped {tour.index}"
    return title.append(skipped)


def tour_lines(words: Words, width: int) -> list[Text]:
    """Return the text of a stage in at most `TEXT_LINES` lines: the explanation, then, on a new line, the instruction.

    The explanation is shortened until it fits: first the news is left out, then one sentence after the other, from the
    last one on. Where there is room, the instruction stands beside it.
    """
    sentences = [each for each in SENTENCE_END.split(words.explanation) if each]
    explanations = [" ".join(filter(None, [words.news, *sentences]))]
    explanations += [" ".join(sentences[:count]) for count in range(len(sentences), -1, -1)]
    beside: list[Text] = []
    if width >= BESIDE_FROM and words.explanation:
        beside = wrap_with_keys(words.instruction, width - MAX_LINE_WIDTH - COLUMN_GAP)
    is_beside = 0 < len(beside) <= TEXT_LINES
    below = [] if is_beside else wrap_with_keys(words.instruction, width)
    for explanation in explanations:
        lines = wrap_with_keys(explanation, min(MAX_LINE_WIDTH, width))
        lines = _lines_beside(lines, beside) if is_beside else [*lines, *below]
        if len(lines) <= TEXT_LINES:
            break
    return lines


def _lines_beside(left: list[Text], right: list[Text]) -> list[Text]:
    """Return lines with others beside them, in two columns."""
    lines = []
    for nth in range(max(len(left), len(right))):
        line = left[nth] if nth < len(left) else Text()
        line.pad_right(MAX_LINE_WIDTH + COLUMN_GAP - line.cell_len)
        lines.append(Text.assemble(line, right[nth]) if nth < len(right) else line)
    return lines


def wrap_with_keys(text: str, width: int) -> list[Text]:
    """Return a text with its keys bold, in lines of a width."""
    return list(keyed_text(text.replace(" %", f"{JOINT}%")).wrap(CONSOLE, width)) if text else []


def tour_keys(tour: Tour) -> dict[str, str]:
    """Return the keys of the tour that have an effect now, each with its name."""
    names = {"F2": "end" if tour.index == len(STAGES) - 1 else "next"}
    if tour.index:
        names["F3"] = "back"
    return {**names, "F4": "leave"}


def tour_keys_text(names: Mapping[str, str]) -> Text:
    return Text(" · ").join(keyed_text(f"`{key}` ").append(name, _link(key)) for key, name in names.items())


def keyed_text(text: str) -> Text:
    """Return a text with the keys in backticks bold; a click on a key of the tour presses it."""
    keyed = Text()
    for nth, part in enumerate(text.split("`")):
        keyed.append(part, _link(part) + Style(bold=True) if nth % 2 else "")
    return keyed


def _link(key: str) -> Style:
    return Style(meta={"@click": ACTIONS[key]}) if key in ACTIONS else Style()
