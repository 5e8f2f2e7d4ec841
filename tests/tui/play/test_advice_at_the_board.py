"""Hints, the X-ray, the blunder check, resignations and draws at the board."""

import pytest
from textual.widgets import Input

from engine.games import GAMES, find_game, parse_game
from engine.notation import game_text, parse_game_text
from engine.space import TooLarge
from lab.advice.xray import THREATS, Lens
from lab.board.session import PlayOn
from tests.tui.piloting import make_app, running, squares_on, two_people
from tui.play.table_view import LOOKING_BACK
from tui.widgets.board import BoardView
from tui.widgets.copy_dialog import CopyDialog
from tui.widgets.xray_notes import Tone, xray_text


def board(pilot):
    return pilot.screen.query_one(BoardView)


async def play(pilot, *keys):
    for key in keys:
        before = len(pilot.moves)
        await pilot.press(str(key))
        await pilot.until(lambda before=before: len(pilot.moves) == before + 1)


async def test_a_hint_has_two_steps_and_goes_with_the_next_move():
    async with two_people() as pilot:
        await play(pilot, 1, 2, 4)  # X threatens the left column
        await pilot.press("h")
        await pilot.until(lambda: "X threatens to win in the left column" in pilot.news)
        assert board(pilot).hinted == ()
        await pilot.press("h")
        await pilot.until(lambda: "a1 " in pilot.news)
        assert board(pilot).hinted == (6,)
        await play(pilot, 7)
        assert (pilot.screen.advice.text, board(pilot).hinted) == ("", ())
        await pilot.press("u")
        assert pilot.moves == [0, 1, 3]
        assert pilot.screen.advice.text == ""
        await play(pilot, 5, 7)
        assert pilot.screen.check_action("hint", ()) is None


@pytest.mark.long
async def test_advice_disappears_with_its_game_even_if_the_next_one_starts_the_same():
    async with two_people() as pilot:
        await pilot.press("F")
        assert "once more" in pilot.news
        await pilot.press("n", "F")
        assert pilot.session.match.outcome is None
        await pilot.press("h")
        await pilot.until(lambda: "no move loses" in pilot.news)
        pilot.screen.play_on(PlayOn(parse_game_text("connectfour", find_game, GAMES[0]), ("human", "human")))
        await pilot.until(lambda: pilot.session.game is parse_game("connectfour"))
        assert (pilot.screen.advice.text, pilot.screen.table.advice.state.hint) == ("", None)


async def test_only_the_next_key_press_confirms_a_resignation_and_only_for_a_while(monkeypatch):
    async with two_people() as pilot:
        await pilot.press("F", "up", "F")
        assert pilot.screen.advice.asks_to_resign
        assert pilot.session.match.outcome is None
        await pilot.press("F")
        assert pilot.session.match.resigned
        monkeypatch.setattr("tui.play.screen.RESIGNING_TIME", 0.01)
        await pilot.press("n", "F")
        await pilot.until(lambda: not pilot.screen.advice.asks_to_resign)
        assert pilot.screen.advice.text == ""


async def test_a_digit_that_picks_no_square_is_told_until_another_does():
    async with two_people("nim:3,4,5") as pilot:
        await pilot.press("9")
        assert pilot.state_of().startswith("9:")
        await play(pilot, 1)
        assert not pilot.state_of().startswith("9:")


async def test_the_x_ray_switches_from_off_to_the_machine_to_best_play_and_leaves_the_moves_alone():
    async with running(make_app(second="perfect")) as pilot:
        await pilot.seated("human", "perfect")
        assert board(pilot).notes == {}
        await pilot.press("x")
        await pilot.until(lambda: set(board(pilot).notes) == set(range(9)))
        assert pilot.screen.table.advice.lens.title(pilot.session.game) in pilot.state_of()
        await pilot.press("x")
        await pilot.until(lambda: {note.tone for note in board(pilot).notes.values()} == {Tone.EVEN})
        assert "best play" in pilot.state_of()
        await pilot.press("5")
        await pilot.until(lambda: len(pilot.moves) == 2 and len(board(pilot).notes) == 7)  # for a person's moves too
        await pilot.press("5")
        assert pilot.state_of().endswith("is taken")  # rather than what the X-ray shows
        await pilot.press("x")
        assert not pilot.state_of().endswith("is taken")
        await pilot.until(lambda: board(pilot).notes == {})
        await pilot.press("y")
        await pilot.until(lambda: "draw · " in pilot.state_of())
        await pilot.press("y")
        assert "draw" not in pilot.state_of()


@pytest.mark.long
async def test_the_x_ray_marks_the_stones_that_a_machine_answers_with_and_names_them():
    async with running(make_app("nim:3,4,5", second="perfect"), size=(60, 20)) as pilot:
        await pilot.seated("human", "perfect")
        await pilot.press("x")
        await pilot.until(lambda: board(pilot).answer.squares)
        for key in ("up", "right"):
            await pilot.press(key)
            answer = board(pilot).answer
            assert answer.answered
            assert squares_on(board(pilot), "hinted") == set(answer.squares) != set()
            await pilot.until(lambda answer=answer: pilot.state_of().endswith(answer.answered))


@pytest.mark.parametrize("fails", [False, True])
async def test_the_move_that_lost_a_game_to_a_machine_is_named_if_it_is_found(monkeypatch, fails):
    def lost_by(*_):
        raise TooLarge("too large to look back")

    if fails:
        monkeypatch.setattr("tui.play.table_view.lost_by", lost_by)
    async with running(make_app(second="perfect")) as pilot:
        await pilot.seated("human", "perfect")
        match = parse_game_text("a2 c2 a3", find_game, GAMES[0])
        pilot.screen.play_on(PlayOn(match, ("perfect", "human")))
        await pilot.until(lambda: len(pilot.moves) == 3 and pilot.screen.table.can_move)
        await pilot.press("9")  # the machine may answer before one looks
        await pilot.until(lambda: pilot.screen.table.match.outcome is not None)
        await pilot.sees("too large to look back" if fails else "move 4, O c1")
        assert LOOKING_BACK not in " ".join(pilot.news.split())


@pytest.mark.long
async def test_a_game_is_copied_and_another_one_pasted():
    async with two_people() as pilot:
        await play(pilot, 5, 1)
        await pilot.press("C")
        await pilot.arrived(CopyDialog)
        dialog = pilot.screen
        assert pilot.text_of("#copy-game") == "tictactoe b2 a3"
        await pilot.click("#take-game")
        assert pilot.app.clipboard == "tictactoe b2 a3"
        field = dialog.query_one(Input)
        field.focus()
        field.value = "b2 b2"
        await pilot.press("enter")
        await pilot.until(lambda: "cannot be played" in str(dialog.query_one(".dialog-error").content))
        field.value = "hexapawn b1b2"
        await pilot.press("enter")
        await pilot.until(lambda: pilot.session.game is parse_game("hexapawn") and len(pilot.moves) == 1)
        assert game_text(pilot.session.match) == "hexapawn b1b2"
        assert pilot.session.current.practice
        assert "Practice: this game does not count." in pilot.news


@pytest.mark.long
async def test_the_x_ray_says_if_no_square_wins_later_and_shows_those_that_do():
    async with running(make_app("connectfour", "human", "human")) as pilot:
        await pilot.until(lambda: pilot.session.game is parse_game("connectfour"))
        await pilot.press("x", "x")
        await pilot.until(lambda: board(pilot).is_bare)
        bare = xray_text(pilot.session.game, Lens(THREATS), 60, bare=True)
        await pilot.until(lambda: pilot.state_of() == bare)
        assert not board(pilot).notes
        await play(pilot, 7, 2, 2, 3, 3, 4, 4)
        await pilot.until(lambda: len(board(pilot).notes) == 2)
        assert not board(pilot).is_bare


@pytest.mark.sample(1)
@pytest.mark.parametrize("xray", [False, True])
async def test_a_second_request_for_a_hint_counts_while_the_first_is_computed(xray):
    async with running(make_app("connectfour")) as pilot:
        await pilot.until(lambda: pilot.screen.table.can_move)
        await pilot.press("4")
        await pilot.until(lambda: pilot.screen.table.can_move)
        if xray:
            await pilot.press("x", "x")
        screen = pilot.screen
        screen.action_hint()
        screen.action_hint()
        await pilot.until(lambda: board(pilot).hinted)
        assert "Press h" not in pilot.news
