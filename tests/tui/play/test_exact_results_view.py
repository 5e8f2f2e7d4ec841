"""The exact results of a machine beside the board."""

import pytest

from engine.evaluate import scoreboard
from engine.game import Side
from engine.games import parse_game
from engine.spaces import space_of
from lab.results.exact_results import exact_of
from lab.results.score_lines import READER_NOTE
from lab.results.tables import by_opponent_text, worst_case_text
from learners import parse_player, revive
from learners.menace.learner import Menace
from learners.players.levels import exact_results
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import train
from tests.tui.piloting import make_app, running, screen_text, seated, text_of, until
from tui.play import views

TICTACTOE = parse_game("tictactoe")
SIZES = [(60, 20), (80, 24), (120, 40)]


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
async def test_the_results_of_the_machine_are_shown_beside_the_board(size):
    app = make_app("tictactoe", "human", "minimax:2")
    exact = scoreboard(space_of(TICTACTOE), parse_player("minimax:2", TICTACTOE).policy())
    async with running(app, size=size) as pilot:
        await until(pilot, lambda: "reader" in text_of(pilot, "#exact-table"))
        told = {side.name.lower(): exact[side.name.lower()] for side in (Side if size[0] >= 120 else [Side.SECOND])}
        sentence = worst_case_text(TICTACTOE, {"second": exact["second"]})
        if not pilot.app.screen.query_one("#exact-table").region:
            await pilot.press("f")
        table = by_opponent_text(TICTACTOE, told, losses_only=size[0] < 80).plain
        await until(pilot, lambda: text_of(pilot, "#exact-table") == f"{sentence}\n{table}\n{READER_NOTE}")
        await pilot.press("s")
        await until(pilot, lambda: text_of(pilot, "#exact-table").startswith("As X "))


@pytest.mark.long
async def test_they_are_computed_once_and_again_when_the_machine_has_learned(monkeypatch):
    sought = []
    monkeypatch.setattr(views, "exact_results", lambda *given: sought.append(given) or exact_results(*given))
    Library(library_path()).save("a", train(Menace(TICTACTOE, "scroggs", 1), 10))
    app = make_app("tictactoe", "human", "save:a")
    async with running(app) as pilot:
        await until(pilot, lambda: "reader" in text_of(pilot, "#exact-table"))
        before = text_of(pilot, "#exact-table")
        await pilot.press("n", "s", "s", "n")
        await pilot.pause()
        assert len(sought) == 1
        learned = revive(train(Menace(TICTACTOE, "scroggs", 1), 500))
        learned.label = "save:a"
        app.screen.session.replace_player(learned)
        app.screen.draw()
        await until(pilot, lambda: text_of(pilot, "#exact-table") not in (before, "…"))
        assert len(sought) == 2
        assert text_of(pilot, "#exact-table").startswith(
            worst_case_text(TICTACTOE, {"second": exact_of(learned)["second"]})
        )


@pytest.mark.long
async def test_there_are_no_results_for_a_large_game_or_without_a_machine():
    async with running(make_app("connectfour", "human", "alphabeta:2"), size=(120, 40)) as pilot:
        await until(pilot, lambda: text_of(pilot, "#exact-table") == "Connect Four is too large for exact results.")
    async with running(make_app("tictactoe", "human", "human"), size=(120, 40)) as pilot:
        await seated(pilot)
        assert "exactly" not in screen_text(pilot)
