"""The solver against exact values of small boards, and against published scores on the usual one."""

import threading
from functools import cache
from random import Random

import numpy as np
import pytest

from engine.connect_solver.book import Book
from engine.connect_solver.games import WordBoard, require_shape
from engine.connect_solver.search_kernel import OFFSET, SLOTS, copy_entries, find_entry, store
from engine.connect_solver.solver import Solver
from engine.game import BadText, Outcome, Position, Side
from engine.games import parse_game
from engine.known_positions import KnownPosition, known_positions
from engine.solve import WIN_SCORE, scores
from engine.space import RUNNING
from engine.spaces import space_of
from engine.stop import Stopped

GAME = parse_game("connectfour")
EASY = ["end-easy", "middle-easy"]
every_set = pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in EASY else pytest.mark.long)
        for name in {each.set: 0 for each in known_positions(GAME)}
    ],
)


@cache
def solver(name: str = "connectfour") -> Solver:
    return Solver(parse_game(name), megabytes=32)


def played(columns: str, *, mirrored: bool = False) -> Position:
    position = GAME.start
    for digit in columns:
        column = int(digit) - 1
        position = GAME.play(position, 6 - column if mirrored else column)
    return position


def known(name: str) -> list[KnownPosition]:
    return [each for each in known_positions(GAME) if each.set == name]


@every_set
def test_published_scores_of_positions_and_their_mirror_images(name: str):
    for each in known(name):
        assert solver().solve(each.position).score == each.score, each
        assert solver().solve(played(each.columns, mirrored=True), threads=2).score == each.score, each
        assert solver().solve(each.position, weak=True).score == each.value, each


@every_set
def test_published_scores_of_every_column(name: str):
    for each in known(name):
        found = {move: solved.score for move, solved in solver().analyse(each.position).items()}
        assert found == each.scores, each


@pytest.mark.long  # the kernels are compiled for each board
@pytest.mark.parametrize(
    ("board", "share"),
    [
        *(("3,5,3", 1.0), ("4,4,3", 1.0), ("4,4,4", 0.1), ("5,3,4", 0.2), ("3,6,3", 0.5), ("6,3,4", 0.1)),
        *(("5,4,4", 0.01), ("4,5,4", 0.01)),
    ],
)
def test_the_solver_scores_all_positions_of_a_small_board(board: str, share: float):
    """Every position that play can reach, in an order of chance, with a table that soon has something of each.

    A score is 1 + the pieces that the winner has left, negative if the side to move loses, 0 for a draw. On a board of
    15 squares the first side makes the last move.
    """
    game, random = parse_game(f"mnk:{board}+gravity"), Random(1)
    space, tested = space_of(game), Solver(game, megabytes=1)
    ends = scores(space).tolist()
    rows = [row for row in np.flatnonzero(space.outcome == RUNNING).tolist() if random.random() < share]
    random.shuffle(rows)
    wrong, size = [], game.board.grid.size
    for row in rows:
        position, end = int(space.position[row]), ends[row]
        sign, length = (end > 0) - (end < 0), int(space.ply[row]) + WIN_SCORE - abs(end)
        expected = sign * (1 + (size - length) // 2) * (1 if space.side[row] == Side.FIRST else -1)
        if tested.solve(position).score != expected:
            wrong.append((game.to_text(position), expected))
    assert len(rows) > 5000
    assert wrong == []


def test_threads_and_a_used_table_change_no_score():
    position, tested, runs = played("44444432211"), Solver(GAME, megabytes=1), []
    for threads in (2, 1, 2):
        tested.threads = threads
        runs.append(tested.analyse(position))
    tested.forget()
    runs.append(tested.analyse(position))
    scores = [{move: each.score for move, each in run.items()} for run in runs]
    assert scores == [scores[0]] * 4
    assert runs[-1] != runs[-2], "an empty table takes more nodes"


def test_where_the_score_is_known_one_best_move_is_found_and_a_wrong_score_is_noticed():
    """With 8 pieces, a book knows the score of the position, but of none of its moves."""
    position, scores = played("51521624"), Solver(GAME, 16).analyse(played("51521624"))
    best = {move for move, each in scores.items() if each.score == 2}
    assert 0 < len(best) < len(scores)
    own, taken = require_shape(GAME).words(position)
    board = WordBoard(require_shape(GAME))
    keys = np.array([board.key(own, taken)], np.int64)
    for threads in (1, 2):
        tested, wrong = (Solver(GAME, 16, book=Book(board, keys, np.array([score], np.int8))) for score in (2, 3))
        tested.threads = wrong.threads = threads
        move, score = tested.find_best(position)
        assert move in best
        assert score == 2
        tested.forget()
        with pytest.raises(Stopped):
            tested.find_best(position, stop=lambda: True)
        with pytest.raises(AssertionError):
            wrong.find_best(position)


def test_what_the_near_table_has_is_found_in_the_large_one_after_it_was_copied():
    near, large, random = np.zeros(SLOTS << 9, np.int64), np.zeros(SLOTS << 11, np.int64), Random(3)
    known = {random.getrandbits(49): (random.randrange(-18, 0), random.randrange(1, 18)) for _ in range(300)}
    for key, (lower, upper) in known.items():
        store(near, 9, key, lower, upper, random.randrange(1, 1000))
    kept = {key: find_entry(near, 9, key) for key in known if find_entry(near, 9, key)}
    copy_entries(near, 9, large, 11)
    for key, entry in kept.items():
        copied = find_entry(large, 11, key)
        assert (copied >> 13 & 127, copied >> 6 & 127) == (entry >> 13 & 127, entry >> 6 & 127)
        assert ((copied >> 13 & 127) - OFFSET, (copied >> 6 & 127) - OFFSET) == known[key]
    assert len(kept) > 250


def test_a_position_that_is_over_has_a_score():
    won = played("1212121")
    assert GAME.outcome(won) is Outcome.FIRST_WINS
    assert solver().solve(won).score == -(22 - 4)
    assert solver().analyse(won) == {}


@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_stops_at_once(threads):
    """The start of the game takes minutes; all threads end."""
    began = threading.Event()

    def stop() -> bool:
        began.set()
        return True

    before, tested = threading.active_count(), Solver(GAME, megabytes=1)
    tested.threads = threads
    with pytest.raises(Stopped):
        tested.solve(GAME.start, threads=threads, stop=stop)
    with pytest.raises(Stopped):
        tested.analyse(GAME.start, stop=stop)
    assert began.is_set()
    assert threading.active_count() == before


@pytest.mark.parametrize(
    "name", ["tictactoe", "mnk:4,4,3", "mnk:4,4,3+misere+gravity", "mnk:4,4,3+wild+gravity", "mnk:8,8,4+gravity"]
)
def test_other_games_are_refused(name: str):
    with pytest.raises(BadText, match="has no solver"):
        require_shape(parse_game(name))
