"""What every test shares: none touches the files of the person who runs it."""

import gc
import os
import signal

import pytest
from hypothesis import settings

settings.register_profile("noughts", deadline=None)  # a busy machine is no fault
settings.load_profile("noughts")
os.environ.pop("NO_COLOR", None)  # pictures of the screens are taken in colour, also while modules are imported
gc.set_threshold(10_000, 20, 50)  # at its usual pace it takes a third of the time: thousands of tests are no garbage


def pytest_collection_finish() -> None:
    """What is there by now stays to the end: none of it is looked at again for garbage."""
    gc.collect()
    gc.freeze()


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
