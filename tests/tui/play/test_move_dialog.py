"""Moves to the same square: the piece is chosen by a key, a button or not at all."""

import pytest
from textual.widgets import Button

from tests.tui.piloting import make_app, running, seated, sees, until
from tui.play.players_dialog import MoveDialog


def moves(pilot):
    (play,) = [screen for screen in pilot.app.screen_stack if hasattr(screen, "table")]
    match = play.table.match
    return [match.game.move_name(move) for move in match.moves]


async def asked(pilot):
    await until(pilot, lambda: isinstance(pilot.app.screen, MoveDialog) and pilot.app.screen.query(Button))


async def test_a_key_chooses_the_piece():
    async with running(make_app("wild", "human", "human")) as pilot:
        await seated(pilot, "human", "human")
        await pilot.press("5")
        await asked(pilot)
        await sees(pilot, "Which move on b2? Press X or O.")
        await pilot.press("o")
        await until(pilot, lambda: moves(pilot) == ["b2o"])


@pytest.mark.long
async def test_a_button_chooses_the_piece_and_escape_chooses_none():
    async with running(make_app("wild", "human", "human")) as pilot:
        await seated(pilot, "human", "human")
        await pilot.press("1")
        await asked(pilot)
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, MoveDialog))
        assert moves(pilot) == []
        await pilot.press("9")
        await asked(pilot)
        await pilot.press("right", "enter")
        await until(pilot, lambda: moves(pilot) == ["c1o"])
        await pilot.press("1")
        await asked(pilot)
        await pilot.click("Button")
        await until(pilot, lambda: moves(pilot) == ["c1o", "a3x"])
