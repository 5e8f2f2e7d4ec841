"""Ratings of moves: compared with a search to the end, and with positions solved by hand."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count, islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.analysis import rating as module
from engine.analysis.rating import HORIZON, RatedMove, rate_moves
from engine.game import Game, Position, Side
from engine.games import parse_game
from engine.search import Search
from engine.search_result import Algorithm
from engine.spaces import space_of
from engine.stop import Stopped
from tests.random_games import random_match
from tests.sizes import quick_game
from tests.waiting import LIMIT

TICTACTOE, CONNECT_FOUR = parse_game("tictactoe"), parse_game("connectfour")


@pytest.fixture(autouse=True)
def _forgotten(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test begins with empty search tables, and searches Connect Four as if it had no solver."""
    monkeypatch.setattr(module, "shape_of", lambda _: None)
    module._searcher.cache_clear()
    yield
    module._searcher.cache_clear()


def searched(looking: Search, position: Position) -> dict[int, tuple[int | None, int, int]]:
    """Ratings derived from a search: the value of each move, its plies, and its estimate."""
    sign = 1 if looking.game.side(position) is Side.FIRST else -1
    found = looking.result(position)
    ratings = {}
    for each in found.moves:
        if each.plies is not None:
            ratings[each.move] = (1 if each.value * sign > 0 else -1, each.plies, 0)
        else:
            ratings[each.move] = (None, 0, each.value * sign) if each.estimated else (0, 0, 0)
    return ratings


def foreseen(game: Game, position: Position) -> dict[int, tuple[int | None, int, int]]:
    return {each.move: (each.value, each.plies, each.estimate) for each in rate_moves(game, position)}


@pytest.mark.sample(1)
@quick_game
def test_ratings_agree_with_a_search_to_the_end(game: Game):
    looking = Search(game, Algorithm.ALPHABETA, game.longest, every_move=True)
    for position in space_of(game).position.tolist():
        if game.outcome(position) is None:
            assert foreseen(game, position) == searched(looking, position)
        else:
            assert rate_moves(game, position) == ()


def positions_after(pieces: int, some: int) -> list[Position]:
    """Running positions of Connect Four with this number of pieces, from random play."""
    matches = iter(partial(random_match, CONNECT_FOUR, Random(pieces), pieces), None)
    return [match.position for match in islice((each for each in matches if each.outcome is None), some)]


@pytest.mark.parametrize(("horizon", "pieces", "some"), [(3, 0, 1), (3, 11, 6), (4, 20, 3), (4, 33, 6), (6, 36, 4)])
def test_ratings_of_connect_four_agree_with_minimax(
    horizon: int, pieces: int, some: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(module, "HORIZON", horizon)
    looking = Search(CONNECT_FOUR, Algorithm.MINIMAX, horizon)
    for position in positions_after(pieces, some):
        assert foreseen(CONNECT_FOUR, position) == searched(looking, position)


DRAWN = "agdaffbbgcdafgbcfbffedaedecdbdbggaceegeacc"
"""A game of Connect Four without four in a row, move by move."""


def test_a_position_that_play_cannot_reach_is_refused():
    with pytest.raises(KeyError):
        rate_moves(TICTACTOE, TICTACTOE.null_move(TICTACTOE.start) or 0)


@st.composite
def rated(draw: st.DrawFn) -> RatedMove:
    worth = draw(st.sampled_from((1, 0, -1, None)))
    plies = draw(st.integers(1, 42)) if worth else 0
    return RatedMove(draw(st.integers(0, 80)), worth, plies, 0 if worth is not None else draw(st.integers(-276, 276)))


def better(one: RatedMove, two: RatedMove) -> bool:
    """Whether the first rating is better, by the definition of the ratings."""
    if one.value == 1 or two.value == 1:
        return one.value == 1 and (two.value != 1 or one.plies < two.plies)
    if one.value == -1 or two.value == -1:
        return two.value == -1 and (one.value != -1 or one.plies > two.plies)
    return one.estimate > two.estimate


@given(rated(), rated())
def test_merit_orders_ratings_by_their_meaning(one: RatedMove, two: RatedMove):
    assert (one.merit > two.merit) == better(one, two)


def test_a_stopped_search_ends_soon_and_leaves_correct_tables():
    position = positions_after(12, 1)[0]
    sure = searched(Search(CONNECT_FOUR, Algorithm.ALPHABETA, HORIZON, order="centre", every_move=True), position)
    for asked_before in (0, 2, 4):
        asks = count()
        with pytest.raises(Stopped):
            rate_moves(CONNECT_FOUR, position, lambda asks=asks, last=asked_before: next(asks) >= last)
        assert next(asks) == asked_before + 1
    assert foreseen(CONNECT_FOUR, position) == sure


def test_a_thread_that_waits_for_another_search_can_be_stopped():
    busy = module._searcher(CONNECT_FOUR)._latest._busy
    with ThreadPoolExecutor(1) as pool, busy:
        waiting = pool.submit(rate_moves, CONNECT_FOUR, CONNECT_FOUR.start, lambda: True)
        with pytest.raises(Stopped):
            waiting.result(timeout=LIMIT)
    assert rate_moves(CONNECT_FOUR, positions_after(38, 1)[0])


def test_a_draw_is_reported_only_if_every_line_ends_within_the_horizon():
    position = CONNECT_FOUR.start
    for left, move in zip(range(42, 0, -1), DRAWN, strict=True):
        if left <= HORIZON + 4:
            worths = {each.value for each in rate_moves(CONNECT_FOUR, position)}
            assert (None not in worths) if left <= HORIZON else (0 not in worths)
        position = CONNECT_FOUR.play(position, CONNECT_FOUR.parse_move(position, move))
    assert worths == {0}
    assert rate_moves(CONNECT_FOUR, position) == ()


def test_several_threads_can_search_at_once():
    asked = positions_after(36, 6)
    alone = [rate_moves(CONNECT_FOUR, position) for position in asked]
    module._searcher.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda position: rate_moves(CONNECT_FOUR, position), asked)) == alone
