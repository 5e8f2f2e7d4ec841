"""What every test shares. No test touches the files of the person who runs it."""

import gc
import os
import signal
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from pathlib import Path

import pytest
from hypothesis import settings

from engine.game import BadText
from lab.pictures.drawing import require_png
from tests.idle_loop import IdleLoop

# a busy machine must not fail a test, nor must chance: what fails once fails again
settings.register_profile("noughts", deadline=None, max_examples=40, derandomize=True, database=None)
settings.load_profile("noughts")
os.environ.pop("PYTHONUNBUFFERED", None)  # a person's Python buffers its output, and so must the programs under test
os.environ.pop("NO_COLOR", None)  # snapshots have colours; Textual reads this when it is imported
gc.set_threshold(50_000, 20, 50)  # at the default rate, garbage collection would take a third of the time

FEW_SEEDS = 3
"""With how many seeds tests judge a player whose search involves chance, unless they say otherwise."""
CAMPAIGN_LINE = "campaign line"
"""The name of the property of a test report that contains the line of a campaign."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let `make campaign events=NUMBER` choose how long the random input is."""
    parser.addoption("--events", type=int, default=50_000, help="random events in each of two processes of a campaign")


def pytest_asyncio_loop_factories() -> Mapping[str, Callable[[], IdleLoop]]:
    """Let tests wait until the event loop has nothing left to do."""
    return {"idle": IdleLoop}


def pytest_collection_finish() -> None:
    """Exempt all objects that exist by now from garbage collection: they stay to the end."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Of the parameter sets of a test that has the mark `sample(few)`, leave a few and mark the others as `long`.

    The ones left are spread evenly over all, so that a sample of learner x game has most learners and most games.
    """
    tests = defaultdict[str, list[pytest.Item]](list)
    for item in items:
        if not item.get_closest_marker("long"):
            tests[item.nodeid.partition("[")[0]].append(item)
    for sets in tests.values():
        if sample := sets[0].get_closest_marker("sample"):
            few = sample.args[0]
            left = {number * len(sets) // few for number in range(few)}
            for item in (item for number, item in enumerate(sets) if number not in left):
                item.add_marker(pytest.mark.long)


@pytest.fixture
def fonts() -> None:
    """Skip a test that draws a PNG where the system has no font."""
    try:
        require_png()
    except BadText as error:
        pytest.skip(str(error))


@pytest.fixture
def asked_briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask an agent less often in each position, and again for a moment only."""
    monkeypatch.setattr("lab.judging.asking.ask_all.PROBES", 2)
    monkeypatch.setattr("lab.judging.asking.ask_all.MOST_SAMPLES", 50)
    monkeypatch.setattr("lab.judging.asking.ask_again.SECONDS", 0.1)
    monkeypatch.setattr("lab.judging.asking.in_games.SECONDS", 0.1)


@pytest.fixture(autouse=True, scope="session")
def _few_seeds() -> Iterator[None]:
    """Most tests list players or compute levels for other reasons than their seeds."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("learners.players.levels.SEEDS", FEW_SEEDS)
        yield


@pytest.fixture
def report_line(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Report in one line what a campaign has counted; `CampaignReport` prints it."""
    return lambda words: record_property(CAMPAIGN_LINE, words)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure() -> None:
    """Let no later collection go through all objects again: pytest has made the one that finds what went wrong last."""
    gc.freeze()


class CampaignReport:
    """Print a line for each campaign as soon as it has ended, with the reason if it failed."""

    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self.terminal = terminal

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" or not {"campaign", "long"} & set(report.keywords):
            return
        words = dict(report.user_properties).get(CAMPAIGN_LINE)
        if words:
            name = Path(report.nodeid.partition("::")[0]).stem.removeprefix("test_").replace("_", " ")
            self.terminal.write_line(f"\n{name:<14} {words}  {report.outcome} in {report.duration:,.0f} s")
        if report.failed:
            self.terminal.write_line(f"\n{report.nodeid}\n{report.longreprtext}")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(CampaignReport(terminal))


def _empty_folders(within: Path) -> Iterator[Path]:
    """Yield an empty folder for each test, a new one if the last was used: thousands take long to make and remove."""
    for number in count():
        folder = within / str(number)
        folder.mkdir()
        while not any(folder.iterdir()):
            yield folder


@pytest.fixture(scope="session")
def _homes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    return _empty_folders(tmp_path_factory.mktemp("homes"))


@pytest.fixture(autouse=True)
def _temporary_home(_homes: Iterator[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    home = next(_homes)
    for name in ("NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NOUGHTS_LIBRARY", str(home / "library.sqlite"))
    monkeypatch.setenv("NOUGHTS_SETTINGS", str(home / "settings.json"))


for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:  # as under nohup; child processes would inherit it
        signal.signal(number, handler)
