"""Inside a save: its statistics, its exact results, all cards of its memory, and its checkpoints."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from typing import ClassVar, Final

from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Input, Static
from textual.worker import get_current_worker

from engine.game import BadText, Position
from engine.plural import counted_noun
from engine.space import TooLarge
from lab.board.opponents import seating_of
from lab.memory.card_filter import Filter, merges_twins, select
from lab.pictures.drawing import Picture
from lab.pictures.save_pictures import curve_picture, position_picture, telling_points, wall_picture
from lab.results.exact_results import Timeline, TimelinePoint
from lab.text.sanitise import plain
from lab.training.checkpoints import continue_from, find_next_given_up, reference_text
from lab.training.turning_points import TurningPoint, find_turning_points, lasting_changes, merge_by_round
from learners.core.learner import Learner
from saves.errors import LibraryError
from tui.library.compare_screen import CompareScreen
from tui.library.memory_parts import CardPanel, MemoryHead, figures_text
from tui.library.other_dialog import OtherDialog
from tui.library.time_line import TimeLine
from tui.shell.files import Export
from tui.shell.guards import release_worker_after
from tui.shell.learner_facts import UNTEACHABLE, facts_text
from tui.shell.parts import Panel, Prose, SizedPanel, entitle, fitting_text
from tui.shell.requests import PlayAgainst, TrainOn
from tui.shell.screen import LabScreen
from tui.widgets.card_view import CardView, sharing_positions
from tui.widgets.wall import Wall

FILTER_KEYS: Final = "`s` one side · `/` a position", "`s` one side"
"""What the lower frame of the wall says while it shows everything."""
POSITION_ACTIONS: Final = frozenset(("given_up", "pieces", "search", "why"))
"""The actions that are disabled if the memory is parameters, since its cards are then no positions."""


class MemoryScreen(LabScreen):
    """Shows the memory of a save as it was at a checkpoint."""

    mode = "library"
    AUTO_FOCUS = "#wall"
    HELP = """\
# Inside a save

The whole memory as a wall of cards, which are small boards: matchboxes, failures, genes, or positions with values. On
an open square a bar is as high as the share of its beads, or of the population that plays there; a struck square is a
move that failed, the brighter, the later it was recorded; values run from low and red for a loss to high and green for
a win. The number of a card is in its frame. A tuple of a network is drawn with its strongest pattern: pieces, `+` on an
empty square that can be filled next, `-` on any other empty one.

Move over the wall with the arrows, the page keys or the mouse. The selected card is shown in detail: each move with its
probability, and how its number changed over the games; where there is little room, **Enter** or a move of the cursor
shows it, and **Escape** hides it. **s** filters
the wall by side, **+** and **-** by number of marks, and **/** finds a position. Where symmetric positions share a
card, **w** turns it: it shows the next of these positions. **y** tells why: which games made
the number of the likeliest move what it is; pressed again, of the next move.

The **time line** at the top shows how often it lost to perfect play, from checkpoint to checkpoint; its numbers are
turning points. **,** and **.** go to an earlier and a later checkpoint, and everything shows the memory as it was then.
You can also go there with Tab and use the arrows, or the mouse. **G** goes to the next checkpoint at which a move of
the card was given up, and names the game: in a population, the generation from which on nobody would play it.

**f** shows figures below: the percentages of games lost to four opponents, the percentage of perfect moves among the
decisions that the memory can face, how many different moves can lose, settings and statistics. The **reader** has read
its memory and plays to make it lose. **z** compares the memory with another checkpoint or another save. **v** plays
against it as it was, and **T** trains on from there, under a new name.
"""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("comma", "go(-1)", "Time", tooltip="goes back, and on, in time", key_display=", ."),
        Binding("full_stop", "go(1)", "Later", tooltip="goes on by a checkpoint", key_display=".", show=False),
        Binding("G", "given_up", "Moves given up", tooltip="goes to moves given up"),
        Binding("z", "compare", "Compare", tooltip="compares it with another"),
        Binding("v", "play", "Play", tooltip="plays against it"),
        Binding("T", "go_on", "Train on", tooltip="goes on with its training"),
        Binding("f", "figures", "Figures", tooltip="shows the exact results, or hides them"),
        Binding("s", "side", "Side", tooltip="shows one side, or both"),
        Binding("plus", "pieces(1)", "Marks", tooltip="more marks, or fewer", key_display="+ -"),
        Binding("minus", "pieces(-1)", "Fewer marks", tooltip="one mark less on the board", show=False),
        Binding("slash", "search", "Find", tooltip="goes to a typed position", key_display="/"),
        Binding("enter", "look", "Look inside", tooltip="opens the chosen card", show=False),
        Binding("w", "turn", "Turn", tooltip="turns or mirrors the board"),
        Binding("y", "why", "Why", tooltip="names the games behind it"),
    ]

    def __init__(self, save: str, at: Position | None = None, rounds: int | None = None) -> None:
        """Open a save.

        With `at`, only the card of that position is shown. With `rounds`, the memory is shown as it was at
        the first checkpoint with at least that many.
        """
        super().__init__()
        self.save = save
        self.rounds = rounds
        self.filter = Filter(position=at)
        self.timeline: Timeline | None = None
        self.moment: TimelinePoint | None = None
        """The checkpoint that is shown: at first without its exact results."""
        self.wanted_rounds: int | None = None
        """The rounds of the checkpoint that the user asked for."""
        self.turning_points: Sequence[TurningPoint] = ()
        """The turning points that are marked on the time line."""
        self.note = ""
        """What happened at the checkpoint that is shown, in words."""
        self.turn = 0
        """Which of the positions that share the card is shown: a number from 0, modulo their count."""

    @property
    def edges(self) -> list[int]:
        return self.query_one(Wall).edges

    def body(self) -> Iterable[Widget]:
        with Vertical(id="memory"):
            with Container(id="memory-top"):
                yield MemoryHead(self.save, id="memory-head", classes="panel")
                with entitle(Panel(id="memory-figures", classes="panel"), "Figures", "`f` hides them"):
                    yield Prose("", id="memory-exact", markup=False)
                    yield Prose("", id="memory-facts", markup=False)
            with Horizontal(id="memory-cards"):
                with SizedPanel(id="memory-wall", classes="panel"):
                    yield Input(
                        placeholder="a position such as X../.../... O, or a symmetric one", compact=True, id="search"
                    )
                    yield Wall(id="wall")
                yield CardPanel(id="memory-card", classes="panel")

    def set_up(self) -> None:
        super().set_up()
        self.query_one("#search").display = False
        self.load()

    def show_error(self, message: str) -> None:
        self.set_class(self.moment is None, "-failed")  # else the wall stays
        self.query_one("#memory-headline", Static).update(plain(message, 400))

    def show(self, learner: Learner) -> None:
        """Show the memory of a learner."""
        self.query_one("#memory-facts", Static).update(facts_text(learner))
        self.refilter(self.filter, turn=self.turn)

    def edges_of_selected_card(self) -> list[int]:
        learner, edge = self.learner, self.query_one(Wall).edge
        if learner is None or edge is None or learner.spec.parameters:
            return []
        card = learner.view.card(edge)
        return [learner.space.edge(card.position, thought.move) for thought in card.thoughts]

    def current_export(self) -> Export | None:
        """Return what Export writes: the time line or the card if it has the focus, otherwise the wall."""
        moment, edge = self.moment, self.query_one(Wall).edge
        if moment is None:
            return None
        if self.query_one(TimeLine).has_focus:
            return Export(f"{self.save}-curve", self._curve)
        if self.query_one(CardView).has_focus and edge is not None and not moment.learner.spec.parameters:
            position = moment.learner.view.card(edge).position
            return Export(f"{self.save}-card", lambda: position_picture(self.label, moment.learner, position))
        return Export(f"{self.save}-wall", lambda: wall_picture(self.label, moment))

    def _curve(self) -> Picture:
        points = [] if self.timeline is None else [self.timeline.at(rounds) for rounds in self.timeline.moments]
        return curve_picture(self.save, points, telling_points(self.turning_points, points[-1]))

    def ineffective_actions(self) -> frozenset[str]:
        if self.timeline is not None and len(self.timeline.moments) == 1:
            return frozenset(("go", "given_up"))
        return frozenset()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Disable Turn if positions share no cards, and `POSITION_ACTIONS` if the memory is parameters."""
        if action == "turn" and (self.learner is None or not merges_twins(self.learner)):
            return False
        if action in POSITION_ACTIONS and self.learner is not None and self.learner.spec.parameters:
            return False
        return super().check_action(action, parameters)

    def _draw_exact(self) -> None:
        if self.timeline is not None and self.moment is not None:
            point = self.timeline.computed_at(self.moment.rounds)
            widget = self.query_one("#memory-exact", Static)
            widget.update("" if point is None else figures_text(widget, point))

    def refilter(self, card_filter: Filter, turn: int = 0) -> None:
        self.filter = card_filter
        learner = self.learner
        if learner is None:
            return
        wall, empty_text = self.query_one(Wall), learner.view.words.none
        if len(learner.view.cards()):
            empty_text = "No card matches the filter."
        wall.show(learner, select(learner, card_filter), empty=empty_text)
        self._entitle_wall()
        twins = [] if wall.edge is None else sharing_positions(learner, wall.edge)
        self.turn = twins.index(card_filter.position) if card_filter.position in twins else turn
        self._draw_card()

    def draw(self) -> None:
        self.draw_time()
        self._draw_exact()
        self._draw_card()

    def _draw_card(self) -> None:
        self.query_one(CardPanel).show(self.learner, self.query_one(Wall).edge, self.turn)

    @on(SizedPanel.Sized)
    def _entitle_wall(self) -> None:
        if self.learner is not None:
            entitle(self.query_one("#memory-wall"), *self.wall_titles(self.learner))

    def wall_titles(self, learner: Learner) -> tuple[str, str]:
        """Return the titles in the upper and in the lower frame of the wall."""
        card_filter, wall, panel = self.filter, self.query_one(Wall), self.query_one("#memory-wall")
        place = wall.place_text if wall.count else "No"
        title = fitting_text(panel, f"{place} {learner.view.words.noun_for(wall.count)}", place)
        conditions = []
        if card_filter.side is not None:
            conditions.append(f"{learner.game.mark(card_filter.side)} to move")
        if card_filter.pieces is not None:
            conditions.append(counted_noun(card_filter.pieces, "mark"))
        if card_filter.position is not None:
            conditions.append(f"{learner.game.to_text(card_filter.position)} or symmetric")
        groups = fitting_text(panel, *filter(None, (wall.groups_text, *FILTER_KEYS)))
        return title, " · ".join(conditions) or groups

    @on(Wall.Moved)
    def show_selected(self) -> None:
        self.turn = 0
        self._entitle_wall()
        self.action_look()

    def action_turn(self) -> None:
        self.turn += 1
        self.action_look()

    @on(Wall.Opened)
    def action_look(self) -> None:
        """Show the card under the cursor in detail, even where that hides a part of the wall."""
        self.query_one("#memory").add_class("-looking")
        self._draw_card()

    def action_why(self) -> None:
        """Show which games made a number of the card what it is."""
        self.action_look()
        self.query_one(CardPanel).ask_why(self.lab.library, self.label)

    def action_side(self) -> None:
        self.refilter(self.filter.next_side())

    def action_pieces(self, step: int) -> None:
        if self.learner is not None:
            self.refilter(self.filter.next_pieces(step, self.learner.game.board.rows * self.learner.game.board.columns))

    def action_search(self) -> None:
        field = self.query_one("#search", Input)
        field.display = True
        field.focus()

    @on(Input.Submitted, "#search")
    def search(self, message: Input.Submitted) -> None:
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

    def action_figures(self) -> None:
        """Show or hide the settings, the statistics and the exact results, below the wall."""
        self.query_one("#memory").toggle_class("-figures")

    def action_back(self) -> None:
        memory = self.query_one("#memory")
        if self.query_one("#search").display:
            self._end_search()
        elif memory.has_class("-looking") and not self.has_class("-wide"):
            memory.remove_class("-looking")
        else:
            self.dismiss(None)

    @property
    def learner(self) -> Learner | None:
        return None if self.moment is None else self.moment.learner

    @work(thread=True, exclusive=True, group="load", exit_on_error=False)
    @release_worker_after
    def load(self) -> None:
        worker = get_current_worker()
        try:
            timeline = Timeline(self.lab.library.load(self.save))
            minimum = timeline.now if self.rounds is None else self.rounds
            rounds = next((each for each in timeline.moments if each >= minimum), timeline.now)
            self.app.call_from_thread(self.begin, timeline, TimelinePoint(rounds, timeline.learner(rounds), {}))
            moment = timeline.at(rounds)
        except (LibraryError, BadText, TooLarge) as error:
            self.app.call_from_thread(self.show_error, str(error))
            return
        self.app.call_from_thread(self.show_moment, moment)
        for rounds in timeline.moments:
            if worker.is_cancelled:
                return
            timeline.at(rounds)
        self.app.call_from_thread(self.draw_time)
        points = [timeline.at(rounds) for rounds in timeline.moments]
        changes = find_turning_points(replace(timeline.snapshot, bulk=b""), points, lambda: worker.is_cancelled)
        if not worker.is_cancelled:
            self.turning_points = merge_by_round(lasting_changes(changes, points), timeline.snapshot.game)
            self.app.call_from_thread(self.draw_time)

    def begin(self, timeline: Timeline, moment: TimelinePoint) -> None:
        self.timeline, self.wanted_rounds = timeline, moment.rounds
        self.show_moment(moment)

    def show_moment(self, moment: TimelinePoint) -> None:
        """Show a checkpoint, unless the user has asked for another one meanwhile."""
        if moment.rounds != self.wanted_rounds:
            return
        last_learner, self.moment = self.learner, moment
        if moment.learner is not last_learner:
            self.show(moment.learner)
        self.draw()
        self.refresh_bindings()

    def draw_time(self) -> None:
        """Draw the time line, and say above it which checkpoint this is and what happened there."""
        if self.timeline is not None and self.moment is not None and self.is_ready:  # it may have been closed meanwhile
            self.query_one(MemoryHead).show(self.timeline, self.moment, self.turning_points, self.note)

    def action_go(self, step: int) -> None:
        if self.timeline is not None and self.wanted_rounds is not None:
            self.go_to(self.timeline.next_to(self.wanted_rounds, step))

    @on(TimeLine.Chosen)
    def go_to_chosen(self, message: TimeLine.Chosen) -> None:
        self.go_to(message.rounds)

    def go_to(self, rounds: int, note: str = "") -> None:
        if self.timeline is not None:
            timeline, self.wanted_rounds, self.note = self.timeline, rounds, note
            self.run_in_background("travel", lambda _: timeline.at(rounds), self.show_moment)

    def action_given_up(self) -> None:
        """Go to the next checkpoint at which a move of the card was given up; after the last, to the first."""
        timeline, rounds, edges = self.timeline, self.wanted_rounds, self.edges_of_selected_card()
        if timeline is not None and rounds is not None and edges:
            self.run_in_background("travel", partial(find_next_given_up, timeline, rounds, edges), self.show_given_up)

    def show_given_up(self, result: tuple[int, str] | None) -> None:
        """Go to the checkpoint at which a move was given up, with a note that says so."""
        if result is None:
            self.warn("No move here was given up at any checkpoint.")
        else:
            rounds, note = result
            self.go_to(rounds, note)

    @property
    def label(self) -> str:
        """The reference to the checkpoint that is shown."""
        if self.timeline is None or self.moment is None:
            return self.save
        return reference_text(self.save, self.timeline, self.moment.rounds)

    @work(exit_on_error=False)
    async def action_compare(self) -> None:
        """Ask for another checkpoint or save, and show the differences."""
        timeline, moment = self.timeline, self.moment
        if timeline is None or moment is None:
            return
        noun = moment.learner.spec.round_noun
        others = {
            rounds: f"itself after {counted_noun(rounds, noun)}"
            for rounds in reversed(timeline.moments)
            if rounds != moment.rounds
        }
        other = await self.ask(OtherDialog(self.save, moment.learner.game.name, others))
        if other is not None:
            if other.rounds is not None and other.rounds < moment.rounds:
                await self.ask(CompareScreen(str(other), self.label))
            else:
                await self.ask(CompareScreen(self.label, str(other)))

    def action_play(self) -> None:
        if self.moment is not None:
            self.go(PlayAgainst(seating_of(self.moment.learner, self.label)))

    def action_go_on(self) -> None:
        timeline, moment, library = self.timeline, self.moment, self.lab.library
        if moment is not None and not moment.learner.spec.learns:
            self.warn(f"{self.save}: {UNTEACHABLE}")
        elif timeline is not None and moment is not None:
            rounds = moment.rounds
            self.run_in_background(
                "go on", lambda _: TrainOn(*continue_from(library, self.save, timeline, rounds)), self.go
            )
