import re

import pytest

from engine.games import parse_game
from engine.search_result import StepKind
from tests.tui.piloting import make_app, running
from tui.shell.dialog import Prompt
from tui.shell.parts import ChoiceList
from tui.tree.screen import TreeScreen
from tui.tree.search_screen import PACES, SearchScreen
from tui.tree.search_text import value_text
from tui.tree.search_view import SearchView
from tui.tree.step_replay import MAX_STEPS, UctReplay
from tui.widgets.board import BoardView

TICTACTOE = parse_game("tictactoe")


async def open_search(pilot, key=None):
    await pilot.press("r")
    await pilot.arrived(TreeScreen)
    await pilot.press("j")
    await loaded(pilot)
    if key:
        before = pilot.screen.both
        await pilot.press(key)
        await pilot.until(lambda: pilot.screen.both and pilot.screen.both is not before)


async def loaded(pilot):
    await pilot.pause()
    await pilot.until(lambda: isinstance(pilot.screen, SearchScreen) and pilot.screen.both)


def field(pilot, name):
    return pilot.screen.query_one(f"#search-{name}", ChoiceList)


def has_depth(pilot):
    return pilot.screen.query_one("#search-depth-keyed").display


def explanation(pilot):
    """What is told of the step that is shown."""
    return pilot.text_of("#search-told")


def counts(pilot):
    return pilot.text_of("#search-counts")


async def choose(pilot, name, value):
    before = pilot.screen.both
    field(pilot, name).value = value
    await pilot.until(lambda: pilot.screen.both and pilot.screen.both is not before)


def done(pilot):
    return pilot.screen.replay.done


def board(pilot):
    return pilot.screen.query_one(BoardView)


@pytest.mark.long
async def test_the_lectures_second_example_skips_the_sixth_leaf_and_says_why(pilot):
    await open_search(pilot, "2")
    assert "The lecture's tree, two plies deep." in explanation(pilot)
    await pilot.press("N")
    await pilot.until(lambda: pilot.screen.replay.step.kind is StepKind.SKIP)
    assert explanation(pilot) == (
        "O a2 is skipped: O has a move worth 0 here, and X one worth 0 at the root. So X gains nothing by coming here."
    )
    await pilot.until(lambda: re.search(r"O a2 +skipped", pilot.screen_text))
    assert re.search(r"nodes +10 +9\nleaves +6 +5\ncut-offs +0 +1\nskipped +0 +1", counts(pilot))
    await pilot.press("N")
    await pilot.until(lambda: pilot.shown_messages)
    assert pilot.shown_messages == ["No further subtree is skipped."]


async def test_steps_go_forward_and_back(pilot):
    await open_search(pilot, "2")
    assert done(pilot) == 1
    await pilot.press("right", "right", "right", "left")
    await pilot.until(lambda: done(pilot) == 3)
    await pilot.sees("X c3")
    await pilot.press("home", "left", "left")
    await pilot.until(lambda: done(pilot) == 1)
    assert [*pilot.screen.replay.visited] == [()]


@pytest.mark.long
async def test_a_search_runs_to_its_end_and_can_be_paused(pilot):
    await open_search(pilot, "2")
    await pilot.press("space")
    assert pilot.screen.timer
    await pilot.press("space")
    assert not pilot.screen.timer
    await pilot.press(*["greater_than_sign"] * len(PACES))
    assert pilot.shown_messages[-1] == f"{PACES[-1]} steps a second"
    await pilot.press("space")
    await pilot.until(lambda: done(pilot) == len(pilot.screen.replay.steps))
    await pilot.until(lambda: not pilot.screen.timer)


@pytest.mark.long
async def test_any_node_can_be_selected(pilot):
    await open_search(pilot, "2")
    await pilot.press("end")
    await pilot.until(lambda: done(pilot) > 1)
    view = pilot.screen.query_one(SearchView)
    await pilot.click(view, offset=(4, 2))
    await pilot.until(lambda: view.cursor == 2)
    await pilot.press("up")
    await pilot.until(lambda: view.cursor == 1)
    assert [TICTACTOE.move_name(move) for move in view.cursor_path] == ["c3"]
    assert TICTACTOE.to_text(board(pilot).position).startswith("OXX")


@pytest.mark.long
async def test_a_long_search_is_recorded_in_part_and_says_so(pilot):
    await open_search(pilot)
    await choose(pilot, "depth", 0)
    assert f"of {MAX_STEPS:,}+" in pilot.title_of("#search-step")
    await pilot.press("end")
    await pilot.until(lambda: done(pilot) == MAX_STEPS)
    assert f"The first {MAX_STEPS:,} steps end here" in explanation(pilot)
    assert "549,946" in counts(pilot)


@pytest.mark.long
async def test_another_position_is_searched_and_bad_positions_are_reported(pilot):
    await open_search(pilot)
    for text in ("XXX/OO./... O", "nonsense", "X.O/.O./X.. X"):
        if not isinstance(pilot.screen, Prompt):
            await pilot.press("slash")
        await pilot.answer(text)
        if text.startswith("X.O"):
            await pilot.arrived(SearchScreen)
        else:
            await pilot.until(lambda text=text: text[:5] in pilot.text_of("Prompt .dialog-error"))
    await pilot.until(lambda: TICTACTOE.to_text(pilot.screen.position) == "X.O/.O./X.. X")
    await loaded(pilot)
    assert pilot.screen.depth is None, "few moves are left, and all of them are looked at"


@pytest.mark.long
async def test_a_large_game_is_searched_a_few_moves_deep_and_shows_where_a_piece_fell():
    async with running(make_app("connectfour")) as pilot:
        await open_search(pilot)
        assert pilot.screen.depth
        offered = field(pilot, "depth").values
        assert min(offered) == 1, "never to the ends"
        await pilot.press("right", "right")
        await pilot.until(lambda: done(pilot) == 3)
        assert board(pilot).game.to_text(board(pilot).position).startswith("O....../X......", 4 * 8)
        assert board(pilot).last == (4 * 7,)


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
@pytest.mark.parametrize("game", ["tictactoe", "connectfour"])
async def test_the_introduction_before_the_first_step_is_not_cut_and_the_board_leaves_room_for_counts(game, size):
    async with running(make_app(game), size) as pilot:
        await open_search(pilot)
        words = explanation(pilot)
        assert "At the limit it counts" in words
        await pilot.until(lambda: words.split()[-1] in pilot.screen_text)
        assert re.search("Minimax +Alpha-beta.*\\n.*nodes", pilot.screen_text)


def test_values_are_written_in_short_form():
    assert value_text(None, None, TICTACTOE) == "–"
    assert [value_text(value, None, TICTACTOE) for value in (1, 0, -1)] == ["+1", "0", "−1"]
    assert [value_text(value, 2, TICTACTOE) for value in (1_000_001, -1_000_000, -3)] == ["X wins", "O wins", "−3"]
    assert [value_text(value, 2, TICTACTOE) for value in (10**9, -(10**9))] == ["∞", "−∞"]


@pytest.mark.long
async def test_nothing_of_the_last_search_is_drawn_while_another_position_is_searched(monkeypatch):
    async with running(make_app("connectfour")) as pilot:
        await open_search(pilot)
        screen = pilot.screen
        monkeypatch.setattr(screen, "load", lambda: None)
        await pilot.press("1", "N", "end", "left", "down")
        await pilot.resize_terminal(60, 20)
        assert explanation(pilot).startswith("The lecture's tree")
        screen.begin_at(TICTACTOE, TICTACTOE.start)
        assert explanation(pilot) == "Searching …"
        assert pilot.app.return_code is None


async def open_uct(pilot):
    await open_search(pilot)
    await pilot.press("A", "A")
    await pilot.until(lambda: isinstance(pilot.screen.replay, UctReplay))


async def test_a_key_pressed_right_after_uct_was_chosen_works(pilot):
    await open_search(pilot)
    screen = pilot.screen
    field(pilot, "algorithm").value = "UCT"  # its message waits in a queue
    screen.action_run()
    await pilot.until(lambda: isinstance(screen.replay, UctReplay))


@pytest.mark.long
async def test_the_steps_of_a_uct_playout_are_shown_in_order(pilot):
    await open_uct(pilot)
    assert "X to move. Each playout goes down the tree" in explanation(pilot)
    assert not has_depth(pilot)
    said = []
    for _ in range(3):
        await pilot.press("right")
        said.append(explanation(pilot))
    assert re.fullmatch(r"Playout 1 goes down to X (..) \(\1\), which had no visit yet.", said[0])
    assert re.fullmatch(r"Plays at random from X ..:( ..)+( …)?; (X wins|O wins|it is a draw).", said[1])
    assert re.fullmatch(
        r"Counts the outcome in 2 nodes, on the way back to the root: X .. is worth (1.00|.50|.00) after 1 visit.",
        said[2],
    )
    await pilot.press("N", "N", "N")
    assert pilot.screen.replay.playouts == 4
    await pilot.until(lambda: re.search(r"X to move +4 +\d?\.\d\d", pilot.screen_text))
    assert re.match(r"plays .. +visits +worth\n", counts(pilot))
    await pilot.press("home")
    assert pilot.screen.replay.playouts == 0


@pytest.mark.long
async def test_more_playouts_prove_values_and_expansions_are_explained(pilot):
    await open_uct(pilot)
    screen = pilot.screen
    screen.begin_at(TICTACTOE, TICTACTOE.from_text("XOX/.O./... X"))
    await pilot.until(lambda: isinstance(screen.replay, UctReplay) and len(screen.replay.steps) > 1)
    before = screen.replay
    await pilot.press("D")
    await pilot.until(lambda: screen.replay is not before and len(screen.replay.steps) > 1)
    assert field(pilot, "playouts").value == 1000
    said = set()
    for done in range(1, len(screen.replay.steps) + 1):
        screen.go_to(done)
        said.add(explanation(pilot))
    assert any(re.fullmatch(r"X .. is visited again, so its 4 moves join the tree.*", text) for text in said)
    assert any(re.search(r"\d of them ends? the game\. So [XO] .. loses\.", text) for text in said)
    assert any(re.search(r"[XO] .. (wins|draws|loses), which is proven\.", text) for text in said)
    await pilot.until(lambda: re.search("b1 +.*draws", counts(pilot)))
    await pilot.press("N")
    await pilot.until(lambda: pilot.shown_messages)
    assert pilot.shown_messages == ["There is no further playout."]
    await pilot.press("A")
    await pilot.until(lambda: screen.both)
    assert has_depth(pilot)
