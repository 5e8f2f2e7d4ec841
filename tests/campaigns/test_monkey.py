"""Random keys, clicks and sizes cause no exception, no screen that cannot be left, and no growth of memory."""

import gc
import os
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import count, product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st

from engine.analysis import rating
from engine.game import BadText
from engine.games import GAMES, SMALL_GAMES, parse_game
from engine.stop import never
from engine.trees.tree import Reduction, TreeRules, tree_of
from learners import LEARNERS
from learners.failures.learner import Failures
from learners.genetic.learner import Genetic
from learners.menace.learner import Menace
from learners.papers.thill import EXPERIMENTS, train_and_judge
from learners.players.registry import PLAYERS
from learners.race.measures import judge_policy
from saves import gallery
from saves.encoding.memory import to_rows
from saves.library.library import Library
from tests.campaigns import monkey
from tests.campaigns.monkey import GESTURES, Gesture, MonkeyRun, Step, Trace
from tests.campaigns.mutations import UNHURRIED
from tests.campaigns.watching import LeakWatch, growth, resident_memory, return_free_memory, watching
from tests.random_games import random_match
from tests.saves.brains import boxed, made_up, train
from tui.papers.screen import PapersScreen
from tui.shell.dialog import HelpPage
from tui.shell.process import GC_THRESHOLDS
from tui.tree.screen import TreeScreen

TICTACTOE = parse_game("tictactoe")
GESTURES_OF_AN_APP = 300
"""The gestures that an app gets at full size: some 100 to 200 events."""
FRAME_INTERVAL = 0.15
"""Seconds between two frames: as long as in a slow terminal, since drawing takes most of the time."""
WARM_UP = 0.3
"""The share of the apps at the beginning in which memory may grow, since results are cached."""
APPS_OF_A_ROUND = 40
"""How many apps hypothesis plans for at once. It draws their gestures even after there were enough events."""
SETTLED = 50_000
"""The fewest events of a process whose memory is judged: until then, caches fill at random times."""
MAX_GROWTH = 25.0
"""MB by which memory may grow in 10,000 events after the warm-up."""


@pytest.fixture
def app_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder for the files of the app; garbage collection is configured as in the program."""
    monkeypatch.setattr("textual.screen.UPDATE_PERIOD", FRAME_INTERVAL)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DOWNLOAD_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    here = tmp_path / "a" / "b" / "c"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    pace = gc.get_threshold()
    gc.set_threshold(*GC_THRESHOLDS)
    yield tmp_path
    gc.set_threshold(*pace)


def fill_caches() -> None:
    """Load and compute what the apps would otherwise cache at random times: learners, players, gallery and tables."""
    for kind, game in product(PLAYERS, GAMES):
        if kind.fits(game):
            kind(game).choose(game.start, Random(1))
    for kind, game in product(LEARNERS, SMALL_GAMES):
        few = {"population": 12} if "population" in kind.spec.settings else {}
        for preset in kind.spec.presets_for(game):
            learner = kind(game, preset, 1, few)
            learner.train(2)
            judge_policy(learner.space, learner.policy())
            if not kind.spec.parameters:
                to_rows(game, learner.snapshot().memory)
    for experiment in EXPERIMENTS:  # of a paper on games that are not in the menus
        train_and_judge(replace(experiment, marks=(1,)), 1, lambda _share: None, never)
    for name in gallery.names():
        gallery.load(name)
    for tree in product(SMALL_GAMES, TreeRules, Reduction):
        with suppress(BadText):  # there are no published counts of this tree
            tree_of(*tree).statistics()


def fill_library(path: Path, *, trained: bool) -> None:
    library, random = Library(path), Random(1)
    library.save("an evening in winter", made_up(TICTACTOE, 200))
    library.save("her", boxed())
    if trained:
        library.save("pawns", train(Failures(parse_game("hexapawn"), "literal", 1), 50))
        library.save("riechel, my own", train(Failures(TICTACTOE, "riechel-2007", 1), 300))
        library.save("boxes", train(Menace(TICTACTOE, "michie", 1), 50))
        library.save("a people", train(Genetic(TICTACTOE, "hochmuth", 1, {"population": 20, "until": "end"}), 3))
    for nth, game in enumerate((*GAMES, *GAMES)):
        foe = ("perfect", "save:pawns", "human", "save:gone")[nth % 4]
        match = random_match(game, random, random.choice((None, 3)), ends=True)
        library.games.add(match.record(("human", foe) if nth % 2 else (foe, "human")))


def try_gestures(folder: Path, trace: Trace, events: int, size: int, *, first: int = 1, after=lambda: None) -> None:
    """Send `size` random gestures to app after app until there were enough events; hypothesis reduces those that fail.

    `first` seeds them; `after` is called after each app.
    """
    template = folder / "template.sqlite"
    fill_library(template, trained=size == GESTURES_OF_AN_APP)

    @settings(UNHURRIED, max_examples=APPS_OF_A_ROUND, phases=(Phase.generate, Phase.shrink))
    @given(st.lists(GESTURES, min_size=size // 2, max_size=size), st.integers(0, 9999))
    def test(gestures: list[Gesture], number: int) -> None:
        if trace.count >= events:
            return
        with TemporaryDirectory(dir=folder) as place, watching(folder) as watch:
            shutil.copyfile(template, Path(place, "library.sqlite"))
            MonkeyRun(Path(place), watch, trace, number).run(gestures)
        after()
        assert not watch.findings, "\n".join(watch.findings)

    for each in count(first):
        seed(each)(test)()
        if trace.count >= events:
            return


@pytest.mark.parametrize(
    ("events", "first"),
    [
        pytest.param(80, 1, marks=pytest.mark.long),
        *(pytest.param(None, seed, marks=pytest.mark.campaign(minutes=2)) for seed in (1, 10_001)),
    ],
)
def test_random_input_breaks_nothing(events, first, app_folder, report_line, pytestconfig):
    size = 40 if events else GESTURES_OF_AN_APP
    events = events or pytestconfig.getoption("--events")
    trace, resident = Trace(), []

    def measure() -> None:
        rating._searcher.cache_clear()  # the table of a searcher fills at random, up to a limit
        gc.collect()
        return_free_memory()
        resident.append((trace.count, resident_memory()))

    judges_memory = events >= SETTLED
    if judges_memory:
        fill_caches()
    try_gestures(app_folder, trace, events, size, first=first, after=measure)
    grown = growth(resident, WARM_UP)
    report_line(
        f"{trace.count:,} events in {len(trace.seconds_to_end)} apps ({trace.events['key']:,} keys, "
        f"{trace.events['up']:,} clicks, {trace.events['resize']:,} sizes), {len(trace.screens)} kinds of screens: "
        "nothing broke, "
        f"ended within {max(trace.seconds_to_end):.1f} s"
        + (f", {grown:+.1f} MB per 10,000 events" if judges_memory else "")
    )
    assert len(trace.screens) > 2
    assert not judges_memory or grown < MAX_GROWTH


def run_script(folder: Path, *script: Gesture | Step) -> LeakWatch:
    """Run these steps instead of random ones; return the watch with its findings."""
    with watching(folder) as watch:
        MonkeyRun(folder, watch, Trace(), 1).run(script)
    return watch


@pytest.mark.campaign
def test_a_screen_that_cannot_be_left_is_found_and_reduced(app_folder, monkeypatch):
    monkeypatch.setattr(HelpPage, "action_dismiss", lambda *_: None)
    assert "Escape leaves [HelpPage" in run_script(app_folder, ("key", "f1")).findings[0]
    # Reduced input must do the same again: each key waits for the app, in which nothing else goes on.
    keys = ["down", "up", "left", "right", "tab", "f1"]
    presses = {key: lambda *_, key=key: [("key", key), ("rest", 0.0)] for key in keys}
    monkeypatch.setattr(monkey, "FUNCTIONS", presses)
    monkeypatch.setattr(monkey, "train_in_background", lambda *_: None)
    monkeypatch.setattr("tests.campaigns.test_monkey.GESTURES", st.builds(Gesture, st.sampled_from(keys)))
    with pytest.raises(AssertionError, match=r"Escape leaves \[.*HelpPage") as found:
        try_gestures(app_folder, Trace(), 10**9, 6)
    pressed = re.findall(r"Gesture\(kind='([a-z0-9]+)'|Gesture\('([a-z0-9]+)'", "\n".join(found.value.__notes__))
    assert [key for key in map("".join, pressed) if key != keys[0]] == ["f1"]


@pytest.mark.long
def test_errors_in_the_background_and_in_the_app_are_detected(app_folder, monkeypatch):
    failed = []

    def fails(_screen: object) -> None:
        failed.append(_screen)
        raise ValueError("of no use")

    def fails_behind(screen: TreeScreen) -> None:
        screen.run_worker(partial(fails, screen), thread=True, exit_on_error=False)

    monkeypatch.setattr(TreeScreen, "load", fails_behind)
    monkeypatch.setattr(PapersScreen, "draw", fails)
    in_a_worker, *_, in_the_app = run_script(
        app_folder,
        *(("key", "r"), ("until", lambda app: isinstance(app.screen, TreeScreen) and failed)),
        *(("key", "e"), ("until", lambda app: app.return_code)),
    ).findings
    assert "Worker ERROR" in in_a_worker
    assert "the app broke" in in_the_app
    assert in_a_worker.count("ValueError: of no use") == in_the_app.count("ValueError: of no use") == 1


def test_failing_and_remaining_threads_and_stray_files_are_detected(app_folder, monkeypatch):
    monkeypatch.setattr("tests.campaigns.watching.PATIENCE", 0.02)
    stop, elsewhere = threading.Event(), app_folder.parent / "elsewhere"
    with watching(app_folder) as watch:
        failing, staying = threading.Thread(target=int, args=("x",)), threading.Thread(target=stop.wait)
        failing.start()
        failing.join()
        staying.start()
        watch.wait_for_threads()
        stop.set()
        staying.join()
        (app_folder / "here").write_text("")
        with pytest.raises(PermissionError):
            elsewhere.write_text("")
    elsewhere.write_text("")
    elsewhere.unlink()
    for words, finding in zip(("invalid literal", "is left", "elsewhere"), watch.findings, strict=True):
        assert words in finding


@pytest.mark.long
def test_growing_memory_is_detected():
    kept, resident = [], []
    for nth in range(10):
        kept.append(os.urandom(25_000_000))
        resident.append((5_000 * nth, resident_memory()))
    assert growth(resident, WARM_UP) > MAX_GROWTH
    assert growth([(5_000 * nth, 200.0 + (nth < 2)) for nth in range(10)], WARM_UP) == 0
