"""A search step by step: its replay, the windows of its nodes, and the depth that is proposed."""

import pytest

from engine.analysis.lecture import EXAMPLES
from engine.games import parse_game
from engine.search import INFINITY, Search, search
from engine.search_result import Algorithm, StepKind
from learners.uct.search import uct_steps
from tui.tree.search_text import SHALLOW, TO_THE_END, bracket_text, depths_of, first_depth
from tui.tree.step_replay import Replay, UctReplay, record

TICTACTOE = parse_game("tictactoe")


def replay_of(example, algorithm=None):
    position = example.game.from_text(example.position)
    search = Search(example.game, algorithm or example.algorithm, example.depth, order=example.order, root=position)
    kept, whole = record(search.steps(position))
    return Replay(kept, whole=whole)


def state(replay):
    return replay.done, list(replay.lines), dict(replay.visited)


def skipped(replay):
    return sum(node.cut is not None for node in replay.visited.values())


def test_undone_steps_restore_the_state_before():
    replay = replay_of(EXAMPLES[1])
    states = []
    for done in range(len(replay.steps) + 1):
        replay.go_to(done)
        assert list(replay.visited) == replay.lines[: len(replay.visited)], "the search reaches its nodes in this order"
        states.append(state(replay))
    for done in reversed(range(len(replay.steps) + 1)):
        replay.go_to(done)
        assert state(replay) == states[done]
    replay.go_to(10**9)
    assert state(replay) == states[-1]
    replay.go_to(-5)
    assert state(replay) == (0, list(replay.positions), {})


def test_the_end_of_a_replay_is_what_the_search_finds():
    for example in EXAMPLES:
        for algorithm in Algorithm:
            game = example.game
            found = search(
                game, game.from_text(example.position), algorithm=algorithm, depth=example.depth, order=example.order
            )
            replay = replay_of(example, algorithm)
            assert replay.whole
            replay.go_to(10**9)
            value = replay.visited[()].value
            if example.depth is None:  # a replay shows the score, which has the plies to the win, too
                value = (value > 0) - (value < 0)
            assert value == found.value
            assert skipped(replay) == found.skipped
            assert len(replay.visited) - skipped(replay) == found.nodes
            assert sum(node.leaf for node in replay.visited.values()) == found.leaves


def test_every_line_is_below_its_parent_and_after_its_earlier_siblings():
    replay = replay_of(EXAMPLES[0], Algorithm.MINIMAX)
    replay.go_to(10**9)
    for number, path in enumerate(replay.lines[1:], 1):
        above = replay.lines[number - 1]
        assert above[: len(path) - 1] == path[:-1]
    assert len(set(replay.lines)) == len(replay.lines)


def test_the_sixth_leaf_of_the_lecture_is_the_one_cut():
    replay = replay_of(EXAMPLES[1])
    done = replay.find_next_cut()
    replay.go_to(done)
    assert replay.step.kind is StepKind.SKIP
    assert [TICTACTOE.move_name(move) for move in replay.step.path] == ["c2", "a2"]
    assert replay.find_next_cut() is None
    assert skipped(replay) == 1


def test_a_long_search_is_recorded_in_part():
    kept, whole = record(Search(TICTACTOE, Algorithm.MINIMAX).steps(TICTACTOE.start), 50)
    assert (len(kept), whole) == (50, False)
    kept, whole = record(kept, 50)
    assert (len(kept), whole) == (50, True)


def uct_replay(playouts=120):
    kept, whole = record(uct_steps(TICTACTOE, TICTACTOE.start, playouts))
    return UctReplay(kept, whole=whole)


def test_a_replay_of_uct_goes_forward_and_back():
    replay = uct_replay()
    states = [state(replay)]
    while replay.done < len(replay.steps):
        replay.go_to(replay.done + 1)
        states.append(state(replay))
        assert len(replay.lines) == len(set(replay.lines)) == len(replay.visited)
    for done in reversed(range(len(states))):
        replay.go_to(done)
        assert state(replay) == states[done]
    assert states[-1][2][()].visits == 120


def test_every_line_of_uct_is_in_the_subtree_of_its_parent():
    replay = uct_replay()
    replay.go_to(10**9)
    above = []
    for path in replay.lines:
        del above[len(path) :]
        assert path[:-1] == (above[-1] if above else ())
        above.append(path)
    assert max(map(len, replay.lines)) >= 2


def test_the_next_playout_ends_with_its_count():
    replay = uct_replay(3)
    for playouts in (1, 2, 3):
        replay.go_to(replay.find_next_playout())
        assert replay.playouts == playouts
    assert replay.find_next_playout() is None


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (-INFINITY, INFINITY, "[━━━━━━━]"),
        (-INFINITY, -1, "[━]······"),
        (-1, 0, "··[━]····"),
        (0, 1, "····[━]··"),
        (0, 0, "····[]···"),
    ],
)
def test_a_window_begins_and_ends_at_its_values(low, high, shown):
    assert bracket_text(low, high, 9) == shown


ONE_LEFT = "XXO.XOX/OXXOOXO/OOXXXOO/XXOOOXX/XXOXOOO/XOXOXOX O"


@pytest.mark.parametrize(
    ("name", "text", "depth"),
    [
        ("tictactoe", ".../.../... X", SHALLOW),
        ("tictactoe", "XO./.X./..O X", TO_THE_END),
        ("hexapawn", "BBB/.../WWW W", TO_THE_END),
        ("hexapawn:4,4", "BBBB/..../..../WWWW W", SHALLOW),
        ("morris", "OO./OXX/..X X 6", SHALLOW),
        ("morris", "OO./OXX/..X X 28", TO_THE_END),
        ("connectfour", "......./......./......./......./......./....... X", SHALLOW),
        ("connectfour", ONE_LEFT, TO_THE_END),
    ],
)
def test_a_search_to_the_end_is_offered_first_where_it_is_short(name: str, text: str, depth: int):
    game = parse_game(name)
    assert first_depth(game, game.from_text(text)) == depth


def test_the_end_can_be_chosen_where_it_is_near():
    game = parse_game("connectfour")
    assert ("to the end", TO_THE_END) in depths_of(game, game.from_text(ONE_LEFT))
    assert ("to the end", TO_THE_END) not in depths_of(game, game.start)
