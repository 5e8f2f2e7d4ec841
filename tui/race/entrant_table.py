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
from tui.widgets.palette import theme_colour

COLOURS: Final = ("role-first", "role-second", "role-good", "role-bad", "lilac", "silver", "pink", "gold")
"""The theme colours of the entrants, in order."""
MOVES: Final = "moves, %"
EXTRA_MEASURES: Final = {
    "random": parse_measure("loss-random"),
    "perfect": parse_measure("loss-perfect"),
    "reader": parse_measure("loss-best"),
    MOVES: parse_measure("perfect-moves"),
}
"""The measures of additional columns of the list, if they fit, by heading; the measure shown needs none."""
EXTRA_WIDTH: Final = 9
"""The width of an additional column."""
BAND_WIDTH: Final = 16
BAND_HEADINGS: Final = "median % [middle 80 %]", "median % [80 %]"
MEDIAN_WIDTH: Final = 6
MEDIAN_HEADING: Final = "median %"
"""The widths and headings of the column of shares, with bands and without."""
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
        mark_texts: Sequence[str],
        rows: Sequence[tuple[str, str]],
        order: Sequence[int] | None = None,
        extra_titles: Sequence[str] = (),
    ) -> None:
        """List the entrants in `order`; the cursor stays on its entrant, or else in its line.

        `mark_texts` says when the shares were measured, in texts that become shorter. A row has the share that the
        chart shows and those of the additional columns, whose headings are `extra_titles`.
        """
        option_list = self.query_one(OptionList)
        chosen, line = self.chosen, option_list.highlighted
        self.order = range(len(entrants)) if order is None else order
        scrolls = not self.is_whole and len(entrants) > option_list.size.height
        # the width is 0 while the screen opens
        name_width = max(1, self._width - scrolls - 2 - BAND_WIDTH - EXTRA_WIDTH * len(extra_titles))
        share_width = BAND_WIDTH
        longest = max((len(entrant_text(each)) for each in entrants), default=0)
        if longest >= name_width and ABSENT not in dict(rows):  # a whole name is worth more than a band
            rows = [(band.partition(" [")[0], others) for band, others in rows]
            share_width = MEDIAN_WIDTH
            name_width += BAND_WIDTH - MEDIAN_WIDTH
        headings = ""
        if self._width:  # known once it is laid out
            headings = _headings(mark_texts, name_width, share_width, extra_titles)
        self.query_one("#race-heads", LiveText).set_text(headings)
        names = [plain(entrant_text(each, name_width)) for each in entrants]
        texts = [self._row(number, names[number].ljust(name_width), rows[number], share_width) for number in self.order]
        if texts != [option.prompt for option in option_list.options]:
            option_list.set_options(texts)
            if chosen is not None and chosen in self.order:
                option_list.highlighted = list(self.order).index(chosen)
            elif line is not None:
                option_list.highlighted = min(line, len(entrants) - 1)

    def _row(self, number: int, name: str, row: tuple[str, str], share_width: int) -> Text:
        """Return a line of the list: the number that labels the curve, the name of the entrant, and its shares."""
        share, extra_shares = row
        colour = theme_colour(self, COLOURS[number])
        mark = Style(color=colour, bold=True, bgcolor=theme_colour(self, "background"))  # also under the cursor
        line = Text(no_wrap=True, overflow="ellipsis").append(f"{number + 1}", mark).append(f" {name}")
        return line.append(f"{share:>{share_width}}{extra_shares}", "not bold")


def _headings(mark_texts: Sequence[str], name_width: int, share_width: int, extra_titles: Sequence[str]) -> str:
    """Return the headings of the list: one line, and a second one above it if there are additional columns."""
    share_headings = BAND_HEADINGS if share_width == BAND_WIDTH else (MEDIAN_HEADING,)
    width = name_width + 2 + share_width
    pairs = [(when, heading) for heading in share_headings for when in mark_texts[:2]]
    pairs += [(when, share_headings[0]) for when in mark_texts[2:]]  # without the number of machines
    when, heading = next((pair for pair in pairs if sum(map(len, pair)) + 1 < width), ("", share_headings[0]))
    line = when + heading.rjust(width - len(when)) + "".join(f"{title:>{EXTRA_WIDTH}}" for title in extra_titles)
    if not extra_titles:
        return line
    loss_width = EXTRA_WIDTH * sum(title != MOVES for title in extra_titles)
    perfect = f"{'perfect':>{EXTRA_WIDTH}}" if MOVES in extra_titles else ""
    return f"{' ' * width} {' lost against, % ':─^{loss_width - 1}}{perfect}\n{line}"


def mark_texts_of(games: int, machines: str) -> list[str]:
    """Return texts that say when shares were measured, the longest first; `machines` adds how many were judged."""
    short = f"after {short_count(games)}"
    return [f"after {rounds_text(games, 'game')}{machines}", f"{short}{machines}", short]
