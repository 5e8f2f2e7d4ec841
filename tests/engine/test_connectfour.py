"""Connect Four: compared with naive rules and exact counts, and what is refused."""

import time
from collections import Counter
from collections.abc import Callable
from itertools import zip_longest
from random import Random

import pytest

from engine.game import BadText, IllegalMove, Side
from engine.games import parse_game
from engine.known_positions import known_positions
from engine.search import MAX_LEFT, search
from engine.search_result import Algorithm
from engine.space import TooLarge
from tests.engine.test_space import perft
from tests.oracles import lines as oracle
from tests.oracles.counting import walked
from tests.random_games import random_match
from tests.sizes import short_and_long

GAME = parse_game("connectfour")
START = oracle.Drop(0, 0, "X")


def counts(start: object, moves: Callable, play: Callable, depth: int) -> dict[str, list[int]]:
    """The numbers of positions after 0, 1, 2 … moves, and of sequences of 1, 2 … moves."""
    level = Counter({start: 1})
    positions, sequences = [1], []
    for _ in range(depth):
        after = Counter[object]()
        for position, ways in level.items():
            for move in moves(position):
                after[play(position, move)] += ways
        level = after
        positions.append(len(level))
        sequences.append(level.total())
    return {"positions_by_ply": positions, "perft": sequences}


@short_and_long("depth", 4, 8)
def test_counts(depth: int):
    known = perft(GAME)
    wanted = {"positions_by_ply": known["positions_by_ply"][: depth + 1], "perft": known["perft"][:depth]}
    assert counts(GAME.start, GAME.moves, GAME.play, depth) == wanted
    assert counts(START, oracle.moves, oracle.play, depth) == wanted
    assert known.keys() == {"game", *wanted}


def test_random_games_agree_with_the_oracle():
    random, ended = Random(1), Counter[str]()
    for _ in range(12):
        match, here = random_match(GAME, random), START
        for position, move in zip_longest(match.positions, match.moves):
            assert GAME.to_text(position) == oracle.text(here)
            assert [GAME.move_name(move) for move in GAME.moves(position)] == oracle.moves(here)
            how = GAME.outcome(position)
            reported = None if how is None else "draw" if how.winner is None else GAME.mark(how.winner)
            assert reported == oracle.outcome(here)
            if move is None:
                ended[reported] += 1
                break
            assert GAME.heuristic.estimate(position) == oracle.estimate(here.x, here.o)
            (square,) = GAME.board.squares(position, move)
            assert GAME.board.cells(position)[square] is None
            here = oracle.play(here, GAME.move_name(move))
            after = GAME.play(position, move)
            before, now = GAME.board.cells(position), GAME.board.cells(after)
            assert now[square] == GAME.board.pieces[GAME.side(position)]
            assert sum(one != two for one, two in zip(before, now, strict=True)) == 1
    assert ended["X"]
    assert ended["O"]


def test_a_reachable_position_is_parsed_and_an_upside_down_one_is_refused_quickly():
    random, refused = Random(4), 0
    for _ in range(40):
        position = random_match(GAME, random, random.randrange(4, 30)).position
        assert GAME.from_text(GAME.to_text(position)) == position
        rows, mover = GAME.to_text(position).split(" ")
        columns = ["".join(row[number] for row in rows.split("/")) for number in range(7)]
        turned = [column.replace(".", "")[::-1].rjust(6, ".") for column in columns]
        text = "/".join("".join(column[row] for column in turned) for row in range(6))
        begun = time.process_time()
        try:
            GAME.from_text(f"{text} {mover}")
        except BadText:
            refused += 1
        assert time.process_time() - begun < 10
    assert refused


def test_a_full_column_cannot_be_played():
    position = GAME.start
    for _ in range(6):
        position = GAME.play(position, 3)
    assert GAME.moves(position) == (0, 1, 2, 4, 5, 6)
    with pytest.raises(IllegalMove, match=r"d cannot be played in .*; legal: a, b, c, e, f, g"):
        GAME.parse_move(position, "d")
    with pytest.raises(IllegalMove, match="move 3 cannot be played"):
        GAME.play(position, 3)


def test_any_square_of_a_column_selects_it():
    position = GAME.start
    for square in (3, 17, 38):  # at the top, in the middle, at the bottom
        column = square % 7
        move = GAME.board.squares(position, column)
        assert (GAME.board.pointed(position, square),) == move
        position = GAME.play(position, column)
    full = GAME.start
    for _ in range(6):
        full = GAME.play(full, 0)
    assert GAME.board.pointed(full, 7) == 7


def test_a_search_to_the_end_is_bounded_by_what_is_left():
    """The bound on what is left is never too small, and allows the last dozen moves."""
    assert GAME.most_left(GAME.start) > MAX_LEFT
    ends = [known for known in known_positions(GAME) if known.set == "end-easy"]
    few = [known for known in ends if GAME.empty(known.position).bit_count() <= 8]
    for known in few:
        seen = walked(known.position, lambda position: [reached for _, reached, _ in GAME.successors(position)])
        assert len(seen) <= (GAME.most_left(known.position) or 0)
    for known in ends:
        if GAME.empty(known.position).bit_count() <= 12:
            sign = 1 if GAME.side(known.position) is Side.FIRST else -1
            assert search(GAME, known.position, algorithm=Algorithm.ALPHABETA).value == sign * known.value
    with pytest.raises(TooLarge, match="to its ends from this position"):
        search(GAME, GAME.play(GAME.start, 3), algorithm=Algorithm.ALPHABETA)
