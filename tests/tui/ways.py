"""The ways to the screens: each goes there by keys, and waits until the screen has what it shows."""

from textual.pilot import Pilot

from saves.library.library import Library
from saves.paths import library_path
from tests.tui.piloting import arrived, enter, form_of, until
from tui.library.memory_screen import MemoryScreen
from tui.library.screen import LibraryScreen
from tui.race.screen import RaceScreen
from tui.shell.modes import KEYS
from tui.sweep.screen import SweepScreen
from tui.train.screen import TrainScreen
from tui.tree.screen import TreeScreen

App = Pilot[None]


async def open_train(pilot: App) -> None:
    """Wait until it proposes a name."""
    await pilot.press(KEYS["train"])
    await until(pilot, lambda: isinstance(pilot.app.screen, TrainScreen) and form_of(pilot)["name"])


async def open_library(pilot: App, *names: str) -> None:
    """Wait until these saves are listed, or any."""
    await pilot.press(KEYS["library"])
    await until(
        pilot,
        lambda: isinstance(pilot.app.screen, LibraryScreen) and listed(pilot) and set(names) <= set(listed(pilot)),
    )


def listed(pilot: App) -> list[str]:
    return [entry.name for entry in pilot.app.screen.table.entries]


async def look_inside(pilot: App, name: str, snapshot: object = None) -> None:
    """Open the memory of a save; add the save to the library if its snapshot is given."""
    if snapshot is not None:
        Library(library_path()).save(name, snapshot)
    await open_library(pilot, name)
    pilot.app.screen.table.go_to(listed(pilot).index(name))
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, MemoryScreen) and pilot.app.screen.moment)
    assert pilot.app.screen.save == name


async def open_tree(pilot: App) -> None:
    await pilot.press(KEYS["tree"])
    await until(pilot, lambda: isinstance(pilot.app.screen, TreeScreen) and pilot.app.screen.statistics)


async def open_race(pilot: App) -> None:
    """Wait until the first entrants are found."""
    await pilot.press(KEYS["race"])
    await until(pilot, lambda: isinstance(pilot.app.screen, RaceScreen) and pilot.app.screen.entrants)


async def open_sweep(pilot: App) -> None:
    """Wait until the opponents are found."""
    await open_race(pilot)
    await pilot.press("W")
    await arrived(pilot, SweepScreen)
    await until(pilot, lambda: "perfect" in form_of(pilot).fields["opponent"].values)


async def fill(pilot: App, **values: str) -> None:
    """Type texts and choose values in the fields of the form, and let the form adapt to them."""
    for name, value in values.items():
        enter(pilot, **{name: value})
    await pilot.pause()
