"""Train a learner as a job, at a chosen pace.

The kernels release the interpreter lock, so the screen stays responsive at full speed.

The pace `LOG_TIME` shows a training of any size in the same time: single games at first, then tens, thousands,
millions. On a logarithmic axis of rounds the training moves evenly: after `t` of `LOG_TIME_SECONDS`, a training of
`total` rounds has done `(total + 1) ** (t / LOG_TIME_SECONDS) − 1` of them.
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

LOG_TIME_SECONDS: Final = 20.0
"""The duration of a training at the pace `LOG_TIME`, in seconds, unless the learner is slower."""
BURST_SECONDS: Final = 0.1
"""Seconds between two bursts of several rounds each."""
COMPILING: Final = "Getting ready: compiling …"


def next_burst(done: int, total: int) -> tuple[int, float]:
    """Return the number of rounds of the next burst, and its duration in seconds.

    Both follow from the rounds done, not from the time that has passed, so that a training keeps to the curve after a
    pause or a change of pace. Raises `ValueError` if no rounds are left.
    """
    if not 0 <= done < total:
        raise ValueError(f"{done} of {total} rounds are done: none are left")
    growth = log(total + 1) / LOG_TIME_SECONDS  # of the logarithm of the rounds, per second
    start = log(done + 1)
    done_after = int(exp(start + growth * BURST_SECONDS)) - 1
    rounds = max(1, min(done_after, total) - done)
    return rounds, (log(done + rounds + 1) - start) / growth


def seconds_left(done: int, total: int) -> float:
    """Return how many seconds the rest of a training takes at the pace `LOG_TIME`."""
    return LOG_TIME_SECONDS * (1 - log(done + 1) / log(total + 1)) if done < total else 0.0


SAVE_EVERY: Final = 30.0
"""Seconds of training between two automatic saves."""
STOP_WAIT: Final = 15.0
"""Seconds to wait for the last save: longer than the library waits for another program that writes."""
SAVE_WAIT: Final = 1.0
"""Seconds to wait for the end of a save before the program is suspended."""
SHOW_MOVES_FROM: Final = 0.3
"""At the pace `LOG_TIME`, a single round is shown move by move if it takes at least this many seconds."""


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
        return self.done / self.total if self.seconds_left is None else 1 - self.seconds_left / LOG_TIME_SECONDS


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

    def stop(self, patience: float = STOP_WAIT) -> None:
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
        remaining = self.view.total - self.view.done
        if self._steps or pace.seconds_per_move:
            before = self.view.done
            self._burst(1, pace, pace.seconds_per_move)
            with self._change:
                self._steps = max(0, self._steps - (self.view.done - before))
        elif pace.log_time:
            self._train_in_log_time(pace)
        elif pace.rounds_per_second:
            rounds = max(1, round(pace.rounds_per_second * BURST_SECONDS))
            start = monotonic()
            self._burst(min(remaining, rounds), pace)
            self._wait(rounds / pace.rounds_per_second - (monotonic() - start), pace)
        else:
            self._burst(remaining, pace)

    def _train_in_log_time(self, pace: Pace) -> None:
        rounds, seconds = next_burst(self.view.done, self.view.total)
        start = monotonic()
        if rounds == 1 and seconds >= SHOW_MOVES_FROM:
            self._burst(1, pace, seconds / (self._plies_per_game + 1))
        else:
            self._burst(rounds, pace)
            self._wait(seconds - (monotonic() - start), pace)

    @property
    def _plies_per_game(self) -> float:
        """The mean length of the games so far; before the first game, the maximum length."""
        stats = self.view.snapshot.stats
        return stats["plies"] / stats["games"] if stats["games"] else float(self.game.longest)

    def _burst(self, rounds: int, pace: Pace, seconds_per_move: float = 0.0) -> None:
        """Train some rounds and update the view; end early if the pace changes or the job is paused or stopped.

        With `seconds_per_move`, show the moves of a single round one by one.
        """
        done_before, seconds_counted = self.view.done, 0.0
        is_single = rounds == 1

        def is_interrupted() -> bool:
            return self.stopping.is_set() or self.pace is not pace or (self._paused and not is_single)

        for progress in self.train_rounds(rounds, is_interrupted):
            done = done_before + progress.done
            moves = self.learner.last_game
            resigned = self.learner.spec.plays_games and progress.done > 0 and not is_over_after(self.game, moves)
            if is_single and seconds_per_move and self.learner.spec.plays_games:
                self._show_moves(moves, pace, seconds_per_move, resigned=resigned)
            self.view = replace(
                self.view,
                state=JobState.RUNNING,
                done=done,
                seconds=self.view.seconds + progress.seconds - seconds_counted + self._slept,
                snapshot=progress.snapshot,
                moves=moves,
                resigned=resigned,
                gains=self.learner.last_gains,
                perfect=progress.perfect,
                seconds_left=seconds_left(done, self.view.total) if pace.log_time else None,
            )
            seconds_counted, self._slept = progress.seconds, 0.0
            if monotonic() - self._saved_at > SAVE_EVERY:
                self._save()
        if is_single and seconds_per_move:
            self._wait(seconds_per_move, pace)

    def train_rounds(self, rounds: int, stop: Stop) -> Iterator[Progress]:
        """Train some rounds; yield progress now and then, and at the end, which comes early once `stop()` is true."""
        return run(self.learner, TrainingPlan(rounds), stop)

    def _show_moves(self, moves: tuple[Move, ...], pace: Pace, seconds: float, *, resigned: bool) -> None:
        """Show the moves of a game one by one, before the view shows what was learned from the game."""
        plies_before_last = len(moves) if resigned else len(moves) - 1  # the view after the round shows the last one
        for plies in range(plies_before_last + 1):
            self.view = replace(self.view, state=JobState.RUNNING, moves=moves[:plies], resigned=False)
            if not self._wait(seconds, pace):
                return

    def _wait(self, seconds: float, pace: Pace) -> bool:
        """Sleep, unless the pace changes or the job is paused or stopped; return whether the sleep was complete."""
        if seconds <= 0:
            return True

        def is_interrupted() -> bool:
            return self.stopping.is_set() or self.pace is not pace or (self._paused and not self._steps)

        start = monotonic()
        with self._change:
            is_complete = not self._change.wait_for(is_interrupted, seconds)
        self._slept += monotonic() - start
        return is_complete

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
        is_locked = self._saving.acquire(timeout=SAVE_WAIT)
        try:
            with self.branch.no_save_running() if self.branch is not None else nullcontext():
                yield
        finally:
            if is_locked:
                self._saving.release()

    @property
    def unsaved(self) -> bool:
        """Whether the current state of the job or of its branch is not saved."""
        if self.view.done > 0 and self.view.snapshot is not self._saved:
            return True
        return self.branch is not None and self.branch.unsaved

    @property
    def save_error(self) -> str:
        """The reason why the last attempt to save failed; empty if it succeeded."""
        return self._save_error or (self.branch.save_error if self.branch is not None else "")


def is_over_after(game: Game, moves: Iterable[Move]) -> bool:
    position = game.start
    for move in moves:
        position = game.play(position, move)
    return game.outcome(position) is not None
