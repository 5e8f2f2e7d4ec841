"""Comparison of two memories, position by position: of two saves, or of two checkpoints of one save."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Label, OptionList, Static
from textual.widgets.option_list import Option

from engine.game import BadText
from engine.games import parse_game
from engine.space import Space, TooLarge
from lab.memory.matchbox import share_box
from lab.memory.shifts import Names, names_of, shift_text
from lab.results.exact_results import NAMES, TELLING, ExactResults, exact_of
from lab.text.numbers import count_text, percent_number, percent_text
from lab.text.sanitise import label, plain
from learners import revive
from learners.comparison import Shift, shifts
from learners.core.learner import Learner
from learners.core.plural import counted_noun
from saves.errors import LibraryError
from saves.names import SaveReference, parse_reference
from tui.shell.dialog import Question
from tui.shell.lab_app import LabApp
from tui.shell.parts import Options
from tui.shell.screen import LabScreen
from tui.widgets.tiles import BARE, Palette, lines_of, palette_of

MAX_LISTED: Final = 200
"""The maximum number of differences listed, the largest first."""
MAX_WIDTH: Final = 100
"""The maximum width of a difference, in columns."""
LOSSES_WIDTH: Final = 17
"""The width of the losses to one opponent, in columns."""
CAPTION_WIDTH: Final = 12
"""The maximum width of a name below a board, in columns."""


class OtherDialog(Question[SaveReference | None]):
    """Asks what to compare a save with: another checkpoint or another save; its result is `None` after Escape."""

    def __init__(self, save: str, game: str, checkpoints: Mapping[int, str], lab: LabApp) -> None:
        """`checkpoints` are the checkpoints to choose from: a description of each, by its number of rounds."""
        super().__init__()
        self.save, self.game, self.checkpoints, self.lab = save, game, checkpoints, lab

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label("Compare with what?", classes="dialog-title")
            yield Options(id="others", markup=False)

    def on_mount(self) -> None:
        options = [
            Option(label(text, 50), id=str(SaveReference(self.save, rounds)))
            for rounds, text in self.checkpoints.items()
        ]
        listed = self.query_one(OptionList)
        listed.add_options(options)
        listed.highlighted = 0 if options else None
        listed.focus()
        self.find_saves()

    @work(thread=True, exit_on_error=False)
    def find_saves(self) -> None:
        library = self.lab.library
        try:
            entries = library.entries()
        except LibraryError as error:
            entries = library.gallery()
            self.app.call_from_thread(self.lab.warn, str(error))
        names = [entry.name for entry in entries if entry.game == self.game and entry.name != self.save]
        self.app.call_from_thread(self.add_saves, names)

    def add_saves(self, names: Sequence[str]) -> None:
        listed = self.query_one(OptionList)
        listed.add_options([Option(label(name, 50), id=name) for name in names])
        if listed.highlighted is None and listed.option_count:
            listed.highlighted = 0

    @on(OptionList.OptionSelected)
    def chosen(self, message: OptionList.OptionSelected) -> None:
        try:
            self.dismiss(parse_reference(message.option_id or self.save))
        except BadText as error:  # another program gave the save a name that this one does not accept
            self.lab.warn(str(error))

    def action_back(self) -> None:
        self.dismiss(None)


class CompareScreen(LabScreen):
    """Lists the positions in which two memories play differently, each with two boards and a sentence."""

    mode = "library"
    home = "#differences"
    HELP = """\
# Compare

The positions in which two memories play differently, the largest change first. The boards show how likely each of them
plays each square there, in per cent: the memory named first on the left, the other on the right. The sentence says
where they differ most; the share below it says how much their play differs there. Positions that are the same by
symmetry are one entry, which shows their mean. **G** lists only positions in which the first memory plays some move
that the second never plays. **s** swaps the two.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("s", "swap", "Swap sides"),
        Binding("G", "given_up", "Given up"),
    ]

    def __init__(self, one: str, other: str) -> None:
        super().__init__()
        self.names = (one, other)
        self.learners: Sequence[Learner] = ()
        self.exact: Sequence[ExactResults] = ()
        self.found: Sequence[Shift] = ()
        self.given_up_only = False

    def body(self) -> Iterable[Widget]:
        with Vertical(id="compare"):
            yield Static("Loading …", id="compare-title", markup=False)
            yield Static("", id="compare-exact", markup=False)
            yield Options(id="differences", markup=False)

    def set_up(self) -> None:
        super().set_up()
        self.load(self.names)

    @work(thread=True, exclusive=True, group="load", exit_on_error=False)
    def load(self, names: tuple[str, str]) -> None:
        try:
            snapshots = [self.lab.library.load(name) for name in names]
            learners = [revive(snapshot, parse_game(snapshot.game)) for snapshot in snapshots]
            found = shifts(*learners)
        except (LibraryError, BadText, TooLarge) as error:
            self.app.call_from_thread(self.query_one("#compare-title", Static).update, plain(str(error), 300))
            return
        exact = [exact_of(learner) for learner in learners]
        self.app.call_from_thread(self.show, learners, exact, found)

    def show(self, learners: Sequence[Learner], exact: Sequence[ExactResults], found: Sequence[Shift]) -> None:
        self.learners, self.exact, self.found = learners, exact, found
        self._draw_head()
        self._fill()

    @property
    def in_order(self) -> bool:
        """Whether both memories are of one save, the first at the earlier checkpoint."""
        return names_of(*self.names) is None

    @property
    def listed(self) -> Sequence[Shift]:
        """The differences that are listed."""
        return [each for each in self.found if each.gives_up or not self.given_up_only][:MAX_LISTED]

    def _fill(self) -> None:
        """List the differences; the cursor stays on its line."""
        options = self.query_one("#differences", OptionList)
        room, at = min(MAX_WIDTH, options.size.width - 3), options.highlighted or 0
        options.clear_options()
        if self.learners and room > 0:
            listed, palette, space = self.listed, palette_of(self), self.learners[0].space
            names = names_of(*self.names)
            options.add_options([Option(shift_lines(space, each, room, palette, names)) for each in listed])
            options.highlighted = min(at, len(listed) - 1) if listed else None

    def _draw_head(self) -> None:
        if not self.learners:
            return
        width = (self.query_one("#compare-title").size.width - 5) // 2
        one, other = (plain(name, max(10, width)) for name in self.names)
        count = len(self.found)
        title = Text(f"{one} {'→' if self.in_order else 'and'} {other}", "bold", no_wrap=True)
        text = f"\nThey differ in {counted_noun(count, 'position')}"
        text += f"; the {count_text(MAX_LISTED)} largest differences are listed" if count > MAX_LISTED else ""
        self.query_one("#compare-title", Static).update(
            title.append(text if count else "\nThe two play alike.", "not bold dim")
        )
        self.query_one("#compare-exact", Static).update(self._exact_text())

    def _exact_text(self) -> Text:
        """The losses of both memories, in per cent, for each side that both play."""
        sides = [side for side in self.learners[0].sides if side in self.learners[1].sides]
        marks = self.learners[0].game.marks
        text = Text(f"{'lost %':<8}", "dim")
        for opponent in TELLING:
            text.append(f"{NAMES[opponent]:>{LOSSES_WIDTH}}", "dim")
        for side in sides:
            text.append(f"\nas {marks[side]:<5}", "dim")
            if any(side not in learner.trained_sides for learner in self.learners):
                text.append("untrained", "dim")
                continue
            for opponent in TELLING:
                results = (exact[side.name.lower()].against[opponent] for exact in self.exact)
                before, after = (percent_number(chances.loss) for chances in results)
                pair = f"{before:>5} {'→' if self.in_order else '|'} {after:<4}"  # the arrows are aligned
                text.append(pair.rjust(LOSSES_WIDTH), "not dim")
        return text

    def resized(self) -> None:
        super().resized()
        self._draw_head()
        self._fill()

    def action_given_up(self) -> None:
        """Switch between all positions and only those in which a move was given up."""
        self.given_up_only = not self.given_up_only
        self._fill()

    def action_swap(self) -> None:
        """Swap the two memories."""
        self.names = (self.names[1], self.names[0])
        self.load(self.names)

    def action_back(self) -> None:
        self.dismiss(None)


def shift_lines(space: Space, shift: Shift, width: int, palette: Palette, names: Names | None) -> Text:
    """How two memories play in a position: a board for each, and beside them a sentence."""
    captions = ("before", "after") if names is None else [label(name, CAPTION_WIDTH) for name in names]
    tiles = [
        share_box(
            space.game,
            int(space.position[shift.row]),
            {int(space.move[edge]): chance for edge, chance in chances.items()},
            str(caption),
        )
        for chances, caption in zip((shift.before, shift.after), captions, strict=True)
    ]
    boards = lines_of(tiles, width, palette, BARE).split()
    left = max(line.cell_len for line in boards) + 3
    words = [
        *wrap(shift_text(space, shift, names), max(20, width - left)),
        "",
        f"{percent_text(shift.size)} of its moves here {'have changed' if names is None else 'differ'}",
    ]
    lines = []
    for board, line in zip_longest(boards, words, fillvalue=None):
        text = Text(no_wrap=True) if board is None else board.copy()
        text.pad_right(left - text.cell_len)
        lines.append(text.append(str(line or ""), "dim" if line == words[-1] else "not dim"))
    return Text("\n", no_wrap=True).join([*lines, Text()])
