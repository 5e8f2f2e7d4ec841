"""You beside MENACE: the curves are those of the games, and an exercise is played from its position."""

from dataclasses import replace

import pytest

from engine.game import Outcome
from engine.games.tictactoe import TICTACTOE
from engine.match import Record
from lab.review.yourself import curves_of, yourself
from saves.paths import settings_path
from saves.settings import change_settings
from tests.tui.piloting import running
from tui.games.screen import GamesScreen
from tui.games.yourself_screen import YourselfScreen
from tui.play.screen import PlayScreen
from tui.widgets.line_chart import LineChart

LOST = Record(TICTACTOE, ("random", "human"), (4, 0, 6, 1, 2), Outcome.FIRST_WINS)
GIVEN_UP = Record(TICTACTOE, ("random", "human"), (4,), Outcome.FIRST_WINS)


async def open_yourself(pilot):
    await pilot.seated()
    await pilot.press("H")
    await pilot.arrived(GamesScreen)
    await pilot.until(lambda: pilot.screen.selected is not None)
    await pilot.press("m")
    await pilot.arrived(YourselfScreen)
    await pilot.until(lambda: pilot.screen.you is not None)


@pytest.fixture
def library(library):
    for record in (LOST, GIVEN_UP):
        library.games.add(record)
    return library


async def test_curves_and_mistakes_are_yours_an_exercise_is_played_and_without_games_there_is_an_example(library):
    async with running(size=(160, 50)) as pilot:
        await open_yourself(pilot)
        expected = list(curves_of(yourself(library.games, TICTACTOE)))
        chart = pilot.screen.query_one(LineChart)
        await pilot.until(lambda: [series.points for series in chart.series] == expected)
        await pilot.until(lambda: pilot.title_of("#you-game").endswith("was the mistake"))
        due = pilot.screen.due[0]
        await pilot.press("enter")
        await pilot.arrived(PlayScreen)
        await pilot.until(lambda: pilot.screen.table.session.current.practice)
        session = pilot.screen.table.session
        assert session.match.position == due.position
        assert (session.current.aim, session.labels) == (due.value, ("random", "human"))
        library.games.delete_all()
        library.games.add(replace(LOST, players=("human", "human")))
        await pilot.press("H")
        await pilot.arrived(GamesScreen)
        await pilot.until(lambda: pilot.screen.selected is not None)
        await pilot.press("m")
        await pilot.until(lambda: isinstance(pilot.screen, YourselfScreen) and pilot.screen.you is not None)
        await pilot.sees("No games")
        await pilot.until(lambda: pilot.screen.query_one(LineChart).series[0].label.startswith(pilot.screen.you.who))
        assert pilot.screen.you.who != "you"


@pytest.mark.long
@pytest.mark.usefixtures("library")
async def test_no_exercises_are_listed_once_they_are_off():
    change_settings(settings_path(), {"exercises": "off"})
    async with running() as pilot:
        await open_yourself(pilot)
        assert pilot.screen.due == []
        await pilot.press("Q")
        await pilot.until(lambda: pilot.screen.due)
        await pilot.press("Q")
        await pilot.until(lambda: not pilot.screen.due)
        await pilot.press("enter", "escape")
        await pilot.arrived(GamesScreen)
