"""The panel of the tour above the keys: its frame has the stage and the keys, its text what to do, and why."""

from collections.abc import Mapping
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from tui.shell.parts import FRAME, LiveText, entitle
from tui.shell.tour import Tour, keyed
from tui.shell.tour_stages import STAGES, ScreenView, Words

EDGES: Final = 4
"""The columns of the frame and of the padding in it."""
LONGEST: Final = 96
"""The maximum length of a line, in columns."""
OFFERED_BELOW: Final = 24
"""In a terminal of fewer lines, which has no wall, the bar offers the tour."""
ACTIONS: Final = {"F2": "screen.tour(1)", "F3": "screen.tour(-1)", "F4": "screen.leave_tour"}


class TourBar(LiveText):
    """Shows the stage of the tour and its keys; hidden unless it is in progress, or offered in a low terminal.

    It takes as many lines as its text needs.
    """

    DEFAULT_CSS: ClassVar[str] = """
    TourBar { display: none; height: auto; padding: 0 1; background: $primary 15%; }
    TourBar.-shown { display: block; }
    TourBar.-staged {
        border: round $primary;
        border-title-color: $role-lit; border-title-style: bold; border-subtitle-color: $text-muted;
    }
    """

    def __init__(self) -> None:
        super().__init__(id="tour")
        self._lines = 0

    @property
    def lines(self) -> int:
        """The lines that it takes, whether or not it has been laid out."""
        return self._lines

    def fill(self, lines: int) -> None:
        """Take at least so many lines, if a stage is shown."""
        self.styles.min_height = lines if self.has_class("-staged") else 0

    def hide(self) -> None:
        self._lines = 0
        self.remove_class("-shown")
        self.screen.remove_class("-touring")

    def show_stage(self, tour: Tour, view: ScreenView) -> None:
        """Show the current stage of the tour. `view` is the state of the screen."""
        room = self.app.size
        offered = tour.offered and view.place == "play" and room.height < OFFERED_BELOW
        shown = offered or tour.under_way
        self.set_class(shown, "-shown").set_class(tour.under_way, "-staged")
        self.screen.set_class(shown, "-touring")
        self._lines = int(shown)
        if tour.under_way:
            lines = tour_lines(tour.words(view), min(LONGEST, room.width - EDGES))
            self._lines = len(lines) + FRAME
            entitle(self, f"Tour {tour.at + 1} of {len(STAGES)} · {tour.stage.title}")
            self.border_subtitle = keys_text(tour_keys(tour))  # not by `entitle`: the keys can be clicked
            self.set_text(Text("\n").join(lines))
        elif shown:
            self.set_text(keyed_text(tour.offer))


def tour_lines(words: Words, width: int) -> list[Text]:
    """Return the text of a stage in lines: what there is to know, then what to do, which begins a new line."""
    texts = [*words.said.split("\n"), words.do]
    return [line for text in texts if text for line in wrapped(keyed_text(text), width)]


def wrapped(text: Text, width: int) -> list[Text]:
    """Return a text in as few lines of at most so many columns as possible, of about the same length."""
    breaks = _breaks(text.plain, width)
    while breaks and width > 1 and len(narrower := _breaks(text.plain, width - 1)) == len(breaks):
        breaks, width = narrower, width - 1
    starts = [0, *breaks]
    return [text[start : end - 1] for start, end in zip(starts, [*breaks, len(text) + 1], strict=True)]


def _breaks(text: str, width: int) -> list[int]:
    """Return where the lines of a text begin, but for the first, if none has more than so many columns."""
    found, start, at = list[int](), 0, 0
    for word in text.split(" "):
        if at > start and cell_len(text[start : at + len(word)]) > width:
            found.append(at)
            start = at
        at += len(word) + 1
    return found


def tour_keys(tour: Tour) -> dict[str, str]:
    last = tour.at == len(STAGES) - 1
    names = {"F2": "end" if last else "next", "F3": "back", "F4": "leave"}
    return names if tour.at else {key: name for key, name in names.items() if key != "F3"}


def keys_text(names: Mapping[str, str]) -> Text:
    return Text(" · ").join(keyed_text(f"`{key}` ").append(name, _link(key)) for key, name in names.items())


def keyed_text(text: str) -> Text:
    """Return text with the keys in it bold; the keys of the tour can be clicked."""
    parts = ((part, _link(part) + Style(bold=True) if key else "") for part, key in keyed(text))
    return Text.assemble(*parts)


def _link(key: str) -> Style:
    return Style(meta={"@click": ACTIONS[key]}) if key in ACTIONS else Style()
