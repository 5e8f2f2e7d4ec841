"""The tour bar above the keys: the stage, what to do, and the keys of the tour."""

from collections.abc import Mapping
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text

from tui.shell.parts import LiveText
from tui.shell.tour import HOW_TO_RETURN, OFFER, Tour, keyed
from tui.shell.tour_stages import STAGES, ScreenView

LINES: Final = 3
"""The maximum number of lines."""
EDGES: Final = 2
"""The total padding on the left and the right, in columns."""
OFFERED_BELOW: Final = 24
"""In a terminal of fewer lines, which has no wall, the bar offers the tour."""
TALL_FROM: Final = 34
"""In a terminal of fewer lines, the bar has no title and two lines, so that a strip of the wall stays on the screen."""
ACTIONS: Final = {"F2": "screen.tour(1)", "F3": "screen.tour(-1)", "F4": "screen.leave_tour"}


class TourBar(LiveText):
    """Shows the stage of the tour and its keys; hidden unless it is in progress, or offered in a low terminal."""

    DEFAULT_CSS: ClassVar[str] = """
    TourBar { display: none; height: auto; max-height: 3; padding: 0 1; background: $primary 15%; }
    TourBar.-shown { display: block; }
    TourBar.-shown.-short { max-height: 2; }
    """

    def __init__(self) -> None:
        super().__init__(id="tour")

    @property
    def lines(self) -> int:
        """The lines that it takes, whether or not it has been laid out."""
        return 0 if not self.has_class("-shown") else LINES - self.has_class("-short")

    def hide(self) -> None:
        self.remove_class("-shown")
        self.screen.remove_class("-touring")

    def show_stage(self, tour: Tour, view: ScreenView) -> None:
        """Show the current stage of the tour, shortened to fit. `view` is the state of the screen."""
        room = self.app.size
        tall = room.height >= TALL_FROM
        offered = tour.offered and view.place == "play" and room.height < OFFERED_BELOW
        shown = offered or tour.under_way or tour.says_how_to_return
        self.set_class(shown, "-shown").set_class(not tall, "-short")
        self.screen.set_class(shown, "-touring")
        if tour.under_way:
            self.set_text(tour_text(tour, view, room.width - EDGES, titled=tall))
        elif offered or tour.says_how_to_return:
            self.set_text(keyed_text(OFFER if offered else HOW_TO_RETURN))


def tour_text(tour: Tour, view: ScreenView, width: int, *, titled: bool) -> Text:
    """Return the stage of the tour with its keys at the right, and what to do in two lines below it.

    Where it is not `titled`, what to do begins in the line of the keys instead, and has one line more.
    """
    number, keys = f"Tour {tour.at + 1} of {len(STAGES)}", keys_text(tour_keys(tour))
    words = tour.words(view)
    if titled:
        text = _with_keys_on_the_right(Text(f"{number}: {tour.stage.title}", "bold"), keys, width)
        return text.append("\n").append_text(keyed_text(" ".join(words.fitting(width, 2)).strip()))
    first, rest = words.fitting(width, 2, len(number) + 2 + keys.cell_len + 2)
    text = _with_keys_on_the_right(Text.assemble((f"{number}: ", "bold"), keyed_text(first)), keys, width)
    return text.append("\n").append_text(keyed_text(rest))


def tour_keys(tour: Tour) -> dict[str, str]:
    last = tour.at == len(STAGES) - 1
    names = {"F2": "end" if last else "next", "F3": "back", "F4": "leave"}
    return names if tour.at else {key: name for key, name in names.items() if key != "F3"}


def _with_keys_on_the_right(text: Text, keys: Text, width: int) -> Text:
    return text.append(" " * max(1, width - text.cell_len - keys.cell_len)).append_text(keys)


def keys_text(names: Mapping[str, str]) -> Text:
    return Text("  ").join(keyed_text(f"`{key}` ").append(name, _link(key)) for key, name in names.items())


def keyed_text(text: str) -> Text:
    """Return text with the keys in it bold; the keys of the tour can be clicked."""
    parts = ((part, _link(part) + Style(bold=True) if key else "") for part, key in keyed(text))
    return Text.assemble(*parts)


def _link(key: str) -> Style:
    return Style(meta={"@click": ACTIONS[key]}) if key in ACTIONS else Style()
