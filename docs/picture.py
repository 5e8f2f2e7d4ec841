"""Draws the pictures of the README from the running app: `python docs/picture.py`."""

import asyncio
import re
import tempfile
from pathlib import Path
from random import Random

from textual.pilot import Pilot

from engine import GAMES
from saves.library import Library
from tui.app import NoughtsApp
from tui.jobs import JobState
from tui.widgets.board import Board

HERE = Path(__file__).parent
FONT_FACES = re.compile(r"@font-face \{.*?\}", re.DOTALL)


async def settle(pilot: Pilot[None]) -> None:
    """Let everything that is under way come to rest."""
    for _ in range(8):
        await pilot.pause(0.15)


async def draw() -> None:
    """Play a few moves and take a picture; train and take another."""
    with tempfile.TemporaryDirectory() as folder:
        always = Random(3)  # noqa: S311  the same picture every time
        app = NoughtsApp(Library(Path(folder) / "library"), Path(folder) / "settings", (None, None), GAMES[0], always)
        async with app.run_test(size=(100, 28)) as pilot:
            await settle(pilot)
            board = app.screen.query_one(Board)
            for wanted in (4, 1, 0):  # the centre, then squares that leave something to remember
                square = wanted if wanted in board.open_squares else min(board.open_squares)
                await pilot.press(str(square + 1))
                await settle(pilot)
                if len(board.open_squares) <= 5:
                    break
            keep(app, "play.svg")
            await pilot.press("t")
            await settle(pilot)
            app.screen.query_one("#form-seed").value = "2007"  # type: ignore[attr-defined]
            await pilot.press("g")
            while app.job is None or app.job.view.state is not JobState.FINISHED:
                await pilot.pause(0.1)
            await settle(pilot)
            keep(app, "train.svg")


def keep(app: NoughtsApp, name: str) -> None:
    svg = FONT_FACES.sub("", app.export_screenshot(title="Noughts"))  # no font is fetched from anywhere
    (HERE / name).write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    asyncio.run(draw())
