"""Send signals to programs at random times of training and saving, and check the result."""

import re
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic, sleep

from learners import parse_learner
from saves.library.library import Library
from tests.campaigns.terminal_sessions import ForkServer, Session
from tests.tui.terminal import DEADLINE, RUBBISH

ENDLESS_ROUNDS = 100_000_000
"""So many rounds that a signal ends the training long before it has finished."""
MAX_SECONDS = 1.0
"""The program must end within this time, not counting the seconds that it waited for a processor."""
GAME = re.compile(r"game ([\d,]+)")
TRAINED = re.compile(r'"trained": (\d+)')
STATES = {"start": 10, "training": 25, "saving": 45, "pausing": 10, "leaving": 10}
"""The states of the program in which a signal is sent, with their frequencies in per cent."""
KEYS = "g234"
"""The keys that start a training, one for each kind of training."""
SIZES = (80, 24), (100, 30), (60, 20)


@dataclass
class Count:
    """The counts of a campaign."""

    signals: int = 0
    in_saves: int = 0
    seconds: list[float] = field(default_factory=list)
    """Seconds from a signal to the end of the program."""
    cpu: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


@dataclass
class Run:
    """One program in a terminal, the signals that it gets, and the findings."""

    name: str
    random: Random
    session: Session
    library: Path
    count: Count

    def bring_to_any(self) -> None:
        self.bring_to(self.random.choices([*STATES], [*STATES.values()])[0])

    def bring_to(self, state: str, *, begun: bool = False) -> None:
        """Bring the program to a state; `begun` says that a training has begun already."""
        session, random = self.session, self.random
        self.name += f" {state}"
        if state == "start":
            session.read_for(random.random() * 0.4)
            return
        if not begun:
            session.until("NOUGHTS", "No moves yet")
            session.type("t")
            session.until("Press g or Start.")
            session.type(random.choice(KEYS))
            session.until(gone="Press g or Start.")
        session.read_for(random.random() * 0.5)
        if state == "leaving":
            session.type("q")
            session.read_for(random.random() * 0.3)
        elif state == "pausing":
            session.type(" ")
            session.read_for(random.random() * 0.03)
        elif state == "saving":
            deadline = monotonic() + 1.0
            while not session.is_saving() and monotonic() < deadline:
                session.read(0.0005)
            sleep(random.random() * 0.01)

    def wait_for_games(self) -> None:
        """Wait until the training has reported a game."""
        deadline = monotonic() + DEADLINE
        while not self.reported_games():
            assert monotonic() < deadline, self.session.screen
            self.session.read(0.05)

    def reported_games(self) -> int:
        """The games that the screen or the library has reported."""
        shown = GAME.search(self.session.screen)
        return max(int(shown[1].replace(",", "")) if shown else 0, self.session.save_record()[2])

    def signal_group(self, number: int) -> None:
        self.count.signals += 1
        self.count.in_saves += self.session.is_saving()
        self.session.process.signal_group(number)

    def expect(self, *, right: bool, otherwise: str) -> None:
        if not right:
            self.count.faults.append(f"{self.name}: {otherwise}")

    def expect_terminal_restored(self) -> None:
        try:
            self.session.assert_terminal_restored()
        except AssertionError as error:
            self.expect(right=False, otherwise=f"not restored, {str(error).splitlines()[:1]}")

    def expect_prompt_end(self, since: float, cpu: float) -> None:
        ended, waited = self.session.read_until_ended()
        seconds = ended - since
        self.count.seconds.append(seconds)
        self.count.cpu.append(self.session.process.cpu - cpu)
        late = (
            f"ended after {seconds:.2f} s, {waited:.2f} of them without a processor, {self.count.cpu[-1]:.2f} with one"
        )
        self.expect(right=seconds - waited <= MAX_SECONDS, otherwise=late)

    def expect_saved(self, reported_games: int) -> None:
        """Expect a sound library with one save of the training, with at least the games that were reported."""
        games = []
        if self.library.exists():
            with closing(sqlite3.connect(self.library)) as db:
                sound = db.execute("PRAGMA integrity_check").fetchall()
                self.expect(right=sound == [("ok",)], otherwise=f"the library is unsound: {sound}")
            library = Library(self.library)
            for entry in library.entries():
                if not entry.gallery:
                    snapshot = library.load(entry.name)
                    games.append(snapshot.stats[parse_learner(snapshot.learner).spec.games_statistic])
        self.expect(right=len(games) <= 1, otherwise=f"several saves: {games}")
        self.expect(
            right=not reported_games or games[:1] >= [reported_games],
            otherwise=f"reported {reported_games} games, saved {games}",
        )

    def expect_code(self, *codes: int) -> None:
        code = self.session.process.returncode
        self.expect(right=code in codes, otherwise=f"ended with {code}, not {codes}: {self.session.written[-300:]!r}")


def send_signal(run: Run, number: int) -> None:
    """Send one signal, or two in quick succession, and check how the program ends."""
    reported_games, cpu, since = run.reported_games(), run.session.process.processor_seconds(), monotonic()
    if run.session.process.poll() is not None:
        return
    run.signal_group(number)
    early = "NOUGHTS" not in run.session.screen
    if run.random.random() < 0.3:
        run.name += " twice"
        run.session.read_for(run.random.random() ** 3 * 0.5)
        if run.session.process.poll() is None:
            run.session.process.signal_group(number)
    run.expect_prompt_end(since, cpu)
    run.expect_terminal_restored()
    run.expect_saved(reported_games)
    run.expect_code(128 + number, *([-number] if early or "leaving" in run.name else []))


def close_terminal(run: Run) -> None:
    """Close the terminal, for which the kernel sends SIGHUP to the session's leader, and check the end."""
    reported_games, cpu, since = run.reported_games(), run.session.process.processor_seconds(), monotonic()
    run.count.signals += 1
    run.count.in_saves += run.session.is_saving()
    run.session.hang_up()
    run.expect_prompt_end(since, cpu)
    run.expect_saved(reported_games)


def suspend_and_resume(run: Run, times: int) -> None:
    """Stop and continue a program several times, then end it in one of several ways."""
    session, random = run.session, run.random
    for time in range(times):
        run.bring_to(random.choices(("training", "saving", "pausing"), (4, 5, 1))[0], begun=time > 0)
        reported_games = run.reported_games()
        run.signal_group(signal.SIGTSTP)
        session.read_until_stopped()
        run.expect_terminal_restored()
        run.expect(right=is_unlocked(run.library), otherwise="stopped in the middle of a save")
        session.take_size(*random.choice(SIZES))
        if random.random() < 0.3:
            run.name += " bg"
            session.process.send_command("bg")
            session.read_for(0.2)
            run.expect_terminal_restored()
        if time == times - 1 and random.random() < 0.5:
            break
        session.process.send_command("fg")
        session.until("Quit", gone=RUBBISH)
        run.expect(right=run.reported_games() >= reported_games, otherwise="it lost games")
    else:
        session.type("q")
        run.expect_prompt_end(monotonic(), session.process.processor_seconds())
        run.expect_terminal_restored()
        run.expect_code(0)
        run.expect_saved(reported_games)
        return
    since, cpu = monotonic(), session.process.processor_seconds()
    if random.random() < 0.5:
        run.name += " closed"
        session.hang_up()
    else:
        run.name += " killed"
        session.process.signal_group(signal.SIGTERM)
        session.process.send_command("bg")
    run.expect_prompt_end(since, cpu)
    if session.ours >= 0:
        run.expect_terminal_restored()
    run.expect_saved(reported_games)


def is_unlocked(library: Path) -> bool:
    """Whether another program can write to the library."""
    with closing(sqlite3.connect(library, timeout=0)) as db:
        try:
            db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        return True


def interrupt_command(run: Run, number: int) -> None:
    """Send a signal to `noughts train`."""
    session = run.session
    session.read_for(2 * run.random.random())
    cpu, since = session.process.processor_seconds(), monotonic()
    if session.process.poll() is None:
        run.signal_group(number)
    run.expect_prompt_end(since, cpu)
    run.expect_terminal_restored()
    trained = TRAINED.search(session.written)
    run.expect_saved(int(trained[1]) if trained else 0)
    run.expect_code(128 + number, *([] if trained else [-number]))


@contextmanager
def running_program(
    server: ForkServer,
    folder: Path,
    count: Count,
    name: str,
    *,
    command: bool = False,
    job: bool = False,
    broken: str = "",
) -> Iterator[Run]:
    """Run a program in a terminal; its name determines all random choices. A failed assertion is a fault."""
    random = Random(name)
    library = folder / f"{name}.sqlite"
    request = {
        "job": job or random.random() < 0.5,
        "record": str(folder / f"{name}.record"),
        "keep_every": 100.0 if broken else random.random() * 0.05,
        "rounds": ENDLESS_ROUNDS,
        "broken": broken,
        "environment": {
            "NOUGHTS_LIBRARY": str(library),
            "NOUGHTS_SETTINGS": str(folder / "settings.json"),
            "TERM": "xterm-256color",
        },
    }
    arguments = ["train", "failures", "--games", str(ENDLESS_ROUNDS), "--save", "x", "--json"] if command else []
    with closing(Session(server, request, *arguments)) as session:
        run = Run(f"{name}, {'in a shell' if request['job'] else 'alone'},", random, session, library, count)
        try:
            yield run
        except AssertionError as error:
            run.expect(right=False, otherwise=str(error))
