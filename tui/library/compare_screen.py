"""Comparison of two memories, position by position: of two saves, or of two checkpoints of one save."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import zip_longest
from statistics import fmean
from textwrap import wrap
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.game import Side
from engine.plural import counted_noun
from engine.stop import Stop
from lab.memory.matchbox import Matchbox, SquareKind
from lab.memory.open_box import open_box
from lab.memory.shifts import NAME_WIDTH, names_of, shift_boxes, shift_text, why_text
from lab.pictures.boards import differences_picture
from lab.results.exact_results import ExactResults, exact_of
from lab.results.score_lines import NAMES, READERS, TELLING
from lab.text.columns import cut
from lab.text.numbers import decimal_percent, percent_text
from lab.text.sanitise import plain
from learners import revive
from learners.comparison import Shift, shifts
from learners.core.learner import Learner
from tui.library.compare_text import CAPTION_WIDTH, heat, moves_text
from tui.shell.files import Export
from tui.shell.parts import Options, Panel, Prose, entitle, fitting
from tui.shell.screen import LabScreen
from tui.widgets.open_box import OpenBoxView, worth_text
from tui.widgets.tiles import BARE, FRAMED, box_lines, box_width, palette_of, text_of, theme_colour

BOXES_FROM: Final = 36
"""From this height of a wide screen on, both memories are drawn as open boxes, instead of each move as bars."""
FEW_LISTED, MAX_LISTED = 10, 100
"""The number of differences listed at first, those that matter most, and the maximum."""
MAX_LINE: Final = 90
"""The maximum width of a sentence, in columns."""
LOSSES_WIDTH: Final = 9
"""The width of the losses to one opponent, in columns."""
LEGEND: Final = (
    "a bar: how often it plays there; green more often, red less · truth: high wins, low loses",
    "bars: how often; green more, red less · truth: high wins, low loses",
    "bars: how often; truth: high wins, low loses",
)
COLOURLESS: Final = "a bar: how often it plays there · truth: high wins, low loses", LEGEND[-1]
"""What the boards show, with and without colour, from the longest way to the shortest."""
LINES: Final = 5
"""The lines of a position for which its words may be shortened, so that a page has more of them."""
BESIDE_FROM: Final = 22
"""The least room for words beside the boards, in columns."""
FRAMED_FROM: Final = 60
"""The least width of the list in which the boards have frames."""


class CompareScreen(LabScreen):
    """Lists the positions in which two memories play differently, each with three boards and a sentence."""

    mode = "library"
    AUTO_FOCUS = "#differences"
    HELP = """\
# Compare

The positions in which two memories play differently, first those that matter most: how often play reaches a position,
times the change of its value. It is counted in games against random play. Ten are listed at first. The boards show how
likely each of them plays each square there: the memory named first on the left, the other beside it, its bars green
where it plays there more often and red where less often, the stronger the more. Beside the list, each move of the
difference under the cursor is drawn with its two probabilities. The board of the truth shows what each move is worth,
from low and red for a loss to high and green for a win. Positions that are the same by symmetry are one entry, which
shows their mean. Those that are lost already, or that neither memory ever reaches, come last.

**f** shows or hides how often both lose to three opponents. **G** lists only positions in which the first memory plays
some move that the second never plays. **s** swaps the two.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("s", "swap", "Swap", tooltip="exchanges the two saves"),
        Binding("f", "figures", "Figures", tooltip="shows the exact results, or hides them"),
        Binding("G", "given_up", "Moves given up", tooltip="goes to moves given up"),
    ]

    def __init__(self, one: str, other: str) -> None:
        super().__init__()
        self.names = (one, other)
        self.learners: Sequence[Learner] = ()
        self.exact: Sequence[ExactResults] = ()
        self.found: Sequence[Shift] = ()
        self.listed: Sequence[Shift] = ()
        self.given_up_only = False
        self.most = FEW_LISTED
        """How many differences are listed."""
        self._heights: Sequence[int] = ()
        """The lines of each difference in the list."""
        self._above: Sequence[int] = ()
        """How many of them are empty lines above it."""
        self._held: int | None = None
        """The place of the difference that is drawn as the one under the cursor."""

    def body(self) -> Iterable[Widget]:
        with Vertical(id="compare"):
            with entitle(Vertical(id="compare-head", classes="panel"), "Compare"):
                yield Prose("Comparing …", id="compare-exact", markup=False)
                yield Static("", id="compare-figures", markup=False)
            with Horizontal(id="compare-body"):
                yield entitle(Options(id="differences", markup=False, classes="panel"), "What matters most")
                with Vertical(id="compare-side"):
                    with entitle(Panel(id="compare-moves", classes="panel"), "Each move"):
                        yield Static("", id="compare-table", markup=False)
                    for _ in self.names:
                        with Vertical(classes="panel compare-box"):
                            yield OpenBoxView()

    def set_up(self) -> None:
        super().set_up()
        self.load(self.names)

    def load(self, names: tuple[str, str]) -> None:
        def compare(_: Stop) -> tuple[list[Learner], Sequence[Shift], list[ExactResults]]:
            learners = [revive(self.lab.library.load(name)) for name in names]
            return learners, shifts(*learners), [exact_of(learner) for learner in learners]

        self.in_background("load", compare, self.show, self.show_error)

    def show_error(self, message: str) -> None:
        self.add_class("-failed")
        self.query_one("#compare-exact", Static).update(plain(message, 300))

    def show(self, compared: tuple[Sequence[Learner], Sequence[Shift], Sequence[ExactResults]]) -> None:
        self.learners, self.found, self.exact = compared
        self.given_up_only &= any(each.gives_up for each in self.found)
        self.refresh_bindings()
        self.draw()

    @property
    def in_order(self) -> bool:
        """Whether both memories are of one save, the first at the earlier checkpoint."""
        return names_of(*self.names) is None

    def _fill(self) -> None:
        """List the differences; the cursor stays on its line."""
        options = self.query_one("#differences", OptionList)
        region, at = options.scrollable_content_region, options.highlighted or 0
        options.clear_options()
        self.listed = ()
        if self.learners and region.width > 2:
            found = [each for each in self.found if each.gives_up or not self.given_up_only]
            self.listed = found[: self.most]
            self._held = min(at, len(self.listed) - 1) if self.listed else None
            drawn = [self._lines(each, held=place == self._held) for place, each in enumerate(self.listed)]
            heights = [*map(_height, drawn)]
            high = max(heights, default=1)
            count = max(1, min(2, region.height // high), (region.height + 1) // (high + 1))  # of a page of whole ones
            each, left = divmod(region.height, count)
            above = left // 2  # the first of a page
            self._above = [above if place % count == 0 else 0 for place in range(len(heights))]
            ends = [left - above if place % count == count - 1 else 0 for place in range(len(heights))]
            self._heights = [max(high, each + end) for high, end in zip(heights, ends, strict=True)]
            options.add_options([Option(self._apart(place, text)) for place, text in enumerate(drawn)])
            if more := min(len(found), MAX_LISTED) - len(self.listed):
                options.add_option(Option(Text(f"… and {more} more: Enter lists them", "dim")))
            options.highlighted = self._held
            if self._held is not None:
                self._draw_moves(self.listed[self._held])
            total = counted_noun(len(self.found), "position")
            shown = f"{len(heights)} of {total}" if len(heights) < len(self.found) else total
            what = "Moves given up" if self.given_up_only else "What matters most"
            back = "`G` lists all again" if self.given_up_only else ""
            title = f"{what} · {shown}"
            title = fitting(options, f"{title} · reached against random play", title)
            ways = COLOURLESS if self.app.no_color else LEGEND
            legend = fitting(options, *(" · ".join(filter(None, (back, way))) for way in ways), back or ways[-1])
            entitle(options, *((title, legend) if self.found else ("The two play alike",)))

    def _apart(self, place: int, text: Text) -> Text:
        """Return the difference at a place of the list with empty lines around it, which the cursor does not light."""
        blank, unlit = (
            " " * self.query_one("#differences").scrollable_content_region.width,
            theme_colour(self, "background"),
        )
        above, below = f"{blank}\n" * self._above[place], f"\n{blank}" * (self._heights[place] - _height(text))
        return Text(no_wrap=True).join([Text(above, f"on {unlit}"), text, Text(below, f"on {unlit}")])

    def _lines(self, shift: Shift, *, held: bool = False) -> Text:
        """Return three boards and a sentence: how two memories play in a position, and what each move is worth."""
        room = self.query_one("#differences").scrollable_content_region.width - 2
        palette, space, names = palette_of(self), self.learners[0].space, names_of(*self.names)
        captions = ("before", "after") if names is None else [cut(name, CAPTION_WIDTH) for name in names]
        boxes = shift_boxes(space, shift, captions)
        form = FRAMED if room >= FRAMED_FROM else BARE
        boards = [
            [text_of(line) for line in box_lines(each, box_width(each, form), palette, form, held=held and form.framed)]
            for each in boxes
        ]
        self._heat(boards[1][form.framed :], *boxes[:2])
        rows = [Text(" " * form.apart).join(parts) for parts in zip(*boards, strict=True)]
        left = rows[0].cell_len + 2
        left *= room - left >= BESIDE_FROM  # else the words are below the boards
        whole = why_text(shift, names)
        said, *ways = (
            wrap(text.replace(" %", "\u00a0%"), min(MAX_LINE, room - left))
            for text in (shift_text(space, shift, names), whole, f"{whole.partition(';')[0].removesuffix('.')}.")
        )
        why = next((way for way in ways if len(said) + len(way) <= max(LINES, len(rows))), ways[-1])
        above = 1 if len(said) + len(why) < len(rows) - 1 else 0  # in the middle of the boards
        above = above if left else len(rows)
        words, told = [*[""] * above, *said, *why], above + len(said)
        lines = []
        for nth, (board, words_here) in enumerate(zip_longest(rows, words, fillvalue=None)):
            text = Text(no_wrap=True) if board is None else board
            text.pad_right(left - text.cell_len)
            lines.append(text.append(words_here or "", "not dim" if nth < told else "dim"))
        return Text("\n", no_wrap=True).join(lines)

    def _heat(self, lines: Sequence[Text], before: Matchbox, after: Matchbox) -> None:
        """Colour the bars of the second board: the more a move has gained or lost, the stronger."""
        palette, first = palette_of(self), (lines[0].cell_len - (2 * after.columns - 1)) // 2
        pairs = [*zip(before.squares, after.squares, strict=True)]
        most = max((abs(other.level - one.level) for one, other in pairs), default=0.0)
        for square, (one, other) in enumerate(pairs):
            if SquareKind.SHARE in (one.kind, other.kind):
                row, column = divmod(square, after.columns)
                place = first + 2 * column, first + 2 * column + 1
                lines[row].stylize(palette.of_change(heat(other.level - one.level, most)), *place)

    def _draw_head(self) -> None:
        if not self.learners:
            return
        width = (self.query_one("#compare-head").size.width - 8) // 2
        one, other = (plain(name, max(10, width)) for name in self.names)
        entitle(self.query_one("#compare-head"), f"{one} {'→' if self.in_order else 'and'} {other}", "`s` swaps them")
        self.query_one("#compare-exact", Static).update(Text(self._reader_text(), "bold"))
        self.query_one("#compare-figures", Static).update(self._figures_text())

    @property
    def _judged(self) -> list[Side]:
        """The sides that both memories play and were trained for."""
        return [side for side in Side if all(side in {*each.sides} & {*each.trained_sides} for each in self.learners)]

    def _figures_text(self) -> Text:
        """Return the losses of both memories, in per cent, as each side that both play."""
        game, who = self.learners[0].game, ("before", "now") if self.in_order else self.names
        tables = list[list[Text]]()
        for side in (side for side in Side if all(side in each.sides for each in self.learners)):
            head, judged = f"% of games lost as {game.mark(side)} to", side in self._judged
            left = max(len(head), *(cell_len(plain(name, NAME_WIDTH)) for name in who))
            heads = "".join(f"{NAMES[opponent]:>{LOSSES_WIDTH}}" for opponent in TELLING)
            tables.append([Text(f"{head:<{left}}{heads}", "dim")])
            for name, exact in zip(who, self.exact, strict=True):
                losses = (exact[side.name.lower()].against[opponent].loss for opponent in TELLING if judged)
                line = Text(f"{plain(name, NAME_WIDTH):<{left}}", "dim")
                line.append("".join(f"{decimal_percent(loss):>{LOSSES_WIDTH}}" for loss in losses), "not dim")
                line.append("" if judged else "  untrained")
                line.pad_right(tables[-1][0].cell_len - line.cell_len)
                tables[-1].append(line)
        if sum(table[0].cell_len + 3 for table in tables) <= self.query_one("#compare-head").content_size.width:
            tables = [[Text("   ").join(lines) for lines in zip(*tables, strict=True)]]  # beside each other
        return Text("\n").join([line for table in tables for line in table])

    def _reader_text(self) -> str:
        """Return how often each memory loses to a player that has read it, on average over the sides that both know."""
        if not self._judged:
            return ""
        before, after = (
            percent_text(fmean(exact[side.name.lower()].against["best_responder"].loss for side in self._judged))
            for exact in self.exact
        )
        one, other = (plain(name, NAME_WIDTH) for name in self.names)
        brief = f"{one} {before}, {other} {after}"
        if self.in_order:
            one, other, brief = "it", "now", f"before {before}, now {after}"
        return fitting(
            self.query_one("#compare-head"),
            f"{READERS[0].capitalize()} beats {one} in {before} of games, {other} in {after}.",
            f"Games lost to {READERS[1]}: {brief}.",
            f"Lost to {READERS[2]}: {brief}.",
            f"Lost to {READERS[2]}: {before}, {after}.",
        )

    @on(OptionList.OptionSelected, "#differences")
    def list_more(self, message: OptionList.OptionSelected) -> None:
        if message.option_index == len(self.listed):
            self.most = MAX_LISTED
            self._fill()

    @on(OptionList.OptionHighlighted, "#differences")
    def highlighted(self, message: OptionList.OptionHighlighted) -> None:
        place, listed = message.option_index, self.listed
        if place < len(listed) and place != self._held:
            options = self.query_one("#differences", OptionList)
            for each in {place} if self._held is None else {place, self._held}:
                drawn = self._apart(each, self._lines(listed[each], held=each == place))
                options.replace_option_prompt_at_index(each, drawn)
            self._held = place
            self._draw_moves(listed[place])

    def _draw_moves(self, shift: Shift) -> None:
        """Draw each move of a difference: as bars if there is room, else in a line each."""
        space, table, boxed = self.learners[0].space, self.query_one("#compare-table", Static), self.has_class("-boxed")
        height = None if boxed else self.query_one("#compare-moves").content_size.height
        text = moves_text(space, shift, names_of(*self.names), palette_of(self), table.size.width, height)
        table.update(text)
        if boxed:
            panels = self.query(".compare-box").results(Vertical)
            for learner, name, panel in zip(self.learners, self.names, panels, strict=True):
                view = panel.query_one(OpenBoxView)
                view.show(open_box(learner, int(space.position[shift.row])))
                entitle(panel, plain(name), worth_text(view.worth) if view.size else "")

    def draw(self) -> None:
        self.set_class(self.has_class("-wide") and self.size.height >= BOXES_FROM, "-boxed")
        self._draw_head()
        self.call_after_refresh(self._fill)  # in the room that the head leaves

    def kept(self) -> Export | None:
        if not self.learners:
            return None
        return Export("compare", partial(differences_picture, self.learners[0].space, self.names, self.listed))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the list of given-up moves where it would be empty, or the same list."""
        if action == "given_up" and not self.given_up_only:
            return len({each.gives_up for each in self.found}) > 1
        return super().check_action(action, parameters)

    def key_words(self) -> dict[str, str]:
        return {"given_up": "All positions"} if self.given_up_only else {}

    def action_given_up(self) -> None:
        """Switch between all positions and only those in which a move was given up."""
        self.given_up_only = not self.given_up_only
        self.refresh_bindings()
        self._fill()

    def action_figures(self) -> None:
        """Show or hide the losses of both memories."""
        self.query_one("#compare").toggle_class("-figures")
        self.draw()

    def action_swap(self) -> None:
        self.names = (self.names[1], self.names[0])
        self.load(self.names)


def _height(text: Text) -> int:
    return text.plain.count("\n") + 1
