"""Draw the pictures of the documentation into docs/pictures: modes and boards of the running app, and a film."""

import asyncio
import os
import re
import tempfile
from functools import partial
from pathlib import Path
from typing import Final

from lab.pictures.films import training_film
from lab.pictures.save_pictures import telling_points
from lab.training.training_story import TrainingStory
from saves import gallery
from tests.idle_loop import IdleLoop
from tests.tui.piloting import SteadyPilot, make_app, running
from tests.tui.states import STATES

PICTURES: Final = {
    "play": ("advice", (100, 28)),
    "train": ("train", (110, 34)),
    "library": ("boxes", (110, 34)),
    "tree": ("tree", (100, 28)),
    "race": ("race", (110, 34)),
    "papers": ("papers", (130, 34)),
    "sweep-screen": ("sweep", (110, 34)),
}
"""For each mode, and for the sweep, the state in which it is shown (a key of STATES), and the size of the terminal."""
BOARDS: Final = {"discs": ("connectfour", "443534"), "heaps": ("nim:3,4,5", "21")}
"""For each kind of board, the game of two people that shows it, and the keys of their moves."""
BOARD_SIZE: Final = (80, 24)
FILMED: Final = "scroggs"
"""The save of the gallery that the film shows."""
FOLDER: Final = Path(__file__).parent / "pictures"
FONT_FACES: Final = re.compile(r"@font-face \{.*?\}", re.DOTALL)


async def draw(name: str) -> None:
    """Write the picture of a mode or a kind of board, drawn by an app with an empty library."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["NOUGHTS_LIBRARY"] = f"{folder}/library.sqlite"
        os.environ["NOUGHTS_SETTINGS"] = f"{folder}/settings.json"
        if name in PICTURES:
            state, size = PICTURES[name]
            app, go = make_app(), STATES[state]
        else:
            game, keys = BOARDS[name]
            app, size, go = make_app(game, "human", "human"), BOARD_SIZE, partial(play, keys=keys)
        async with running(app, size) as pilot:
            await go(pilot)
            await pilot.come_to_rest()
            svg = pilot.app.export_screenshot(title="Noughts")
    svg = FONT_FACES.sub("", svg)  # the picture must not fetch a font from the network
    (FOLDER / f"{name}.svg").write_text(svg, encoding="utf-8")


async def play(pilot: SteadyPilot, keys: str) -> None:
    """Play a move of two people with each key."""
    await pilot.seated("human", "human")
    await pilot.press(*keys)
    await pilot.until(lambda: len(pilot.session.match.moves) == len(keys))


def draw_film() -> None:
    """Write the film of a training; it follows the colours of the browser."""
    story = TrainingStory()
    story.update(gallery.load(FILMED))
    film = training_film(FILMED, story.points, telling_points(story.turning_points, story.points[-1]))
    (FOLDER / "film.svg").write_text(film.svg("auto"), encoding="utf-8")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    draw_film()
    for each in (*PICTURES, *BOARDS):
        with asyncio.Runner(loop_factory=IdleLoop) as runner:
            runner.run(draw(each))
