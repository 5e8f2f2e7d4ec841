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
from tests.campaigns.terminal_sessions import Session, Warm
from tests.tui.terminal import DEADLINE, RUBBISH

ALL = 100_000_000
"""The games of a training that is ended early."""
SOON = 1.0
"""The most seconds until the program ends, without those in which it waited for a processor."""
GAME = re.compile(r"game ([\d,]+)")
TRAINED = re.compile(r'"trained": (\d+)')
MOMENTS = {"start": 10, "training": 25, "saving": 45, "pausing": 10, "leaving": 10}
"""The states in which a signal comes, with their frequency in per cent."""
KEYS = "g234"
"""Commands that start a training of each kind."""
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

    def come_to_any(self) -> None:
        self.come_to(self.random.choices([*MOMENTS], [*MOMENTS.values()])[0])

    def come_to(self, moment: str, *, begun: bool = False) -> None:
        """Bring the program to a state; a training may have begun before."""
        session, random = self.session, self.random
        self.name += f" {moment}"
        if moment == "start":
            session.read_for(random.random() * 0.4)
            return
        if not begun:
            session.until("NOUGHTS", "No moves yet")
            session.type("t")
            session.until("Press g or Start.")
            session.type(random.choice(KEYS))
            session.until(gone="Press g or Start.")
        session.read_for(random.random() * 0.5)
        if moment == "leaving":
            session.type("q")
            session.read_for(random.random() * 0.3)
        elif moment == "pausing":
            session.type(" ")
            session.read_for(random.random() * 0.03)
        elif moment == "saving":
            deadline = monotonic() + 1.0
            while not session.saving() and monotonic() < deadline:
                session.read(0.0005)
            sleep(random.random() * 0.01)

    def come_to_games(self) -> None:
        """Wait until the training has reported a game."""
        deadline = monotonic() + DEADLINE
        while not self.told():
            assert monotonic() < deadline, self.session.screen
            self.session.read(0.05)

    def told(self) -> int:
        """The games that the screen or the library has reported."""
        shown = GAME.search(self.session.screen)
        return max(int(shown[1].replace(",", "")) if shown else 0, self.session.saves()[2])

    def strike(self, number: int) -> None:
        self.count.signals += 1
        self.count.in_saves += self.session.saving()
        self.session.process.strike(number)

    def expect(self, *, right: bool, otherwise: str) -> None:
        if not right:
            self.count.faults.append(f"{self.name}: {otherwise}")

    def expect_left(self) -> None:
        try:
            self.session.assert_left()
        except AssertionError as error:
            self.expect(right=False, otherwise=f"not restored, {str(error).splitlines()[:1]}")

    def expect_gone(self, since: float, cpu: float) -> None:
        ended, waited = self.session.gone()
        seconds = ended - since
        self.count.seconds.append(seconds)
        self.count.cpu.append(self.session.process.cpu - cpu)
        late = (
            f"gone after {seconds:.2f} s, {waited:.2f} of them without a processor, {self.count.cpu[-1]:.2f} with one"
        )
        self.expect(right=seconds - waited <= SOON, otherwise=late)

    def expect_kept(self, told: int) -> None:
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
        self.expect(right=not told or games[:1] >= [told], otherwise=f"told of {told} games, kept {games}")

    def expect_code(self, *codes: int) -> None:
        code = self.session.process.returncode
        self.expect(right=code in codes, otherwise=f"ended with {code}, not {codes}: {self.session.written[-300:]!r}")


def struck(run: Run, number: int) -> None:
    """Send one signal, or two at once."""
    told, cpu, since = run.told(), run.session.process.taken(), monotonic()
    if run.session.process.poll() is not None:
        return
    run.strike(number)
    early = "NOUGHTS" not in run.session.screen
    if run.random.random() < 0.3:
        run.name += " twice"
        run.session.read_for(run.random.random() ** 3 * 0.5)
        if run.session.process.poll() is None:
            run.session.process.strike(number)
    run.expect_gone(since, cpu)
    run.expect_left()
    run.expect_kept(told)
    run.expect_code(128 + number, *([-number] if early or "leaving" in run.name else []))


def closed(run: Run) -> None:
    """Close the terminal: the kernel informs the leader of its session."""
    told, cpu, since = run.told(), run.session.process.taken(), monotonic()
    run.count.signals += 1
    run.count.in_saves += run.session.saving()
    run.session.hang_up()
    run.expect_gone(since, cpu)
    run.expect_kept(told)


def stopped(run: Run, times: int) -> None:
    """Stop and continue a program some times, then end it in one of several ways."""
    session, random = run.session, run.random
    for time in range(times):
        run.come_to(random.choices(("training", "saving", "pausing"), (4, 5, 1))[0], begun=time > 0)
        told = run.told()
        run.strike(signal.SIGTSTP)
        session.halted()
        run.expect_left()
        run.expect(right=is_free(run.library), otherwise="stopped in the middle of a save")
        session.take_size(*random.choice(SIZES))
        if random.random() < 0.3:
            run.name += " bg"
            session.process.order("bg")
            session.read_for(0.2)
            run.expect_left()
        if time == times - 1 and random.random() < 0.5:
            break
        session.process.order("fg")
        session.until("Quit", gone=RUBBISH)
        run.expect(right=run.told() >= told, otherwise="it began anew")
    else:
        session.type("q")
        run.expect_gone(monotonic(), session.process.taken())
        run.expect_left()
        run.expect_code(0)
        run.expect_kept(told)
        return
    since, cpu = monotonic(), session.process.taken()
    if random.random() < 0.5:
        run.name += " closed"
        session.hang_up()
    else:
        run.name += " killed"
        session.process.strike(signal.SIGTERM)
        session.process.order("bg")
    run.expect_gone(since, cpu)
    if session.ours >= 0:
        run.expect_left()
    run.expect_kept(told)


def is_free(library: Path) -> bool:
    """Whether another program can write there."""
    with closing(sqlite3.connect(library, timeout=0)) as db:
        try:
            db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        return True


def interrupted_command(run: Run, number: int) -> None:
    """Send a signal to `noughts train`."""
    session = run.session
    session.read_for(2 * run.random.random())
    cpu, since = session.process.taken(), monotonic()
    if session.process.poll() is None:
        run.strike(number)
    run.expect_gone(since, cpu)
    run.expect_left()
    trained = TRAINED.search(session.written)
    run.expect_kept(int(trained[1]) if trained else 0)
    run.expect_code(128 + number, *([] if trained else [-number]))


@contextmanager
def tended(
    warmth: Warm, folder: Path, count: Count, name: str, *, command: bool = False, job: bool = False, broken: str = ""
) -> Iterator[Run]:
    """Run a program in a terminal; all random choices follow from its name. A failed check is a fault."""
    random = Random(name)
    library = folder / f"{name}.sqlite"
    request = {
        "job": job or random.random() < 0.5,
        "record": str(folder / f"{name}.record"),
        "keep_every": 100.0 if broken else random.random() * 0.05,
        "rounds": ALL,
        "broken": broken,
        "environment": {
            "NOUGHTS_LIBRARY": str(library),
            "NOUGHTS_SETTINGS": str(folder / "settings.json"),
            "TERM": "xterm-256color",
        },
    }
    arguments = ["train", "failures", "--games", str(ALL), "--save", "x", "--json"] if command else []
    with closing(Session(warmth, request, *arguments)) as session:
        run = Run(f"{name}, {'in a shell' if request['job'] else 'alone'},", random, session, library, count)
        try:
            yield run
        except AssertionError as error:
            run.expect(right=False, otherwise=str(error))
