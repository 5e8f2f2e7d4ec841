"""What every test shares: none touches the files of the person who runs it."""

import gc
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

settings.register_profile("noughts", deadline=None)  # a busy machine is no fault
settings.load_profile("noughts")
os.environ.pop("NO_COLOR", None)  # pictures of the screens are taken in colour, also while modules are imported
gc.set_threshold(50_000, 20, 50)  # at its usual pace it takes a third of the time: thousands of tests are no garbage

TOLD = "told"
"""Under which a report carries what its campaign has counted."""


def pytest_collection_finish() -> None:
    """What is there by now stays to the end: none of it is looked at again for garbage."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def tell(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Tell in a few words what a campaign has counted: at full size they are printed when all is over, a line each."""
    return lambda words: record_property(TOLD, words)


class Lines:
    """Prints a line for each campaign as soon as it is over, and why it failed, if it did: others run on for long."""

    def __init__(self, terminal: pytest.TerminalReporter) -> None:
        self.terminal = terminal

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when != "call" or "campaign" not in report.keywords:
            return
        words = dict(report.user_properties).get(TOLD)
        if words:
            name = Path(report.nodeid.partition("::")[0]).stem.removeprefix("test_").replace("_", " ")
            self.terminal.write_line(f"\n{name:<14} {words}  {report.outcome} in {report.duration:,.0f} s")
        if report.failed:
            self.terminal.write_line(f"\n{report.nodeid}\n{report.longreprtext}")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Lines(terminal))


@pytest.fixture(autouse=True)
def _places_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    for name in ("NO_COLOR", "LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NOUGHTS_LIBRARY", str(home / "library.sqlite"))
    monkeypatch.setenv("NOUGHTS_SETTINGS", str(home / "settings.json"))


for number, handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(number) is signal.SIG_IGN:  # as under nohup, and what was ignored stays so
        signal.signal(number, handler)
