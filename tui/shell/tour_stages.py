"""The stages of the tour: their texts, and the conditions that end them. Keys are in `backticks`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from engine.game import Outcome
from lab.board.event_sentences import seat_name
from lab.board.session import Session
from lab.jobs import JobState
from lab.results.exact_results import Timeline, TimelinePoint
from lab.results.tables import marked, worst_case_text
from lab.text.numbers import count_text, percent_text
from lab.text.sanitise import plain
from lab.training.training_job import TrainingJob
from learners import kind_of
from learners.core.plural import counted_noun
from tui.shell.learner_facts import endings_text
from tui.shell.modes import KEYS, TITLES

INSIDE: Final = "save"
"""The place where a save is open. The other places are modes."""

MAX_NAME: Final = 14
"""The maximum number of characters of a name, so that instructions fit into the narrowest terminal."""


@dataclass(frozen=True)
class OpenSave:
    """The save whose memory is shown."""

    name: str
    timeline: Timeline
    point: TimelinePoint
    """The checkpoint that is shown."""
    cards: int
    """The number of cards."""
    moved: bool
    """Whether the cursor has left the first card."""
    covered: bool
    """Whether a card is shown instead of the exact results."""


@dataclass(frozen=True)
class ScreenView:
    """What a screen shows, as far as the tour needs it."""

    mode: str
    above: bool = False
    """Whether another screen of the same mode is below this one."""
    job: TrainingJob | None = None
    session: Session | None = None
    form: str = ""
    """A description of the training in the form; empty if it cannot be started."""
    saves: Sequence[str] = ()
    """The names of the saves in the list."""
    chosen: str = ""
    """The name of the selected save."""
    opened: OpenSave | None = None

    @property
    def place(self) -> str:
        """The mode or `INSIDE`; empty for other screens above a mode."""
        if self.opened is not None:
            return INSIDE
        return "" if self.above else self.mode


@dataclass(frozen=True)
class Words:
    """An instruction, with optional text before and after it."""

    do: str
    before: str = ""
    after: tuple[str, ...] = ()

    def fitting(self, width: int, lines: int) -> str:
        """As much text as fits into `lines` of `width` characters, but always the instruction."""
        ways = [(self.before, self.do, *self.after[:count]) for count in range(len(self.after), -1, -1)]
        texts = [" ".join(part for part in way if part) for way in ways]
        return next((text for text in texts if len(wrap(text.replace("`", ""), max(1, width))) <= lines), self.do)


@dataclass(frozen=True)
class Stage:
    """A stage of the tour."""

    title: str
    place: str
    """The place where it happens; empty for any place."""
    words: Callable[[ScreenView], Words]
    """The text at that place."""
    result: Callable[[ScreenView], object] = lambda _view: None
    """A value that identifies what the person has done at this stage; `None` if nothing."""
    news: Callable[[ScreenView], str] = lambda _view: ""
    """A sentence about the result, shown at the next stage."""
    done: Callable[[ScreenView], Words] | None = None
    """The text at its place once there is a result; then the stage ends only when the place is left."""


def open_save(view: ScreenView) -> OpenSave:
    """The open save. Raises `ValueError` if there is none."""
    if view.opened is None:
        raise ValueError("no save is open")
    return view.opened


def short_name(name: str) -> str:
    """A name without backticks, cut to fit."""
    return plain(name.replace("`", "'"), MAX_NAME)


def machine_of(session: Session) -> str:
    """The name of the machine in a game of a person against a machine; otherwise empty."""
    machines = [seat for seat in session.seats if seat is not None]
    return short_name(seat_name(machines[0])) if len(machines) == 1 else ""


def play_words(view: ScreenView) -> Words:
    """The text of the stage in Play."""
    session = view.session
    if session is None or session.match.outcome is not None:
        return Words("`n` starts a game: play it to the end.")
    machine = machine_of(session)
    small = session.game.board.rows * session.game.board.columns <= len("123456789")
    how = "a digit picks a square" if small else "`Enter` picks a square"
    return Words(f"Play {machine or 'a game'} to the end: {how}.", after=("Losing is fine.",))


def game_over(view: ScreenView) -> object:
    """The finished game at the board: the object itself, not its `id`, which a later object may get again."""
    over = view.session is not None and view.session.match.outcome is not None
    return view.session.match if view.session is not None and over else None


def result_news(view: ScreenView) -> str:
    """The result of the game, for the person in a game against a machine."""
    session = view.session
    outcome: Outcome | None = None if session is None else session.match.outcome
    machine = "" if session is None else machine_of(session)
    if session is None or outcome is None or not machine:
        return "That game is over."
    if outcome.winner is None:
        return f"A draw with {machine}."
    return f"You beat {machine}." if session.seats[outcome.winner] is None else f"{machine} beat you."


def train_words(view: ScreenView) -> Words:
    """The text of the stage in Train."""
    job = view.job
    if job is not None and job.running:
        name = short_name(job.name)
        if job.paused:
            return Words("It is paused: `Space` continues, `S` stops and saves it.", f"{name} is in training.")
        return Words(f"{name} is learning: `S` stops and saves it.", after=("Or wait until it is finished.",))
    do = f"`g` trains: {view.form}." if view.form else "`g` starts the training that the form describes."
    failed = job is not None and job.view.state is JobState.FAILED
    return Words(do, "The training failed." if failed else "", ("It will be saved in the library.",))


def trained(view: ScreenView) -> object:
    """The training, once it has ended without an error."""
    job = view.job
    over = job is not None and job.view.done and job.view.state in (JobState.FINISHED, JobState.STOPPED)
    return job if over else None


def trained_words(view: ScreenView) -> Words:
    """The text in Train when the training has ended."""
    do = f"Look at its curves, then `{KEYS['library']}` opens the Library."
    return Words(do, trained_news(view), ("They show how many games it loses.",))


def trained_news(view: ScreenView) -> str:
    """How long the training was, and whether it is saved."""
    job = view.job
    if job is None:
        return ""
    unsaved = ", but could not be saved" if job.unsaved else ""
    rounds = counted_noun(job.view.done, kind_of(job.view.snapshot).spec.round_noun)
    return f"{short_name(job.name)} has learned from {rounds}{unsaved}."


def library_words(view: ScreenView) -> Words:
    """The text in the Library before a save is opened."""
    own = "" if view.job is None or view.job.name not in view.saves else view.job.name
    if own and own != view.chosen:
        return Words(f"The arrows go to {short_name(own)}, `Enter` looks inside.")
    return Words(f"`Enter` looks inside {short_name(view.chosen) or 'a save'}.", after=("The arrows choose another.",))


def wall_words(view: ScreenView) -> Words:
    """The text beside the cards of a save."""
    save = open_save(view)
    words = save.point.learner.view.words
    if not save.cards:
        return Words("Its memory is empty: `F2` goes on.")
    things = f"{count_text(save.cards)} {words.noun_for(save.cards)}"
    return Words(
        f"The arrows go through its {things}.",
        after=("This is all it knows: small boards, each with what it knows of the moves.",),
    )


def viewed_second_card(view: ScreenView) -> object:
    """Whether the person has looked at a second card."""
    return True if view.opened is not None and view.opened.moved else None


def rewind_words(view: ScreenView) -> Words:
    """The text about the time line."""
    save = open_save(view)
    first, now = save.timeline.moments[0], save.timeline.now
    if first == now:
        return Words("It has no earlier checkpoint: `F2` goes on.")
    if save.point.rounds == now:
        return Words(
            "Press `,` to go back to when it knew less.",
            after=("The bars show how much it lost to perfect play, from its beginning until now.",),
        )
    if save.point.rounds == first:
        return Words("Press `.` to return to the present, step by step.", "This is how it began.")
    return Words("`,` goes further back, `.` goes forward to the present.")


def at_present(view: ScreenView) -> object:
    """Whether the present is shown: the stage ends when the person has gone back and returned."""
    save = view.opened
    return None if save is not None and save.point.rounds != save.timeline.now else True


def truth_words(view: ScreenView) -> Words:
    """The results of its training games, and its worst exact result, both at present."""
    save = open_save(view)
    present = save.timeline.at(save.timeline.now)
    game = present.learner.game
    before = (
        f"Its training games{'' if save.point.rounds == present.rounds else ' now'}: {endings_text(present.learner)}."
    )
    after = "This is computed, not counted in games." if not save.covered else "`Escape` shows the figures."
    loss, mark = max(
        ((results.against["best_responder"].loss, mark) for mark, results in marked(game, present.exact)),
        key=lambda each: each[0],
    )
    if not loss:
        return Words(worst_case_text(game, present.exact), before, (after,))
    do = f"One who knows it by heart wins {percent_text(loss)} of games as {mark}."
    return Words(do, before, (after,))


def last_words(_view: ScreenView) -> Words:
    """The text of the last stage."""
    return Words(
        "`v` in the Library plays against a save, `?` shows help.",
        after=(
            f"`{KEYS['race']}` lets learners race.",
            f"`{KEYS['papers']}` repeats the experiments of the papers.",
            f"`{KEYS['tree']}` shows the tree of each game.",
        ),
    )


STAGES: Final = (
    Stage("lose to something", "play", play_words, game_over, result_news),
    Stage("train your own", "train", train_words, trained, trained_news, trained_words),
    Stage("look inside it", INSIDE, wall_words, viewed_second_card),
    Stage("rewind it", INSIDE, rewind_words, at_present),
    Stage("see exact results", INSIDE, truth_words),
    Stage("where to go now", "", last_words),
)


def words_of(stage: Stage, view: ScreenView) -> Words:
    """The text of a stage; at another place, how to get to the place of the stage."""
    if stage.place in ("", view.place):
        return stage.words(view)
    if stage.place != INSIDE:
        if view.mode == stage.place:
            return Words("`Escape` goes back.")
        return Words(f"`{KEYS[stage.place]}` opens {TITLES[stage.place]}.")
    if view.mode != "library":
        return Words(f"`{KEYS['library']}` opens the Library, `Enter` there looks inside a save.")
    return Words("`Escape` goes back.") if view.above else library_words(view)
