"""A key means the same on every screen."""

from importlib import import_module
from pathlib import Path

import pytest
from textual.binding import BindingsMap

import tui
from lab.modes import KEYS
from tui.shell.screen import LabScreen

MEANINGS = {
    "d": {"Debrief", "Back"},  # again, it closes the debrief
    "s": {"Side", "Other side", "Swap sides"},
    "u": {"Undo"},
    "v": {"Play"},
    "delete": {"Delete", "Remove"},
}


def kinds(kind=LabScreen):
    """All screens below a class."""
    return [each for below in kind.__subclasses__() for each in (below, *kinds(below))]


@pytest.fixture(scope="module")
def bound():
    """For each key, what it does on the screens, and where."""
    root = Path(tui.__file__).parent
    for file in root.rglob("*_screen.py"):
        import_module(".".join(file.relative_to(root.parent).with_suffix("").parts))
    for file in root.rglob("screen.py"):
        import_module(".".join(file.relative_to(root.parent).with_suffix("").parts))
    found = {}
    for kind in kinds():
        for key, bindings in BindingsMap(kind.__dict__.get("BINDINGS", ())).key_to_bindings.items():
            for binding in bindings:
                found.setdefault(key, {}).setdefault(binding.description, []).append(kind.__name__)
    return found


@pytest.mark.parametrize("key", MEANINGS)
def test_a_common_key_means_one_thing_on_every_screen(bound, key):
    assert bound[key].keys() == MEANINGS[key]


@pytest.mark.parametrize("mode", KEYS)
def test_no_screen_takes_the_key_of_a_mode(bound, mode):
    assert KEYS[mode] not in bound
