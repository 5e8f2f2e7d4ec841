"""The ways to the screens: each goes there by keys, and waits until the screen has what it shows."""

from saves.library.library import Library
from saves.paths import library_path
from tests.tui.piloting import SteadyPilot
from tui.library.memory_screen import MemoryScreen
from tui.library.screen import LibraryScreen
from tui.race.screen import RaceScreen
from tui.shell.modes import KEYS
from tui.sweep.screen import SweepScreen
from tui.train.screen import TrainScreen
from tui.tree.screen import TreeScreen

App = SteadyPilot


async def open_train(pilot: App) -> None:
    """Wait until it proposes a name."""
    await pilot.press(KEYS["train"])
    await pilot.until(lambda: isinstance(pilot.screen, TrainScreen) and pilot.form["name"])


async def open_library(pilot: App, *names: str) -> None:
    """Wait until these saves are listed, or any."""
    await pilot.press(KEYS["library"])
    await pilot.until(
        lambda: isinstance(pilot.screen, LibraryScreen) and listed(pilot) and set(names) <= set(listed(pilot))
    )


def listed(pilot: App) -> list[str]:
    return [entry.name for entry in pilot.screen.table.entries]


async def look_inside(pilot: App, name: str, snapshot: object = None) -> None:
    """Open the memory of a save; add the save to the library if its snapshot is given."""
    if snapshot is not None:
        Library(library_path()).save(name, snapshot)
    await open_library(pilot, name)
    pilot.screen.table.go_to(listed(pilot).index(name))
    await pilot.press("enter")
    await pilot.until(lambda: isinstance(pilot.screen, MemoryScreen) and pilot.screen.moment)
    assert pilot.screen.save == name


async def open_tree(pilot: App) -> None:
    await pilot.press(KEYS["tree"])
    await pilot.until(lambda: isinstance(pilot.screen, TreeScreen) and pilot.screen.statistics)


async def open_race(pilot: App) -> None:
    """Wait until the first entrants are found."""
    await pilot.press(KEYS["race"])
    await pilot.until(lambda: isinstance(pilot.screen, RaceScreen) and pilot.screen.entrants)


async def open_sweep(pilot: App) -> None:
    """Wait until the opponents are found."""
    await open_race(pilot)
    await pilot.press("W")
    await pilot.arrived(SweepScreen)
    await pilot.until(lambda: "perfect" in pilot.form.fields["opponent"].values)


async def fill(pilot: App, **values: str) -> None:
    """Type texts and choose values in the fields of the form, and let the form adapt to them."""
    for name, value in values.items():
        pilot.enter(**{name: value})
    await pilot.pause()
