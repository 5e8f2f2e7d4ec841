"""Inside a save: its statistics, exact results, the wall of all that its memory holds, and how that came about."""

from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Input, Static

from engine.game import BadText, Position
from lab.memory.card_filter import Filter, merges, select
from lab.memory.timeline import Then
from lab.tour.screen_view import Opened, Sight
from lab.words.learner_facts import exact_text, facts_text
from lab.words.numbers import count_text
from lab.words.sanitise import label, plain
from learners.core.learner import Learner
from learners.core.plural import plural
from tui.library.moments_screen import MomentsScreen
from tui.library.time_line import TimeLine
from tui.widgets.card_view import CardView, sharing
from tui.widgets.wall import Wall


class MemoryScreen(MomentsScreen):
    """One save, opened."""

    mode = "library"
    home = "#wall"
    HELP = """\
# Inside a save

All that the memory holds, as little boards: a failure is a position with `!` on the move that failed, and below it the
number in order of recording, the side to move and the move; a matchbox is a position with the beads for each move,
their letter and their number, and below it the number of the box; a gene is a position with the share of the
population that chose each move, and below it the number of the gene. Genes that are never a decision have no board.

Go over the wall with the arrows, the page keys or the mouse. The card you are on is told in detail: each move with how
likely it is played, and how its number grew over the games. Where there is no room beside the wall, it takes the place
of the figures; **Escape** brings them back. **s** and **m** narrow the wall to a side and to a number of marks, and
**/** finds a position. Where positions that are symmetric share a card, **w** turns it: it is told as the next of them.

The exact results tell how the memory fares against four opponents, in per cent won, drawn and lost. The *best
responder* knows the memory and plays to make it lose. Behind them stand how many of its moves are perfect, in per cent
of the decisions that it can face, and how many different moves it plays there at times that lose.

The **time line** at the bottom goes through its training: **,** and **.** take it back to an earlier moment and on to a
later one, and everything shows it as it was then; or go there with Tab and use the arrows, or the mouse. The bars tell
how much it lost to perfect play. **g** goes to the next moment at which a move of the card was given up, and tells the
very game: in a population, the generation from which on nobody would play it. **d** compares what you see with another
moment or another save, move by move; **v** plays against it as it was, and **c** trains on from there, under a name of
its own.
"""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "side", "Side"),
        Binding("plus,m", "pieces(1)", "Marks", key_display="m"),
        Binding("minus", "pieces(-1)", "Fewer marks", show=False),
        Binding("slash", "search", "Find", key_display="/"),
        Binding("w", "turn", "Turn"),
    ]

    turn = 0
    """Which of the positions that share it the card is told as."""

    def __init__(self, save: str, at: Position | None = None) -> None:
        """Open a save; with `at` its card of that position."""
        super().__init__(save)
        self.filter = Filter(position=at)

    @property
    def edges(self) -> list[int]:
        """The cards that are shown."""
        return self.query_one(Wall).edges

    def body(self) -> Iterable[Widget]:
        with Vertical(id="memory"):
            yield Static(label(self.save, 60), id="memory-name", markup=False)
            with Vertical(id="memory-figures"):
                yield Static("Loading …", id="memory-facts", markup=False)
                yield Static("", id="memory-exact", markup=False)
            with Horizontal(id="memory-cards"):
                with Vertical(id="memory-wall"):
                    yield Static("", id="memory-filter", markup=False)
                    yield Input(placeholder="a position, such as X../.../... O; its twins are found too", id="search")
                    yield Wall(id="wall")
                yield CardView(id="memory-card")
            yield TimeLine(id="memory-time")

    def open_up(self) -> None:
        super().open_up()
        self.query_one("#search").display = False
        self.load()

    def sight(self) -> Sight:
        past, then = self.past, self.moment
        if past is None or then is None:
            return super().sight()
        wall = self.query_one(Wall)
        looking = self.query_one("#memory").has_class("-looking")
        covered = looking and not self.has_class("-wide")
        opened = Opened(self.save, past, then, len(wall.edges), moved=looking, covered=covered)
        return replace(super().sight(), opened=opened)

    def refuse(self, message: str) -> None:
        self.query_one("#memory-facts", Static).update(plain(message, 400))

    def show(self, moment: Then) -> None:
        self.query_one("#memory-facts", Static).update(facts_text(moment.learner))
        self._draw_exact()
        self.refilter(self.filter, turn=self.turn)

    def draw_time(self) -> None:
        super().draw_time()
        name = Text.assemble((plain(self.save, 60), "bold"), (f"   {self.when}" if self.when else "", "not bold"))
        self.query_one("#memory-name", Static).update(name)

    def cards_in_hand(self) -> list[int]:
        """The edges of the moves on the card that the cursor is on."""
        learner, edge = self.learner, self.query_one(Wall).edge
        if learner is None or edge is None:
            return []
        card = learner.card(edge)
        return [learner.space.edge(card.position, thought.move) for thought in card.thoughts]

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only cards that positions share can be turned."""
        if action == "turn" and (self.learner is None or not merges(self.learner)):
            return False
        return super().check_action(action, parameters)

    def _draw_exact(self) -> None:
        if self.moment is not None:
            place = self.query_one("#memory-exact", Static)
            place.update(exact_text(self.moment.learner, self.moment.exact, place.size.width))

    def refilter(self, wanted: Filter, turn: int = 0) -> None:
        """Show the cards that a filter lets through."""
        self.filter = wanted
        learner = self.learner
        if learner is not None:
            none = "Nothing here. Change the filter." if len(learner.cards()) else learner.words.none
            self.query_one(Wall).show(learner, select(learner, wanted), empty=none)
            self.query_one("#memory-filter", Static).update(self._filter_text(learner))
            edge = self.query_one(Wall).edge
            twins = [] if edge is None else sharing(learner, edge)
            self.turn = twins.index(wanted.position) if wanted.position in twins else turn
            self._draw_card()

    def resized(self) -> None:
        super().resized()
        self._draw_exact()

    def _draw_card(self) -> None:
        self.query_one(CardView).show(self.learner, self.query_one(Wall).edge, self.turn)

    def _filter_text(self, learner: Learner) -> Text:
        wanted = self.filter
        side = "either side" if wanted.side is None else learner.game.mark(wanted.side)
        pieces = "any number of marks" if wanted.pieces is None else f"{wanted.pieces} {plural('mark', wanted.pieces)}"
        where = "" if wanted.position is None else f", {learner.game.to_text(wanted.position)} and twins"
        count = len(self.edges)
        line = Text(f"{count_text(count)} {learner.words.counted(count)}", "bold")
        return line.append(f"   {side} to move, {pieces}{where}", "not bold dim")

    @on(Wall.Selected)
    def selected(self) -> None:
        self.query_one("#memory").add_class("-looking")
        self.turn = 0
        self._draw_card()

    def action_turn(self) -> None:
        """Tell the card as the next of the positions that share it."""
        self.turn += 1
        self.query_one("#memory").add_class("-looking")
        self._draw_card()

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
        self._end_search()
        self.refilter(Filter(position=position))

    def _end_search(self) -> None:
        self.query_one("#search").display = False
        self.query_one(Wall).focus()

    def action_back(self) -> None:
        memory = self.query_one("#memory")
        if self.query_one("#search").display:
            self._end_search()
        elif memory.has_class("-looking") and not self.has_class("-wide"):
            memory.remove_class("-looking")
        else:
            self.dismiss(None)
