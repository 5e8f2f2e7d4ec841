"""A program that is killed at any moment loses nothing that it reported as saved, and damages no file."""

import os
import shutil
from collections import Counter
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import sleep

import pytest

import saves.formats
import saves.settings
from saves.errors import LibraryError
from saves.files import PART, write_text
from tests.campaigns.fault_injection import KILL, faulty
from tests.campaigns.file_operations import (
    KINDS,
    LIBRARY,
    LOG_SUFFIXES,
    RECORDS,
    SETTINGS,
    SNAPSHOTS,
    Corrupt,
    ProgramFiles,
    State,
    StateReader,
    perform,
    random_operation,
    states_during,
)
from tests.saves.brains import same
from tests.saves.forks import Forked, say

NEVER = 10**9


def write_in_place(path, text, **_):
    with Path(path).open("w") as file:
        file.write(text)


def run_operations(folder, state, seed, kill_at, defect):
    """Perform random operations until killed: at call number `kill_at`, or from outside if it is `NEVER`."""
    if defect == "writes files in place":
        saves.settings.write_text = saves.formats.write_text = write_in_place
    place, random = ProgramFiles(folder), Random(seed)
    say("begun")
    with faulty() as faults, faults.on(KILL, kill_at):
        for number in count():
            operation = random_operation(random, state)
            if defect == "reports too early":
                say(number)
            perform(place, operation)
            if defect != "reports too early":
                say(number)
            state = states_during(state, operation)[-1]


KILLS = 8
"""The number of programs that are killed on the same files, one after another, without a repair in between."""


class Lost(Exception):
    """A state that differs from the expected ones."""


@dataclass
class Report:
    defect: str
    folders: int = 0
    kills: int = 0
    reported: int = 0
    repairs: int = 0
    """How often a killed program left an unfinished operation to the next one."""
    interrupted: Counter[str] = field(default_factory=Counter)
    """The operations during which programs were killed, by verb."""


@pytest.fixture(scope="module")
def states(in_memory):
    with TemporaryDirectory(dir=in_memory) as name:
        yield StateReader(Path(name))


def operations_reported(process):
    """Count the operations that a program reports until it has been killed."""
    reported = process.stdout.read().count("\n")
    complaint, status = process.stderr.read(), process.wait()
    if complaint or status != -9:
        raise Lost(f"it ended with status {status}: {complaint}")
    return reported


def kill_program(folder, state, random, report):
    """Let a program work, and kill it; return the possible states of its files, and a description for findings.

    It kills itself at a random call that reaches a file, or is killed from outside after a random time.
    """
    seed, kill_at = random.randrange(2**32), random.choice((NEVER, random.randrange(50), random.randrange(800)))
    program = Forked(run_operations, folder, state, seed, kill_at, report.defect)
    assert program.stdout.readline() == "begun\n", program.stderr.read()
    if kill_at == NEVER:
        sleep(random.uniform(0, 0.02))
        program.kill()
    reported, repeated = operations_reported(program), Random(seed)
    for _ in range(reported):
        state = states_during(state, random_operation(repeated, state))[-1]
    operation = random_operation(repeated, state)
    report.kills += 1
    report.reported += reported
    report.interrupted[operation[0]] += 1
    return [state, *states_during(state, operation)], f"at {kill_at}, {reported} reported, then {operation}"


def expect_one_of(states, found):
    if found not in states:
        raise Lost(f"found {found}, expected {' or '.join(map(str, states))}")
    return found


def kill_several_programs(reader, folder, random, report):
    """Kill some programs on the same files; check the files after each, and once more at the end."""
    state, story = State(), ""
    try:
        for _ in range(KILLS):
            states, story = kill_program(folder, state, random, report)
            report.repairs += any((folder / (LIBRARY + log)).exists() for log in LOG_SUFFIXES)
            state = expect_one_of(states, reader.read(folder))
    except (Corrupt, Lost) as error:
        raise type(error)(f"{folder.name}: {error} ({story})") from error
    check_with_next_program(folder, state)


def check_with_next_program(folder, state):
    """Expect that the next program finds everything and can write, and that no unexpected file is left."""
    library = ProgramFiles(folder).library
    names = {entry.name for entry in library.entries() if not entry.gallery}
    games = {game.id: game for game in library.games.read(library.games.numbers())}
    wrong = [
        *(names ^ state.saves.keys()),
        *(games.keys() ^ state.games.keys()),
        *(name for name, key in state.saves.items() if not same(library.load(name), SNAPSHOTS[key])),
        *(number for number, moves in state.games.items() if games[number].record != RECORDS[moves]),
    ]
    if wrong:
        raise Lost(f"at the end these are not as in {state}: {wrong}")
    library.save("later", SNAPSHOTS["few"])
    for part in folder.glob(PART.format("*")):
        os.utime(part, (0, 0))  # made old: a new one stays, since another program may still write it
    write_text(folder / "later.json", "", replace=True)
    expected = {LIBRARY, SETTINGS, "later.json", *state.files}
    if left := {file.name for file in folder.iterdir()} - expected:
        raise Lost(f"at the end these are left: {left}")


def kill_programs(states, kills, seed, defect="none"):
    report = Report(defect)
    while report.kills < kills:
        name = f"seed {seed}, files {report.folders}"
        report.folders += 1
        folder = states.folder / f"{defect}, {name}"
        folder.mkdir()
        kill_several_programs(states, folder, Random(name), report)
        shutil.rmtree(folder)
    return report


@pytest.mark.parametrize("kills", [40, pytest.param(2_000, marks=pytest.mark.campaign(minutes=2))])
def test_a_killed_program_loses_nothing_that_it_reported_as_saved(states, report_line, kills):
    report = kill_programs(states, kills, seed=1)
    report_line(
        f"{report.kills:,} kills, {report.repairs:,} of them left work half done; {report.reported:,} operations "
        "reported: none lost, no library corrupt"
    )
    assert all(report.interrupted[verb] >= kills // 200 for verb in KINDS if kills > 1000)
    assert report.repairs > kills // 4


@pytest.mark.long
@pytest.mark.parametrize("defect", ["reports too early", "writes files in place"])
def test_a_careless_program_is_detected(states, defect):
    with pytest.raises((Corrupt, Lost, LibraryError)):
        kill_programs(states, 60 * KILLS, 1, defect)
