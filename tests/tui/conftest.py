"""What all tests of the app share: machines that answer at once, and no other screen than the one that is tested."""

import pytest

from tests import libraries
from tests.tui.piloting import make_app, running
from tests.tui.ways import open_race, open_sweep, open_train, open_tree
from tui.app import NoughtsApp
from tui.shell.modes import TITLES

WAYS = {"race": open_race, "sweep": open_sweep, "train": open_train, "tree": open_tree}


@pytest.fixture(autouse=True)
def _quick_machines(monkeypatch):
    """Machines do not pause before they move; a test in which one must not move makes it think for long."""
    for pause in ("THINKING_TIME", "WATCHING_TIME"):
        monkeypatch.setattr(f"tui.play.steps.{pause}", 0.001)


@pytest.fixture(autouse=True)
def _opened_mode(request, monkeypatch):
    """The tests in the folder of a mode open the app there: Play takes longer to open than most others."""
    mode = {"sweep": "race"}.get(request.path.parent.name, request.path.parent.name)
    if mode in TITLES:
        monkeypatch.setattr(NoughtsApp, "DEFAULT_MODE", mode)


@pytest.fixture
def library():
    return libraries.library()


@pytest.fixture
def app():
    return make_app()


@pytest.fixture
async def pilot(app, request):
    """The app at work. In the folder of a mode that takes time to open, it has opened that mode."""
    async with running(app) as pilot:
        if way := WAYS.get(request.path.parent.name):
            await way(pilot)
        yield pilot
