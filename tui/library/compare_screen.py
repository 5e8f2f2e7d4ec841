"""Comparison of two memories, position by position: of two saves, or of two checkpoints of one save."""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import zip_longest
from math import copysign, sqrt
from textwrap import wrap
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from engine.evaluate import SAME
from engine.game import BadText, Side
from engine.plural import counted_noun
from engine.solve import edge_values
from engine.space import Space
from engine.stop import Stop
from lab.memory.matchbox import Matchbox, SquareKind
from lab.memory.open_box import open_box
from lab.memory.shifts import NAME_WIDTH, Names, names_of, shift_boxes, shift_text, why_text
from lab.pictures.boards import differences_picture
from lab.results.exact_results import ExactResults, exact_of
from lab.results.score_lines import NAMES, TELLING
from lab.text.columns import cut
from lab.text.numbers import percent_number, percent_text
from lab.text.sanitise import label, plain
from learners import revive
from learners.comparison import Shift, shifts
from learners.core.learner import Learner
from learners.core.save_ref import SaveRef, parse_save
from learners.players.plain import VERDICT
from saves import gallery
from saves.library.library import Entry
from tui.shell.dialog import Question, titled
from tui.shell.files import Export
from tui.shell.lab_app import LabApp
from tui.shell.parts import Options, Panel, entitle
from tui.shell.screen import LabScreen
from tui.widgets.open_box import OpenBoxView
from tui.widgets.tiles import Palette, box_lines, box_width, palette_of, text_of, theme_colour

SHOWN: Final = 10
"""How many differences are listed at first, or as many as there is room for: those that matter most."""
BOXES_FROM: Final = 220
"""From this width of the screen on, both memories are also drawn as open boxes."""
MAX_LISTED: Final = 200
"""The maximum number of differences listed with all."""
MAX_LINE: Final = 90
"""The maximum width of a sentence, in columns."""
LOSSES_WIDTH: Final = 17
"""The width of the losses to one opponent, in columns."""
CAPTION_WIDTH: Final = 12
"""The maximum width of a name below a board, in columns."""
FULL_HEAT: Final = 0.1
"""From this change on, the largest change in a position has the full colour."""
SHARE_WIDTH: Final = 8
"""The width of a probability, in columns."""
BESIDE_FROM: Final = 66
"""The least room for words beside the boards; else they are below."""


class OtherDialog(Question[SaveRef | None]):
    """Asks with what to compare a save: another checkpoint or another save; its result is `None` after Escape."""

    def __init__(self, save: str, game: str, checkpoints: Mapping[int, str], lab: LabApp) -> None:
        """Offer `checkpoints`: a description of each, by its number of rounds."""
        super().__init__()
        self.save, self.game, self.checkpoints, self.lab = save, game, checkpoints, lab

    def compose(self) -> ComposeResult:
        with titled("Compare with what?", "compare"):
            yield Options(id="others", markup=False)

    def on_mount(self) -> None:
        options = [
            Option(label(text, 50), id=str(SaveRef(self.save, rounds))) for rounds, text in self.checkpoints.items()
        ]
        listed = self.query_one(OptionList)
        listed.add_options(options)
        listed.highlighted = 0 if options else None
        listed.focus()
        self.in_background("find", lambda _: self.lab.library.entries(), self.add_saves, self.unreadable)

    def unreadable(self, problem: str) -> None:
        self.warn(problem)
        self.add_saves([*gallery.entries()])

    def add_saves(self, entries: Sequence[Entry]) -> None:
        listed = self.query_one(OptionList)
        names = [entry.name for entry in entries if entry.game == self.game and entry.name != self.save]
        listed.add_options([Option(label(name, 50), id=name) for name in names])
        if listed.highlighted is None and listed.option_count:
            listed.highlighted = 0

    @on(OptionList.OptionSelected)
    def chosen(self, message: OptionList.OptionSelected) -> None:
        try:
            self.dismiss(parse_save(message.option_id or self.save))
        except BadText as error:  # another program gave the save a name that this one does not accept
            self.warn(str(error))


class CompareScreen(LabScreen):
    """Lists the positions in which two memories play differently, each with three boards and a sentence."""

    mode = "library"
    AUTO_FOCUS = "#differences"
    HELP = """\
# Compare

The positions in which two memories play differently, first the ten that matter most: how often play reaches a position,
times the change of its value. The boards show how likely each of them plays each square there: the memory named first
on the left, the other beside it, its bars green where it plays there more often and red where less often, the stronger
the more. Beside the list, each move of the difference under the cursor is drawn with its two probabilities.
The board of the truth shows what each move is worth, from low and red for a loss to high and green for a win. Positions
that are the same by symmetry are one entry, which shows their mean.

**f** lists all differences; those in positions that are lost already, or that neither memory ever reaches, come last.
**G** lists only positions in which the first memory plays some move that the second never plays. **s** swaps the two.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("s", "swap", "Swap sides", tooltip="exchanges the two saves"),
        Binding("f", "figures", "Figures", tooltip="shows the exact results, or hides them"),
        Binding("G", "given_up", "Given up", tooltip="goes to moves given up"),
    ]

    def __init__(self, one: str, other: str) -> None:
        super().__init__()
        self.names = (one, other)
        self.learners: Sequence[Learner] = ()
        self.exact: Sequence[ExactResults] = ()
        self.found: Sequence[Shift] = ()
        self.given_up_only = False
        self.everything = False
        """Whether all differences are listed."""

    def body(self) -> Iterable[Widget]:
        with Vertical(id="compare"):
            with entitle(Vertical(id="compare-head", classes="panel"), "Compare"):
                yield Static("Comparing …", id="compare-exact", markup=False)
            with Horizontal(id="compare-body"):
                yield Options(id="differences", markup=False, classes="panel")
                with entitle(Panel(id="compare-moves", classes="panel"), "Each move"):
                    yield Static("", id="compare-table", markup=False)
                with Vertical(id="compare-boxes"):
                    for _ in self.names:
                        with Vertical(classes="panel"):
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
        self.query_one("#compare-exact", Static).update(plain(message, 300))

    def show(self, compared: tuple[Sequence[Learner], Sequence[Shift], Sequence[ExactResults]]) -> None:
        self.learners, self.found, self.exact = compared
        self.draw()

    @property
    def in_order(self) -> bool:
        """Whether both memories are of one save, the first at the earlier checkpoint."""
        return names_of(*self.names) is None

    @property
    def listed(self) -> Sequence[Shift]:
        wanted = [each for each in self.found if each.gives_up or not self.given_up_only]
        fitting = self.query_one("#differences").size.height // (self.learners[0].game.board.rows + 2)
        return wanted[: MAX_LISTED if self.everything else max(SHOWN, fitting)]

    def _fill(self) -> None:
        """List the differences; the cursor stays on its line."""
        options = self.query_one("#differences", OptionList)
        room, at = options.scrollable_content_region.width - 2, options.highlighted or 0
        options.clear_options()
        if self.learners and room > 0:
            listed, space = self.listed, self.learners[0].space
            ground = Style(bgcolor=theme_colour(self, "background"))
            names = names_of(*self.names)
            drawn = [self._lines(space, each, room, names) for each in listed]
            tallest, lines = max(map(_height, drawn), default=1), options.scrollable_content_region.height
            each, left = divmod(lines, max(1, lines // tallest))  # no difference is cut at the end of the list
            for place, text in enumerate(drawn):
                below = f"\n{' ' * (room + 2)}" * (each + (place < left) - _height(text))
                text.append(below, ground)  # the cursor does not light what is empty
            options.add_options(map(Option, drawn))
            options.highlighted = min(at, len(listed) - 1) if listed else None
            total = counted_noun(len(self.found), "position")
            title = "All differences" if self.everything else "What matters most"
            state = f"{len(listed)} of {total}" if len(listed) < len(self.found) else total
            entitle(options, title if self.found else "The two play alike", f"{state} · `f` all" if self.found else "")

    def _lines(self, space: Space, shift: Shift, room: int, names: Names | None) -> Text:
        """Return three boards and a sentence: how two memories play in a position, and what each move is worth."""
        palette, ground = palette_of(self), Style(bgcolor=theme_colour(self, "background"))
        captions = ("before", "after") if names is None else [cut(name, CAPTION_WIDTH) for name in names]
        boxes = shift_boxes(space, shift, captions)
        boards = [[text_of(line) for line in box_lines(each, box_width(each), palette)] for each in boxes]
        self._heat(boards[1], *boxes[:2])
        rows = [Text(" ").join(parts) for parts in zip(*boards, strict=True)]
        for row in rows:
            row.stylize(ground)  # marks keep their colours and their ground under the cursor
        left = rows[0].cell_len + 2 if room >= BESIDE_FROM else 0
        wide = max(20, min(MAX_LINE, room - left))
        said, why = (
            wrap(text.replace(" %", "\u00a0%"), wide)
            for text in (shift_text(space, shift, names), why_text(shift, names))
        )
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
                lines[1 + row].stylize(palette.of_change(heat(other.level - one.level, most)), *place)

    def _draw_head(self) -> None:
        if not self.learners:
            return
        width = (self.query_one("#compare-head").size.width - 8) // 2
        one, other = (plain(name, max(10, width)) for name in self.names)
        entitle(self.query_one("#compare-head"), f"{one} {'→' if self.in_order else '|'} {other}", "`s` swaps them")
        self.query_one("#compare-exact", Static).update(self._exact_text())

    def _exact_text(self) -> Text:
        """Return the losses of both memories for each side that both play: to a reader in words, all in per cent."""
        sides = [side for side in self.learners[0].sides if side in self.learners[1].sides]
        judged = [side for side in sides if all(side in learner.trained_sides for learner in self.learners)]
        marks = self.learners[0].game.marks
        text, each = Text(self._reader_text(judged), "bold").append(f"{'lost %':<8}", "not bold dim"), len(TELLING)
        wide = min(LOSSES_WIDTH, (self.query_one("#compare-exact").size.width - 8) // each)
        for opponent in TELLING:
            text.append(f"{NAMES[opponent]:>{wide}}", "not bold dim")
        for side in sides:
            text.append(f"\nas {marks[side]:<5}", "not bold dim")
            if side not in judged:
                text.append("untrained", "not bold dim")
                continue
            for opponent in TELLING:
                results = (exact[side.name.lower()].against[opponent] for exact in self.exact)
                before, after = (percent_number(chances.loss) for chances in results)
                before += "  " * ("." not in before)  # the points are aligned
                pair = f"{before:>5} {'→' if self.in_order else '|'} {after:<4}"
                text.append(pair.rjust(wide), "not bold")
        return text

    def _reader_text(self, sides: Sequence[Side]) -> str:
        """Return in a line how often each memory loses to a player that has read it, as all of these sides."""
        if not sides:
            return ""
        one, other = ("it", "later") if self.in_order else (plain(name, NAME_WIDTH) for name in self.names)
        before, after = (
            percent_text(sum(exact[side.name.lower()].against["best_responder"].loss for side in sides) / len(sides))
            for exact in self.exact
        )
        return f"A reader of its memory beats {one} in {before} of games, {other} in {after}.\n"

    @on(OptionList.OptionHighlighted, "#differences")
    def highlighted(self, message: OptionList.OptionHighlighted) -> None:
        listed = self.listed
        if self.learners and message.option_index < len(listed):
            self._draw_moves(listed[message.option_index])

    def _draw_moves(self, shift: Shift) -> None:
        """Draw each move of a difference: as bars if there is room, else in a line each."""
        space, panel, table = self.learners[0].space, self.query_one("#compare-moves"), self.query_one("#compare-table")
        entitle(panel, "Each move", space.game.to_text(int(space.position[shift.row])))
        text = moves_text(
            space, shift, names_of(*self.names), palette_of(self), table.size.width, panel.content_size.height
        )
        self.query_one("#compare-table", Static).update(text)
        if self.has_class("-boxed"):
            panels = self.query("#compare-boxes > Vertical").results(Vertical)
            for learner, name, panel in zip(self.learners, self.names, panels, strict=True):
                entitle(panel, plain(name))
                panel.query_one(OpenBoxView).show(open_box(learner, int(space.position[shift.row])))

    def draw(self) -> None:
        self.set_class(self.size.width >= BOXES_FROM, "-boxed")
        self._draw_head()
        self.call_after_refresh(self._fill)  # in the room that the head leaves

    def kept(self) -> Export | None:
        if not self.learners:
            return None
        return Export("compare", partial(differences_picture, self.learners[0].space, self.names, self.listed))

    def action_given_up(self) -> None:
        """Switch between all positions and only those in which a move was given up."""
        self.given_up_only = not self.given_up_only
        self._fill()

    def action_figures(self) -> None:
        """Switch between all differences and those that matter most."""
        self.everything = not self.everything
        self._fill()

    def action_swap(self) -> None:
        self.names = (self.names[1], self.names[0])
        self.load(self.names)


def _height(text: Text) -> int:
    return text.plain.count("\n") + 1


def heat(change: float, most: float) -> float:
    """Return the heat of a change, from −1 to 1, if the largest one of its position is `most`."""
    return copysign(sqrt(min(1.0, abs(change) / max(most, FULL_HEAT))), change)


def moves_text(  # noqa: PLR0913, PLR0917  two memories in a position, and how they are drawn
    space: Space, shift: Shift, names: Names | None, palette: Palette, width: int, height: int
) -> Text:
    """Return each move with its probability in both memories and where it leads, the most changed moves first.

    With enough lines, the probabilities are bars as well, the longest of which takes all the room.
    """
    game, values = space.game, edge_values(space)
    captions = ("before", "after") if names is None else [cut(name, CAPTION_WIDTH) for name in names]
    changes = {edge: shift.after[edge] - shift.before[edge] for edge in shift.before}
    edges = sorted(changes, key=lambda edge: -abs(changes[edge]))
    room = width - max(map(cell_len, captions)) - 2 - SHARE_WIDTH
    apart = 4 * len(edges) <= height + 1
    most = max(map(abs, changes.values()), default=0.0)
    longest = max((*shift.before.values(), *shift.after.values()), default=0.0) or 1.0
    drawn = room > 0 and 3 * len(edges) <= height
    rows = [] if drawn else [Text(f"{'':<6}" + "".join(f"{each:>{CAPTION_WIDTH + 1}}" for each in captions), "dim")]
    for edge in edges:
        name, leads = game.move_name(int(space.move[edge])), VERDICT[int(values[edge])]
        shares = shift.before[edge], shift.after[edge]
        if not drawn:
            figures = "".join(f"{percent_text(share):>{CAPTION_WIDTH + 1}}" for share in shares)
            rows.append(Text.assemble(f"{name:<6}{figures}", (f"  {leads}", "dim")))
            continue
        rows.append(Text.assemble((f"{name:<4}", "bold"), (leads, "dim")))
        styles = Style(dim=True), palette.of_change(heat(changes[edge], most))
        for caption, share, style in zip(captions, shares, styles, strict=True):
            line = Text().append(f"{caption:<{width - room - SHARE_WIDTH}}", "dim")
            line.append(f"{bar_text(share / longest, room):<{room}}", style)
            rows.append(line.append(f"{percent_text(share):>{SHARE_WIDTH}}"))
        rows += [Text()] * apart
    return Text("\n", no_wrap=True).join(rows[:-1] if drawn and apart else rows)


def bar_text(share: float, room: int) -> str:
    """Return a bar as long as a share of `room` columns, to half a column; the least for a share above 0."""
    halves = max(1, round(2 * share * room)) if share > SAME else 0
    return "━" * (halves // 2) + "╸" * (halves % 2)
