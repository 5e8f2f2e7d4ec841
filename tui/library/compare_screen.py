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
from tui.shell.parts import Options, Panel, Prose, entitle, fitting_text
from tui.shell.screen import LabScreen
from tui.widgets.open_box import OpenBoxView, worth_text
from tui.widgets.palette import palette_of, theme_colour
from tui.widgets.tiles import BARE, FRAMED, box_lines, box_width, line_text

BOXES_FROM: Final = 36
"""From this height of a wide screen on, both memories are drawn as open boxes, instead of each move as bars."""
FIRST_LISTED, MAX_LISTED = 10, 100
"""The number of differences listed at first, those that matter most, and the maximum."""
MAX_SENTENCE_WIDTH: Final = 90
"""The maximum width of a sentence, in columns."""
LOSSES_WIDTH: Final = 9
"""The width of the losses to one opponent, in columns."""
LEGENDS: Final = (
    "a bar: how often it plays there; green more often, red less · truth: high wins, low loses",
    "bars: how often; green more, red less · truth: high wins, low loses",
    "bars: how often; truth: high wins, low loses",
)
COLOURLESS_LEGENDS: Final = "a bar: how often it plays there · truth: high wins, low loses", LEGENDS[-1]
"""What the boards show, with and without colour, from the longest way to the shortest."""
MAX_LINES: Final = 5
"""Sentences on a position that take more lines are shortened, so that more positions have room on a page."""
WORDS_BESIDE_FROM: Final = 22
"""The minimum room for sentences beside the boards, in columns."""
FRAMED_FROM: Final = 60
"""The minimum width of the list, in columns, in which the boards have frames."""


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

    def __init__(self, first: str, second: str) -> None:
        """Compare two memories, given as references to saves or checkpoints."""
        super().__init__()
        self.names = (first, second)
        self.learners: Sequence[Learner] = ()
        self.exact: Sequence[ExactResults] = ()
        self.differences: Sequence[Shift] = ()
        self.listed: Sequence[Shift] = ()
        self.given_up_only = False
        self.limit = FIRST_LISTED
        """How many differences are listed."""
        self._heights: Sequence[int] = ()
        """The lines of each difference in the list."""
        self._blank_above: Sequence[int] = ()
        """How many of them are empty lines above it."""
        self._selected: int | None = None
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

        self.run_in_background("load", compare, self.show, self.show_error)

    def show_error(self, message: str) -> None:
        self.add_class("-failed")
        self.query_one("#compare-exact", Static).update(plain(message, 300))

    def show(self, result: tuple[Sequence[Learner], Sequence[Shift], Sequence[ExactResults]]) -> None:
        self.learners, self.differences, self.exact = result
        if not any(each.gives_up for each in self.differences):
            self.given_up_only = False
        self.refresh_bindings()
        self.draw()

    @property
    def in_order(self) -> bool:
        """Whether both memories are of one save, the first at the earlier checkpoint."""
        return names_of(*self.names) is None

    def _fill(self) -> None:
        """List the differences; the cursor stays on its line."""
        options = self.query_one("#differences", OptionList)
        region, cursor = options.scrollable_content_region, options.highlighted or 0
        options.clear_options()
        self.listed = ()
        if not self.learners or region.width <= 2:
            return
        differences = [each for each in self.differences if each.gives_up or not self.given_up_only]
        self.listed = differences[: self.limit]
        self._selected = min(cursor, len(self.listed) - 1) if self.listed else None
        texts = [self._difference_text(shift, at=place) for place, shift in enumerate(self.listed)]
        self._fill_pages([_height(text) for text in texts], region.height)
        options.add_options([Option(self._pad(place, text)) for place, text in enumerate(texts)])
        rest = min(len(differences), MAX_LISTED) - len(self.listed)
        if rest:
            options.add_option(Option(Text(f"… and {rest} more: Enter lists them", "dim")))
        options.highlighted = self._selected
        if self._selected is not None:
            self._draw_moves(self.listed[self._selected])
        self._entitle_list(options)

    def _fill_pages(self, heights: Sequence[int], page: int) -> None:
        """Divide the lines of a page among as many whole differences as fit on it."""
        highest = max(heights, default=1)
        count = max(1, min(2, page // highest), (page + 1) // (highest + 1))
        share, spare = divmod(page, count)
        above = spare // 2
        self._blank_above, self._heights = [], []
        for place, height in enumerate(heights):
            is_first, is_last = place % count == 0, place % count == count - 1
            self._blank_above.append(above if is_first else 0)
            self._heights.append(max(height, share + spare - above if is_last else share))

    def _entitle_list(self, options: OptionList) -> None:
        """Write above the list how many differences it has, and below it what its boards show."""
        if not self.differences:
            entitle(options, "The two play alike")
            return
        count = counted_noun(len(self.differences), "position")
        if len(self.listed) < len(self.differences):
            count = f"{len(self.listed)} of {count}"
        title = f"{'Moves given up' if self.given_up_only else 'What matters most'} · {count}"
        title = fitting_text(options, f"{title} · reached against random play", title)
        legends: Sequence[str] = COLOURLESS_LEGENDS if self.app.no_color else LEGENDS
        if self.given_up_only:
            key = "`G` lists all again"
            legends = (*(f"{key} · {legend}" for legend in legends), key)
        entitle(options, title, fitting_text(options, *legends))

    def _pad(self, place: int, text: Text) -> Text:
        """Return the difference at a place of the list with empty lines around it, which the cursor does not light."""
        blank = " " * self.query_one("#differences").scrollable_content_region.width
        unlit = f"on {theme_colour(self, 'background')}"
        above, below = f"{blank}\n" * self._blank_above[place], f"\n{blank}" * (self._heights[place] - _height(text))
        return Text(no_wrap=True).join([Text(above, unlit), text, Text(below, unlit)])

    def _difference_text(self, shift: Shift, at: int) -> Text:
        """Return three boards and a sentence: how two memories play in a position, and what each move is worth.

        `at` is the place of the difference in the list.
        """
        room = self.query_one("#differences").scrollable_content_region.width - 2
        boards = self._board_lines(shift, framed=room >= FRAMED_FROM, selected=at == self._selected)
        indent = boards[0].cell_len + 2
        if room - indent < WORDS_BESIDE_FROM:
            indent = 0  # the sentences are below the boards
        space, names = self.learners[0].space, names_of(*self.names)
        width = min(MAX_SENTENCE_WIDTH, room - indent)
        change, why = _wrap(shift_text(space, shift, names), width), why_text(shift, names)
        reason = _wrap(why, width)
        if len(change) + len(reason) > max(MAX_LINES, len(boards)):
            reason = _wrap(f"{why.partition(';')[0].removesuffix('.')}.", width)
        above = len(boards)
        if indent:  # in the middle of the boards
            above = 1 if len(change) + len(reason) < len(boards) - 1 else 0
        sentences = [Text()] * above
        sentences += [Text().append(line, "not dim") for line in change]
        sentences += [Text().append(line, "dim") for line in reason]
        lines = []
        for board, sentence in zip_longest(boards, sentences):
            line = Text(no_wrap=True) if board is None else board
            line.pad_right(indent - line.cell_len)
            lines.append(line if sentence is None else line.append_text(sentence))
        return Text("\n", no_wrap=True).join(lines)

    def _board_lines(self, shift: Shift, *, framed: bool, selected: bool) -> list[Text]:
        """Return the lines of the three boards of a difference, side by side."""
        palette, names, form = palette_of(self), names_of(*self.names), FRAMED if framed else BARE
        captions = ("before", "after") if names is None else [cut(name, CAPTION_WIDTH) for name in names]
        boxes = shift_boxes(self.learners[0].space, shift, captions)
        boards = []
        for box in boxes:
            lines = box_lines(box, box_width(box, form), palette, form, held=selected and framed)
            boards.append([line_text(line) for line in lines])
        before, after, _ = boxes
        self._colour_changes(boards[1][1:] if framed else boards[1], before, after)
        return [Text(" " * form.apart).join(parts) for parts in zip(*boards, strict=True)]

    def _colour_changes(self, lines: Sequence[Text], before: Matchbox, after: Matchbox) -> None:
        """Colour the bars of the second board: the more a move has gained or lost, the stronger."""
        palette, margin = palette_of(self), (lines[0].cell_len - (2 * after.columns - 1)) // 2
        changes = [new.level - old.level for old, new in zip(before.squares, after.squares, strict=True)]
        largest = max(map(abs, changes), default=0.0)
        for square, change in enumerate(changes):
            if SquareKind.SHARE in (before.squares[square].kind, after.squares[square].kind):
                row, column = divmod(square, after.columns)
                start = margin + 2 * column
                lines[row].stylize(palette.of_change(heat(change, largest)), start, start + 1)

    def _draw_head(self) -> None:
        if not self.learners:
            return
        width = (self.query_one("#compare-head").size.width - 8) // 2
        first, second = (plain(name, max(10, width)) for name in self.names)
        title = f"{first} {'→' if self.in_order else 'and'} {second}"
        entitle(self.query_one("#compare-head"), title, "`s` swaps them")
        self.query_one("#compare-exact", Static).update(Text(self._reader_text(), "bold"))
        self.query_one("#compare-figures", Static).update(self._figures_text())

    @property
    def _judged_sides(self) -> list[Side]:
        """The sides that both memories play and were trained for."""
        return [
            side
            for side in Side
            if all(side in learner.sides and side in learner.trained_sides for learner in self.learners)
        ]

    def _figures_text(self) -> Text:
        """Return the losses of both memories, in per cent, as each side that both play."""
        sides = [side for side in Side if all(side in learner.sides for learner in self.learners)]
        tables = [self._loss_table(side) for side in sides]
        if sum(table[0].cell_len + 3 for table in tables) <= self.query_one("#compare-head").content_size.width:
            tables = [[Text("   ").join(lines) for lines in zip(*tables, strict=True)]]  # beside each other
        return Text("\n").join([line for table in tables for line in table])

    def _loss_table(self, side: Side) -> list[Text]:
        """Return a heading, and a line for each memory."""
        names = [plain(name, NAME_WIDTH) for name in (("before", "now") if self.in_order else self.names)]
        title = f"% of games lost as {self.learners[0].game.mark(side)} to"
        name_width = max(len(title), *map(cell_len, names))
        opponents = "".join(f"{NAMES[opponent]:>{LOSSES_WIDTH}}" for opponent in TELLING)
        lines = [Text(f"{title:<{name_width}}{opponents}", "dim")]
        for name, exact in zip(names, self.exact, strict=True):
            line = Text(f"{name:<{name_width}}", "dim")
            if side in self._judged_sides:
                losses = [exact[side.name.lower()].against[opponent].loss for opponent in TELLING]
                line.append("".join(f"{decimal_percent(loss):>{LOSSES_WIDTH}}" for loss in losses), "not dim")
            else:
                line.append("  untrained")
            line.pad_right(lines[0].cell_len - line.cell_len)
            lines.append(line)
        return lines

    def _reader_text(self) -> str:
        """Return how often each memory loses to a player that has read it, on average over the sides that both know."""
        if not self._judged_sides:
            return ""
        before, after = (
            percent_text(fmean(exact[side.name.lower()].against["best_responder"].loss for side in self._judged_sides))
            for exact in self.exact
        )
        first, second = (plain(name, NAME_WIDTH) for name in self.names)
        brief = f"{first} {before}, {second} {after}"
        if self.in_order:
            first, second, brief = "it", "now", f"before {before}, now {after}"
        return fitting_text(
            self.query_one("#compare-head"),
            f"{READERS[0].capitalize()} beats {first} in {before} of games, {second} in {after}.",
            f"Games lost to {READERS[1]}: {brief}.",
            f"Lost to {READERS[2]}: {brief}.",
            f"Lost to {READERS[2]}: {before}, {after}.",
        )

    @on(OptionList.OptionSelected, "#differences")
    def list_more(self, message: OptionList.OptionSelected) -> None:
        if message.option_index == len(self.listed):
            self.limit = MAX_LISTED
            self._fill()

    @on(OptionList.OptionHighlighted, "#differences")
    def show_selected(self, message: OptionList.OptionHighlighted) -> None:
        place, last_place = message.option_index, self._selected
        if place >= len(self.listed) or place == last_place:
            return
        self._selected = place
        self._draw_again(place)
        if last_place is not None:
            self._draw_again(last_place)
        self._draw_moves(self.listed[place])

    def _draw_again(self, place: int) -> None:
        """Draw the difference at a place of the list again, as the one under the cursor or not."""
        text = self._difference_text(self.listed[place], place)
        self.query_one("#differences", OptionList).replace_option_prompt_at_index(place, self._pad(place, text))

    def _draw_moves(self, shift: Shift) -> None:
        """Draw each move of a difference: as bars if there is room, else in a line each."""
        space, table = self.learners[0].space, self.query_one("#compare-table", Static)
        has_boxes = self.has_class("-boxed")
        height = None if has_boxes else self.query_one("#compare-moves").content_size.height
        text = moves_text(space, shift, names_of(*self.names), palette_of(self), table.size.width, height)
        table.update(text)
        if not has_boxes:
            return
        panels = self.query(".compare-box").results(Vertical)
        for learner, name, panel in zip(self.learners, self.names, panels, strict=True):
            view = panel.query_one(OpenBoxView)
            view.show(open_box(learner, int(space.position[shift.row])))
            entitle(panel, plain(name), worth_text(view.worth) if view.size else "")

    def draw(self) -> None:
        self.set_class(self.has_class("-wide") and self.size.height >= BOXES_FROM, "-boxed")
        self._draw_head()
        self.call_after_refresh(self._fill)  # in the room that the head leaves

    def current_export(self) -> Export | None:
        if not self.learners:
            return None
        return Export("compare", partial(differences_picture, self.learners[0].space, self.names, self.listed))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable the list of given-up moves where it would be empty, or the same list."""
        if action == "given_up" and not self.given_up_only:
            return len({each.gives_up for each in self.differences}) > 1
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


def _wrap(sentence: str, width: int) -> list[str]:
    """Return the lines of a sentence, with no break before a unit."""
    return wrap(sentence.replace(" %", "\N{NO-BREAK SPACE}%"), width)


def _height(text: Text) -> int:
    return text.plain.count("\n") + 1
