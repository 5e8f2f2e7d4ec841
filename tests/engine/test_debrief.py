"""Every claim of a debrief is true: compared with an independent oracle."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from functools import cache
from random import Random

import pytest

from engine.analysis import debrief as module
from engine.analysis import rating as foresight
from engine.analysis.debrief import Turn, assess, debrief, decisive_mistake, mistakes
from engine.analysis.rating import RatedMove
from engine.game import Game, Move, Side
from engine.games import parse_game
from engine.match import Match
from engine.solve import OUTCOME_VALUE, values
from engine.spaces import space_of
from engine.tactics import forks
from tests.oracles import connectfour, lines
from tests.oracles.debrief import ORACLES, Oracle, claims
from tests.oracles.rules import DRAW
from tests.sizes import QUICK_GAMES, short_and_long

every_number = short_and_long("games", 500, 5000)
TICTACTOE, CONNECT_FOUR = parse_game("tictactoe"), parse_game("connectfour")


@pytest.fixture(autouse=True)
def _without_solver(monkeypatch: pytest.MonkeyPatch):
    """Connect Four stands for the games that a limited search rates."""
    monkeypatch.setattr(foresight, "shape_of", lambda _: None)


small_game = pytest.mark.parametrize("game", QUICK_GAMES, ids=lambda game: game.name)


def random_match(game: Game, random: Random) -> Match:
    """A random match. Half of them end early, by a resignation or an agreed draw."""
    match, early = Match(game), random.random() < 0.5
    last = random.randrange(game.longest) if early else game.longest
    while match.outcome is None and len(match.moves) < last:
        match.play(random.choice(game.moves(match.position)))
    if match.outcome is None:
        match.agree() if game.has_draws and random.random() < 0.5 else match.resign()
    return match


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
        **{name: getattr(turn, name) for name in ("value", "cost", "late", "only_move", "missed_win", "missed_fork")},
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


@pytest.fixture
def looking(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], Oracle]]:
    """Sets the search depth of the debrief and of the oracle."""

    def set_horizon(plies: int) -> Oracle:
        monkeypatch.setattr(foresight, "HORIZON", plies)
        foresight._searcher.cache_clear()
        return lines.lines(plies)

    yield set_horizon
    foresight._searcher.cache_clear()


def test_the_oracle_covers_every_field_of_a_turn():
    claimed = {field.name for field in fields(Turn)} | {
        name for name, value in vars(Turn).items() if isinstance(value, property)
    }
    oracle = ORACLES["tictactoe"]
    assert claimed == {"ply", *claims(oracle, oracle.start, "b2")}


@pytest.mark.sample(1)
@every_number
@small_game
def test_debriefs_of_random_games_agree_with_the_oracle(game: Game, games: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "assess", cache(assess))  # the same moves occur again and again
    random, ends = Random(7), Counter[str]()
    in_words, truth = cache(claims_in_words), cache(claims)
    for _ in range(games):
        match = random_match(game, random)
        assert_true(ORACLES[game.name], match, in_words, truth)
        ends["agreed" if match.agreed else "resigned" if match.resigned else "played out"] += 1
    assert ends["played out"] > games / 4
    assert ends["resigned"] > games / 10
    assert bool(ends["agreed"]) == game.has_draws


@small_game
def test_the_costs_of_the_moves_add_up_to_the_outcome(game: Game):
    random, begun = Random(8), int(values(space_of(game))[0])
    for _ in range(100):
        match = Match(game)
        while match.outcome is None:
            match.play(random.choice(game.moves(match.position)))
        turns, given = debrief(match), Counter[Side]()
        for turn in turns:
            given[turn.side] += turn.cost
        assert decisive_mistake(turns, match.outcome) == next(reversed(mistakes(turns)), None)
        assert OUTCOME_VALUE[match.outcome] == begun - given[Side.FIRST] + given[Side.SECOND]


@pytest.mark.long
@small_game
def test_assessments_of_all_moves_agree_with_the_oracle(game: Game):
    oracle, space = ORACLES[game.name], space_of(game)
    for position in space.position.tolist():
        for move in game.moves(position):
            name = game.move_name(move)
            assert claims_in_words(game, assess(game, position, move)) == claims(oracle, game.to_text(position), name)


@pytest.mark.parametrize(("name", "unmet"), [("e", ""), ("g", "e")])
def test_a_threat_is_met_even_if_the_piece_enables_another_one(name: str, unmet: str):
    """X threatens two squares of a column, one above the other."""
    position = CONNECT_FOUR.from_text("......./......./......./......./OXXX.O./OXXX.OO O")
    turn = assess(CONNECT_FOUR, position, CONNECT_FOUR.parse_move(position, name))
    assert [CONNECT_FOUR.move_name(move) for move in turn.allowed_wins] == ["e"]
    assert [CONNECT_FOUR.move_name(move) for move in turn.unmet_threats] == list(unmet)


def test_a_fork_that_one_capture_refutes_does_not_win():
    """The pawn on b2 could capture on either side and then win, but is captured first; the exchange is what wins."""
    game = parse_game("hexapawn")
    position = game.from_text("BBB/.W./W.W B")
    for name in ("a3b2", "c3b2"):
        move = game.parse_move(position, name)
        turn = assess(game, position, move)
        assert move in forks(game, position)
        assert (turn.played.value, turn.played.plies, turn.forks) == (1, 5, ())


def test_the_oracle_has_the_same_rules_and_heuristic():
    random = Random(5)
    for _ in range(20):
        columns, here = connectfour.EMPTY, lines.lines(1).start
        while moves := connectfour.moves(columns):
            assert (lines.text(here), lines.moves(here)) == (connectfour.text(columns), moves)
            assert lines.estimate(here.x, here.o) == connectfour.lines_of_two_and_three(columns)
            move = random.choice(moves)
            columns, here = connectfour.play(columns, move), lines.play(here, move)
        assert lines.outcome(here) == connectfour.outcome(columns)


@pytest.mark.long
@pytest.mark.parametrize(("games", "horizon"), [(9, 4), (1, 6)])
def test_debriefs_of_connect_four_agree_with_the_oracle(games: int, horizon: int, looking: Callable[[int], Oracle]):
    oracle, random = looking(horizon), Random(horizon)
    for _ in range(games):
        assert_true(oracle, random_match(CONNECT_FOUR, random))


@pytest.mark.long
@pytest.mark.parametrize("batch", range(48))
def test_debriefs_of_4800_games_of_connect_four_agree_at_depth_four(batch: int, looking: Callable[[int], Oracle]):
    """A hundred games each. A depth of four takes a twelfth of the time of the program's depth of six."""
    oracle, random = looking(4), Random(f"four {batch}")
    for _ in range(100):
        assert_true(oracle, random_match(CONNECT_FOUR, random))


@pytest.mark.long
@pytest.mark.parametrize("batch", range(20))
def test_debriefs_of_200_games_of_connect_four_agree_at_depth_six(batch: int, looking: Callable[[int], Oracle]):
    """Ten games each, at the depth of the program."""
    assert foresight.HORIZON == 6
    oracle, random = looking(6), Random(f"six {batch}")
    for _ in range(10):
        assert_true(oracle, random_match(CONNECT_FOUR, random))
