"""Every claim of a debrief is true: compared with an independent oracle."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import cache
from math import inf
from random import Random

import pytest

from engine.analysis import debrief as module
from engine.analysis import rating as foresight
from engine.analysis.debrief import Turn, assess, debrief, debrief_in_steps, decisive_mistake, mistakes
from engine.analysis.rating import RatedMove, is_open
from engine.game import Game, Move, Side
from engine.games import parse_game
from engine.match import Match
from engine.search import Search
from engine.search_result import Algorithm
from engine.solve import OUTCOME_VALUE, values
from engine.spaces import space_of
from engine.tactics import forks
from tests.engine.test_rating import searched
from tests.oracles import lines
from tests.oracles.debrief import Foreseen, Oracle, claims, oracle_of
from tests.oracles.rules import DRAW
from tests.random_games import random_match
from tests.sizes import quick_game, short_and_long

every_number = short_and_long("games", 200, 5000)


def some_match(game: Game, random: Random) -> Match:
    """A random match. Half of them end early."""
    return random_match(game, random, random.choice((None, random.randrange(game.longest))), ends=True)


def claims_in_words(game: Game, turn: Turn) -> dict[str, object]:
    """The claims of a debrief about a move, except its ply, in words."""

    def names(moves: Sequence[Move]) -> list[str]:
        return [game.move_name(move) for move in moves]

    def rated(rated_move: RatedMove) -> tuple[object, ...]:
        return game.move_name(rated_move.move), rated_move.value, rated_move.plies, rated_move.estimate

    return {
        "position": game.to_text(turn.position),
        "side": game.mark(turn.side),
        "played": rated(turn.played),
        "best": [rated(rated_move) for rated_move in turn.best],
        "moves": turn.moves,
        "as_good": turn.as_good,
        **{
            name: names(getattr(turn, name))
            for name in ("wins", "forks", "unmet_threats", "allowed_wins", "allowed_forks")
        },
        **{
            name: getattr(turn, name)
            for name in ("value", "cost", "wins_late", "is_only_move", "has_missed_win", "has_missed_fork")
        },
    }


def assert_true(
    oracle: Oracle,
    match: Match,
    in_words: Callable[[Game, Turn], dict[str, object]] = claims_in_words,
    truth: Callable[[Oracle, object, str], dict[str, object]] = claims,
) -> None:
    turns = debrief(match)
    assert [turn.ply for turn in turns] == list(range(len(match.moves)))
    here, gave_away = oracle.start, []
    for turn, move in zip(turns, match.moves, strict=True):
        name = match.game.move_name(move)
        true = truth(oracle, here, name)
        assert in_words(match.game, turn) == true
        if true["cost"]:
            gave_away.append((turn.ply, true))
        here = oracle.play(here, name)
    assert [turn.ply for turn in mistakes(turns)] == [ply for ply, _ in gave_away]
    ended = oracle.outcome(here) or (DRAW if match.agreed else match.game.mark(match.side.other))
    blamed = [ply for ply, true in gave_away[-1:] if true["value"] > {DRAW: 0, true["side"]: 1}.get(ended, -1)]
    last = decisive_mistake(turns, match.outcome)
    assert ([] if last is None else [last.ply]) == blamed


def test_the_oracle_covers_every_field_of_a_turn():
    claimed = {field.name for field in fields(Turn)} | {
        name for name, value in vars(Turn).items() if isinstance(value, property)
    }
    oracle = oracle_of("tictactoe")
    assert claimed == {"ply", *claims(oracle, oracle.start, "b2")}


def test_moves_are_compared_one_by_one_from_the_end():
    match = random_match(parse_game("tictactoe"), Random(1), None)
    turns, count = debrief(match), len(match.moves)
    assert [*debrief_in_steps(match)] == [(turns[-shown:], shown < count) for shown in range(1, count + 1)]


@pytest.mark.long
def test_moves_that_a_solver_is_slow_at_are_estimated_first(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "GAME_SECONDS", 0.0)
    monkeypatch.setattr(module, "MOVE_SECONDS", 0.0)
    whole = random_match(parse_game("connectfour"), Random(1), None)
    match = Match(whole.game, [whole.positions[-21]])
    for move in whole.moves[-20:]:
        match.play(move)
    steps = [*debrief_in_steps(match)]
    complete = [turns for turns, _ in steps if len(turns) == len(match.moves)]
    assert is_open(match.game, [each.played for each in complete[0]])
    assert complete[-1] == debrief(match, seconds=inf)
    assert [looking for _, looking in steps] == [True] * (len(steps) - 1) + [False]


@pytest.mark.sample(1)
@every_number
@quick_game
def test_debriefs_of_random_games_agree_with_the_oracle(game: Game, games: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "assess", cache(assess))  # the same moves occur again and again
    random, ends = Random(7), Counter[str]()
    in_words, truth = cache(claims_in_words), cache(claims)
    for _ in range(games):
        match = some_match(game, random)
        assert_true(oracle_of(game.name), match, in_words, truth)
        ends["agreed" if match.agreed else "resigned" if match.resigned else "played out"] += 1
    assert ends["played out"] > games / 4
    assert ends["resigned"] > games / 10
    assert bool(ends["agreed"]) == game.has_draws


@pytest.mark.long
@quick_game
def test_assessments_of_all_moves_agree_with_the_oracle(game: Game):
    oracle, space = oracle_of(game.name), space_of(game)
    for position in space.position.tolist():
        for move in game.moves(position):
            name = game.move_name(move)
            assert claims_in_words(game, assess(game, position, move)) == claims(oracle, game.to_text(position), name)


def test_a_fork_that_one_capture_refutes_does_not_win():
    """The pawn on b2 could capture on either side and then win, but is captured first; the exchange is what wins."""
    game = parse_game("hexapawn")
    position = game.from_text("BBB/.W./W.W B")
    for name in ("a3b2", "c3b2"):
        move = game.parse_move(position, name)
        turn = assess(game, position, move)
        assert move in forks(game, position)
        assert (turn.played.value, turn.played.plies, turn.forks) == (1, 5, ())


CONNECT_FOUR = parse_game("connectfour")


@pytest.fixture
def looking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], Oracle]]:
    """Sets the search depth of the debrief and of the oracle; Connect Four is searched as if it had no solver."""

    def set_horizon(plies: int) -> Oracle:
        monkeypatch.setattr(foresight, "HORIZON", plies)
        monkeypatch.setattr(foresight, "shape_of", lambda _: None)
        foresight._searcher.cache_clear()
        minimax = Search(CONNECT_FOUR, Algorithm.MINIMAX, plies)

        @cache
        def seen(here: lines.Drop) -> dict[str, Foreseen]:
            found = searched(minimax, CONNECT_FOUR.from_text(lines.text(here)))
            return {CONNECT_FOUR.move_name(move): Foreseen(*each) for move, each in found.items()}

        return lines.oracle(seen)

    yield set_horizon
    foresight._searcher.cache_clear()


@pytest.mark.long
@quick_game
def test_the_costs_of_the_moves_add_up_to_the_outcome(game: Game):
    random, begun = Random(8), int(values(space_of(game))[0])
    for _ in range(100):
        match = random_match(game, random)
        turns, given = debrief(match), Counter[Side]()
        for turn in turns:
            given[turn.side] += turn.cost
        assert decisive_mistake(turns, match.outcome) == next(reversed(mistakes(turns)), None)
        assert OUTCOME_VALUE[match.outcome] == begun - given[Side.FIRST] + given[Side.SECOND]


@pytest.mark.long
@pytest.mark.parametrize(("games", "horizon"), [(9, 4), (1, 6)])
def test_debriefs_of_connect_four_agree_with_the_oracle(games: int, horizon: int, looking: Callable[[int], Oracle]):
    oracle, random = looking(horizon), Random(horizon)
    for _ in range(games):
        assert_true(oracle, some_match(CONNECT_FOUR, random))
