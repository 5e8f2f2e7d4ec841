"""The list of the entrants of a race, ranked by their shares, with its headings."""

from collections.abc import Sequence
from typing import Final

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import OptionList

from lab.race.race_text import entrant_text
from lab.text.numbers import rounds_text, short_count
from lab.text.sanitise import plain
from learners.race.entrants import Entrant
from learners.race.measures import parse_measure
from tui.shell.parts import LiveText, Options
from tui.widgets.tiles import theme_colour

COLOURS: Final = ("role-first", "role-second", "role-good", "role-bad", "lilac", "silver", "pink", "gold")
"""The theme colours of the entrants, in order."""
MOVES: Final = "moves, %"
MORE_MEASURES: Final = {
    "random": parse_measure("loss-random"),
    "perfect": parse_measure("loss-perfect"),
    "reader": parse_measure("loss-best"),
    MOVES: parse_measure("perfect-moves"),
}
"""The measures of additional columns of the list, if they fit, by heading; the measure shown needs none."""
MORE_WIDTH: Final = 9
BAND_WIDTH: Final = 16
BAND_HEADINGS: Final = "median % [middle 80 %]", "median % [80 %]"
MEDIAN_WIDTH: Final = 6
MEDIAN_HEADING: Final = "median %"
ABSENT: Final = "plays other side"
"""The sign in place of a share of an entrant that does not play the chosen side."""
WIDE: Final = 70
"""The minimum width of the list, in columns, with the additional columns."""


class EntrantTable(Vertical):
    DEFAULT_CSS = """
    EntrantTable {
        & #race-heads { height: auto; max-width: 100; color: $text-muted; }
        & #race-entrants {
            height: 1fr; max-width: 100; padding: 0; border: none;
            text-wrap: nowrap; text-overflow: ellipsis; background: $background;
        }
    }
    """

    is_whole = False
    """Whether it is as high as its lines, and does not scroll."""

    def __init__(self, *, id: str, classes: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id, classes=classes)
        self.order: Sequence[int] = ()
        """The numbers of the entrants, from 0, in the order of the list: the best first."""

    def compose(self) -> ComposeResult:
        yield LiveText(id="race-heads")
        yield Options(id="race-entrants", compact=True, markup=False)

    @property
    def chosen(self) -> int | None:
        """The number of the entrant under the cursor, from 0."""
        row = self.query_one(OptionList).highlighted
        return None if row is None or row >= len(self.order) else self.order[row]

    @property
    def is_wide(self) -> bool:
        """Whether there is room for the additional columns."""
        return self._width >= WIDE

    @property
    def _width(self) -> int:
        return self.query_one("#race-heads").content_size.width

    def show(
        self,
        entrants: Sequence[Entrant],
        moments: Sequence[str],
        rows: Sequence[tuple[str, str]],
        order: Sequence[int] | None = None,
        more: Sequence[str] = (),
    ) -> None:
        """List the entrants in `order`; the cursor stays on its entrant, or else in its line.

        `moments` says when the shares were measured, in ways that become shorter; `more` has the headings of the
        additional columns.
        """
        listed = self.query_one(OptionList)
        before, row = self.chosen, listed.highlighted
        self.order = range(len(entrants)) if order is None else order
        # the width is 0 while the screen opens
        scrolls = not self.is_whole and len(entrants) > listed.size.height
        room = max(1, self._width - scrolls - 2 - BAND_WIDTH - MORE_WIDTH * len(more))
        shown, longest = BAND_WIDTH, max((len(entrant_text(each)) for each in entrants), default=0)
        if longest >= room and ABSENT not in dict(rows):  # a whole name is worth more than a band
            rows, shown = [(shares.partition(" [")[0], others) for shares, others in rows], MEDIAN_WIDTH
            room += BAND_WIDTH - MEDIAN_WIDTH
        heads = self._headings(moments, room, shown, more) if self._width else ""  # known once it is laid out
        self.query_one("#race-heads", LiveText).set_text(heads)
        names = [plain(entrant_text(each, room)) for each in entrants]
        texts = [self._row(number, names[number], rows[number], room, shown) for number in self.order]
        if texts != [option.prompt for option in listed.options]:
            listed.set_options(texts)
            if before is not None and before in self.order:
                listed.highlighted = list(self.order).index(before)
            elif row is not None:
                listed.highlighted = min(row, len(entrants) - 1)

    def _headings(self, moments: Sequence[str], room: int, shown: int, more: Sequence[str]) -> str:
        """Return the headings of the list, whose names take `room` columns, and whose shares take `shown`."""
        headings, width = BAND_HEADINGS if shown == BAND_WIDTH else (MEDIAN_HEADING,), room + 2 + shown
        ways = [(each, heading) for heading in headings for each in moments[:2]]
        ways += [(each, headings[0]) for each in moments[2:]]  # without the number of machines
        when, heading = next((way for way in ways if sum(map(len, way)) + 1 < width), ("", headings[0]))
        against = MORE_WIDTH * sum(title != MOVES for title in more)
        perfect = f"{'perfect':>{MORE_WIDTH}}" if MOVES in more else ""
        above = f"{' ' * width} {' lost against, % ':─^{against - 1}}{perfect}\n" if more else ""
        return f"{above}{when}{heading.rjust(width - len(when))}{''.join(f'{title:>{MORE_WIDTH}}' for title in more)}"

    def _row(self, number: int, name: str, share: tuple[str, str], room: int, shown: int) -> Text:
        """Return a line of the list: the number that labels the curve, the name of the entrant, and its shares."""
        shares, others = share
        colour = theme_colour(self, COLOURS[number])
        mark = Style(color=colour, bold=True, bgcolor=theme_colour(self, "background"))  # also under the cursor
        line = Text(no_wrap=True, overflow="ellipsis").append(f"{number + 1}", mark).append(" ")
        return line.append(name.ljust(room)).append(f"{shares:>{shown}}{others}", "not bold")


def moment_texts(games: int, machines: str) -> list[str]:
    """Return texts that say when shares were measured, the longest first; `machines` adds how many were judged."""
    short = f"after {short_count(games)}"
    return [f"after {rounds_text(games, 'game')}{machines}", f"{short}{machines}", short]
