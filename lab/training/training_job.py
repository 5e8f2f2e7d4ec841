"""Train a learner as a job, at a chosen pace.

The kernels release the interpreter lock, so the screen stays responsive at full speed.

The pace `LOG_TIME` shows a training of any size in the same time: single games at first, then tens, thousands,
millions. On a logarithmic axis of rounds the training moves evenly: after `t` seconds of `SECONDS`, a training of
`total` rounds has done `(total + 1) ** (t / SECONDS) − 1` of them.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from math import exp, log
from threading import Condition, Lock
from time import monotonic
from typing import Final

from engine.compiling.compile_thread import wait_unless
from engine.game import Game, Move
from engine.plural import counted_noun
from engine.stop import Stop, Stopped
from lab.jobs import Job, JobState, JobStatus
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.core.training import Progress, TrainingPlan, run

SECONDS: Final = 20.0
"""The duration of a training at the pace `LOG_TIME`, in seconds, unless the learner is slower."""
TICK: Final = 0.1
"""Seconds between two bursts once a burst has more than one round."""
COMPILING: Final = "Getting ready: compiling …"


def next_burst(done: int, total: int) -> tuple[int, float]:
    """Return the number of rounds of the next burst, and its duration in seconds.

    The answer does not depend on the time that has passed, so that a training keeps to the curve after a pause or a
    change of pace. Raises `ValueError` if no rounds are left.
    """
    if not 0 <= done < total:
        raise ValueError(f"{done} of {total} rounds are done: none are left")
    per_second = log(total + 1) / SECONDS  # how fast the logarithm of the rounds grows
    now = log(done + 1)
    reached = int(exp(now + per_second * TICK)) - 1
    if reached <= done + 1:
        return 1, (log(done + 2) - now) / per_second
    rounds = min(reached, total) - done
    return rounds, (log(done + rounds + 1) - now) / per_second


def seconds_left(done: int, total: int) -> float:
    """Return how many seconds the rest of a training takes at the pace `LOG_TIME`."""
    return SECONDS * (1 - log(done + 1) / log(total + 1)) if done < total else 0.0


SAVE_EVERY: Final = 30.0
"""Seconds of training between two automatic saves."""
PATIENCE: Final = 15.0
"""Seconds to wait for the last save: longer than the library waits for another program that writes."""
SAVE_WAIT: Final = 1.0
"""Seconds to wait for the end of a save before the program is suspended."""
SHOWN_FROM: Final = 0.3
"""At the pace `LOG_TIME`, a single round is shown move by move if it takes at least this many seconds."""
BURST: Final = 0.1
"""Seconds between two bursts of a pace that trains several rounds at once."""


@dataclass(frozen=True)
class Pace:
    """The pace of a training, in seconds per move, or in rounds per second; at full speed if both are 0."""

    label: str
    seconds_per_move: float = 0.0
    rounds_per_second: float = 0.0
    log_time: bool = False
    """Whether the training takes the same time for any number of rounds."""


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
    """Return the paces for a learner. If its rounds are not games, there are no paces in moves."""
    if kind.spec.plays_games:
        return PACES
    slower = (
        Pace(f"{counted_noun(count, kind.spec.round_noun)} a second", rounds_per_second=count) for count in (10, 3, 1)
    )
    return (FULL_SPEED, LOG_TIME, *slower)


@dataclass(frozen=True)
class TrainingStatus(JobStatus):
    done: int
    """The number of rounds trained; in a branch, with those that the other job had trained before."""
    total: int
    seconds: float
    """Seconds of training, including the waits of the pace, but not pauses."""
    snapshot: Snapshot
    began: Mapping[str, int]
    moves: tuple[Move, ...] = ()
    """The moves of the last game, up to the move that is shown."""
    resigned: bool = False
    """Whether the side to move resigned after these moves. Such a game may have no moves."""
    gains: tuple[int, ...] = ()
    """What the last game of the snapshot gave the number of each of its moves; empty if unknown."""
    perfect: bool = False
    """Whether training ended because the learner cannot lose any more."""
    seconds_left: float | None = None
    """The seconds that the remaining rounds take; `None` if the pace does not fix that."""

    @property
    def share(self) -> float:
        """The share that is done: of the time if the pace fixes that, as `LOG_TIME` does, else of the rounds."""
        if self.perfect or not self.total:
            return 1.0
        return self.done / self.total if self.seconds_left is None else 1 - self.seconds_left / SECONDS


class TrainingJob(Job[TrainingStatus]):
    """The training of a learner for a number of rounds.

    A branch is a job that trains a copy of the learner under other settings. It is paced, paused, stopped and saved
    together with this job.
    """

    def __init__(self, learner: Learner, rounds: int, name: str, pace: Pace, keep: Callable[[Snapshot], None]) -> None:
        """Prepare the training; `keep` is called from the job's thread, and saves a snapshot under `name`."""
        super().__init__(name, TrainingStatus(JobState.STARTING, 0, rounds, 0.0, learner.snapshot(), learner.stats()))
        self.label = ""
        """The settings in which the job differs from its branch; empty without a branch."""
        self.starting = COMPILING
        """The text for what the job does before its first round."""
        self.branch: TrainingJob | None = None
        self.game: Game = learner.game
        self.pace = pace
        self._save_error = ""
        """The reason why the last attempt to save failed; empty if it succeeded."""
        self.learner = learner
        self._keep = keep
        self._saved_at = monotonic()
        self._saved: Snapshot | None = None
        self._saving = Lock()
        self._change = Condition()
        self._paused = False
        self._steps = 0
        self._slept = 0.0
        """Seconds of waiting that are not yet in `view.seconds`."""

    def add_branch(self, branch: "TrainingJob") -> None:
        """Start another job beside this one; it is paused if this job is paused."""
        if self.paused:
            branch.pause()
        self.branch = branch
        branch.start()

    def pause(self) -> None:
        self.set_paused(paused=True)

    def resume(self) -> None:
        self.set_paused(paused=False)

    def step(self) -> None:
        with self._change:
            self._steps += 1
            self._paused = True
            self._change.notify_all()
        if self.branch is not None:
            self.branch.step()

    def set_pace(self, pace: Pace) -> None:
        with self._change:
            self.pace = pace
            self._change.notify_all()
        if self.branch is not None:
            self.branch.set_pace(pace)

    @property
    def headline(self) -> tuple[str, str]:
        return self.name, self.view.state.value

    def stop(self, patience: float = PATIENCE) -> None:
        """End the training within 0.1 s and save it; wait up to `patience` seconds, and as long again for a branch."""
        self.stopping.set()
        with self._change:
            self._change.notify_all()
        if self.branch is not None:
            self.branch.stop(patience)
        super().stop(patience)

    @property
    def running(self) -> bool:
        return super().running or (self.branch is not None and self.branch.running)

    @property
    def paused(self) -> bool:
        return self._paused and self.running

    def set_paused(self, *, paused: bool) -> None:
        with self._change:
            self._paused = paused
            self._change.notify_all()
        if self.branch is not None:
            self.branch.set_paused(paused=paused)

    def work(self, stop: Stop) -> bool:
        try:
            with suppress(Stopped), wait_unless(stop):
                while not self._complete and not stop():
                    if self._paused and not self._steps:
                        self._wait_while_paused()
                    else:
                        self._train(self.pace)
        finally:
            self._save()
        return self._complete

    @property
    def _complete(self) -> bool:
        return self.view.perfect or self.view.done == self.view.total

    def _wait_while_paused(self) -> None:
        self._save()
        self.view = replace(self.view, state=JobState.PAUSED)
        with self._change:
            self._change.wait_for(lambda: self.stopping.is_set() or not self._paused or self._steps > 0)

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
        rounds, seconds = next_burst(self.view.done, self.view.total)
        begun = monotonic()
        if rounds == 1 and seconds >= SHOWN_FROM:
            self._burst(1, pace, seconds / (self._plies_per_game + 1))
        else:
            self._burst(rounds, pace)
            self._wait(seconds - (monotonic() - begun), pace)

    @property
    def _plies_per_game(self) -> float:
        """The mean length of the games so far; before the first game, the maximum length."""
        stats = self.view.snapshot.stats
        return stats["plies"] / stats["games"] if stats["games"] else float(self.game.longest)

    def _burst(self, rounds: int, pace: Pace, seconds_per_move: float = 0.0) -> None:
        """Train some rounds and update the view; end early if the pace changes or the job is paused or stopped.

        With `seconds_per_move`, show the moves of a single round one by one.
        """
        done, counted = self.view.done, 0.0
        stepping = rounds == 1

        def interrupted() -> bool:
            return self.stopping.is_set() or self.pace is not pace or (self._paused and not stepping)

        for progress in self.train_rounds(rounds, interrupted):
            moves = self.learner.last_game
            resigned = self.learner.spec.plays_games and progress.done > 0 and not is_over_after(self.game, moves)
            if stepping and seconds_per_move and self.learner.spec.plays_games:
                self._show_moves(moves, pace, seconds_per_move, resigned=resigned)
            self.view = replace(
                self.view,
                state=JobState.RUNNING,
                done=done + progress.done,
                seconds=self.view.seconds + progress.seconds - counted + self._slept,
                snapshot=progress.snapshot,
                moves=moves,
                resigned=resigned,
                gains=self.learner.last_gains,
                perfect=progress.perfect,
                seconds_left=seconds_left(done + progress.done, self.view.total) if pace.log_time else None,
            )
            counted, self._slept = progress.seconds, 0.0
            if monotonic() - self._saved_at > SAVE_EVERY:
                self._save()
        if stepping and seconds_per_move:
            self._wait(seconds_per_move, pace)

    def train_rounds(self, rounds: int, stop: Stop) -> Iterator[Progress]:
        """Train some rounds; yield progress now and then, and at the end, which comes early once `stop()` is true."""
        return run(self.learner, TrainingPlan(rounds), stop)

    def _show_moves(self, moves: tuple[Move, ...], pace: Pace, seconds: float, *, resigned: bool) -> None:
        """Show the moves of a game one by one, before the view shows what was learned from the game."""
        for shown in range(len(moves) + resigned):
            self.view = replace(self.view, state=JobState.RUNNING, moves=moves[:shown], resigned=False)
            if not self._wait(seconds, pace):
                return

    def _wait(self, seconds: float, pace: Pace) -> bool:
        """Sleep, unless the pace changes or the job is paused or stopped; return whether the sleep was complete."""
        if seconds <= 0:
            return True

        def interrupted() -> bool:
            return self.stopping.is_set() or self.pace is not pace or (self._paused and not self._steps)

        begun = monotonic()
        with self._change:
            slept = not self._change.wait_for(interrupted, seconds)
        self._slept += monotonic() - begun
        return slept

    def save_now(self) -> None:
        """Save the current state, from any thread. If that fails, `save_error` has the reason."""
        self._save()
        if self.branch is not None:
            self.branch.save_now()

    def _save(self) -> None:
        with self._saving:
            snapshot = self.view.snapshot
            self._saved_at = monotonic()
            if not self.view.done or snapshot is self._saved:
                return
            try:
                self._keep(snapshot)
            except Exception as error:  # noqa: BLE001  the screen shows any error; training goes on
                self._save_error = str(error) or type(error).__name__
            else:
                self._saved = snapshot
                self._save_error = ""

    @contextmanager
    def no_save_running(self) -> Iterator[None]:
        """Prevent saves during the block, so that none locks the library; first wait for one up to `SAVE_WAIT`."""
        free = self._saving.acquire(timeout=SAVE_WAIT)
        try:
            with self.branch.no_save_running() if self.branch is not None else nullcontext():
                yield
        finally:
            if free:
                self._saving.release()

    @property
    def unsaved(self) -> bool:
        """Whether the current state of the job or of its branch is not saved."""
        own = self.view.done > 0 and self.view.snapshot is not self._saved
        return own or (self.branch is not None and self.branch.unsaved)

    @property
    def save_error(self) -> str:
        """The reason why the last attempt to save failed; empty if it succeeded."""
        return self._save_error or (self.branch.save_error if self.branch is not None else "")


def is_over_after(game: Game, moves: Iterable[Move]) -> bool:
    position = game.start
    for move in moves:
        position = game.play(position, move)
    return game.outcome(position) is not None
