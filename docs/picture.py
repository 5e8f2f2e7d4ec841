"""Draws the pictures of the README from the running app: `python docs/picture.py`."""

import asyncio
import re
import tempfile
from pathlib import Path
from random import Random

from textual.pilot import Pilot
from textual.widgets import Input, Select

from engine.games import GAMES
from lab.modes import KEYS
from lab.training.training_job import JobState
from saves.library.library import Library
from tui.app import NoughtsApp
from tui.widgets.board import Board

HERE = Path(__file__).parent
FONT_FACES = re.compile(r"@font-face \{.*?\}", re.DOTALL)


async def settle(pilot: Pilot[None]) -> None:
    """Let everything that is under way come to rest."""
    for _ in range(8):
        await pilot.pause(0.15)


def app_in(folder: str) -> NoughtsApp:
    """The app with a library of its own."""
    always = Random(3)  # noqa: S311  the same picture every time
    return NoughtsApp(Library(Path(folder) / "library"), Path(folder) / "settings", (None, None), GAMES[0], always)


async def train(pilot: Pilot[None], learner: str, seed: str) -> None:
    """Train a learner as the form proposes it, to the end."""
    app = pilot.app
    await pilot.press("t")
    await settle(pilot)
    app.screen.query_one("#form-learner", Select).value = learner
    await settle(pilot)
    app.screen.query_one("#form-seed", Input).value = seed
    await pilot.press("g")
    while app.job is None or app.job.view.state is not JobState.FINISHED:  # type: ignore[attr-defined]
        await pilot.pause(0.1)
    await settle(pilot)


async def draw() -> None:
    """Play a few moves and take a picture; train two learners and take one of each."""
    with tempfile.TemporaryDirectory() as folder:
        app = app_in(folder)
        async with app.run_test(size=(100, 28)) as pilot:
            await settle(pilot)
            board = app.screen.query_one(Board)
            for wanted in (4, 1, 0):  # the centre, then squares that leave something to remember
                square = wanted if wanted in board.open_squares else min(board.open_squares)
                await pilot.press(str(square + 1))
                await settle(pilot)
                if len(board.open_squares) <= 5:
                    break
            await pilot.press("x")
            await settle(pilot)
            keep(app, "play.svg")
            await pilot.press("x", "x")
            await debrief(pilot)
            keep(app, "debrief.svg")
            await pilot.press("escape")
            await train(pilot, "failures", "2007")
            keep(app, "train.svg")
        app = app_in(folder)
        async with app.run_test(size=(120, 36)) as pilot:
            await train(pilot, "genetic", "12")
            keep(app, "evolution.svg")
            await rewind(pilot)
            keep(app, "rewind.svg")
            await wall(pilot)
            keep(app, "wall.svg")
            await tree(pilot)
            keep(app, "tree.svg")
            await race(pilot)
            keep(app, "race.svg")
            await rerun(pilot)
            keep(app, "papers.svg")


async def rewind(pilot: Pilot[None]) -> None:
    """Take the machine of the gallery back to its fiftieth game."""
    await pilot.press(KEYS["library"])
    await settle(pilot)
    names = [entry.name for entry in pilot.app.screen.table.entries]  # type: ignore[attr-defined]
    await pilot.press("home", *["down"] * names.index("michie"), "enter")
    await settle(pilot)
    await pilot.press("comma", "comma", "comma", "right", "right")
    await settle(pilot)


async def debrief(pilot: Pilot[None]) -> None:
    """Play the game to its end, not too well, and go through it."""
    board = pilot.app.screen.query_one(Board)
    while board.open_squares:
        await pilot.press(str(min(board.open_squares) + 1))
        await settle(pilot)
    await pilot.press("d")
    await settle(pilot)


async def wall(pilot: Pilot[None]) -> None:
    """Look inside the machine of the gallery as it is now, at one of its boxes."""
    await pilot.press("full_stop", "full_stop", "full_stop")
    await settle(pilot)


async def tree(pilot: Pilot[None]) -> None:
    """Open the tree of the game a few moves deep."""
    await pilot.press("escape", KEYS["tree"])
    await settle(pilot)
    await pilot.press("down", "right", "right", "down", "right")
    await settle(pilot)


async def race(pilot: Pilot[None]) -> None:
    """Let the first line-up race to the end."""
    app = pilot.app
    await pilot.press(KEYS["race"])
    await settle(pilot)
    await pilot.press("g")
    await settle(pilot)
    while app.race is None or app.race.running:  # type: ignore[attr-defined]
        await pilot.pause(0.1)
    await settle(pilot)


async def rerun(pilot: Pilot[None]) -> None:
    """Re-run the first paper."""
    app = pilot.app
    await pilot.press(KEYS["papers"])
    await settle(pilot)
    await pilot.press("g")
    await settle(pilot)
    while app.papers.running:  # type: ignore[attr-defined]
        await pilot.pause(0.1)
    await settle(pilot)


def keep(app: NoughtsApp, name: str) -> None:
    svg = FONT_FACES.sub("", app.export_screenshot(title="Noughts"))  # no font is fetched from anywhere
    (HERE / name).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(draw())
