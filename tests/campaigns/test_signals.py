"""At any signal the app ends within a second, restores the terminal, and saves what it has learned.

Ctrl+Z suspends it and returns the terminal; it can be resumed. A command saves what it has learned as well.
"""

import re
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from time import monotonic, sleep

import pytest

from learners import parse_learner
from saves.library.library import Library
from tests.campaigns.terminal_sessions import BACKGROUND, ENDLESS_ROUNDS, FOREGROUND, At, Request, Session
from tests.libraries import own_names, sql
from tests.tui.terminal import RUBBISH
from tests.waiting import wait_until

MAX_SECONDS = 1.0
"""The program must end within this time, not counting the seconds that it waited for a processor."""
GAME = re.compile(r"game ([\d,]+)")
TRAINED = re.compile(r'"trained": (\d+)')
STATES = {"start": 10, "training": 25, "saving": 45, "pausing": 10, "leaving": 10}
"""The states of the program in which a signal is sent, with their frequencies in per cent."""
TRAINING_KEYS = "g234"
SIZES = (80, 24), (100, 30), (60, 20)
STOPS_OF_A_PROGRAM = 5
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass
class Count:
    signals: int = 0
    in_saves: int = 0
    seconds_to_end: list[float] = field(default_factory=list)


@dataclass
class Run:
    random: Random
    session: Session
    count: Count
    story: list[str]
    """What was done, for findings."""

    def bring_to(self, *states: str, begun: bool = False) -> None:
        """Bring the program to one of these states; `begun`: a training is under way already."""
        session, random = self.session, self.random
        state = random.choices(states, [STATES[each] for each in states])[0]
        self.story.append(state)
        if state == "start":
            session.read_for(random.random() * 0.4)
            return
        if not begun:
            session.until("NOUGHTS", "your move")
            session.type("t")
            session.until("Press g or Start.")
            session.type(random.choice(TRAINING_KEYS))
            session.until(gone="Press g or Start.")
        session.read_for(random.random() * 0.5)
        if state in ("leaving", "pausing"):
            session.type("q" if state == "leaving" else " ")
            session.read_for(random.random() * (0.3 if state == "leaving" else 0.03))
        elif state == "saving":
            deadline = monotonic() + 1.0
            while not session.is_saving() and monotonic() < deadline:
                session.read(0.0005)
            sleep(random.random() * 0.01)

    def reported_games(self) -> int:
        """Return the games that the screen or the library has reported."""
        shown = GAME.search(self.session.screen)
        return max(int(shown[1].replace(",", "")) if shown else 0, int(self.session.record[At.SAVED_GAMES]))

    def signal_group(self, number: int) -> None:
        self.count_signal()
        self.session.process.signal_group(number)

    def count_signal(self) -> None:
        self.count.signals += 1
        self.count.in_saves += self.session.is_saving()

    def expect_end(self, since: float, reported_games: int, *codes: int) -> None:
        """Expect the program to end soon with one of these codes, its terminal restored and its training saved."""
        ended, waited = self.session.read_until_ended()
        self.count.seconds_to_end.append(ended - since)
        late = f"ended after {ended - since:.2f} s, {waited:.2f} of them without a processor"
        assert ended - since - waited <= MAX_SECONDS, late
        self.expect_saved(reported_games)
        if self.session.ours >= 0:  # it was not closed
            self.session.assert_restored()
        code = self.session.process.poll()
        assert not codes or code in codes, f"ended with {code}, not {codes}: {self.session.written[-300:]!r}"

    def expect_saved(self, reported_games: int) -> None:
        """Expect a sound library with one save of the training, with at least the games that were reported."""
        games, path = [], self.session.request.library
        if path.exists():
            assert sql(path, "PRAGMA integrity_check") == [("ok",)]
            snapshots = list(map(Library(path).load, own_names(Library(path))))
            counts = [each.stats[parse_learner(each.learner).spec.games_statistic] for each in snapshots]
            games = [count for count in counts if count]  # a new machine at the board has not learned from any
        assert len(games) <= 1, f"several saves: {games}"
        assert not reported_games or games[:1] >= [reported_games], f"reported {reported_games} games, saved {games}"


def send_signal(run: Run, number: int) -> None:
    """Send one signal, or two in quick succession, and check how the program ends."""
    reported_games, since, process = run.reported_games(), monotonic(), run.session.process
    if process.poll() is not None:
        return
    run.signal_group(number)
    early, leaving = "NOUGHTS" not in run.session.screen, "leaving" in run.story
    if run.random.random() < 0.3:
        run.story.append("twice")
        run.session.read_for(run.random.random() ** 3 * 0.5)
        if process.poll() is None:
            process.signal_group(number)
    # `q` may have ended it before the signal came
    run.expect_end(since, reported_games, 128 + number, *[-number] * (early or leaving), *[0] * leaving)


def close_terminal(run: Run) -> None:
    reported_games, since = run.reported_games(), monotonic()
    run.count_signal()
    run.session.hang_up()
    run.expect_end(since, reported_games)


def suspend_and_resume(run: Run, times: int) -> None:
    """Stop and continue a program several times, then end it in one of several ways."""
    session, random = run.session, run.random
    for time in range(times):
        run.bring_to("training", "saving", "pausing", begun=time > 0)
        reported_games, stops = run.reported_games(), int(session.record[At.STOPS])
        run.signal_group(signal.SIGTSTP)
        session.read_until_stopped(stops)
        session.assert_restored()
        assert is_unlocked(session.request.library), "stopped in the middle of a save"
        session.take_size(*random.choice(SIZES))
        if random.random() < 0.3:
            run.story.append("bg")
            session.process.carry_on(BACKGROUND)
            session.read_for(0.2)
            session.assert_restored()
        if time < times - 1 or random.random() < 0.5:
            session.process.carry_on(FOREGROUND)
            session.until("Quit", gone=RUBBISH)
            assert run.reported_games() >= reported_games, "it lost games"
        elif random.random() < 0.5:
            close_terminal(run)
            return
        else:
            since = monotonic()
            session.process.signal_group(signal.SIGTERM)
            session.process.carry_on(BACKGROUND)
            run.expect_end(since, reported_games)
            return
    session.type("q")
    run.expect_end(monotonic(), reported_games, 0)


def is_unlocked(library: Path) -> bool:
    with closing(sqlite3.connect(library, timeout=0)) as db:
        try:
            db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        return True


def interrupt_command(run: Run, number: int) -> None:
    """Send a signal to `noughts train`, which prints at its end how many games it has trained."""
    session, since = run.session, monotonic()
    session.read_for(2 * run.random.random())
    if session.process.poll() is None:
        since = monotonic()
        run.signal_group(number)
    run.expect_end(since, 0)
    trained, code = TRAINED.search(session.written), session.process.poll()
    run.expect_saved(int(trained[1]) if trained else 0)
    assert code == 128 + number or (code == -number and not trained), f"ended with {code}: {session.written[-300:]!r}"


@dataclass
class Programs:
    folder: Path
    count: Count

    @contextmanager
    def running(self, name: str, *, command: bool = False, job: bool = False, defect: str = "") -> Iterator[Run]:
        """Run a program in a terminal; its name determines all random choices."""
        random = Random(name)
        request = Request(
            arguments=("train", "failures", "--games", str(ENDLESS_ROUNDS), "--save", "x", "--json") if command else (),
            record=self.folder / f"{name}.record",
            library=self.folder / f"{name}.sqlite",
            job=job or random.random() < 0.5,
            seconds_between_saves=100.0 if defect else random.random() * 0.05,
            defect=defect,
        )
        with closing(Session(request)) as session:
            run = Run(random, session, self.count, [name, "in a shell" if request.job else "alone"])
            try:
                yield run
            except AssertionError as error:
                error.add_note(", ".join(run.story))
                raise


@pytest.fixture
def programs(folder):
    return Programs(folder, Count())


@pytest.fixture
def counted(programs, report_line):
    yield programs
    count = programs.count
    report_line(
        f"{count.signals:,} signals, {count.in_saves:,} of them during a save; ended after "
        f"{median(count.seconds_to_end):.2f} s, at most {max(count.seconds_to_end):.2f} s"
    )


def at_full_size(*values: object) -> object:
    """A case for the campaign alone: in `make test`, tests/tui/shell/test_terminal.py covers the same."""
    return pytest.param(*values, marks=pytest.mark.campaign(minutes=1))


@pytest.mark.long
@pytest.mark.parametrize(("number", "times"), [(signal.SIGINT, 1), *(at_full_size(number, 20) for number in ENDING)])
def test_after_any_signal_the_terminal_is_restored_and_the_training_saved(number, times, counted):
    for step in range(times):
        with counted.running(f"{number.name} {step}") as run:
            run.bring_to(*STATES)
            send_signal(run, number)
    for step in range(times // 8):
        with counted.running(f"train {number.name} {step}", command=True) as run:
            interrupt_command(run, number)


@pytest.mark.long
@pytest.mark.parametrize("times", [1, at_full_size(20)])
def test_after_the_terminal_is_closed_the_training_is_saved(times, counted):
    for step in range(times):
        with counted.running(f"closed {step}") as run:
            run.bring_to(*STATES)
            close_terminal(run)


@pytest.mark.long
@pytest.mark.parametrize("times", [1, at_full_size(20)])
def test_a_suspended_app_returns_the_terminal_and_can_be_resumed(times, counted):
    for step in range(-(-times // STOPS_OF_A_PROGRAM)):
        with counted.running(f"stopped {step}", job=True) as run:
            suspend_and_resume(run, min(STOPS_OF_A_PROGRAM, times))


@pytest.mark.long
@pytest.mark.parametrize("job", [False, True])
def test_a_signal_reaches_a_program_that_has_just_started(job, programs):
    with programs.running(f"just started {job}", job=job) as run:
        send_signal(run, signal.SIGTERM)


@pytest.mark.campaign
@pytest.mark.parametrize(
    ("defect", "found"),
    [("only saves", "alternate screen"), ("never saves", r"saved \[\]"), ("ends slowly", "ended after")],
)
def test_a_defective_program_is_detected(defect, found, programs):
    with programs.running("defective", defect=defect) as run:
        run.bring_to("training")
        wait_until(lambda: run.session.read(0.05) and run.reported_games())
        with pytest.raises(AssertionError, match=found):
            send_signal(run, signal.SIGTERM)
