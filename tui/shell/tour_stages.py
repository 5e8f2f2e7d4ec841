"""The stages of the tour: their texts, and the conditions that end them. Keys are in `backticks`."""

from collections.abc import Callable
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from engine.game import Outcome
from engine.games import GAMES
from engine.plural import counted_noun
from lab.board.event_sentences import seat_name
from lab.board.session import Session
from lab.board.teaching import learns
from lab.jobs import JobState
from lab.text.sanitise import plain
from lab.training.training_job import TrainingJob
from learners import kind_of
from learners.core.learner import Learner
from learners.core.player import Player
from saves.gallery import FIRST_OPPONENTS
from tui.shell.modes import KEYS, TITLES

MAX_NAME: Final = 14
"""The maximum number of characters of a name, so that instructions fit into the narrowest terminal."""


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

    @property
    def place(self) -> str:
        """The mode; empty for screens above one."""
        return "" if self.above else self.mode


@dataclass(frozen=True)
class Words:
    """An instruction, with optional text before and after it."""

    do: str
    before: str = ""
    after: tuple[str, ...] = ()

    def fitting(self, width: int, lines: int, taken: int = 0) -> tuple[str, str]:
        """Return as much text as fits into `lines` of `width` characters, at least the instruction.

        The first line, of which `taken` characters are in use, comes apart from the rest.
        """
        ways = [(self.before, self.do, *self.after[:count]) for count in range(len(self.after), -1, -1)]
        texts = [" ".join(part for part in way if part) for way in ways]
        wrapped = {text: wrap("_" * taken + text.replace("`", ""), max(1, width)) for text in (*texts, self.do)}
        chosen = next((text for text, parts in wrapped.items() if len(parts) <= lines), self.do)
        words, in_first = chosen.split(" "), len(wrapped[chosen][0].split())
        return " ".join(words[:in_first]), " ".join(words[in_first:])


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


def short_name(name: str) -> str:
    return plain(name.replace("`", "'"), MAX_NAME)


def machine_of(session: Session | None) -> Player | None:
    """Return the machine in a game of a person against a machine; otherwise `None`."""
    machines = [] if session is None else [seat for seat in session.seats if seat is not None]
    return machines[0] if len(machines) == 1 else None


def pupil_of(session: Session | None) -> Learner | None:
    """Return the machine that learns from the games of a person, if there is one."""
    machine = machine_of(session)
    return machine if learns(machine) else None


def name_of(session: Session | None) -> str:
    machine = machine_of(session)
    return "" if machine is None else short_name(seat_name(machine))


def play_words(view: ScreenView) -> Words:
    session = view.session
    if session is None or session.match.outcome is not None:
        return Words("`n` starts a game: play it to the end.")
    small = session.game.board.rows * session.game.board.columns <= len("123456789")
    how = "a digit picks a square" if small else "`Enter` picks a square"
    pupil = pupil_of(session)
    fresh = pupil is not None and not pupil.rounds
    hope = "It knows nothing yet: you can beat it." if fresh else "Losing is fine."
    return Words(f"Play {name_of(session) or 'a game'} to the end: {how}.", after=(hope,))


def game_over(view: ScreenView) -> object:
    """Return the finished game at the board: the object itself, not its `id`, which a later object may get again."""
    over = view.session is not None and view.session.match.outcome is not None
    return view.session.match if view.session is not None and over else None


def result_news(view: ScreenView) -> str:
    """Return the result of the game, for the person in a game against a machine."""
    session = view.session
    outcome: Outcome | None = None if session is None else session.match.outcome
    machine = name_of(session)
    if session is None or outcome is None or not machine:
        return "That game is over."
    if outcome.winner is None:
        return f"A draw with {machine}."
    return f"You beat {machine}." if session.seats[outcome.winner] is None else f"{machine} beat you."


def beads_words(view: ScreenView) -> Words:
    """Return the text about what the machine has learned from the game that has just ended."""
    session, pupil = view.session, pupil_of(view.session)
    if session is None or pupil is None or session.match.outcome is None:
        return Words("This machine learns nothing from you: `F2` goes on.")
    winner = session.match.outcome.winner
    if winner is None:
        what = "A draw adds a bead of each colour that it drew."
    elif session.seats[winner] is None:
        what = "The beads that it drew are gone: it plays like that less often."
    else:
        what = "It won, and gets more of the beads that it drew."
    return Words("Read `What happened`; `Enter` begins another game.", what)


def game_begun(view: ScreenView) -> object:
    going = view.session is not None and view.session.match.outcome is None
    return view.session.match if view.session is not None and going else None


def train_words(view: ScreenView) -> Words:
    job = view.job
    if job is not None and job.running:
        name = short_name(job.name)
        if job.paused:
            return Words("It is paused: `Space` continues, `S` stops and saves it.", f"{name} is in training.")
        return Words(
            "Its curve falls: it loses less and less.", f"{name} plays by itself.", ("`S` stops and saves it.",)
        )
    do = f"`g` starts: {view.form}." if view.form else "`g` starts the training that the form describes."
    failed = job is not None and job.view.state is JobState.FAILED
    return Words(do, "The training failed." if failed else "", ("The curve shows how many games it loses.",))


def on_the_way_to_training(view: ScreenView) -> Words:
    """Return the text in Play before the training."""
    name = name_of(view.session)
    if pupil_of(view.session) is None:
        return Words(f"`{KEYS['train']}` opens Train: there a machine plays by itself.")
    return Words(f"`T` lets {name} play 1,000 games by itself.", "One game teaches it little.")


def trained(view: ScreenView) -> object:
    """Return the training, once it has ended without an error."""
    job = view.job
    over = job is not None and job.view.done and job.view.state in (JobState.FINISHED, JobState.STOPPED)
    return job if over else None


def trained_words(view: ScreenView) -> Words:
    do = f"Look at its curve, then `{KEYS['play']}` goes back to the board."
    return Words(do, trained_news(view), ("It shows how many games it loses.",))


def trained_news(view: ScreenView) -> str:
    """Return how long the training was, and whether it is saved."""
    job = view.job
    if job is None:
        return ""
    unsaved = ", but could not be saved" if job.unsaved else ""
    rounds = counted_noun(job.view.done, kind_of(job.view.snapshot).spec.round_noun)
    return f"{short_name(job.name)} has learned from {rounds}{unsaved}."


def again_words(view: ScreenView) -> Words:
    session = view.session
    if session is not None and session.match.outcome is not None:
        return Words("`n` starts a game: try to beat it now.")
    return Words(f"Try to beat {name_of(session) or 'it'} now.", after=("Its boxes hold what the games have left.",))


def reasoner_words(_view: ScreenView) -> Words:
    return Words(
        f"`o` lists the opponents: play {FIRST_OPPONENTS[GAMES[0].name]}.",
        after=("It has no beads: it remembers every move that has lost.",),
    )


def reasoner_met(view: ScreenView) -> object:
    machine = machine_of(view.session)
    return view.session if isinstance(machine, Learner) and machine.spec.name == "failures" else None


def last_words(view: ScreenView) -> Words:
    met = reasoner_met(view) is not None
    return Words(
        f"`{KEYS['library']}` has all machines, `?` shows help.",
        "Its struck squares are moves that have lost: it does not play them again." if met else "",
        after=(
            f"`{KEYS['race']}` lets learners race.",
            f"`{KEYS['papers']}` repeats the experiments of the papers.",
            f"`{KEYS['tree']}` shows the tree of each game.",
        ),
    )


STAGES: Final = (
    Stage("beat a box of beads", "play", play_words, game_over, result_news),
    Stage("see the beads go", "play", beads_words, game_begun),
    Stage("let it play 1,000 games", "train", train_words, trained, trained_news, trained_words),
    Stage("sit down again", "play", again_words, game_over, result_news),
    Stage("meet one that remembers failures", "play", reasoner_words, reasoner_met),
    Stage("where to go now", "", last_words),
)


def words_of(stage: Stage, view: ScreenView) -> Words:
    """Return the text of a stage; at another place, how to get to the place of the stage."""
    if stage.place in ("", view.place):
        return stage.words(view)
    if view.mode == stage.place:
        return Words("`Escape` goes back.")
    if stage.place == "train" and view.place == "play":
        return on_the_way_to_training(view)
    return Words(f"`{KEYS[stage.place]}` opens {TITLES[stage.place]}.")
