"""Hints, the X-ray, the blunder check, resignations and draws at the board."""

import pytest
from textual.widgets import Input

from engine.games import GAMES, find_game, parse_game
from engine.notation import game_text, parse_game_text
from lab.advice.xray import THREATS, Lens
from lab.board.session import PlayOn
from tests.tui.piloting import arrived, is_shown, make_app, moves, running, seated, session, state_of, text_of, until
from tui.widgets.board import BoardView
from tui.widgets.copy_dialog import CopyDialog
from tui.widgets.xray_notes import Tone, xray_text


def board(pilot):
    return pilot.app.screen.query_one(BoardView)


async def play(pilot, *keys):
    for key in keys:
        before = len(moves(pilot))
        await pilot.press(str(key))
        await until(pilot, lambda before=before: len(moves(pilot)) == before + 1)


async def test_a_hint_has_two_steps_and_goes_with_the_next_move():
    async with running(make_app(first="human", second="human")) as pilot:
        await seated(pilot, "human", "human")
        await play(pilot, 1, 2, 4)  # X threatens the left column
        await pilot.press("h")
        await until(pilot, lambda: "X threatens to win in the left column" in text_of(pilot, "#news"))
        assert board(pilot).hinted == ()
        await pilot.press("h")
        await until(pilot, lambda: "a1 " in text_of(pilot, "#news"))
        assert board(pilot).hinted == (6,)
        await play(pilot, 7)
        assert (pilot.app.screen.advice, board(pilot).hinted) == ("", ())
        await pilot.press("u")
        assert moves(pilot) == [0, 1, 3]
        assert pilot.app.screen.advice == ""
        await play(pilot, 5, 7)
        assert pilot.app.screen.check_action("hint", ()) is None


@pytest.mark.long
async def test_advice_disappears_with_its_game_even_if_the_next_one_starts_the_same():
    async with running(make_app(first="human", second="human")) as pilot:
        await seated(pilot, "human", "human")
        await pilot.press("F")
        assert "once more" in text_of(pilot, "#news")
        await pilot.press("n", "F")
        assert session(pilot).match.outcome is None
        await pilot.press("h")
        await until(pilot, lambda: "no move loses" in text_of(pilot, "#news"))
        pilot.app.screen.play_on(PlayOn(parse_game_text("connectfour", find_game, GAMES[0]), ("human", "human")))
        await until(pilot, lambda: session(pilot).game is parse_game("connectfour"))
        assert (pilot.app.screen.advice, pilot.app.screen.table.position_state.hint) == ("", None)


async def test_the_x_ray_switches_from_off_to_the_machine_to_best_play_and_leaves_the_moves_alone():
    async with running(make_app(second="perfect")) as pilot:
        await seated(pilot, "human", "perfect")
        assert board(pilot).notes == {}
        await pilot.press("x")
        await until(pilot, lambda: set(board(pilot).notes) == set(range(9)))
        assert "what perfect would answer" in state_of(pilot)
        await pilot.press("x")
        await until(pilot, lambda: {note.tone for note in board(pilot).notes.values()} == {Tone.EVEN})
        assert "best play" in state_of(pilot)
        await pilot.press("5")
        await until(pilot, lambda: len(moves(pilot)) == 2 and len(board(pilot).notes) == 7)  # for a person's moves too
        await pilot.press("5")
        assert state_of(pilot).endswith("is taken")  # rather than what the X-ray shows
        await pilot.press("x")
        assert not state_of(pilot).endswith("is taken")
        await until(pilot, lambda: board(pilot).notes == {})
        await pilot.press("y")
        await until(pilot, lambda: text_of(pilot, "#bar").endswith("draw"))
        assert is_shown(pilot.app.screen.query_one("#bar"))
        await pilot.press("y")
        await until(pilot, lambda: not is_shown(pilot.app.screen.query_one("#bar")))


@pytest.mark.long
async def test_a_game_is_copied_and_another_one_pasted():
    async with running(make_app(first="human", second="human")) as pilot:
        await seated(pilot, "human", "human")
        await play(pilot, 5, 1)
        await pilot.press("C")
        await arrived(pilot, CopyDialog)
        dialog = pilot.app.screen
        assert text_of(pilot, "#copy-game") == "tictactoe b2 a3"
        await pilot.click("#take-game")
        assert pilot.app.clipboard == "tictactoe b2 a3"
        field = dialog.query_one("#paste", Input)
        field.focus()
        field.value = "b2 b2"
        await pilot.press("enter")
        await until(pilot, lambda: "cannot be played" in str(dialog.query_one(".dialog-error").content))
        field.value = "hexapawn b1b2"
        await pilot.press("enter")
        await until(pilot, lambda: session(pilot).game is parse_game("hexapawn") and len(moves(pilot)) == 1)
        assert game_text(session(pilot).match) == "hexapawn b1b2"
        assert session(pilot).current.practice
        assert "Practice: this game does not count." in text_of(pilot, "#news")


@pytest.mark.long
async def test_the_x_ray_says_if_no_square_wins_later_and_shows_those_that_do():
    async with running(make_app("connectfour", "human", "human")) as pilot:
        await until(pilot, lambda: session(pilot).game is parse_game("connectfour"))
        await pilot.press("x", "x")
        await until(pilot, lambda: board(pilot).is_bare)
        bare = xray_text(session(pilot).game, Lens(THREATS), 60, bare=True)
        await until(pilot, lambda: state_of(pilot) == bare)
        assert not board(pilot).notes
        await play(pilot, 7, 2, 2, 3, 3, 4, 4)
        await until(pilot, lambda: len(board(pilot).notes) == 2)
        assert not board(pilot).is_bare


@pytest.mark.sample(1)
@pytest.mark.parametrize("xray", [False, True])
async def test_a_second_request_for_a_hint_counts_while_the_first_is_computed(xray):
    async with running(make_app("connectfour")) as pilot:
        await until(pilot, lambda: pilot.app.screen.table.can_move)
        await pilot.press("4")
        await until(pilot, lambda: pilot.app.screen.table.can_move)
        if xray:
            await pilot.press("x", "x")
        screen = pilot.app.screen
        screen.action_hint()
        screen.action_hint()
        await until(pilot, lambda: len(text_of(pilot, "#news").splitlines()) == 2)
        assert "Press h" not in text_of(pilot, "#news")
        assert board(pilot).hinted
