"""The bar of the tour above the keys: which step it is, what there is to do, and the keys that lead through it."""

from collections.abc import Mapping
from typing import ClassVar, Final

from rich.style import Style
from rich.text import Text

from tui.sight import Sight
from tui.tour import OFFER, Tour, keyed
from tui.tour_stages import STAGES
from tui.widgets.steady import Steady

EDGES: Final = 2
"""The columns left free at its sides."""
ROOMY: Final = (80, 24)
"""The terminal from which on the words have two lines, and not one."""
ACTIONS: Final = {"F2": "screen.tour(1)", "F3": "screen.tour(-1)", "F4": "screen.leave_tour"}


class TourBar(Steady):
    """Shown only where the tour is under way, or offered."""

    DEFAULT_CSS: ClassVar[str] = """
    TourBar { display: none; height: auto; max-height: 3; padding: 0 1; background: $primary 15%; }
    TourBar.-shown { display: block; }
    TourBar.-shown.-short { max-height: 2; }
    """

    def __init__(self) -> None:
        super().__init__(id="tour")

    def hide(self) -> None:
        self.remove_class("-shown")

    def show(self, tour: Tour, sight: Sight) -> None:
        """Tell where the tour is, as far as there is room."""
        room = self.app.size
        roomy = room.width >= ROOMY[0] and room.height >= ROOMY[1]
        offered = tour.offered and sight.place == "play"
        self.set_class(offered or tour.under_way, "-shown").set_class(not roomy, "-short")
        if tour.under_way:
            self.tell(tour_text(tour, sight, room.width - EDGES, 1 + roomy))
        elif offered:
            self.tell(keyed_text(OFFER))


def tour_text(tour: Tour, sight: Sight, width: int, lines: int) -> Text:
    """The step and the keys of the tour in one line, and below that what there is to do in so many lines."""
    names = {"F2": "next" if tour.at < len(STAGES) - 1 else "end", "F3": "back", "F4": "leave"}
    head = Text.assemble((f"Tour {tour.at + 1} of {len(STAGES)}: {tour.stage.title}", "bold"))
    keys = turns_text(names if tour.at else {key: name for key, name in names.items() if key != "F3"})
    head.append(" " * max(1, width - head.cell_len - keys.cell_len)).append_text(keys)
    return head.append("\n").append_text(keyed_text(tour.words(sight).fitting(width, lines)))


def turns_text(names: Mapping[str, str]) -> Text:
    return Text("  ").join(keyed_text(f"`{key}` ").append(name, _link(key)) for key, name in names.items())


def keyed_text(text: str) -> Text:
    """Words with their keys in bold; those of the tour can be clicked."""
    parts = ((part, _link(part) + Style(bold=True) if key else "") for part, key in keyed(text))
    return Text.assemble(*parts)


def _link(key: str) -> Style:
    return Style(meta={"@click": ACTIONS[key]}) if key in ACTIONS else Style()
