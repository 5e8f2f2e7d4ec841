"""The debrief: what decided a game, how to move through it, and playing on from a position."""

import pytest
from textual.widgets import OptionList

from engine.games import GAMES, find_game
from engine.notation import parse_game_text
from lab.board.session import GameReview
from tests.tui.piloting import arrived, is_shown, make_app, running, seated, shown_messages, text_of, until
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


def screen(pilot):
    return pilot.app.screen


async def opened(pilot, review):
    await arrived(pilot, PlayScreen)
    went_on = []
    pilot.app.push_screen(DebriefScreen(review), went_on.append)
    await until(pilot, lambda: isinstance(pilot.app.screen, DebriefScreen) and screen(pilot).turns)
    await until(pilot, lambda: len(screen(pilot).seats) == 2)
    return went_on


def review(text, labels=("human", "save:michie"), chances=()):
    return GameReview(parse_game_text(text, find_game, GAMES[0]), labels, chances)


async def test_a_debrief_opens_at_the_decisive_mistake_and_steps_through_the_game():
    chances = [None, 0.5, None, 0.125, None]
    async with running(size=(120, 40)) as pilot:
        await opened(pilot, review("a2 c2 a3 c1 a1", chances=chances))
        assert screen(pilot).ply == 4
        assert text_of(pilot, "#debrief-ending") == "X (you) win with the left column."
        assert text_of(pilot, "#debrief-verdict").startswith("Decided by move 4, O c1: it threw the draw away.")
        assert "X threatened a1 in the left column, and the move did not stop it." in text_of(pilot, "#debrief-turn")
        assert screen(pilot).query_one(OptionList).highlighted == 4
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
            await until(pilot, lambda ply=ply: screen(pilot).ply == ply)
        assert await pilot.click("#debrief-moves", offset=(4, 2))  # the second move
        await until(pilot, lambda: screen(pilot).ply == 2)
        await pilot.press("end")
        board = screen(pilot).query_one(BoardView)
        assert board.position == screen(pilot).match.position
        assert board.row == (0, 3, 6)
        await pilot.press("space")  # from the beginning to the end by itself
        await until(pilot, lambda: screen(pilot).ply == 5 and screen(pilot).replaying is None)
        chart = screen(pilot).query_one(LineChart)
        await until(pilot, lambda: is_shown(chart) and chart.series)
        await pilot.click(chart, offset=(0, 2))
        await until(pilot, lambda: screen(pilot).ply == 0)
        await pilot.click(chart, offset=(chart.size.width - 1, 2))
        await until(pilot, lambda: screen(pilot).ply == 5)
        await pilot.press("escape")
        await arrived(pilot, PlayScreen)


@pytest.mark.long
async def test_a_replay_stops_behind_a_dialog(pilot, monkeypatch):
    monkeypatch.setattr("tui.games.debrief_screen.STEP", 1)
    await opened(pilot, review("a2 c2 a3 c1 a1"))
    debrief = screen(pilot)
    await pilot.press("home", "space")
    await until(pilot, lambda: debrief.replaying is not None)
    await pilot.press("question_mark")
    await until(pilot, lambda: isinstance(screen(pilot), HelpPage))
    await until(pilot, lambda: debrief.replaying is None)
    assert debrief.ply < 5


@pytest.mark.long
async def test_the_evaluation_does_not_move_a_user_who_went_to_another_move(pilot):
    await opened(pilot, review("a2 c2 a3 c1 a1"))
    turns = screen(pilot).turns
    for key, at, ply in (("home", 0, 0), ("end", 5, 4)):
        await pilot.press(key)
        await until(pilot, lambda at=at: screen(pilot).ply == at)
        screen(pilot).show_turns((turns, "known by now"))
        await pilot.pause()  # until the list has said which of its new lines is under the cursor
        assert screen(pilot).ply == ply
    assert text_of(pilot, "#debrief-verdict") == "known by now"


@pytest.mark.long
async def test_the_debrief_shows_the_x_ray_opens_the_memory_and_plays_on(pilot):
    went_on = await opened(pilot, review("a2 c2 a3 c1 a1", ("save:michie", "human")))
    await pilot.press("home", "x")
    await until(pilot, lambda: screen(pilot).query_one(BoardView).notes)
    assert "what michie would play" in str(screen(pilot).query_one("#debrief-left").border_subtitle)
    await pilot.press("J")
    await until(pilot, lambda: isinstance(pilot.app.screen, MemoryScreen) and pilot.app.screen.edges)
    assert len(pilot.app.screen.edges) == 1  # the box of the empty board
    await pilot.press("escape")
    await arrived(pilot, DebriefScreen)
    await pilot.press("end", "enter")
    assert shown_messages(pilot)[-1].startswith("The game is over here")
    await pilot.press("left", "enter")
    await until(pilot, lambda: went_on)
    match, labels, aim = went_on[0]
    assert (len(match.moves), match.outcome, labels, aim) == (4, None, ("save:michie", "human"), None)


@pytest.mark.long
async def test_playing_on_from_a_game_keeps_the_opponent():
    async with running(make_app(first="human", second="human"), size=(60, 20)) as pilot:
        await seated(pilot, "human", "human")
        await pilot.press("d")
        assert screen(pilot).check_action("debrief", ()) is None
        for key in ("4", "6", "1", "9", "7"):
            await pilot.press(key)
        await until(pilot, lambda: screen(pilot).session.points == [1, 0])
        await pilot.press("d")
        await until(pilot, lambda: isinstance(pilot.app.screen, DebriefScreen) and screen(pilot).turns)
        assert is_shown(screen(pilot).query_one("#debrief-turn"))
        await pilot.press("left", "enter")
        await arrived(pilot, PlayScreen)
        assert (len(screen(pilot).session.match.moves), screen(pilot).session.current.practice) == (3, True)
        assert screen(pilot).session.points == [1, 0]
        await pilot.press("H")
        await until(pilot, lambda: isinstance(pilot.app.screen, GamesScreen) and screen(pilot).selected)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, DebriefScreen) and screen(pilot).turns)
        await pilot.press("C")
        await arrived(pilot, CopyDialog)
        await pilot.press("escape")
        await arrived(pilot, DebriefScreen)
        await pilot.press("home", "right", "enter")
        await arrived(pilot, PlayScreen)
        await until(pilot, lambda: len(screen(pilot).session.match.moves) == 1)


@pytest.mark.long
async def test_a_long_verdict_leaves_room_for_the_moves_and_can_be_scrolled(pilot):
    await opened(pilot, review("connectfour d e d d c c c e e", ("human", "human")))  # six mistakes
    summary, moves, words = (screen(pilot).query_one(f"#debrief-{part}") for part in ("summary", "list", "words"))
    await until(pilot, summary.allow_focus)
    assert summary.max_scroll_y > 0
    await until(pilot, lambda: min(moves.content_size.height, words.content_size.height) >= 3)


@pytest.mark.long
async def test_a_large_game_of_a_deleted_machine_can_be_reviewed(pilot):
    await opened(pilot, review("connectfour a b a b a b a", ("human", "save:gone")))
    assert screen(pilot).seats == (None, None)
    assert text_of(pilot, "#debrief-ending") == "X (you) win with column a."
    await pilot.press("J")
    assert shown_messages(pilot)[-1] == "No machine with a memory played here."
    await pilot.press("home", "right")
    await until(pilot, lambda: screen(pilot).ply == 1 and "20 moves" in text_of(pilot, "#debrief-turn"))


async def test_the_app_opens_with_a_debrief_a_mistake_is_retried_and_a_game_without_a_move_has_no_empty_panel():
    app = make_app()
    app.review = review("a2 a3 b2 b3 c2", labels=("human", "human"))
    async with running(app, (120, 40)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, DebriefScreen) and screen(pilot).turns)
        assert text_of(pilot, "#debrief-verdict").startswith("Decided by move 4, O b3")
        await pilot.press("escape")
        went_on = await opened(pilot, review("a2 c2 a3 c1 a1"))
        before = screen(pilot).match.moves[: screen(pilot).ply - 1]
        await pilot.press("Z")
        await until(pilot, lambda: went_on)
        assert went_on[0].match.moves == before
        await arrived(pilot, PlayScreen)
        pilot.app.push_screen(DebriefScreen(review("resigned")))
        await until(pilot, lambda: "X resigned where" in text_of(pilot, "#debrief-verdict"))
        panels = [each.id for each in screen(pilot).query(".panel") if is_shown(each)]
        assert panels == ["debrief-left", "debrief-summary", "debrief-list"]
        assert not is_shown(screen(pilot).query_one(LineChart))
