"""The debrief: what decided a game, how to move through it, and playing on from a position."""

from threading import Event

import pytest
from textual.widgets import OptionList

from engine.analysis.debrief import debrief
from engine.games import GAMES, find_game
from engine.notation import parse_game_text
from engine.space import TooLarge
from lab.board.session import GameReview
from lab.review.debrief import verdict_parts
from tests.tui.piloting import DEADLINE, is_shown, make_app, running, two_people
from tui.games.debrief_screen import DebriefScreen
from tui.games.screen import GamesScreen
from tui.library.memory_screen import MemoryScreen
from tui.play.screen import PlayScreen
from tui.shell.dialog import HelpPage
from tui.widgets.board import BoardView
from tui.widgets.copy_dialog import CopyDialog
from tui.widgets.line_chart import LineChart


@pytest.fixture(autouse=True)
def _quick_machines(monkeypatch):
    monkeypatch.setattr("tui.games.debrief_screen.STEP", 0.01)


async def opened(pilot, review):
    await pilot.arrived(PlayScreen)
    went_on = []
    pilot.app.push_screen(DebriefScreen(review), went_on.append)
    await pilot.until(lambda: isinstance(pilot.screen, DebriefScreen) and pilot.screen.is_evaluated)
    await pilot.until(lambda: len(pilot.screen.seats) == 2)
    return went_on


def told(pilot, part):
    """What the debrief tells: the "ending" of the game, the "verdict" on it, or the "turn" that is shown."""
    return pilot.text_of(f"#debrief-{part}")


def review(text, labels=("human", "save:michie"), chances=()):
    return GameReview(parse_game_text(text, find_game, GAMES[0]), labels, chances)


async def test_a_debrief_opens_at_the_decisive_mistake_and_steps_through_the_game():
    chances = [None, 0.5, None, 0.125, None]
    async with running(size=(120, 40)) as pilot:
        await opened(pilot, review("a2 c2 a3 c1 a1", chances=chances))
        assert pilot.screen.ply == 4
        assert told(pilot, "ending") == "X (you) win with the left column."
        assert told(pilot, "verdict").startswith("Decided by move 4, O c1: it threw the draw away.")
        assert "X threatened a1 in the left column, and the move did not stop it." in told(pilot, "turn")
        assert pilot.screen.query_one(OptionList).highlighted == 4
        for key, ply in (
            ("right", 5),
            ("right", 5),
            ("left", 4),
            ("up", 3),
            ("home", 0),
            ("N", 4),
            ("N", 4),
            ("end", 5),
        ):
            await pilot.press(key)
            await pilot.until(lambda ply=ply: pilot.screen.ply == ply)
        assert await pilot.click("#debrief-moves", offset=(4, 2))  # the second move
        await pilot.until(lambda: pilot.screen.ply == 2)
        await pilot.press("end")
        board = pilot.screen.query_one(BoardView)
        assert board.position == pilot.screen.match.position
        assert board.row == (0, 3, 6)
        await pilot.press("space")  # from the beginning to the end by itself
        await pilot.until(lambda: pilot.screen.ply == 5 and pilot.screen.replaying is None)
        chart = pilot.screen.query_one(LineChart)
        await pilot.until(lambda: is_shown(chart) and chart.series)
        await pilot.click(chart, offset=(0, 2))
        await pilot.until(lambda: pilot.screen.ply == 0)
        await pilot.click(chart, offset=(chart.size.width - 1, 2))
        await pilot.until(lambda: pilot.screen.ply == 5)
        await pilot.press("escape")
        await pilot.arrived(PlayScreen)


@pytest.mark.long
async def test_a_replay_stops_behind_a_dialog(pilot, monkeypatch):
    monkeypatch.setattr("tui.games.debrief_screen.STEP", 1)
    await opened(pilot, review("a2 c2 a3 c1 a1"))
    debrief = pilot.screen
    await pilot.press("home", "space")
    await pilot.until(lambda: debrief.replaying is not None)
    await pilot.press("question_mark")
    await pilot.until(lambda: isinstance(pilot.screen, HelpPage))
    await pilot.until(lambda: debrief.replaying is None)
    assert debrief.ply < 5


@pytest.mark.long
async def test_the_evaluation_does_not_move_a_user_who_went_to_another_move(pilot):
    await opened(pilot, review("a2 c2 a3 c1 a1"))
    turns = pilot.screen.turns
    for key, at, ply in (("home", 0, 0), ("end", 5, 4)):
        await pilot.press(key)
        await pilot.until(lambda at=at: pilot.screen.ply == at)
        pilot.screen.show_turns((turns, ("known by now",)))
        await pilot.pause()  # until the list has said which of its new lines is under the cursor
        assert pilot.screen.ply == ply
    assert told(pilot, "verdict") == "known by now"


async def test_the_last_mistake_is_named_while_the_moves_before_are_evaluated(pilot, monkeypatch):
    reviewed, goes_on = review("a2 c2 a3 c1 a1"), Event()
    turns = debrief(reviewed.match)

    def steps(*_):
        yield turns[3:], True
        assert goes_on.wait(DEADLINE)
        yield turns, False

    monkeypatch.setattr("tui.games.debrief_screen.debrief_in_steps", steps)
    await pilot.arrived(PlayScreen)
    pilot.app.push_screen(DebriefScreen(reviewed))
    await pilot.arrived(DebriefScreen)
    try:
        await pilot.sees("2 of 5")
        assert pilot.screen.turns == turns[3:]
        assert told(pilot, "verdict").startswith(verdict_parts(reviewed.match, turns[3:])[0])
        assert pilot.screen.ply == 4
    finally:
        goes_on.set()
    await pilot.until(lambda: pilot.screen.is_evaluated)


async def test_a_game_that_cannot_be_evaluated_says_why(pilot, monkeypatch):
    def steps(*_):
        raise TooLarge("too large")
        yield

    monkeypatch.setattr("tui.games.debrief_screen.debrief_in_steps", steps)
    await pilot.arrived(PlayScreen)
    pilot.app.push_screen(DebriefScreen(review("a2 c2 a3 c1 a1")))
    await pilot.arrived(DebriefScreen)
    await pilot.sees("Not evaluated: too large")
    assert not told(pilot, "turn")


@pytest.mark.long
async def test_the_debrief_shows_the_x_ray_opens_the_memory_and_plays_on(pilot):
    went_on = await opened(pilot, review("a2 c2 a3 c1 a1", ("save:michie", "human")))
    await pilot.press("home", "x")
    await pilot.until(lambda: pilot.screen.query_one(BoardView).notes)
    assert "what michie would play" in str(pilot.screen.query_one("#debrief-left").border_subtitle)
    await pilot.press("J")
    await pilot.until(lambda: isinstance(pilot.screen, MemoryScreen) and pilot.screen.edges)
    assert len(pilot.screen.edges) == 1  # the box of the empty board
    await pilot.press("escape")
    await pilot.arrived(DebriefScreen)
    await pilot.press("end", "enter")
    assert pilot.shown_messages[-1].startswith("The game is over here")
    await pilot.press("left", "enter")
    await pilot.until(lambda: went_on)
    match, labels, aim = went_on[0]
    assert (len(match.moves), match.outcome, labels, aim) == (4, None, ("save:michie", "human"), None)


@pytest.mark.long
async def test_playing_on_from_a_game_keeps_the_opponent():
    async with two_people(size=(60, 20)) as pilot:
        await pilot.press("d")
        assert pilot.screen.check_action("debrief", ()) is None
        for key in ("4", "6", "1", "9", "7"):
            await pilot.press(key)
        await pilot.until(lambda: pilot.screen.session.points == [1, 0])
        await pilot.press("d")
        await pilot.until(lambda: isinstance(pilot.screen, DebriefScreen) and pilot.screen.is_evaluated)
        assert is_shown(pilot.screen.query_one("#debrief-turn"))
        await pilot.press("left", "enter")
        await pilot.arrived(PlayScreen)
        assert (len(pilot.screen.session.match.moves), pilot.screen.session.current.practice) == (3, True)
        assert pilot.screen.session.points == [1, 0]
        await pilot.press("H")
        await pilot.until(lambda: isinstance(pilot.screen, GamesScreen) and pilot.screen.selected)
        await pilot.press("enter")
        await pilot.until(lambda: isinstance(pilot.screen, DebriefScreen) and pilot.screen.is_evaluated)
        await pilot.press("C")
        await pilot.arrived(CopyDialog)
        await pilot.press("escape")
        await pilot.arrived(DebriefScreen)
        await pilot.press("home", "right", "enter")
        await pilot.arrived(PlayScreen)
        await pilot.until(lambda: len(pilot.screen.session.match.moves) == 1)


@pytest.mark.long
async def test_a_long_verdict_leaves_room_for_the_moves_and_can_be_scrolled(pilot):
    await opened(pilot, review("connectfour d e d d c c c e e", ("human", "human")))  # six mistakes
    summary, moves, words = (pilot.screen.query_one(f"#debrief-{part}") for part in ("summary", "list", "words"))
    await pilot.until(summary.allow_focus)
    assert summary.max_scroll_y > 0
    await pilot.until(lambda: min(moves.content_size.height, words.content_size.height) >= 3)


@pytest.mark.long
async def test_a_large_game_of_a_deleted_machine_can_be_reviewed(pilot):
    await opened(pilot, review("connectfour a b a b a b a", ("human", "save:gone")))
    assert pilot.screen.seats == (None, None)
    assert told(pilot, "ending") == "● (you) win with column a."
    await pilot.press("J")
    assert pilot.shown_messages[-1] == "No machine with a memory played here."
    await pilot.press("home", "right")
    await pilot.until(lambda: pilot.screen.ply == 1 and "20 moves" in told(pilot, "turn"))


async def test_the_app_opens_with_a_debrief_a_mistake_is_retried_and_a_game_without_a_move_has_no_empty_panel():
    app = make_app()
    app.review = review("a2 a3 b2 b3 c2", labels=("human", "human"))
    async with running(app, (120, 40)) as pilot:
        await pilot.until(lambda: isinstance(pilot.screen, DebriefScreen) and pilot.screen.is_evaluated)
        assert told(pilot, "verdict").startswith("Decided by move 4, O b3")
        await pilot.press("escape")
        went_on = await opened(pilot, review("a2 c2 a3 c1 a1"))
        before = pilot.screen.match.moves[: pilot.screen.ply - 1]
        await pilot.press("Z")
        await pilot.until(lambda: went_on)
        assert went_on[0].match.moves == before
        await pilot.arrived(PlayScreen)
        pilot.app.push_screen(DebriefScreen(review("resigned")))
        await pilot.until(lambda: "X resigned where" in told(pilot, "verdict"))
        panels = [each.id for each in pilot.screen.query(".panel") if is_shown(each)]
        assert panels == ["debrief-left", "debrief-summary", "debrief-list"]
        assert not is_shown(pilot.screen.query_one(LineChart))
