"""A network in the app: trained, inspected in the library, and played against."""

import pytest

from engine.games import parse_game
from lab.jobs import JobState
from lab.training.training_job import FULL_SPEED
from learners.ntuple.learner import NTuple
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import train as trained
from tests.tui.piloting import is_shown, make_app, running, saved
from tests.tui.train.test_training_view import show
from tests.tui.ways import look_inside, open_train
from tui.library.compare_screen import CompareScreen
from tui.train.chart_panel import TrainingChart
from tui.widgets.card_view import CardView
from tui.widgets.wall import Wall

pytestmark = pytest.mark.long
CONNECT_FOUR, TICTACTOE = parse_game("connectfour"), parse_game("tictactoe")


async def test_connect_four_is_offered_to_a_learner_that_fits_and_trained():
    async with running(size=(120, 40)) as pilot:
        await open_train(pilot)
        games = pilot.form.fields["game"]
        assert "connectfour" not in games.values
        await pilot.pick("learner", "ntuple")
        await pilot.until(lambda: "connectfour" in games.values)
        assert "hexapawn" not in games.values
        await pilot.pick("game", "connectfour")
        await pilot.until(lambda: pilot.form["preset"] == "thill")
        await pilot.until(lambda: pilot.form["name"] == "ntuple")
        pilot.enter(rounds="300")
        pilot.enter(pace=FULL_SPEED.label)
        pilot.screen.query_one("#start").focus()
        await pilot.press("g")
        await pilot.until(lambda: saved() == {"ntuple": 300})
        await pilot.until(lambda: "Connect Four is too large for exact results" in pilot.train_title)
        await pilot.until(lambda: pilot.app.job.view.state is JobState.FINISHED)


@pytest.mark.parametrize("game", [CONNECT_FOUR, TICTACTOE], ids=lambda game: game.name)
async def test_every_chart_of_a_training_is_drawn(game):
    learner = NTuple(game, learner_preset(game), 1)
    async with running(size=(80, 24)) as pilot:
        job = await show(pilot, learner, 200)
        await pilot.until(lambda: not job.view.state.active and pilot.screen.watched.drawn is job.view)
        await pilot.come_to_rest()
        charts = [TrainingChart.WALL, TrainingChart.GROWTH]
        charts = [*TrainingChart][:2] + charts if game is TICTACTOE else charts[::-1]
        for chart in (*charts, charts[0]):
            await pilot.until(lambda chart=chart: is_shown(pilot.screen.query_one(chart.value)))
            await pilot.press("m")


def learner_preset(game):
    return NTuple.spec.presets_for(game)[0]


@pytest.mark.parametrize("game", [CONNECT_FOUR, TICTACTOE], ids=lambda game: game.name)
async def test_inside_a_save_its_tuples_are_boards(game):
    frozen = trained(NTuple(game, learner_preset(game), 1), 100)
    async with running(size=(120, 40)) as pilot:
        await look_inside(pilot, "net", frozen)
        screen, wall = pilot.screen, pilot.screen.query_one(Wall)
        view = screen.learner.view
        assert len(screen.edges) == len(view.cards()) > 0
        await pilot.until(lambda: "strongest are good for X if above 0" in " ".join(card_text(pilot).split()))
        panel = screen.query_one("#memory-card")
        assert panel.border_title.startswith(f"Tuple {view.card(wall.edge).caption}")
        await pilot.press("right")
        await pilot.until(lambda: panel.border_title.startswith(f"Tuple {view.card(screen.edges[1]).caption}"))
        await pilot.press("s")
        await pilot.until(lambda: {view.side_of(edge) for edge in screen.edges} == {0})
        await pilot.press("plus", "minus", "slash", "G", "w", "comma", "f")
        await pilot.until(lambda: screen.wanted_rounds == 50 and screen.moment.rounds == 50)
        await pilot.come_to_rest()
        assert not is_shown(screen.query_one("#search"))
        expected = "too large for exact results" if game is CONNECT_FOUR else "Perfect play"
        assert expected in pilot.memory_headline


def card_text(pilot):
    view = pilot.screen.query_one(CardView)
    return pilot.text_of("#memory-moves Static") if is_shown(view) else ""


async def test_at_the_board_a_network_says_what_each_move_is_worth():
    Library(library_path()).save("net", trained(NTuple(CONNECT_FOUR, "thill", 1), 50))
    app = make_app("connectfour", second="save:net")
    async with running(app, size=(120, 40)) as pilot:
        await pilot.press("p")
        await pilot.seated("human", "save:net")
        await pilot.press("f")
        await pilot.sees("Connect Four is too large for exact results")
        await pilot.press("f", "x")
        await pilot.until(lambda: pilot.screen.table.advice.lens_kind == "mind")
        net = pilot.screen.table.session.seats[1]
        await pilot.sees(f"X-ray: {pilot.screen.table.advice.lens.title(CONNECT_FOUR)}")
        answered = CONNECT_FOUR.play(CONNECT_FOUR.start, 3)
        await pilot.press("4")
        await pilot.until(lambda: len(pilot.screen.table.session.match.moves) == 2)
        thoughts = net.thoughts(answered)
        assert [thought.move for thought in thoughts] == list(range(7))
        await pilot.sees(*(thought.words for thought in thoughts))
        best = max(thoughts, key=lambda thought: thought.level)
        await pilot.sees(f"{best.words}, the most of 7")


async def test_two_networks_of_a_large_game_cannot_be_compared_and_the_screen_says_why():
    for seed in (1, 2):
        Library(library_path()).save(f"net {seed}", trained(NTuple(CONNECT_FOUR, "thill", seed), 20))
    async with running() as pilot:
        await pilot.until(lambda: pilot.screen.is_ready)
        pilot.app.push_screen(CompareScreen("net 1", "net 2"))
        await pilot.arrived(CompareScreen)
        await pilot.until(lambda: "too large for exact results" in pilot.text_of("#compare-exact"))
