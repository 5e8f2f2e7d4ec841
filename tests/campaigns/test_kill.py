"""A program that is killed at any moment loses nothing that it reported as saved, and damages no file."""

from collections import Counter
from itertools import islice
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import sleep

import pytest

import saves.formats
import saves.settings
from saves.errors import LibraryError
from tests.campaigns.fault_injection import KILL, faulty
from tests.campaigns.file_operations import (
    KINDS,
    LIBRARY,
    LOG_SUFFIXES,
    Lost,
    ProgramFiles,
    ProgramMachine,
    StateReader,
    perform,
    random_operation,
    states_during,
)
from tests.saves.forks import Forked, say

NEVER = 10**9
KILLS = 20
"""The number of programs that are killed on the same files, one after another, without a repair in between."""


def random_steps(seed, state):
    """Yield random operations on these files without end, each with the states that it leads through."""
    random = Random(seed)
    while True:
        operation = random_operation(random, state)
        states = states_during(state, operation)
        yield operation, states
        state = states[-1]


def write_in_place(path, text, **_):
    with Path(path).open("w") as file:
        file.write(text)


def run_operations(folder, state, seed, kill_at, defect):
    """Perform random operations until killed: at call number `kill_at`, or from outside if it is `NEVER`."""
    if defect == "writes files in place":
        saves.settings.write_text = saves.formats.write_text = write_in_place
    place = ProgramFiles(folder)
    say("begun")
    with faulty() as faults, faults.on(KILL, kill_at):
        for operation, _ in random_steps(seed, state):
            if defect == "reports too early":
                say("done")
            perform(place, operation)
            if defect != "reports too early":
                say("done")


class Report:
    def __init__(self, defect="none") -> None:
        self.defect = defect
        self.reported = self.repairs = 0
        """The operations that were reported, and how often a killed program left one unfinished to the next."""
        self.interrupted = Counter()


class Killed(ProgramMachine):
    """Programs that are killed: each kills itself at a call that reaches a file, or is killed at a random moment."""

    def __init__(self, reader, report) -> None:
        super().__init__(reader)
        self.report = report

    def kill(self, seed):
        """Let a program work, and kill it. All is drawn by its seed."""
        self.failing = True
        random = Random(b"kill" + seed)
        kill_at = random.choice((NEVER, random.randrange(50), random.randrange(800)))
        program = Forked(run_operations, self.folder, self.state, seed, kill_at, self.report.defect)
        assert program.stdout.readline() == "begun\n", program.stderr.read()
        if kill_at == NEVER:
            sleep(random.uniform(0, 0.02))
            program.kill()
        reported = program.stdout.read().count("\n")
        complaint, status = program.stderr.read(), program.wait()
        if complaint or status != -9:
            raise Lost(f"it ended with status {status}: {complaint}")
        *done, (operation, states) = islice(random_steps(seed, self.state), reported + 1)
        before = done[-1][1][-1] if done else self.state
        self.report.reported += reported
        self.report.interrupted[operation[0]] += 1
        self.report.repairs += any((self.folder / (LIBRARY + log)).exists() for log in LOG_SUFFIXES)
        self.expect([before, *states], f"killed at {kill_at}, {reported} reported, then {operation}")
        self.failing = False


@pytest.fixture(scope="module")
def reader(in_memory):
    with TemporaryDirectory(dir=in_memory) as name:
        yield StateReader(Path(name))


def kill_programs(reader, report, kills):
    """Kill this many programs or a few more, always `KILLS` of them on the same files."""
    random = Random(1)
    while report.interrupted.total() < kills:
        programs = Killed(reader, report)
        try:
            for _ in range(KILLS):
                programs.kill(random.randbytes(8))
        finally:
            programs.teardown()


@pytest.mark.parametrize("kills", [40, pytest.param(2_000, marks=pytest.mark.campaign(minutes=2))])
def test_a_killed_program_loses_nothing_that_it_reported_as_saved(reader, report_line, kills):
    report = Report()
    kill_programs(reader, report, kills)
    report_line(
        f"{report.interrupted.total():,} kills, {report.repairs:,} of them left work half done; "
        f"{report.reported:,} operations reported: none lost, no library corrupt"
    )
    assert report.interrupted.total() >= kills
    assert all(report.interrupted[verb] >= kills // 200 for verb in KINDS if kills > 1000)
    assert report.repairs > kills // 4


@pytest.mark.long
@pytest.mark.parametrize("defect", ["reports too early", "writes files in place"])
def test_a_careless_program_is_detected(reader, defect):
    with pytest.raises((Lost, LibraryError)):
        kill_programs(reader, Report(defect), 3_000)
