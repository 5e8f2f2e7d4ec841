"""The half of a save's screen that goes through time: the moments of its training, and what one does with each."""

from typing import ClassVar, Final

from textual import on, work
from textual.binding import Binding, BindingType
from textual.worker import get_current_worker

from engine.game import BadText
from engine.space import TooLarge
from lab.board.session import Seating
from lab.memory.timeline import Past, Then
from lab.training.setup import seating_of
from lab.words.numbers import count_text, percent_text, rounds_text
from learners.comparison import Switch
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from saves import gallery
from saves.errors import LibraryError
from saves.names import LONGEST, Moment
from tui.library.compare_screen import CompareScreen, OtherDialog
from tui.library.time_line import TimeLine
from tui.shell.requests import PlayAgainst, TrainOn
from tui.shell.screen import LabScreen

BARS_TELL: Final = "perfect"
"""The opponent of the scoreboard whose games the bars of the time line tell."""


class MomentsScreen(LabScreen):
    """A save that is shown as it was at one of its moments. A subclass draws it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("comma,left_square_bracket", "go(-1)", "Time", key_display=", ."),
        Binding("full_stop,right_square_bracket", "go(1)", "Later", key_display=".", show=False),
        Binding("g", "given_up", "Given up"),
        Binding("d", "compare", "Compare"),
        Binding("v", "play", "Play"),
        Binding("c", "go_on", "Train on"),
    ]

    past: Past | None = None
    moment: Then | None = None
    """What is shown."""
    wanted: int | None = None
    """The rounds that the person wants to see."""
    told = ""
    """What the last step through time came to."""

    def __init__(self, save: str) -> None:
        super().__init__()
        self.save = save

    @property
    def learner(self) -> Learner | None:
        return None if self.moment is None else self.moment.learner

    def cards_in_hand(self) -> list[int]:
        """The edges of what the person looks at."""
        raise NotImplementedError

    def show(self, moment: Then) -> None:
        """Draw a moment."""
        raise NotImplementedError

    def refuse(self, message: str) -> None:
        """Tell why nothing can be shown."""
        raise NotImplementedError

    @work(thread=True, exclusive=True, group="load", exit_on_error=False)
    def load(self) -> None:
        worker = get_current_worker()
        try:
            past = Past(self.lab.library.load(self.save))
            moment = past.at(past.now)
        except (LibraryError, BadText, TooLarge) as error:
            self.app.call_from_thread(self.refuse, str(error))
            return
        self.app.call_from_thread(self.begin, past, moment)
        for rounds in past.moments:
            if not worker.is_cancelled:
                past.at(rounds)
        self.app.call_from_thread(self.draw_time)

    def begin(self, past: Past, moment: Then) -> None:
        self.past, self.wanted = past, moment.rounds
        self.arrive(moment)

    def arrive(self, moment: Then) -> None:
        self.moment = moment
        self.show(moment)
        self.draw_time()
        self.refresh_bindings()

    def draw_time(self) -> None:
        """Draw the time line, as far as its moments are worked out."""
        past, moment = self.past, self.moment
        if past is not None and moment is not None and self.made:  # it may have been left meanwhile
            seen = {rounds: past.seen(rounds) for rounds in past.moments}
            heights = [None if each is None else each.loss(BARS_TELL) for each in seen.values()]
            noun = f"{moment.learner.round_noun}s"
            lost = f"lost to perfect {percent_text(moment.loss(BARS_TELL)):>6}"
            self.query_one(TimeLine).show(past.moments, moment.rounds, heights, (lost, noun))

    @property
    def when(self) -> str:
        """The moment that is shown, in words; nothing for today's."""
        past, moment = self.past, self.moment
        if past is None or moment is None or moment.rounds == past.now:
            return self.told
        noun = moment.learner.round_noun
        words = f"after {count_text(moment.rounds)} of {rounds_text(past.now, noun, short=False)}"
        return f"{words}: {self.told}" if self.told else words

    def action_go(self, step: int) -> None:
        if self.past is not None and self.wanted is not None:
            self.go_to(self.past.next_to(self.wanted, step))

    @on(TimeLine.Chosen)
    def moment_chosen(self, message: TimeLine.Chosen) -> None:
        self.go_to(message.rounds)

    def go_to(self, rounds: int, told: str = "") -> None:
        if self.past is not None:
            self.wanted, self.told = rounds, told
            self.travel(self.past, rounds)

    @work(thread=True, exclusive=True, group="travel", exit_on_error=False)
    def travel(self, past: Past, rounds: int) -> None:
        try:
            moment = past.at(rounds)
        except BadText as error:
            self.app.call_from_thread(self.lab.warn, str(error))
            return
        if not get_current_worker().is_cancelled:
            self.app.call_from_thread(self.arrive, moment)

    def action_given_up(self) -> None:
        """Go to the next moment, after the last to the first, at which a move of the card was given up."""
        if self.past is not None and self.wanted is not None:
            edges = self.cards_in_hand()
            if edges:
                self.find_given_up(self.past, self.wanted, edges)

    @work(thread=True, exclusive=True, group="travel", exit_on_error=False)
    def find_given_up(self, past: Past, here: int, edges: list[int]) -> None:
        worker = get_current_worker()
        found = [switch for switch in past.switches(edges) if switch.given_up]
        if worker.is_cancelled:  # the person went elsewhere
            return
        if not found:
            self.app.call_from_thread(self.lab.warn, "No move of this card was ever given up, as far as is known.")
            return
        rounds = next((switch.rounds for switch in found if switch.rounds > here), found[0].rounds)
        then = [past.narrowed(switch, lambda: worker.is_cancelled) for switch in found if switch.rounds == rounds]
        if not worker.is_cancelled:
            learner = past.at(rounds).learner
            told = "; ".join(given_up_text(learner, switch) for switch in then)
            self.app.call_from_thread(self.go_to, rounds, told)

    @property
    def label(self) -> str:
        """The moment that is shown, as it is written."""
        if self.past is None or self.moment is None or self.moment.rounds == self.past.now:
            return self.save
        return str(Moment(self.save, self.moment.rounds))

    @work(exit_on_error=False)
    async def action_compare(self) -> None:
        """Choose another moment, or another save, and show what lies between."""
        past, moment = self.past, self.moment
        if past is None or moment is None:
            return
        other = await self.ask(OtherDialog(self.save, moment.rounds, past, moment.learner))
        if other is not None:
            earlier = other.rounds is not None and other.rounds < moment.rounds
            pair = (str(other), self.label) if earlier else (self.label, str(other))
            await self.ask(CompareScreen(*pair))

    @work(exit_on_error=False)
    async def action_play(self) -> None:
        if self.moment is not None:
            seating: Seating = seating_of(self.moment.learner, self.label)
            await self.lab.carry_out(PlayAgainst(seating))

    def action_go_on(self) -> None:
        if self.past is not None and self.moment is not None:
            self.find_copy(self.past, self.moment.rounds)

    @work(thread=True, exclusive=True, group="go on", exit_on_error=False)
    def find_copy(self, past: Past, rounds: int) -> None:
        """Train on from here: today's save itself, anything else under a name of its own."""
        name, library = self.save, self.lab.library
        try:
            snapshot = library.load(self.label)
            if rounds != past.now or name in gallery.names():
                tail = f" from {rounds}" if rounds != past.now else " on"
                name = library.free_name(f"{name[: LONGEST - len(tail)].rstrip()}{tail}")
        except LibraryError as error:
            self.app.call_from_thread(self.lab.warn, str(error))
            return
        self.app.call_from_thread(self.go_and_train, name, snapshot)

    @work(exit_on_error=False)
    async def go_and_train(self, name: str, snapshot: Snapshot) -> None:
        await self.lab.carry_out(TrainOn(name, snapshot))


def given_up_text(learner: Learner, switch: Switch) -> str:
    """When a move was given up, in words: `b2 given up in game 7,312`, or since when where that is all there is."""
    name = learner.game.move_name(int(learner.space.move[switch.edge]))
    if switch.rounds - switch.since == 1:
        return f"{name} given up in {learner.round_noun} {count_text(switch.rounds)}"
    return f"{name} given up between {count_text(switch.since)} and {count_text(switch.rounds)}"
