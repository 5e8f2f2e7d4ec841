"""Two memories compared move by move: those of two saves, or of two checkpoints of one."""

from collections.abc import Iterable, Sequence
from typing import ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import DataTable, Label, OptionList, Static
from textual.widgets.option_list import Option
from textual.worker import get_current_worker

from engine.game import BadText
from engine.games import parse_game
from engine.space import TooLarge
from lab.memory.timeline import Timeline
from lab.training.exact_results import ExactResults, exact_of
from lab.words.numbers import count_text, differences_text, percent_number, percent_text
from lab.words.opponent_names import NAMES, TELLING
from lab.words.sanitise import label, plain
from learners import revive
from learners.comparison import Difference, differences
from learners.core.cards import Card
from learners.core.learner import Learner
from learners.core.plural import counted_noun
from learners.players.plain import VERDICT
from saves.errors import LibraryError
from saves.names import SaveReference, parse_reference
from tui.shell.dialog import Dialog
from tui.shell.lab_app import Lab
from tui.shell.screen import LabScreen
from tui.widgets.mark_styles import palette_of
from tui.widgets.panel import Panel
from tui.widgets.tiles import card_tile, lines_of

MOST_ROWS: Final = 500
"""The most differences that are listed, beginning with those of the first plies."""


class OtherDialog(Dialog[SaveReference | None]):
    """Asks what to compare with; its result is another checkpoint of the save, or another save of the game."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]

    def __init__(self, save: str, rounds: int, past: Timeline, learner: Learner, lab: Lab) -> None:
        super().__init__()
        self.save, self.rounds, self.past, self.learner, self.lab = save, rounds, past, learner, lab

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label("Compare with what?", classes="dialog-title")
            yield OptionList(id="others", markup=False)

    def on_mount(self) -> None:
        noun = self.learner.spec.round_noun
        others = [rounds for rounds in reversed(self.past.moments) if rounds != self.rounds]
        options = [
            Option(label(f"itself after {counted_noun(rounds, noun)}", 50), id=str(SaveReference(self.save, rounds)))
            for rounds in others
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
        names = [entry.name for entry in entries if entry.game == self.learner.game.name and entry.name != self.save]
        self.app.call_from_thread(
            self.query_one(OptionList).add_options, [Option(label(name, 50), id=name) for name in names]
        )

    @on(OptionList.OptionSelected)
    def chosen(self, message: OptionList.OptionSelected) -> None:
        try:
            self.dismiss(parse_reference(message.option_id or self.save))
        except BadText as error:  # another program gave it a name that this one does not accept
            self.lab.warn(str(error))

    def action_back(self) -> None:
        self.dismiss(None)


class CompareScreen(LabScreen):
    """Lists the differences of two memories in a table, and shows the one under the cursor on two boards."""

    mode = "library"
    home = "#differences"
    HELP = """\
# Compare

The differences of two memories: a line for each move that they play with different probability, beginning with the
first plies. It shows the probability of the move in the memory named first (*before*) and in the other (*after*), and
the exact value of the move (*truth*). The boards show the selected position as each of the two sees it. Where symmetric
positions share their numbers, only one of them is listed. **g** lists only the moves that the first memory plays and
the second never does. **s** swaps the two.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("s", "swap", "Swap"),
        Binding("g", "given_up", "Given up only"),
    ]

    def __init__(self, one: str, other: str) -> None:
        super().__init__()
        self.names = (one, other)
        self.learners: Sequence[Learner] = ()
        self.exact: Sequence[ExactResults] = ()
        self.found: Sequence[Difference] = ()
        self.given_up_only = False

    def body(self) -> Iterable[Widget]:
        with Vertical(id="compare"):
            yield Static("Loading …", id="compare-title", markup=False)
            yield Static("", id="compare-exact", markup=False)
            with Horizontal(id="compare-both"):
                yield DataTable[Text](id="differences", cursor_type="row")
                with Panel(id="compare-boards"):
                    yield Static("", id="compare-move", markup=False)

    def set_up(self) -> None:
        super().set_up()
        table = self.query_one(DataTable)
        for title, width in (("position", 13), ("move", 4), ("before", 7), ("after", 7), ("truth", 5)):
            table.add_column(Text(title, justify="right" if title in ("before", "after") else "left"), width=width)
        self.load(self.names)

    @work(thread=True, exclusive=True, group="load", exit_on_error=False)
    def load(self, names: tuple[str, str]) -> None:
        try:
            snapshots = [self.lab.library.load(name) for name in names]
            learners = [revive(snapshot, parse_game(snapshot.game)) for snapshot in snapshots]
            found = differences(*learners)
        except (LibraryError, BadText, TooLarge) as error:
            self.app.call_from_thread(self.query_one("#compare-title", Static).update, plain(str(error), 300))
            return
        exact = [exact_of(learner) for learner in learners]
        if not get_current_worker().is_cancelled:  # they were swapped meanwhile
            self.app.call_from_thread(self.show, learners, exact, found)

    def show(self, learners: Sequence[Learner], exact: Sequence[ExactResults], found: Sequence[Difference]) -> None:
        self.learners, self.exact, self.found = learners, exact, found
        self._draw_head()
        self._fill()

    @property
    def listed(self) -> Sequence[Difference]:
        """The differences listed in the table."""
        return [each for each in self.found if each.given_up or not self.given_up_only][:MOST_ROWS]

    def _fill(self) -> None:
        table = self.query_one(DataTable)
        table.clear()
        for each in self.listed:
            position, move = self._place(each)
            before, after = (Text(percent_text(chance), justify="right") for chance in each.chances)
            if each.given_up:
                after.stylize("bold")
            truth, game = Text(VERDICT[each.value], "bold" if each.value < 0 else ""), self.learners[0].game
            table.add_row(Text(game.to_text(position)), Text(game.move_name(move)), before, after, truth)
        self._draw_move()

    def _place(self, each: Difference) -> tuple[int, int]:
        """The position and the move of a difference."""
        space = self.learners[0].space
        return int(space.position[space.source[each.edge]]), int(space.move[each.edge])

    def _draw_head(self) -> None:
        if not self.learners:
            return
        width = (self.query_one("#compare-title").size.width - 5) // 2
        one, other = (plain(name, max(10, width)) for name in self.names)
        count, up = len(self.found), sum(each.given_up for each in self.found)
        title = Text.assemble((f"{one} → {other}", "bold"), no_wrap=True)
        text = f"\n{differences_text(count, up)}"
        if count > MOST_ROWS:
            text += f"; the first {count_text(MOST_ROWS)} are listed"
        self.query_one("#compare-title", Static).update(
            title.append(text if count else "\nThe two memories are the same.", "not bold dim")
        )
        self.query_one("#compare-exact", Static).update(self._exact_text(one, other))

    def _exact_text(self, one: str, other: str) -> Text:
        """The losses of both, in per cent, on the sides that both play."""
        sides = [side for side in self.learners[0].sides if side in self.learners[1].sides]
        marks = self.learners[0].game.marks
        text = Text(f"{'lost %':<8}", "dim")
        for opponent in TELLING:
            text.append(f"{NAMES[opponent]:>17}", "dim")
        for side in sides:
            text.append(f"\nas {marks[side]:<5}", "dim")
            for opponent in TELLING:
                results = (exact[side.name.lower()].against[opponent] for exact in self.exact)
                before, after = (percent_number(chances.loss) for chances in results)
                text.append(f"{before + ' → ' + after:>17}", "not dim")
        return text

    def resized(self) -> None:
        super().resized()
        self._draw_head()
        self._draw_move()

    @on(DataTable.RowHighlighted)
    def highlighted(self) -> None:
        self._draw_move()

    def _draw_move(self) -> None:
        row, place, listed = self.query_one(DataTable).cursor_row, self.query_one("#compare-move", Static), self.listed
        if not 0 <= row < len(listed):
            place.update("")
            return
        each = listed[row]
        position, move = self._place(each)
        game = self.learners[0].game
        width = max(20, self.query_one(Panel).scrollable_content_region.width)
        parts = [Text(f"{game.to_text(position)}   {game.move_name(move)}", "bold"), Text()]
        for learner, name in zip(self.learners, self.names, strict=True):
            thoughts = learner.thoughts(position)
            tile = card_tile(game, Card(position, thoughts, ""), drawn=[move])
            thought = next(thought for thought in thoughts if thought.move == move)
            parts += [
                Text(plain(name, width), "dim", no_wrap=True),
                lines_of([tile], width, palette_of(self)),
                Text(f"{game.move_name(move)}: {thought.words}, {percent_text(thought.chance)}"),
                Text(),
            ]
        place.update(Text("\n").join(parts))

    def action_given_up(self) -> None:
        """List only the moves that the first memory plays and the second never does, or all again."""
        self.given_up_only = not self.given_up_only
        self._fill()

    def action_swap(self) -> None:
        """Swap the two memories."""
        self.names = (self.names[1], self.names[0])
        self.load(self.names)

    def action_back(self) -> None:
        self.dismiss(None)
