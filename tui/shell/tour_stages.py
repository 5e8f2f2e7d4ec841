"""The stages of the tour: their texts, and the conditions that end them. Keys are in `backticks`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.game import Outcome
from engine.games import GAMES
from engine.plural import counted_noun, listed
from lab.board.event_sentences import seat_name
from lab.board.first_game import NAME as MACHINE
from lab.board.seating import Seating
from lab.board.session import Session
from lab.board.teaching import is_beginner, is_pupil
from lab.jobs import JobState
from lab.text.numbers import percent_text
from lab.text.sanitise import plain
from lab.training.training_job import TrainingJob
from learners import kind_of
from learners.core.learner import BOTH, PERSON, Learner
from learners.core.player import Player
from learners.core.save_ref import SaveRef
from learners.core.snapshot import ITSELF
from learners.menace.learner import Menace
from learners.players.plain import TEACHER
from saves.gallery import USUAL_OPPONENTS
from tui.shell.modes import KEYS, TITLES

MAX_NAME_LENGTH: Final = 14
"""The maximum number of characters of a name, so that texts fit into the narrowest terminal."""
REASONER: Final = USUAL_OPPONENTS[GAMES[0].name]
"""The save that the tour introduces: it remembers in another way than by beads."""


@dataclass(frozen=True)
class ScreenView:
    """The state of a screen, as far as the tour needs it."""

    mode: str
    is_above: bool = False
    """Whether another screen of the same mode is below this one."""
    job: TrainingJob | None = None
    session: Session | None = None
    form: str = ""
    """A description of the training in the form; empty if it cannot be started."""
    keeps_game: bool = False
    """Whether Undo brings back an unfinished game with other players."""
    losses: tuple[float, float] | None = None
    """The share of its games that the machine in training loses to a perfect player: at first, and now."""

    @property
    def place(self) -> str:
        """The mode whose own screen is shown; empty if another screen is above it."""
        return "" if self.is_above else self.mode


Condition = Callable[[ScreenView], object]
"""Returns what the person has done, as the object itself; `None` if nothing."""


@dataclass(frozen=True)
class Words:
    """The text of a stage: what to understand, and what to do."""

    explanation: str
    instruction: str
    news: str = ""
    """What has just happened; it is left out first."""


@dataclass(frozen=True)
class Stage:
    """A stage of the tour."""

    title: str
    place: str
    """The place where the stage happens; empty for any place."""
    words: Callable[[ScreenView], Words]
    """The text at that place."""
    result: Condition = lambda _view: None
    """What ends the stage."""
    news: Callable[[ScreenView], str] = lambda _view: ""
    """A sentence about the result, shown at the next stage."""
    done_words: Callable[[ScreenView], Words] | None = None
    """The text at its place once there is a result; then the stage ends only when the place is left."""
    shows_subject: Condition = lambda _view: None
    """Whether the screen shows what the stage is about; if not, to go on is to skip it."""
    seating: Seating | None = None
    """The seating to make if the person goes on before the stage's subject was seen."""
    needs_pupil: bool = True
    """Whether the stage is about a matchbox machine at the board that learns."""


def short_name(name: str) -> str:
    """Return a name without backticks, cut to fit."""
    return plain(name.replace("`", "'"), MAX_NAME_LENGTH)


def machine_of(session: Session | None) -> Player | None:
    """Return the machine in a game of a person against a machine; otherwise `None`."""
    machines = [] if session is None else [seat for seat in session.seats if seat is not None]
    return machines[0] if len(machines) == 1 else None


def pupil_of(session: Session | None) -> Learner | None:
    """Return the machine that learns from the games of a person, if there is one."""
    machine = machine_of(session)
    return machine if is_pupil(machine) else None


def name_of(session: Session | None) -> str:
    """Return the name of the machine in a game of a person against a machine; otherwise empty."""
    machine = machine_of(session)
    return "" if machine is None else short_name(seat_name(machine))


def is_over(session: Session | None) -> bool:
    """Return whether there is no unfinished game."""
    return session is None or session.match.outcome is not None


def how_to_pick(session: Session) -> str:
    """Return how a person picks a square."""
    has_few_squares = session.game.board.rows * session.game.board.columns <= len("123456789")
    return "a digit picks a square" if has_few_squares else "`Enter` picks a square"


UNDO_INSTRUCTION: Final = "`u` brings your other game back."


def play_words(view: ScreenView) -> Words:
    session = view.session
    if session is None or is_over(session):
        return Words("", "`n` starts a game: play it to the end.")
    name, pupil, how = name_of(session) or "it", pupil_of(session), how_to_pick(session)
    if isinstance(pupil, Menace) and is_beginner(pupil):
        return Words(
            f"{name} is {len(pupil.view.cards())} matchboxes. A bead drawn by chance (ringed here) is its move. "
            "Each position it can meet has a box; mirrored ones share it.",
            f"Play to the end: {how}. {UNDO_INSTRUCTION if view.keeps_game else 'You can win.'}",
        )
    return Words("Losing is fine: every game shows how a machine decides.", f"Play {name} to the end: {how}.")


def finished_game(view: ScreenView) -> object:
    """Return the finished game at the board, unless its machine was trained meanwhile."""
    session = view.session
    if session is None or not is_over(session) or session.current.outdated:
        return None
    return session.match


def outcome_for(view: ScreenView) -> int | None:
    """Return how the game ended for the person: 1 for a win, 0 for a draw, −1 for a loss.

    `None` if it goes on, and for a game that is not one of a person against a machine.
    """
    session = view.session
    outcome: Outcome | None = None if session is None else session.match.outcome
    if session is None or outcome is None or machine_of(session) is None:
        return None
    if outcome.winner is None:
        return 0
    return 1 if session.seats[outcome.winner] is None else -1


def result_text(view: ScreenView) -> str:
    """Return the result of the game, for the person in a game against a machine."""
    result, machine = outcome_for(view), name_of(view.session)
    if result is None:
        return "That game is over."
    return {1: f"You beat {machine}.", 0: f"A draw with {machine}.", -1: f"{machine} beat you."}[result]


def beads_words(view: ScreenView) -> Words:
    pupil, name = pupil_of(view.session), name_of(view.session)
    if not isinstance(pupil, Menace):
        return Words("The machine at the board has no beads that a game could change.", "`F2` goes on.")
    if is_over(view.session):
        effects = {
            1: "Every bead that it drew is taken out of its box: it will play like that less often.",
            0: "A draw adds a bead of each colour that it drew: it will play like that more often.",
            -1: "It gets more of the beads that it drew: it will play like that more often.",
        }
        explanation = f"{result_text(view)} {effects[outcome_for(view) or 0]}"
        return Words(explanation, "Read What happened, then `Enter` begins another game.")
    return Words(
        f"When {name} loses, every bead that it drew is taken out; when it wins, it gets more of them.",
        f"Play to the end to see it: {how_to_pick(view.session)}." if view.session else "",
    )


def running_game(view: ScreenView) -> object:
    """Return the game at the board, while it goes on."""
    return view.session.match if view.session is not None and not is_over(view.session) else None


def opponent_in_training(learner: type[Learner] | Learner, opponent: str) -> str:
    """Return the opponent of a learner's training in words, given the label that the snapshot has."""
    if opponent == PERSON and isinstance(learner, Learner):
        opponent = ITSELF if learner.sides == BOTH else TEACHER
    if opponent == ITSELF:
        return "itself"
    return "a perfect player" if opponent.startswith("perfect") else short_name(opponent)


def has_beads(job: TrainingJob) -> bool:
    return kind_of(job.view.snapshot) is Menace


def train_words(view: ScreenView) -> Words:
    job = view.job
    if job is not None and job.running:
        name, snapshot = short_name(job.name), job.view.snapshot
        if job.paused:
            return Words(f"{name} is in training, and pauses.", "`Space` continues, `S` stops and saves it.")
        opponent = opponent_in_training(kind_of(snapshot), snapshot.opponent)
        explanation = f"{name} plays against {opponent}."
        if has_beads(job):
            explanation = f"Against {opponent}, each draw adds beads, each loss takes them away."
        return Words(explanation, "Watch the curve called perfect: how often perfect play beats it.")
    explanation = "The curves will show how many of its games it loses."
    if job is not None and job.view.state is JobState.FAILED:
        explanation = f"The training failed. {explanation}"
    instruction = f"`g` starts: {view.form}." if view.form else "`g` starts the training that the form describes."
    return Words(explanation, instruction)


def way_to_training_words(view: ScreenView) -> Words:
    name, pupil, job = name_of(view.session), pupil_of(view.session), view.job
    if pupil is None:
        return Words("A machine can also learn without you.", f"`{KEYS['train']}` opens Train.")
    if job is not None and job.running:
        return Words(f"{short_name(job.name)} is still in training.", f"`{KEYS['train']}` shows it.")
    against = opponent_in_training(pupil, pupil.snapshot().opponent)
    return Words(
        "One game teaches it little, a thousand teach it much.", f"`T` lets {name} play 1,000 games against {against}."
    )


def completed_training(view: ScreenView) -> object:
    """Return the training, once it has ended without an error."""
    job = view.job
    if job is None or not job.view.done or job.view.state not in (JobState.FINISHED, JobState.STOPPED):
        return None
    return job


def trained_words(view: ScreenView) -> Words:
    job = view.job
    if job is None:
        return train_words(view)
    rounds = counted_noun(job.view.done, kind_of(job.view.snapshot).spec.round_noun)
    explanation = f"{short_name(job.name)} has learned from {rounds}."
    if view.losses is not None:
        before, now = map(percent_text, view.losses)
        explanation = f"Perfect play beat {short_name(job.name)} in {before} of games; after {rounds}, in {now}."
    if job.unsaved:
        explanation += " It could not be saved."
    return Words(explanation, f"`{KEYS['play']}` goes back to the board.")


def again_words(view: ScreenView) -> Words:
    session, name, pupil = view.session, name_of(view.session) or "it", pupil_of(view.session)
    if session is None or is_over(session):
        return Words("", f"`n` starts a game: try to beat {name} now.")
    if session.current.outdated:
        return Words("This game began before the training.", f"`n` begins a new one: try to beat {name} now.")
    if pupil is None:
        return Words("", f"Try to beat {name} now.")
    if is_beginner(pupil):
        return Words(f"{name} still knows next to nothing.", "`F3` goes back to its training; or try to beat it now.")
    explanation = f"{name} remembers {counted_noun(pupil.rounds, 'game')}."
    digits = unopened_answers(session, pupil)
    if digits:
        places = listed(digits, "or")
        explanation = f"Play {places}: no game that it learned from went there, so those boxes were never opened."
    return Words(explanation, f"Try to beat {name} now.")


def unopened_answers(session: Session, pupil: Learner) -> list[str]:
    """Return the digits of the answers to a matchbox machine's first move whose boxes it has never opened."""
    game, match = session.game, session.match
    if not isinstance(pupil, Menace) or game is not GAMES[0] or len(match.moves) != 1 or session.player is not None:
        return []
    answers = {move: pupil.space.edges(game.play(match.position, move)) for move in game.moves(match.position)}
    return [str(move + 1) for move, edges in answers.items() if not pupil.times[pupil.cell[[*edges]]].any()]


def again_news(view: ScreenView) -> str:
    """Return how the game against the machine that has been trained ended, and why."""
    result, pupil = outcome_for(view), pupil_of(view.session)
    if result is None or not isinstance(pupil, Menace) or is_beginner(pupil):
        return result_text(view)
    return {
        1: "You won: where it never trained, luck still decides.",
        0: "A draw: it held you, by training or by luck.",
        -1: "It won after a slip of yours, by training or by luck.",
    }[result]


def session_with_reasoner(view: ScreenView) -> Session | None:
    """Return the session with a reasoner at the board."""
    machine = machine_of(view.session)
    return view.session if isinstance(machine, Learner) and machine.spec.name == "failures" else None


def reasoner_words(view: ScreenView) -> Words:
    session = session_with_reasoner(view)
    if session is None:
        undo = "" if is_over(view.session) else "; `u` then brings this game back"
        return Words(
            f"The next machine, {REASONER}, has no beads: it notes moves that lost, and never plays them again.",
            f"`F2` seats {REASONER}{undo}.",
        )
    name = name_of(session)
    if len(session.match.moves) < len(BOTH):
        next_step = UNDO_INSTRUCTION if view.keeps_game else "Then look at the panel beside the board."
        return Words(
            f"{name} has no beads. It strikes out each move that led to a loss.",
            f"You begin: {how_to_pick(session)}. {next_step}",
        )
    return Words(
        f"Each struck square there is a move that once led to a loss: a recorded failure. {name} plays an open one.",
        "Play to the end, or press `F2` to go on.",
    )


def last_words(view: ScreenView) -> Words:
    effect = ""
    if view.losses is not None and view.losses[1] < view.losses[0]:
        before, now = map(percent_text, view.losses)
        effect = f": perfect play beats it in {now} of games, not {before}"
    return Words(
        f"Luck alone chose the first beads of {MACHINE}. Losses took beads, draws added some{effect}. "
        f"{REASONER} strikes out what has lost.",
        f"In Play, `o` seats your MENACE again; `{KEYS['library']}` looks inside machines. `F2` ends.",
    )


STAGES: Final = (
    Stage("Beat a box of beads", "play", play_words, finished_game),
    Stage("See the beads change", "play", beads_words, running_game, shows_subject=finished_game),
    Stage(
        "Let it play 1,000 games",
        "train",
        train_words,
        completed_training,
        done_words=trained_words,
        shows_subject=completed_training,
    ),
    Stage("Sit down again", "play", again_words, finished_game, again_news),
    Stage(
        "Meet another memory",
        "play",
        reasoner_words,
        lambda view: session_with_reasoner(view) and finished_game(view),
        shows_subject=session_with_reasoner,
        seating=Seating(GAMES[0], PERSON, SaveRef(REASONER).label),
        needs_pupil=False,
    ),
    Stage("The story in short", "", last_words, shows_subject=lambda _view: True, needs_pupil=False),
)


def words_of(stage: Stage, view: ScreenView) -> Words:
    """Return the text of a stage; at another place, how to get to the place of the stage."""
    if stage.place in ("", view.place):
        return stage.words(view)
    if view.mode == stage.place:
        return Words("", "`Escape` goes back.")
    if stage.place == "train" and view.place == "play":
        return way_to_training_words(view)
    title = TITLES[stage.place]
    return Words(f"This step takes place in {title}.", f"`{KEYS[stage.place]}` opens {title}.")
