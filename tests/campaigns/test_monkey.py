"""Random keys, clicks and sizes: no exception, no screen that cannot be left, no growth of memory."""

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
from engine.game import BadText
from engine.games import GAMES, SMALL_GAMES
from engine.stop import never
from engine.trees.tree import Reduction, Rules, tree_of
from lab.modes import TITLES
from learners import LEARNERS
from learners.papers.thill import EXPERIMENTS, train_and_judge
from learners.players.registry import PLAYERS
from learners.race.measures import judge
from saves import gallery
from saves.encoding.memory import to_rows
from saves.library.library import Library
from tests.campaigns.leak_watch import Watch, growth, in_use, litter, resident, watching
from tests.campaigns.monkey import Step
from tests.campaigns.monkey_library import fill
from tests.campaigns.monkey_run import Jungle, Trace, of_deleted, shrunk
from tests.campaigns.shrinking import smallest
from tests.tui.piloting import running, until
from tui.app import NoughtsApp
from tui.library.screen import LibraryScreen
from tui.papers.screen import PapersScreen
from tui.shell.interpreter import THRESHOLDS
from tui.shell.page import HelpPage
from tui.shell.prompt import Prompt
from tui.tree.screen import TreeScreen

RUN = 5_000
"""Events of one run: fresh settings, a fresh library, mostly one app."""
FRAME = 0.15
"""Seconds between two frames: few, as in a slow terminal, since drawing takes most of the time."""
WARM = 0.3
"""The share of the runs in which the memory may grow, since results are cached."""
FLAT = 25.0
"""MB by which it may grow in 10,000 events after that."""
RARE = 3
"""The number of the rarest screens that are reported."""


@pytest.fixture
def jungle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folders of the app are temporary; garbage collection is configured as in the program."""
    monkeypatch.setattr("textual.screen.UPDATE_PERIOD", FRAME)
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DOWNLOAD_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    here = tmp_path / "a" / "b" / "c"
    here.mkdir(parents=True)
    monkeypatch.chdir(here)
    pace = gc.get_threshold()
    gc.set_threshold(*THRESHOLDS)
    yield tmp_path
    gc.set_threshold(*pace)


def work_out() -> None:
    """Load the code of learners and players, the gallery and all tables, which the runs would add at random times."""
    for kind, game in product(PLAYERS, GAMES):
        if kind.fits(game):
            kind(game).choose(game.start, Random(1))
    for kind, game in product(LEARNERS, SMALL_GAMES):
        few = {"population": 12} if "population" in kind.spec.settings else {}
        for preset in kind.spec.presets_for(game):
            learner = kind(game, preset, 1, few)
            learner.train(2)
            judge(learner.space, learner.policy())
            if not kind.spec.parameters:
                to_rows(game, learner.snapshot().memory)
    for experiment in EXPERIMENTS:  # the only paper on games that are not in the menus
        train_and_judge(replace(experiment, marks=(1,)), 1, lambda _share: None, never)
    for name in gallery.names():
        gallery.load(name)
    for tree in product(SMALL_GAMES, Rules, Reduction):
        with suppress(BadText):  # which was not published
            tree_of(*tree).statistics()


def run(folder: Path, seed: int, events: int) -> Trace:
    """One run in a folder of its own, which must find no fault; a short run never waits for long."""
    place, trace, short = folder / str(seed), Trace(seed), events < RUN
    place.mkdir()
    fill(Library(place / "library.sqlite"), trained=not short)
    with watching(folder) as watch:
        Jungle(place, watch, trace, events, modes=4 if short else len(TITLES)).live()
    last = "\n".join(map(str, trace.steps[-30:]))
    told = "\n".join(watch.findings)
    assert not watch.findings, f"seed {seed}, step {len(trace.steps)}, the last of them:\n{last}\n{told}"
    return trace


@pytest.mark.parametrize(
    ("events", "first"),
    [(150, 1), *(pytest.param(50_000, seed, marks=pytest.mark.campaign(minutes=30)) for seed in (1, 11))],
)
def test_random_input_breaks_nothing(events, first, jungle, tell):
    held, used, screens, kinds, ends, left = [], [], Counter(), Counter(), [], Counter()
    if events > RUN:
        work_out()
    for seed in range(first, first + max(1, events // RUN)):
        trace = run(jungle, seed, min(events, RUN))
        screens, kinds, left, ends = (
            screens + trace.screens,
            kinds + trace.kinds,
            left + trace.litter,
            ends + trace.ends,
        )
        rating._searcher.cache_clear()  # its table has a limit, and fills at random
        gc.collect()
        held.append((sum(kinds.values()), resident()))
        used.append((sum(kinds.values()), in_use()))
    grown, in_use_grown = growth(held, WARM), growth(used, WARM)
    least = ", ".join(f"{name} {times}" for name, times in screens.most_common()[: -RARE - 1 : -1])
    tell(
        f"{sum(kinds.values()):,} events in {len(ends)} apps ({kinds['key']:,} keys, {kinds['up']:,} clicks, "
        f"{kinds['resize']:,} sizes), {len(screens)} kinds of screens (least: {least}): nothing broke, "
        f"{sum(left.values())} things left over, gone in {max(ends):.1f} s at most, "
        f"{grown:+.1f} MB per 10,000 events, memory in use {in_use_grown:+.1f}"
    )
    assert len(screens) > 3
    assert in_use_grown < FLAT
    assert grown < FLAT


def on(app: NoughtsApp, kind: type) -> bool:
    """Whether a screen of this kind is open."""
    return isinstance(app.screen, kind)


def act(folder: Path, *script: Step) -> Watch:
    """Run these steps instead of random ones; return the finding."""
    with watching(folder) as watch:
        Jungle(folder, watch, Trace(1), 0, script, modes=0).open()
    return watch


@pytest.mark.campaign
def test_a_screen_that_cannot_be_left_is_detected(jungle, monkeypatch):
    monkeypatch.setattr(HelpPage, "action_dismiss", lambda *_: None)
    assert "Escape leaves [HelpPage" in act(jungle, ("key", "f1")).findings[0]
    assert shrunk(Trace(1, [("resize", 60, 20), ("key", "f1")], ends=[0.0]), jungle) == [("key", "f1")]


@pytest.mark.long
def test_an_export_creates_no_folder(jungle):
    elsewhere, asked = jungle.parent / "elsewhere" / "beads.json", []

    def asks_for_this_file(app: NoughtsApp) -> bool:
        asked.extend(app.screen.query(Input))
        return bool(asked) and asked[-1].value == str(elsewhere)

    script = (
        *(
            ("key", "l"),
            ("until", lambda app: on(app, LibraryScreen) and app.screen.is_ready and app.screen.table.entries),
        ),
        *(("key", "X"), ("until", lambda app: on(app, Prompt) and isinstance(app.focused, Input))),
        # Textual runs the binding of ctrl+u after a paste that follows at once, and so would delete what was pasted
        *(("key", "end"), ("key", "ctrl+u"), ("until", lambda app: not app.screen.query_one(Input).value)),
        *(("paste", str(elsewhere)), ("until", asks_for_this_file)),
        *(("key", "enter"), ("rest", 0.5)),
    )
    assert act(jungle, *script).findings == []
    assert not elsewhere.parent.exists()


@pytest.mark.long
def test_errors_in_the_background_and_in_the_app_are_detected(jungle, monkeypatch):
    failed = []

    def fails(_screen: object) -> None:
        failed.append(_screen)
        raise ValueError("of no use")

    def fails_behind(screen: TreeScreen) -> None:
        screen.run_worker(partial(fails, screen), thread=True, exit_on_error=False)

    monkeypatch.setattr(TreeScreen, "load", fails_behind)
    monkeypatch.setattr(PapersScreen, "draw", fails)
    in_a_worker, *_, in_the_app = act(
        jungle,
        *(("key", "r"), ("until", lambda app: on(app, TreeScreen) and failed)),
        *(("key", "e"), ("until", lambda app: app._exception)),
    ).findings
    assert "Worker ERROR" in in_a_worker
    assert "the app broke" in in_the_app
    assert in_a_worker.count("ValueError: of no use") == in_the_app.count("ValueError: of no use") == 1


def test_a_save_that_does_not_learn_is_detected_unless_it_was_deleted(tmp_path):
    library = Library(tmp_path / "library.sqlite")
    fill(library, trained=False)
    message = "her has not learned: no save 'her' in the library"
    assert not of_deleted(message, library)
    library.delete("her")
    assert of_deleted(message, library)
    assert not of_deleted("her has not learned: the disk is full", library)


def test_failing_and_remaining_threads_and_stray_files_are_detected(jungle, monkeypatch):
    monkeypatch.setattr("tests.campaigns.leak_watch.PATIENCE", 0.02)
    stop, elsewhere = threading.Event(), jungle.parent / "elsewhere"
    with watching(jungle) as watch:
        failing, staying = threading.Thread(target=int, args=("x",)), threading.Thread(target=stop.wait)
        failing.start()
        failing.join()
        staying.start()
        watch.wait_for_threads()
        stop.set()
        staying.join()
        (jungle / "here").write_text("")
        with pytest.raises(PermissionError):
            elsewhere.write_text("")
    elsewhere.write_text("")
    elsewhere.unlink()
    for words, finding in zip(("invalid literal", "is left", "elsewhere"), watch.findings, strict=True):
        assert words in finding


def test_growing_memory_is_detected():
    kept, held = [], []
    for nth in range(10):
        kept.append(os.urandom(25_000_000))
        held.append((RUN * nth, resident()))
    assert growth(held, WARM) > FLAT
    assert growth([(RUN * nth, 200.0 + (nth < 2)) for nth in range(10)], WARM) == 0


@pytest.mark.long
@pytest.mark.parametrize("late", [1, 1_000])
def test_a_screen_that_opens_late_is_closed_again_but_not_endlessly(late, jungle, monkeypatch):
    if late > 1:
        monkeypatch.setattr("tests.campaigns.monkey_run.QUITS", 5)
    quits, asked = NoughtsApp.action_quit, []

    async def quit_or_open(app: NoughtsApp) -> None:
        asked.append(app)
        await quits(app) if len(asked) > late else app.action_help()

    monkeypatch.setattr(NoughtsApp, "action_quit", quit_or_open)
    found = "\n".join(act(jungle).findings)
    assert ("q does not end the app, but opens [HelpPage" in found) is (late > 1)
    assert len(asked) > 1


@pytest.mark.long
def test_an_open_list_below_another_screen_is_closed_as_well(jungle, monkeypatch):
    leave, lists = Jungle.leave, []

    async def noting(monkey: Jungle, app: NoughtsApp) -> None:
        lists.append(isinstance(app.screen, HelpPage) and isinstance(app.screen_stack[0].focused, SelectOverlay))
        await leave(monkey, app)

    monkeypatch.setattr(Jungle, "leave", noting)
    script = (
        *(("key", "r"), ("until", lambda app: on(app, TreeScreen) and app.screen.statistics is not None)),
        *(("key", "shift+tab"), ("until", lambda app: isinstance(app.focused, Select))),
        *(("key", "enter"), ("until", lambda app: isinstance(app.focused, SelectOverlay))),
        *(("key", "f1"), ("until", lambda app: on(app, HelpPage))),
    )
    assert act(jungle, *script).findings == []
    assert lists == [True]


@pytest.mark.campaign
async def test_objects_of_closed_screens_are_detected():
    async with running() as pilot:
        await pilot.press("question_mark")
        await until(pilot, lambda: isinstance(pilot.app.screen, HelpPage))
        page = pilot.app.screen
        await pilot.press("escape")
        await until(pilot, lambda: litter(pilot.app)["HelpPage"] == 1)
        timer = Timer(page, 1.0)
        timer._start()
        assert litter(pilot.app)["Timer"] == 1
        timer.stop()


def test_a_failing_list_is_reduced_to_the_smallest_part():
    steps = [("key", letter) for letter in "abcdefghijklmnop"]
    asked = []

    def fails(part):
        asked.append(part)
        return ("key", "c") in part and ("key", "n") in part

    assert smallest(steps, fails) == [("key", "c"), ("key", "n")]
    assert len(asked) < 40
