"""Inside a save: its statistics, exact results, and its failures as pages of little boards."""

from collections.abc import Iterable, Mapping
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widget import Widget
from textual.widgets import Input, Static

from engine import parse_game
from engine.evaluate import Chances, scoreboard
from engine.game import BadText
from engine.space import TooLarge
from learners import revive
from learners.learner import Learner
from learners.plain import plural
from saves.errors import LibraryError
from tui.facts import exact_text, facts_text
from tui.failure_pages import Filter, failure_tile, select
from tui.figures import count_text
from tui.safe import label, plain
from tui.screens.lab import LabScreen
from tui.widgets.palette import palette_of
from tui.widgets.tiles import lines_of, per_row

TILE_HEIGHT = 5
"""A little board, its caption, and an empty line."""


class MemoryScreen(LabScreen):
    """One save, opened."""

    mode = "library"
    AUTO_FOCUS = ""
    HELP = """\
# Inside a save

Every failure as a little board: the position, `!` on the move that failed, and below it the number in order of
recording, the side to move and the move. Leaf with the arrows; **s** and **m** narrow the pages to a side and to a
number of marks.

The exact results tell how the memory fares against four opponents, in per cent won, drawn and lost. *Its worst enemy*
knows the memory and plays to make it lose.
"""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("pagedown,right,n", "page(1)", "Next"),
        Binding("pageup,left", "page(-1)", "Before"),
        Binding("home", "page(-1000000)", "First", show=False),
        Binding("end", "page(1000000)", "Last", show=False),
        Binding("s", "side", "Side"),
        Binding("plus,m", "pieces(1)", "Marks", key_display="m"),
        Binding("minus", "pieces(-1)", "Fewer marks", show=False),
        Binding("slash", "search", "Find", key_display="/"),
    ]

    learner: Learner | None = None
    exact: Mapping[str, Mapping[str, Chances]]
    edges: list[int]
    filter = Filter()
    page = 0

    def __init__(self, save: str) -> None:
        super().__init__()
        self.save = save
        self.edges = []

    def body(self) -> Iterable[Widget]:
        with Vertical(id="memory"):
            yield Static(label(self.save, 60), id="memory-name")
            yield Static("Loading …", id="memory-facts", markup=False)
            yield Static("", id="memory-exact", markup=False)
            yield Static("", id="memory-filter", markup=False)
            yield Input(placeholder="a position, such as X../.../... O; its symmetric twins are found too", id="search")
            yield Static("", id="memory-page", markup=False)

    def on_mount(self) -> None:
        super().on_mount()
        self.query_one("#search").display = False
        self.load()

    @work(thread=True, exit_on_error=False)
    def load(self) -> None:
        try:
            snapshot = self.lab.library.load(self.save)
            learner = revive(snapshot, parse_game(snapshot.game))
        except (LibraryError, BadText, TooLarge) as error:
            self.app.call_from_thread(self.refuse, str(error))
            return
        self.app.call_from_thread(self.show, learner, scoreboard(learner.space, learner.policy()))

    def refuse(self, message: str) -> None:
        self.query_one("#memory-facts", Static).update(plain(message, 400))

    def show(self, learner: Learner, exact: Mapping[str, Mapping[str, Chances]]) -> None:
        self.learner, self.exact = learner, exact
        self.query_one("#memory-facts", Static).update(facts_text(learner))
        self._draw_exact()
        self.refilter(self.filter)

    def _draw_exact(self) -> None:
        if self.learner is not None:
            place = self.query_one("#memory-exact", Static)
            place.update(exact_text(self.learner, self.exact, place.size.width))

    def refilter(self, wanted: Filter) -> None:
        """Show the failures that a filter lets through, from the first."""
        self.filter = wanted
        if self.learner is not None:
            self.edges = select(self.learner.space, self.learner.memory, wanted)
            self.page = 0
            self.call_after_refresh(self.draw)

    def resized(self) -> None:
        super().resized()
        self._draw_exact()
        self.call_after_refresh(self.draw)

    @property
    def per_page(self) -> int:
        page = self.query_one("#memory-page")
        return max(1, (page.size.height + 1) // TILE_HEIGHT) * self._per_row(page.size.width)

    def _per_row(self, width: int) -> int:
        if self.learner is None or not self.edges:
            return 1
        widest = [failure_tile(self.learner.space, self.learner.memory, edge) for edge in self.edges[-1:]]
        return per_row(widest, width)

    def draw(self) -> None:
        learner = self.learner
        if learner is None:
            return
        count = self.per_page
        pages = max(1, -(-len(self.edges) // count))
        self.page = min(max(0, self.page), pages - 1)
        shown = self.edges[self.page * count : (self.page + 1) * count]
        tiles = [failure_tile(learner.space, learner.memory, edge) for edge in shown]
        page = self.query_one("#memory-page", Static)
        empty = Text("No failure here. Change the filter, or train it.", "dim")
        page.update(
            lines_of(tiles, page.size.width, palette_of(self), apart=True, count=self._per_row(page.size.width))
            if tiles
            else empty
        )
        self.query_one("#memory-filter", Static).update(self._filter_text(pages))

    def _filter_text(self, pages: int) -> Text:
        learner, wanted = self.learner, self.filter
        if learner is None:
            return Text("")
        side = "either side" if wanted.side is None else learner.game.mark(wanted.side)
        pieces = "any number of marks" if wanted.pieces is None else f"{wanted.pieces} {plural('mark', wanted.pieces)}"
        where = "" if wanted.position is None else f", {learner.game.to_text(wanted.position)} and twins"
        return Text(
            f"{count_text(len(self.edges))} {plural('failure', len(self.edges))}: {side} to move, {pieces}{where}. "
            f"Page {self.page + 1} of {pages}",
            "bold",
        )

    def action_page(self, step: int) -> None:
        self.page += step
        self.draw()

    def action_side(self) -> None:
        self.refilter(self.filter.next_side())

    def action_pieces(self, step: int) -> None:
        if self.learner is not None:
            self.refilter(self.filter.next_pieces(step, self.learner.game.rows * self.learner.game.columns))

    def action_search(self) -> None:
        field = self.query_one("#search", Input)
        field.display = True
        field.focus()

    @on(Input.Submitted, "#search")
    def searched(self, message: Input.Submitted) -> None:
        if self.learner is None:
            return
        text = message.value.strip()
        try:
            position = self.learner.game.from_text(text) if text else None
        except BadText as error:
            self.notify(plain(str(error), 300), severity="warning", markup=False)
            return
        self.set_focus(None)
        message.input.display = False
        self.refilter(Filter(position=position))

    def action_back(self) -> None:
        field = self.query_one("#search", Input)
        if field.display:
            field.display = False
            self.set_focus(None)
        else:
            self.dismiss(None)
