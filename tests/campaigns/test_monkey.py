"""Random keys, clicks and sizes cause no exception, no screen that cannot be left, and no growth of memory."""

import gc
import os
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from random import Random

import pytest
from textual.timer import Timer
from textual.widgets import Input, Select
from textual.widgets._select import SelectOverlay

from engine import rating
from engine.game import BadText, Side
from engine.games import GAMES, SMALL_GAMES
from engine.stop import never
from engine.trees.tree import Reduction, TreeRules, tree_of
from lab.board.event_sentences import event_sentences
from lab.board.events import SaveNotLearned
from lab.board.session import Session
from learners import LEARNERS
from learners.papers.thill import EXPERIMENTS, train_and_judge
from learners.players.registry import PLAYERS
from learners.race.measures import judge_policy
from saves import gallery
from saves.encoding.memory import to_rows
from saves.errors import NoSuchSave
from saves.library.library import Library
from tests.campaigns.leak_watch import LeakWatch, allocated_memory, growth, leaked_objects, resident_memory, watching
from tests.campaigns.monkey import Step
from tests.campaigns.monkey_library import fill_library
from tests.campaigns.monkey_run import MonkeyRun, Trace, is_about_deleted_save, shrink_steps
from tests.campaigns.shrinking import shrink
from tests.tui.piloting import running, until
from tui.app import NoughtsApp
from tui.library.screen import LibraryScreen
from tui.papers.screen import PapersScreen
from tui.play.screen import COMMANDS
from tui.shell.dialog import HelpPage, Prompt
from tui.shell.modes import TITLES
from tui.shell.process import THRESHOLDS
from tui.tree.screen import TreeScreen

RUN = 5_000
"""Events of one run, which has its own settings and library, and mostly one app."""
FRAME_INTERVAL = 0.15
"""Seconds between two frames: as long as in a slow terminal, since drawing takes most of the time."""
WARM_UP = 0.3
"""The share of the runs at the beginning in which memory may grow, since results are cached."""
SETTLED = 50_000
"""The fewest events of a process whose memory is judged: until then, caches fill at random times."""
MAX_GROWTH = 25.0
"""MB by which memory may grow in 10,000 events after the warm-up."""
REPORTED_SCREENS = 3
"""How many of the screens that were shown least often are reported."""


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
    gc.set_threshold(*THRESHOLDS)
    yield tmp_path
    gc.set_threshold(*pace)


def fill_caches() -> None:
    """Load and compute what the runs would otherwise cache at random times: learners, players, gallery and tables."""
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


def run(folder: Path, seed: int, events: int) -> Trace:
    """Run the monkey in a folder of its own; fail on any finding. A short run has fewer saves and modes."""
    place, trace, short = folder / str(seed), Trace(seed), events < RUN
    place.mkdir()
    fill_library(Library(place / "library.sqlite"), trained=not short)
    with watching(folder) as watch:
        MonkeyRun(place, watch, trace, events, modes=4 if short else len(TITLES)).run()
    last = "\n".join(map(str, trace.steps[-30:]))
    findings = "\n".join(watch.findings)
    assert not watch.findings, f"seed {seed}, step {len(trace.steps)}, the last of them:\n{last}\n{findings}"
    return trace


@pytest.mark.parametrize(
    ("events", "first"),
    [(150, 1), *(pytest.param(None, seed, marks=pytest.mark.campaign(minutes=10)) for seed in (1, 11))],
)
def test_random_input_breaks_nothing(events, first, app_folder, report_line, pytestconfig):
    events = events or pytestconfig.getoption("--events")
    resident, allocated, screens, kinds, ends, remaining = [], [], Counter(), Counter(), [], Counter()
    if events > RUN:
        fill_caches()
    for seed in range(first, first + max(1, events // RUN)):
        trace = run(app_folder, seed, min(events, RUN))
        screens, kinds, remaining, ends = (
            screens + trace.screens,
            kinds + trace.kinds,
            remaining + trace.leaked_objects,
            ends + trace.ends,
        )
        rating._searcher.cache_clear()  # the table of a searcher fills at random, up to a limit
        gc.collect()
        resident.append((sum(kinds.values()), resident_memory()))
        allocated.append((sum(kinds.values()), allocated_memory()))
    resident_growth, allocated_growth = growth(resident, WARM_UP), growth(allocated, WARM_UP)
    judges_memory = events >= SETTLED
    rarest = ", ".join(f"{name} {times}" for name, times in screens.most_common()[: -REPORTED_SCREENS - 1 : -1])
    report_line(
        f"{sum(kinds.values()):,} events in {len(ends)} apps ({kinds['key']:,} keys, {kinds['up']:,} clicks, "
        f"{kinds['resize']:,} sizes), {len(screens)} kinds of screens (rarest: {rarest}): nothing broke, "
        f"{sum(remaining.values())} widgets of closed screens not yet collected, ended within {max(ends):.1f} s"
        + (f", {resident_growth:+.1f} MB per 10,000 events, in use {allocated_growth:+.1f}" if judges_memory else "")
    )
    assert len(screens) > 3
    assert not judges_memory or (allocated_growth < MAX_GROWTH and resident_growth < MAX_GROWTH)


def is_shown(app: NoughtsApp, kind: type) -> bool:
    """Whether a screen of this kind is open."""
    return isinstance(app.screen, kind)


def run_script(folder: Path, *script: Step) -> LeakWatch:
    """Run these steps instead of random ones; return the watch with its findings."""
    with watching(folder) as watch:
        MonkeyRun(folder, watch, Trace(1), 0, script, modes=0).run_app()
    return watch


@pytest.mark.campaign
def test_a_screen_that_cannot_be_left_is_detected(app_folder, monkeypatch):
    monkeypatch.setattr(HelpPage, "action_dismiss", lambda *_: None)
    assert "Escape leaves [HelpPage" in run_script(app_folder, ("key", "f1")).findings[0]
    assert shrink_steps(Trace(1, [("resize", 60, 20), ("key", "f1")], ends=[0.0]), app_folder) == [("key", "f1")]


@pytest.mark.long
def test_an_export_creates_no_folder(app_folder):
    elsewhere, asked = app_folder.parent / "elsewhere" / "beads.json", []

    def asks_for_this_file(app: NoughtsApp) -> bool:
        asked.extend(app.screen.query(Input))
        return bool(asked) and asked[-1].value == str(elsewhere)

    script = (
        *(
            ("key", "l"),
            ("until", lambda app: is_shown(app, LibraryScreen) and app.screen.is_ready and app.screen.table.entries),
        ),
        *(("key", "X"), ("until", lambda app: is_shown(app, Prompt) and isinstance(app.focused, Input))),
        # Textual runs the binding of ctrl+u after a paste that follows at once, and so would delete what was pasted
        *(("key", "end"), ("key", "ctrl+u"), ("until", lambda app: not app.screen.query_one(Input).value)),
        *(("paste", str(elsewhere)), ("until", asks_for_this_file)),
        *(("key", "enter"), ("rest", 0.5)),
    )
    assert run_script(app_folder, *script).findings == []
    assert not elsewhere.parent.exists()


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
        *(("key", "r"), ("until", lambda app: is_shown(app, TreeScreen) and failed)),
        *(("key", "e"), ("until", lambda app: app._exception)),
    ).findings
    assert "Worker ERROR" in in_a_worker
    assert "the app broke" in in_the_app
    assert in_a_worker.count("ValueError: of no use") == in_the_app.count("ValueError: of no use") == 1


def test_a_save_that_does_not_learn_is_detected_unless_it_was_deleted(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    fill_library(library, trained=False)
    session = Session(GAMES[0], dict.fromkeys(Side), Random(1))

    def message(reason):
        (sentence,) = event_sentences(SaveNotLearned("save:her", reason), session, COMMANDS)
        return sentence

    no_save = message("no save 'her' in the library")
    assert not is_about_deleted_save(no_save, library)
    library.delete("her")
    with pytest.raises(NoSuchSave) as deleted:
        library.load("her")
    assert message(str(deleted.value)) == no_save
    assert is_about_deleted_save(no_save, library)
    assert not is_about_deleted_save(message("the disk is full"), library)


def test_failing_and_remaining_threads_and_stray_files_are_detected(app_folder, monkeypatch):
    monkeypatch.setattr("tests.campaigns.leak_watch.PATIENCE", 0.02)
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


def test_growing_memory_is_detected():
    kept, resident = [], []
    for nth in range(10):
        kept.append(os.urandom(25_000_000))
        resident.append((RUN * nth, resident_memory()))
    assert growth(resident, WARM_UP) > MAX_GROWTH
    assert growth([(RUN * nth, 200.0 + (nth < 2)) for nth in range(10)], WARM_UP) == 0


@pytest.mark.long
@pytest.mark.parametrize("late", [1, 1_000])
def test_a_screen_that_opens_late_is_closed_again_but_not_endlessly(late, app_folder, monkeypatch):
    if late > 1:
        monkeypatch.setattr("tests.campaigns.monkey_run.QUITS", 5)
    quits, asked = NoughtsApp.action_quit, []

    async def quit_or_open(app: NoughtsApp) -> None:
        asked.append(app)
        await quits(app) if len(asked) > late else app.action_help()

    monkeypatch.setattr(NoughtsApp, "action_quit", quit_or_open)
    found = "\n".join(run_script(app_folder).findings)
    assert ("q does not end the app, but opens [HelpPage" in found) is (late > 1)
    assert len(asked) > 1


@pytest.mark.long
def test_an_open_list_below_another_screen_is_closed_as_well(app_folder, monkeypatch):
    leave, lists = MonkeyRun.leave, []

    async def noting(monkey: MonkeyRun, app: NoughtsApp) -> None:
        lists.append(isinstance(app.screen, HelpPage) and isinstance(app.screen_stack[0].focused, SelectOverlay))
        await leave(monkey, app)

    monkeypatch.setattr(MonkeyRun, "leave", noting)
    script = (
        *(("key", "r"), ("until", lambda app: is_shown(app, TreeScreen) and app.screen.statistics is not None)),
        *(("key", "shift+tab"), ("until", lambda app: isinstance(app.focused, Select))),
        *(("key", "enter"), ("until", lambda app: isinstance(app.focused, SelectOverlay))),
        *(("key", "f1"), ("until", lambda app: is_shown(app, HelpPage))),
    )
    assert run_script(app_folder, *script).findings == []
    assert lists == [True]


@pytest.mark.campaign
async def test_objects_of_closed_screens_are_detected():
    async with running() as pilot:
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpPage))
        page = pilot.app.screen
        await pilot.press("escape")
        await until(pilot, lambda: leaked_objects(pilot.app)["HelpPage"] == 1)
        timer = Timer(page, 1.0)
        timer._start()
        assert leaked_objects(pilot.app)["Timer"] == 1
        timer.stop()


def test_a_failing_list_is_reduced_to_the_smallest_part():
    steps = [("key", letter) for letter in "abcdefghijklmnop"]
    asked = []

    def fails(part):
        asked.append(part)
        return ("key", "c") in part and ("key", "n") in part

    assert shrink(steps, fails) == [("key", "c"), ("key", "n")]
    assert len(asked) < 40
