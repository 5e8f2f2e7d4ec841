"""Training behind the screen: a thread that trains at a chosen pace and publishes its latest state to be looked at.

The screen polls `TrainingJob.view`, which is replaced as a whole; nothing is called per game. The kernels release the
interpreter lock, so the screen stays smooth at full speed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import Enum
from threading import Condition, Lock, Thread
from time import monotonic
from typing import Final

from engine.game import Game, Move
from lab.training.log_time import next_burst, seconds_left
from learners.core.learner import Learner
from learners.core.plural import plural
from learners.core.snapshot import Snapshot
from learners.core.training import Plan, run

KEEP_EVERY: Final = 30.0
"""Seconds of training between two automatic saves."""
PATIENCE: Final = 15.0
"""Seconds to wait for a training to be kept: longer than the library waits for another program to let go of it."""
LONG: Final = 1.0
"""Seconds to wait for the end of a save before the program is stopped in the middle of it."""
SHOWN_FROM: Final = 0.3
"""Seconds from which on a single game of the logarithmic pace is shown move by move."""
BURST: Final = 0.1
"""Seconds between two bursts of a pace that trains several rounds at once."""


class JobState(Enum):
    STARTING = "starting"
    RUNNING = "training"
    PAUSED = "paused"
    FINISHED = "finished"
    STOPPED = "stopped"
    FAILED = "failed"

    @property
    def over(self) -> bool:
        return self in (JobState.FINISHED, JobState.STOPPED, JobState.FAILED)


@dataclass(frozen=True)
class Pace:
    """How fast to train: so many seconds a move, or so many rounds a second; at full speed without either."""

    label: str
    seconds_per_move: float = 0.0
    rounds_per_second: float = 0.0
    log_time: bool = False
    """Whether the whole training takes the same time whatever its size: see `lab.training.log_time`."""


FULL_SPEED: Final = Pace("full speed")
LOG_TIME: Final = Pace("20 seconds in all", log_time=True)
PACES: Final = (
    FULL_SPEED,
    LOG_TIME,
    Pace("1,000 games a second", rounds_per_second=1000),
    Pace("10 games a second", rounds_per_second=10),
    Pace("4 moves a second", seconds_per_move=0.25),
    Pace("1 move a second", seconds_per_move=1.0),
)


def paces_for(kind: type[Learner]) -> tuple[Pace, ...]:
    """How fast that learner can be trained: one that learns from no single game shows no moves."""
    if kind.learns_records:
        return PACES
    slower = (
        Pace(f"{count} {plural(kind.round_noun, count)} a second", rounds_per_second=count) for count in (10, 3, 1)
    )
    return (FULL_SPEED, LOG_TIME, *slower)


@dataclass(frozen=True)
class JobView:
    """What the screen draws: one consistent moment of a job."""

    state: JobState
    done: int
    total: int
    seconds: float
    """Time spent training at the chosen pace, without pauses."""
    snapshot: Snapshot
    began: Mapping[str, int]
    """The statistics as they were when the job began."""
    moves: tuple[Move, ...] = ()
    """The last game, as far as it has been shown."""
    resigned: bool = False
    """Whether it was then given up by the side to move; such a game may have no moves."""
    perfect: bool = False
    """Whether it ended because there is nothing left to learn."""
    error: str = ""
    seconds_left: float | None = None
    """How long the rest takes, where the pace says so."""


class TrainingJob:
    """Trains `learner` by that many rounds. `keep` stores a snapshot; it is called from the thread."""

    def __init__(self, learner: Learner, rounds: int, name: str, pace: Pace, keep: Callable[[Snapshot], None]) -> None:
        self.name = name
        self.game: Game = learner.game
        self.pace = pace
        self.trouble = ""
        """Why the last attempt to keep what was learned failed."""
        self.view = JobView(JobState.STARTING, 0, rounds, 0.0, learner.snapshot(), learner.stats())
        self._learner = learner
        self._keep = keep
        self._kept_at = monotonic()
        self._kept: Snapshot | None = None
        self._keeping = Lock()
        self._change = Condition()
        self._paused = False
        self._steps = 0
        self._slept = 0.0
        """Seconds of the pace that are not yet counted as training."""
        self._stopping = False
        self._thread = Thread(target=self._run, name=f"training {name}", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def pause(self) -> None:
        self._tell(paused=True)

    def resume(self) -> None:
        self._tell(paused=False)

    def step(self) -> None:
        """Train one round and pause."""
        with self._change:
            self._steps += 1
            self._paused = True
            self._change.notify_all()

    def set_pace(self, pace: Pace) -> None:
        with self._change:
            self.pace = pace
            self._change.notify_all()

    def stop(self, wait: float = PATIENCE) -> None:
        """End the training, keep what was learned, and wait for that. Training itself ends within 0.1 s."""
        with self._change:
            self._stopping = True
            self._change.notify_all()
        if self._thread.is_alive():
            self._thread.join(wait)

    @property
    def running(self) -> bool:
        return not self.view.state.over

    @property
    def paused(self) -> bool:
        return self._paused and self.running

    def _tell(self, *, paused: bool) -> None:
        with self._change:
            self._paused = paused
            self._change.notify_all()

    def _run(self) -> None:
        try:
            while not self._complete and not self._stopping:
                if self._paused and not self._steps:
                    self._rest()
                else:
                    self._train(self.pace)
            ended = JobState.FINISHED if self._complete else JobState.STOPPED
            self.keep_now()
            self.view = replace(self.view, state=ended)
        except Exception as error:  # noqa: BLE001  whatever went wrong is shown on the screen, and the app lives on
            self.keep_now()
            self.view = replace(self.view, state=JobState.FAILED, error=str(error) or type(error).__name__)

    @property
    def _complete(self) -> bool:
        return self.view.perfect or self.view.done == self.view.total

    def _rest(self) -> None:
        self.keep_now()
        self.view = replace(self.view, state=JobState.PAUSED)
        with self._change:
            self._change.wait_for(lambda: self._stopping or not self._paused or self._steps > 0)

    def _train(self, pace: Pace) -> None:
        left = self.view.total - self.view.done
        if self._steps or pace.seconds_per_move:
            before = self.view.done
            self._burst(1, pace, pace.seconds_per_move)
            with self._change:
                self._steps = max(0, self._steps - (self.view.done - before))
        elif pace.log_time:
            self._train_in_log_time(pace)
        elif pace.rounds_per_second:
            rounds = max(1, round(pace.rounds_per_second * BURST))
            begun = monotonic()
            self._burst(min(left, rounds), pace)
            self._wait(rounds / pace.rounds_per_second - (monotonic() - begun), pace)
        else:
            self._burst(left, pace)

    def _train_in_log_time(self, pace: Pace) -> None:
        """Train the next burst of the logarithmic pace; a single game is shown move by move if there is time."""
        rounds, seconds = next_burst(self.view.done, self.view.total)
        begun = monotonic()
        if rounds == 1 and seconds >= SHOWN_FROM:
            self._burst(1, pace, seconds / (self._plies_a_game + 1))
        else:
            self._burst(rounds, pace)
            self._wait(seconds - (monotonic() - begun), pace)

    @property
    def _plies_a_game(self) -> float:
        """The mean number of plies of a game so far; before the first, the most there can be."""
        stats = self.view.snapshot.stats
        return stats["plies"] / stats["games"] if stats["games"] else float(self.game.longest)

    def _burst(self, rounds: int, pace: Pace, seconds_per_move: float = 0.0) -> None:
        """Train by some rounds, publishing on the way; ends early when the person wants something else.

        With `seconds_per_move` the moves of a single round are shown one by one.
        """
        done, told = self.view.done, 0.0
        stepping = rounds == 1

        def interrupted() -> bool:
            return self._stopping or self.pace is not pace or (self._paused and not stepping)

        for progress in run(self._learner, Plan(rounds), interrupted):
            moves = self._learner.last_game
            resigned = self._learner.learns_records and progress.done > 0 and not ends(self.game, moves)
            if stepping and seconds_per_move and self._learner.learns_records:
                self._show_moves(moves, pace, seconds_per_move, resigned=resigned)
            self.view = replace(
                self.view,
                state=JobState.RUNNING,
                done=done + progress.done,
                seconds=self.view.seconds + progress.seconds - told + self._slept,
                snapshot=progress.snapshot,
                moves=moves,
                resigned=resigned,
                perfect=progress.perfect,
                seconds_left=seconds_left(done + progress.done, self.view.total) if pace.log_time else None,
            )
            told, self._slept = progress.seconds, 0.0
            if monotonic() - self._kept_at > KEEP_EVERY:
                self.keep_now()
        if stepping and seconds_per_move:
            self._wait(seconds_per_move, pace)

    def _show_moves(self, moves: tuple[Move, ...], pace: Pace, seconds: float, *, resigned: bool) -> None:
        """Let the moves of a game appear one by one, before its end and what it taught do."""
        for shown in range(len(moves) + resigned):
            self.view = replace(self.view, state=JobState.RUNNING, moves=moves[:shown], resigned=False)
            if not self._wait(seconds, pace):
                return

    def _wait(self, seconds: float, pace: Pace) -> bool:
        """Sleep, unless the person wants something else; whether the time was slept through."""
        if seconds <= 0:
            return True

        def interrupted() -> bool:
            return self._stopping or self.pace is not pace or (self._paused and not self._steps)

        begun = monotonic()
        with self._change:
            slept = not self._change.wait_for(interrupted, seconds)
        self._slept += monotonic() - begun
        return slept

    def keep_now(self) -> None:
        """Keep what was learned so far, whatever the training does; `trouble` tells if that failed."""
        with self._keeping:
            snapshot = self.view.snapshot
            self._kept_at = monotonic()
            if not self.view.done or snapshot is self._kept:
                return
            try:
                self._keep(snapshot)
            except Exception as error:  # noqa: BLE001  whatever it is, it is told, and training goes on
                self.trouble = f"Not kept: {error}"
            else:
                self._kept = snapshot
                self.trouble = ""

    @contextmanager
    def whole(self) -> Iterator[None]:
        """No save of it is under way while this is open, and holds the library, unless one takes too long."""
        free = self._keeping.acquire(timeout=LONG)
        try:
            yield
        finally:
            if free:
                self._keeping.release()

    @property
    def unkept(self) -> bool:
        """Whether something was learned that is not in the library."""
        return self.view.done > 0 and self.view.snapshot is not self._kept


def ends(game: Game, moves: Iterable[Move]) -> bool:
    """Whether these moves lead to a game's end."""
    position = game.start
    for move in moves:
        position = game.play(position, move)
    return game.outcome(position) is not None
