import re

import pytest
from textual.widgets import Select

from engine.game import Outcome
from engine.games import parse_game
from tests.tui.piloting import is_shown
from tui.tree.game_tree import GameTree
from tui.tree.screen import TreeScreen
from tui.tree.search_screen import SearchScreen
from tui.tree.tree_text import shares

TICTACTOE = parse_game("tictactoe")


def tree(pilot):
    return pilot.screen.query_one(GameTree)


def lines(pilot):
    """The nodes opened so far, as their moves."""
    view = tree(pilot)
    nodes = [view.get_node_at_line(line).data for line in range(view.last_line + 1)]
    return [tuple(map(TICTACTOE.move_name, node.path)) for node in nodes]


def here(pilot):
    return tuple(map(TICTACTOE.move_name, pilot.screen.selected_node.path))


def field(pilot, name):
    return pilot.screen.query_one(f"#tree-{name}", Select)


def note(pilot):
    """What stands in the place of a tree that is too large, or None where there is one."""
    return pilot.shown_text("#tree-note")


def statistics(pilot):
    return pilot.shown_text("#tree-statistics")


async def choose(pilot, name, value):
    before = pilot.screen.statistics
    field(pilot, name).value = value
    await pilot.until(lambda: pilot.screen.statistics is not before)


async def test_only_opened_nodes_have_children_in_the_tree(pilot):
    await pilot.click(GameTree, offset=(2, 5))
    await pilot.until(lambda: len(lines(pilot)) == 1 + 9 + 8)
    assert len(here(pilot)) == 1
    await pilot.press("left")
    await pilot.until(lambda: len(lines(pilot)) == 1 + 9)
    await pilot.press("home", "down", "right")
    await pilot.until(lambda: len(lines(pilot)) == 1 + 9 + 8)
    await pilot.press("right")
    await pilot.until(lambda: here(pilot) == ("a3", "b3"))
    tree(pilot).go_to([0, 1, 4])
    board = pilot.screen.query_one("#tree-board")
    await pilot.until(lambda: board.numbers == {0: "1", 1: "2", 4: "3"})
    assert board.last == (4,)
    numbers = pilot.text_of("#tree-numbers")
    assert numbers.startswith("1. a3  2. b3  3. b2\n")
    assert "X wins with best play:\n4. " in numbers
    assert len(re.findall(r"(?:wins|draws) +[0-9]+", numbers)) == 3


async def test_the_published_rules_give_the_published_figures_and_say_why(pilot):
    await pilot.press("U", "f")
    await pilot.until(lambda: "203,716" in (statistics(pilot) or ""))
    figures = statistics(pilot)
    assert re.search(r"nodes +203,716\nleaves +89,796\n", figures)
    assert "tests one diagonal twice" in figures
    assert "83,196 games and 179,116 nodes" in figures
    assert len(lines(pilot)) == 1 + 3
    await choose(pilot, "game", "hexapawn")
    assert pilot.screen.chosen("rules") == "correct"
    await pilot.until(lambda: re.search(r"leaves +100\n", statistics(pilot) or ""))


async def test_only_games_with_the_chosen_ending_are_counted(pilot):
    await pilot.press("E", "E")
    await pilot.until(lambda: re.search(r"start +draw +77,904", pilot.screen_text))
    assert tree(pilot).go_to([0, 3, 1, 4, 8, 5])
    assert not tree(pilot).go_to([0, 3, 1, 4, 2]), "X has won there"


@pytest.mark.long
async def test_a_position_is_found_or_its_twin_in_a_reduced_tree(pilot):
    await pilot.press("slash")
    await pilot.answer("..X/.O./... X")
    await pilot.until(lambda: here(pilot) == ("c3", "b2"))
    assert pilot.shown_messages == []
    await choose(pilot, "reduction", "symmetry")
    await pilot.press("slash")
    await pilot.answer("..X/.O./... X")
    await pilot.until(lambda: here(pilot) == ("a3", "b2"))
    assert pilot.shown_messages == ["This is the symmetric position X../.O./... X."]


@pytest.mark.long
async def test_the_dialog_reports_an_impossible_position(pilot):
    for text in ("[b]", "XXX/.../... O", "WWW/.../BBB W"):
        await pilot.press("slash")
        await pilot.answer(text)
        await pilot.until(lambda: pilot.text_of(".dialog-error"))
        await pilot.press("escape")
        await pilot.arrived(TreeScreen)
    assert here(pilot) == ()


@pytest.mark.long
async def test_the_cursor_stays_on_its_node_when_the_tree_changes(pilot):
    tree(pilot).go_to([0, 1])
    await choose(pilot, "reduction", "first-move")
    assert here(pilot) == ("a3", "b3")
    await choose(pilot, "game", "misere")
    assert here(pilot) == ()


@pytest.mark.long
async def test_a_game_too_large_says_so_and_can_still_be_searched(pilot):
    await pilot.press("b", "b", "b")
    await pilot.until(lambda: note(pilot))
    reason = "Connect Four is too large for a whole tree. j searches it a few moves deep."
    assert note(pilot).splitlines()[0] == reason
    await pilot.until(lambda: "343 of 3 moves" in note(pilot))
    assert "loses in 21 moves  b f" in note(pilot)
    assert len(pilot.screen.query_one("#tree-start").notes) == 7
    await pilot.press("M", "slash", "f", "j")
    await pilot.until(lambda: isinstance(pilot.screen, SearchScreen) and pilot.screen.both)
    await pilot.press("escape")
    await pilot.arrived(TreeScreen)
    await pilot.press("b")
    await pilot.until(lambda: is_shown(tree(pilot)) and pilot.screen.statistics)
    assert note(pilot) is None


@pytest.mark.long
async def test_without_a_tree_only_actions_that_work_are_offered(pilot):
    await pilot.sees("M Main line")
    await pilot.press("b", "b", "b")
    await pilot.until(lambda: note(pilot))
    assert "M Main line" not in pilot.screen_text
    await pilot.sees("j Search")  # the keys are made anew, one after another
    await pilot.press("Y", "E", "M", "slash")
    assert isinstance(pilot.screen, TreeScreen)
    assert pilot.screen.chosen("reduction") == "none"
    assert field(pilot, "ending").disabled
    await pilot.press("b")
    await pilot.sees("M Main line")
    assert not field(pilot, "ending").disabled


@pytest.mark.long
async def test_a_main_line_to_an_ending_that_is_not_chosen_says_so(pilot):
    await pilot.press("E")
    await pilot.until(lambda: tree(pilot).ending is Outcome.FIRST_WINS)
    await pilot.press("M")
    await pilot.until(lambda: pilot.shown_messages)
    assert pilot.shown_messages == ["The main line does not have the selected ending."]
    assert 0 < len(here(pilot)) < 9


def test_a_bar_has_full_width_and_shows_every_count_above_zero():
    assert shares([1, 1, 1], 9) == [3, 3, 3]
    assert shares([1000, 0, 1], 6) == [5, 0, 1]
    assert shares([0, 0, 0], 6) == [0, 0, 0]
    for counts in ([5, 3, 900], [7, 7, 1], [1, 0, 0], [3, 10, 12345]):
        parts = shares(counts, 8)
        assert sum(parts) == 8
        assert [part > 0 for part in parts] == [count > 0 for count in counts]
