"""A program that is killed at any moment loses nothing that it reported as saved, and damages no file."""

import os
import shutil
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import sleep

import pytest

from saves.errors import LibraryError
from saves.files import PART, write_text
from saves.library.library import Library
from tests.campaigns.file_operations import BRAINS, OLD, RECORDS, VERBS, Place, State, draw, steps
from tests.campaigns.file_state import LIBRARY, LOGS, SETTINGS, Corrupt, Lost, look, prepare, read_rows
from tests.campaigns.killed_program import AIMED, BESIDE, work, work_beside
from tests.saves.brains import same
from tests.saves.forks import Forks

KILLS = 8
"""The number of programs that are killed on the same files, one after another, without a repair in between."""


@dataclass
class Report:
    way: str
    begun: int = 0
    kills: int = 0
    told: int = 0
    repairs: int = 0
    """The number of programs that began with an unfinished operation of another one."""
    struck: Counter[str] = field(default_factory=Counter)
    """The deeds in which programs were killed."""
    findings: dict[type[Exception], list[str]] = field(default_factory=lambda: {Corrupt: [], Lost: []})


@dataclass(frozen=True)
class Ground:
    forks: Forks
    folder: Path
    known: dict[object, str]
    """The key of each brain, by its rows in a library and by its text in a file."""


@pytest.fixture(scope="module")
def ground(in_memory):
    with TemporaryDirectory(dir=in_memory) as name, Forks() as forks:
        folder = Path(name)
        yield Ground(forks, folder, prepare(folder))


AIMS = {
    "time": lambda random: (random.uniform(0, 0.01),),
    "tick": lambda random: (random.randrange(1, 500),),
    "file": lambda random: (random.randrange(1, 25),),
    "commit": lambda random: (random.randrange(1, 3), random.uniform(0, 0.002)),
}
"""Where to kill, spread over the first few deeds."""


def told_by(process, seconds):
    """The number of deeds that a program has reported when it is killed, a time after its request."""
    told = 0
    while (line := process.stdout.readline()).endswith("\n"):
        if line == f"{AIMED}\n":
            sleep(seconds)
            process.kill()
        else:
            told += 1
    complaint = process.stderr.read()
    status = process.wait()
    if complaint or status != -9:
        raise Lost(f"it ended with status {status}: {complaint}")
    return told


def kill_one(ground, folder, state, random, report):
    """Let a program work, and kill it; return the possible states of its files, and what it was doing."""
    seed, kind = random.randrange(2**32), random.choice([*AIMS])
    aim = (kind, *AIMS[kind](random))
    told = told_by(ground.forks.start(work, folder, state, seed, aim, report.way), aim[-1])
    deeds = Random(seed)
    for _ in range(told):
        state = steps(state, draw(deeds, state))[-1]
    deed = draw(deeds, state)
    report.kills += 1
    report.told += told
    report.struck[deed[0]] += 1
    return [state, *steps(state, deed)], f"{aim}, {told} told, then {deed}"


def one_of(states, found):
    if found not in states:
        raise Lost(f"there is {found}, and not {' or '.join(map(str, states))}")
    return found


def work_through(ground, folder, random, report):
    """Kill some programs on the same files; check the files after each, and once more at the end."""
    state, version = State(), random.choice([None, *OLD] if random.random() < 0.6 else [None])
    if version:
        shutil.copy(folder.parent / f"version {version}", folder / LIBRARY)
        state = State({f"old {key}": key for key in OLD[version]}, games={1: ""})
    story = f"begun as version {version}"
    beside = ground.forks.start(work_beside, folder / LIBRARY) if random.random() < 0.1 else None
    late, changes = [], 0
    try:
        for _ in range(KILLS):
            states, story = kill_one(ground, folder, state, random, report)
            report.repairs += beside is None and any((folder / (LIBRARY + log)).exists() for log in LOGS)
            found = one_of(states, look(folder, ground.known, alone=beside is None))
            late = [*(late if found.library == state.library else ()), *states[states.index(found) + 1 :]]
            state = found
    except (Corrupt, Lost) as error:
        raise type(error)(f"{error} ({story})") from error
    finally:
        if beside is not None:
            beside.kill()
            changes = told_by(beside, 0)
    if beside is not None:
        # no connection is open any more: unreported work of a killed program may become visible only now
        late = [replace(each, settings=state.settings, files=state.files) for each in late]
        state = one_of([state, *late], look(folder, ground.known))
    if changes:
        report.told += changes
        found = Library(folder / LIBRARY).load(BESIDE).stats["games"]
        if found not in (changes, changes + 1):
            raise Lost(f"of {changes} changes that a program beside them told of, there are {found}")
    finish(folder, state, version, ground.known)


def finish(folder, state, version, known):
    """Expect that the next program finds everything and can write, and that no other file is left."""
    library = Place(folder).library
    names = {entry.name for entry in library.entries() if not entry.gallery} - {BESIDE}
    games = {game.id: game for game in library.kept_games(library.game_numbers())}
    wrong = [
        *(names ^ state.saves.keys()),
        *(games.keys() ^ state.games.keys()),
        *(name for name, brain in state.saves.items() if not same(library.load(name), BRAINS[brain])),
        *(number for number, moves in state.games.items() if moves and games[number].record != RECORDS[moves]),
    ]
    if wrong:
        raise Lost(f"at the end these are not as in {state}: {wrong}")
    library.save("later", BRAINS["few"])
    for part in folder.glob(PART.format("*")):
        os.utime(part, (0, 0))  # only later is it certain that no other program still writes it
    write_text(folder / "later.json", "", replace=True)
    expected = {LIBRARY, SETTINGS, "later.json", *state.files}
    if version:
        copy, first = folder / f"library-version-{version}.sqlite", folder.parent / f"version {version}"
        expected.add(copy.name)
        if not copy.exists() or read_rows(copy, known) != read_rows(first, known):
            raise Lost("at the end there is no copy of what there was at first")
    if left := {file.name for file in folder.iterdir()} - expected:
        raise Lost(f"at the end these are left: {left}")


def campaign(ground, kills, seed, way="carefully"):
    report = Report(way)
    while report.kills < kills:
        name = f"seed {seed}, files {report.begun}"
        report.begun += 1
        folder = ground.folder / f"{way}, {name}"
        folder.mkdir()
        try:
            work_through(ground, folder, Random(name), report)
        except LibraryError as error:
            report.findings[Corrupt].append(f"{name}: {error}")
        except (Corrupt, Lost) as error:
            report.findings[type(error)].append(f"{name}: {error}")
        shutil.rmtree(folder)
    return report


@pytest.mark.parametrize("kills", [40, pytest.param(2_000, marks=pytest.mark.campaign(minutes=2))])
def test_a_killed_program_loses_nothing_that_it_reported_as_saved(ground, tell, kills):
    report = campaign(ground, kills, seed=1)
    corrupt, lost = report.findings.values()
    tell(
        f"{report.kills:,} kills, {report.repairs:,} of them left work half done; {report.told:,} deeds told of: "
        f"{len(lost)} lost, {len(corrupt)} libraries corrupt"
    )
    found = "\n".join(corrupt + lost)
    assert not found, found
    assert all(report.struck[verb] >= kills // 200 for verb in VERBS if kills > 1000)
    assert report.repairs > kills // 4


@pytest.mark.parametrize(
    ("way", "what"),
    [
        ("tells before", Lost),
        ("commits often", Lost),
        *(
            pytest.param(way, Corrupt, marks=pytest.mark.campaign)
            for way in ("writes in place", "writes files in place")
        ),
    ],
)
def test_a_careless_program_is_detected(ground, way, what):
    assert any(campaign(ground, 1, seed, way).findings[what] for seed in range(60))
