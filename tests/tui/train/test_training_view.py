"""The view of a training: curves, turning points, and the charts that fit."""

import re
from functools import reduce

import pytest
from textual.app import App

from engine.game import Side
from engine.games import parse_game
from lab.jobs import JobState
from lab.memory.card_filter import last_game_cells
from lab.results.exact_results import exact_of, point_at
from lab.text.numbers import percent_text
from lab.training.training_job import FULL_SPEED, PACES, TrainingJob, TrainingStatus
from lab.training.training_story import StoryLine
from learners import parse_learner, parse_player
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import train as trained
from tests.tui.piloting import is_shown, make_app, running, steadily
from tui.library.memory_screen import MemoryScreen
from tui.train.chart_panel import TrainingChart
from tui.train.screen import TrainScreen
from tui.train.story import StoryList, line_text
from tui.train.training_head import summary_text
from tui.widgets.board import BoardView
from tui.widgets.line_chart import LineChart
from tui.widgets.loss_chart import OPPONENTS, loss_points

TICTACTOE = parse_game("tictactoe")
HEXAPAWN = parse_game("hexapawn")


async def show(pilot, learner, rounds, pace=FULL_SPEED, *, paused=False):
    await pilot.press("t")
    await pilot.arrived(TrainScreen)

    def keep(snapshot):
        Library(library_path()).save("a", snapshot, replace=True)

    job = TrainingJob(learner, rounds, "a", pace, keep)
    if paused:
        job.pause()
    pilot.app.train(job)
    return job


async def train(pilot, learner, rounds=300):
    job = await show(pilot, learner, rounds)
    await pilot.until(lambda: not job.view.state.active and pilot.screen.watched.drawn is job.view)
    await pilot.until(lambda: learner.rounds in pilot.screen.watched.story.known)
    await pilot.come_to_rest()


def title(pilot):
    return pilot.train_title


def losses(pilot):
    """The curves of the games lost."""
    return pilot.screen.query_one("#losses", LineChart)


PARTS = {"story": "#story", "now": "#train-now", "boxes": "#train-boxes"}
"""The panels around the chart."""


def shown(pilot):
    selectors = {each.name.lower(): each.value for each in TrainingChart} | PARTS
    return {name for name, selector in selectors.items() if is_shown(pilot.screen.query_one(selector))}


AROUND = {"story", "now", "boxes"}
TURNS = [
    ((60, 20), [{"losses", "story"}, {"exact"}, {"wall"}, {"growth", "story"}]),
    ((80, 24), [{"losses", "story"}, {"exact"}, {"wall"}, {"growth", "story"}]),
    ((120, 40), [{"losses"} | AROUND, {"exact"} | AROUND, {"wall", "story", "now"}, {"growth"} | AROUND]),
]
"""The charts that a key shows one after the other, with the panels around them."""


@pytest.mark.long
@pytest.mark.parametrize(("size", "turns"), TURNS)
async def test_charts_take_turns(size, turns):
    async with running(size=size) as pilot:
        await train(pilot, Menace(TICTACTOE, "scroggs", 1), 50)
        for each in turns:
            await pilot.until(lambda each=each: shown(pilot) == each)
            await pilot.press("m")


@pytest.mark.long
async def test_beside_the_tour_the_turning_points_have_the_place_of_the_game():
    async with running(size=(80, 24)) as pilot:
        await pilot.press("f2")
        await pilot.until(lambda: pilot.app.tour.is_under_way and not pilot.app.tour.seats_pupil)
        await train(pilot, Menace(TICTACTOE, "scroggs", 1), 50)
        await pilot.until(lambda: shown(pilot) == {"losses"} | AROUND - {"now"})
        await pilot.press("f4")
        await pilot.until(lambda: shown(pilot) == {"losses", "story"})


@pytest.mark.long
async def test_boxes_show_the_beads_of_the_last_game_alone():
    learner = Menace(TICTACTOE, "scroggs", 1)
    async with running(size=(120, 40)) as pilot:
        job = await show(pilot, learner, 300, paused=True)
        for games in (1, 2):
            await pilot.until(lambda: job.view.state is JobState.PAUSED and pilot.screen.watched.drawn is job.view)
            before = learner.memory.copy()
            job.step()
            await pilot.until(lambda games=games: job.view.done == games and pilot.screen.watched.drawn is job.view)
            changes = (learner.memory - before)[[*last_game_cells(learner)]].tolist()
            await pilot.until(lambda changes=changes: gains(pilot) == sorted(filter(None, changes)))
        job.resume()
        await pilot.until(lambda: job.view.done == 300 and pilot.screen.watched.drawn is job.view)
        await pilot.until(lambda: gains(pilot) == sorted(filter(None, learner.last_gains)))


@pytest.mark.long
@pytest.mark.parametrize("games", [0, 50_000])
async def test_the_beads_drawn_stand_beside_the_board_each_in_a_line(games):
    learner = Menace(TICTACTOE, "steady", 1)
    learner.train(games)
    async with running(size=(80, 24)) as pilot:
        job = await show(pilot, learner, 300, paused=True)
        await pilot.until(lambda: job.view.state is JobState.PAUSED)
        job.step()
        await pilot.until(lambda: job.view.done == 1 and pilot.screen.watched.drawn is job.view)
        lines = pilot.text_of("#train-board").splitlines()
        assert len(lines) == 3
        assert all(re.search(r" [XO] [abc][123]: [a-z]+(, [\d,]+ of [\d,]+)?$", line.rstrip()) for line in lines)


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "columns", "is_large"),
    [("tictactoe", 120, True), ("tictactoe", 95, False), ("mnk:4,3,3", 120, False), ("mnk:3,6,3+gravity", 120, False)],
)
async def test_the_last_game_is_on_a_large_board_where_there_is_room_for_it(name, columns, is_large):
    game = parse_game(name)
    async with running(size=(columns, 40)) as pilot:
        job = await show(pilot, parse_learner("menace")(game, "steady", 1), 300, paused=True)
        await pilot.until(lambda: job.view.state is JobState.PAUSED)
        job.step()
        await pilot.until(lambda: job.view.done == 1 and pilot.screen.watched.drawn is job.view)
        board = pilot.screen.query_one(BoardView)
        await pilot.until(lambda: is_shown(board) == is_large)
        if is_large:
            assert game.board.cells(board.position) == game.board.cells(played(game, job.view.moves))


def played(game, moves):
    return reduce(game.play, moves, game.start)


def gains(pilot):
    """The beads that boxes gained or lost, as they are drawn in their upper borders."""
    found = re.findall(r"([+−])(\d+)●", pilot.text_of("#newest"))
    return sorted(int(f"{sign}{count}".replace("−", "-")) for sign, count in found)


def test_a_curve_has_the_losses_of_one_side_from_the_first_round_on():
    exact = exact_of(Failures(HEXAPAWN, "literal", 1))
    known = {0: exact, 2: exact, 3: {"second": exact["second"]}}
    assert loss_points(known, Side.FIRST, "random") == [(2, exact["first"].against["random"].loss)]


@pytest.mark.long
async def test_each_curve_ends_with_its_exact_loss_on_either_side():
    learner = Failures(HEXAPAWN, "literal", 1)
    async with running(size=(120, 40)) as pilot:
        await train(pilot, learner, 300)
        exact = point_at(learner.snapshot(), 300).exact
        for side in Side:
            await pilot.until(lambda side=side: title(pilot).startswith(f"Games lost as {HEXAPAWN.mark(side)}"))
            for key, opponent in OPPONENTS.items():
                loss = percent_text(exact[side.name.lower()].against[key].loss)
                await pilot.until(lambda label=f"{opponent.name} {loss}": label in pilot.screen_text)
            await pilot.press("s")


async def test_the_scroll_bar_does_not_cut_the_turning_points():
    class Sample(App[None]):
        def compose(self):
            yield StoryList(id="story")

    async with steadily(Sample(), (40, 6)) as pilot:
        story = pilot.app.query_one(StoryList)
        text = "Game 1: " + "x" * 28 + " as"
        for count in range(1, 9):
            story.show([StoryLine(game, f"{text} {game}"[-40:]) for game in range(count)], "")
            await pilot.pause()
        await pilot.until(lambda: story.show_vertical_scrollbar)
        assert story.virtual_size.height == 8 * 2


async def test_the_end_of_the_turning_points_begins_with_a_whole_one():
    class Sample(App[None]):
        def compose(self):
            yield StoryList(id="story")

    async with steadily(Sample(), (40, 7)) as pilot:
        story = pilot.app.query_one(StoryList)
        story.show([StoryLine(game, f"Game {game}: " + "word " * 12) for game in range(8)], "")
        await pilot.until(lambda: story.scroll_offset.y == 5 * 2)  # of seven lines, three turning points fill six
        await pilot.resize_terminal(40, 5)
        await pilot.until(lambda: story.scroll_offset.y == 6 * 2)
        wrapped = line_text(StoryLine(1, "Game 1: never loses", "①"), pilot.app.console, 10)
        assert [line.rstrip() for line in wrapped.plain.split("\n")] == ["① Game 1:", "  never", "  loses"]


@pytest.mark.long
async def test_turning_points_are_listed_and_open_the_memory_at_their_moment(pilot):
    await train(pilot, Menace(TICTACTOE, "blog-fixed", 1), 200)
    story = pilot.screen.query_one(StoryList)
    points = pilot.screen.watched.story.told
    assert story.option_count == len(points) + 1 > 1
    assert str(story.get_option_at_index(0).prompt).startswith(f"① Game {points[0].rounds:,}: ")
    assert losses(pilot).axes.marks == tuple(point.rounds for point in points)
    assert "draws every game with itself" in " ".join(str(story.get_option_at_index(len(points)).prompt).split())
    story.focus()
    await pilot.press("home", "enter")
    await pilot.until(lambda: isinstance(pilot.screen, MemoryScreen) and pilot.screen.moment is not None)
    assert pilot.screen.moment.rounds >= points[0].rounds
    assert pilot.screen.moment.rounds < 200


@pytest.mark.long
async def test_before_a_training_the_screen_says_how_the_learner_learns(pilot):
    await pilot.press("t")
    await pilot.arrived(TrainScreen)
    story, chart = pilot.screen.query_one(StoryList), losses(pilot)
    await pilot.until(lambda: story.option_count == 1)
    assert chart.axes.rounds == Failures.spec.rounds_for("literal"), "the axis is there before any curve"
    said = str(story.get_option_at_index(0).prompt)
    assert said.startswith(f"Failure-based reasoner: it {Failures.spec.summary}.")


@pytest.mark.long
async def test_curves_and_story_are_updated_during_a_training_and_start_with_the_past_of_a_save(pilot):
    learner = Failures(HEXAPAWN, "literal", 1)
    trained(learner, 200)
    job = await show(pilot, learner, 10**8, PACES[2])
    await pilot.until(lambda: max(pilot.screen.watched.story.known or [0]) > 200)
    assert job.running
    assert [*pilot.screen.watched.story.known][:8] == [0, 1, 2, 5, 10, 20, 50, 100]
    job.pause()
    await pilot.until(lambda: job.view.state is JobState.PAUSED)
    rounds = job.view.snapshot.stats["games"]
    await pilot.until(lambda: rounds in pilot.screen.watched.story.known)


@pytest.mark.long
async def test_before_a_training_in_a_game_without_saves_the_curves_are_those_of_the_untrained_learner():
    async with running(make_app("hexapawn")) as pilot:
        await pilot.press("t")
        await pilot.arrived(TrainScreen)
        await pilot.until(lambda: "untrained" in title(pilot))
        chart = losses(pilot)
        assert all(len({loss for _, loss in each.points}) == 1 for each in chart.series if each.dim)
        before = [each.style for each in chart.series]
        pilot.app.theme = "textual-light"
        await pilot.until(lambda: not {each.style for each in chart.series} & {*before})


@pytest.mark.long
async def test_an_earlier_training_of_the_same_learner_is_shown_before_and_behind_the_curves():
    Library(library_path()).save("older", trained(Failures(TICTACTOE, "literal", 1), 100))
    async with running() as pilot:
        await pilot.press("t")
        await pilot.arrived(TrainScreen)
        await pilot.until(lambda: "older" in title(pilot))
        await pilot.sees("reader")
        await show(pilot, Failures(TICTACTOE, "literal", 2), 50)
        await pilot.resize_terminal(120, 40)
        chart = losses(pilot)
        await pilot.until(lambda: [each.dim for each in chart.series] == [False] * 3 + [True] * 3)
        assert "older" in title(pilot)


@pytest.mark.long
async def test_the_pace_changes_by_a_key(pilot):
    job = await show(pilot, Failures(TICTACTOE, "literal", 1), 10**9, PACES[-1])
    assert pilot.screen.form.pace == FULL_SPEED
    for pace in PACES[1:3]:
        await pilot.press("less_than_sign")
        await pilot.until(lambda pace=pace: job.pace == pace)
    for pace in (PACES[1], FULL_SPEED):
        await pilot.press("greater_than_sign")
        await pilot.until(lambda pace=pace: job.pace == pace)
    await pilot.press("S")
    await pilot.until(lambda: not job.view.state.active)


@pytest.mark.long
async def test_a_changed_rule_branches_the_training_and_both_are_drawn_and_saved():
    async with running(size=(120, 40)) as pilot:
        learner = Menace(TICTACTOE, "scroggs", 1, {"empty": "refill"})
        job = await show(pilot, learner, 10**9, PACES[2])
        await pilot.until(lambda: job.view.done > 1000)
        screen = pilot.screen
        await pilot.until(lambda: is_shown(screen.query_one("#pause")))
        screen.form.fill_from_save(job.view.snapshot, "a")
        field = pilot.form.fields["set"]
        await pilot.until(lambda: not field.disabled)
        await pilot.press("c")
        await pilot.until(lambda: field.has_focus)
        field.value = "empty=refill"
        await pilot.press("enter")
        await pilot.until(lambda: "these are the settings of the training" in pilot.form_error)
        field.value = "empty=refill win=50"
        await pilot.press("enter")
        await pilot.until(lambda: job.branch is not None)
        branched_at = job.branch.view.done
        assert branched_at > 1000
        assert (job.label, job.branch.label) == ("win=3", "win=50")
        await pilot.until(lambda: job.branch.view.done > branched_at)
        await pilot.until(lambda: "win=3 " in pilot.screen_text and "win=50 " in pilot.screen_text)
        before = title(pilot)
        await pilot.press("o")
        await pilot.until(lambda: title(pilot) != before)
        await pilot.press("space")
        await pilot.until(lambda: {job.view.state, job.branch.view.state} == {JobState.PAUSED})
        await pilot.press("S")
        await pilot.until(lambda: not job.running)
        library = Library(library_path())
        assert library.load("a branch").settings["win"] == 50
        assert library.load("a").settings["win"] == 3
        assert library.load("a branch").stats["games"] == job.branch.view.snapshot.stats["games"]


def test_a_continued_training_counts_its_own_games_only():
    learner = Menace(parse_game("tictactoe"), "michie", 1)
    learner.set_opponent(parse_player("random", learner.game))
    learner.train(50)
    began = learner.stats()
    learner.set_opponent(parse_player("perfect", learner.game))
    learner.train(50)
    view = TrainingStatus(JobState.RUNNING, 50, 100, 1.0, learner.snapshot(), began)
    assert began["first_wins"]
    assert "X wins 0 %" in summary_text(view, learner, 100)
