"""The fewest answers: every line is played out, those that come with the program too; minima are found by trial."""

from random import Random

import numpy as np
import pytest

from engine.game import Game, Side
from engine.games import GAMES, parse_game
from engine.smallest.answers import CannotHold, Counting, FewestAnswers, fewest_answers
from engine.smallest.integer_program import INSTALL, IntegerProgram, NoSolver
from engine.smallest.shipped import Case, cases, read_answers
from engine.solve import values
from engine.space import RUNNING, Space
from engine.spaces import space_of
from engine.stop import Stopped
from tests.oracles.remembering import Elsewhere, entries, fewest, met
from tests.oracles.rules import RULES, Rules
from tests.small_games import NOT_LISTED

TICTACTOE = GAMES[0]
both_sides = pytest.mark.parametrize("side", list(Side), ids=lambda side: side.name.lower())
symmetric_or_not = pytest.mark.parametrize("symmetric", [True, False], ids=["symmetric", "single"])


def written(game: Game, found: FewestAnswers) -> dict[str, str]:
    return {game.to_text(position): game.move_name(move) for position, move in found.moves.items()}


def any_move(rules: Rules) -> Elsewhere:
    return lambda position: set(rules.moves(position))


@pytest.mark.parametrize(
    ("counting", "first", "second"),
    [
        pytest.param(Counting.PUBLISHED, 22, 74, marks=pytest.mark.long),
        pytest.param(Counting.BOARDS, 22, 71, marks=pytest.mark.long),
        (Counting.DECISIONS, 13, 58),
    ],
    ids=str,
)
def test_tictactoe(counting: Counting, first: int, second: int):
    for side, least in ((Side.FIRST, first), (Side.SECOND, second)):
        found = fewest_answers(space_of(TICTACTOE), side, counting=counting)
        assert found is not None
        assert (found.entries, found.proved) == (least, True)
        answers, mark = written(TICTACTOE, found), TICTACTOE.mark(side)
        assert entries(RULES[TICTACTOE.name], mark, answers, counting, symmetric=True) == least


SMALL = [*NOT_LISTED, *map(parse_game, ("nim:1,2", "nim:1,2,3", "mnk:2,3,3", "mnk:2,2,2"))]


@pytest.mark.sample(9)
@both_sides
@symmetric_or_not
@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.name)
def test_minimum_by_trial(game: Game, side: Side, symmetric: bool):
    space, rules = space_of(game), RULES[game.name]
    if values(space)[0] * (1 - 2 * side) < 0:
        with pytest.raises(CannotHold, match="loses against best play"):
            fewest_answers(space, side, symmetric=symmetric)
        return
    found = fewest_answers(space, side, symmetric=symmetric)
    assert found is not None
    assert found.proved
    met(rules, game.mark(side), written(game, found), any_move(rules), symmetric=symmetric)
    assert found.entries == len(found.moves) == fewest(rules, game.mark(side), any_move(rules), symmetric=symmetric)


def invented_agent(space: Space, seed: int) -> np.ndarray:
    """A mask of edges: in most positions one perfect move, in some any moves, in a few none."""
    random, allowed = Random(seed), np.zeros(len(space.move), np.bool_)
    after = values(space)[space.target] * np.where(space.side[space.source] == Side.FIRST, 1, -1)
    for row in np.flatnonzero(space.outcome == RUNNING).tolist():
        edges = range(int(space.first_edge[row]), int(space.first_edge[row + 1]))
        best = max(after[edge] for edge in edges)
        good = [edge for edge in edges if after[edge] == best]
        kind = random.random()
        chosen = [random.choice(good)] if kind < 0.98 else random.sample(list(edges), random.randint(0, len(edges)))
        allowed[chosen] = True
    return allowed


@pytest.mark.parametrize(("side", "seed"), [(Side.FIRST, 0), (Side.FIRST, 2), (Side.SECOND, 2)])
def test_an_agent_is_mended(side: Side, seed: int):
    space, rules = space_of(TICTACTOE), RULES[TICTACTOE.name]
    allowed = invented_agent(space, seed)
    moves: dict[str, set[str]] = {}
    for edge in np.flatnonzero(allowed).tolist():
        text = TICTACTOE.to_text(int(space.position[space.source[edge]]))
        moves.setdefault(text, set()).add(TICTACTOE.move_name(int(space.move[edge])))
    found = fewest_answers(space, side, allowed, symmetric=False)
    assert found is not None
    assert found.proved

    def elsewhere(position: str) -> set[str]:
        return moves.get(position, set())

    met(rules, TICTACTOE.mark(side), written(TICTACTOE, found), elsewhere, symmetric=False)
    assert found.entries == fewest(rules, TICTACTOE.mark(side), elsewhere, symmetric=False)


def test_no_answer_is_needed_where_nothing_can_be_lost():
    found = fewest_answers(space_of(parse_game("mnk:1,3,3")), Side.FIRST)
    assert found is not None
    assert (found.entries, found.bound, dict(found.moves)) == (0, 0, {})


def test_rows_that_contradict_each_other():
    program = IntegerProgram()
    one = program.variable(1, whole=True)
    program.require([one], [], 1)
    program.require([], [one])
    with pytest.raises(ValueError, match="contradict"):
        program.minimum(10)


@pytest.mark.parametrize("seed", range(5))
def test_a_minimum_that_is_looked_for_choice_by_choice_is_the_same(seed: int):
    program, random = IntegerProgram(), Random(seed)
    follows = [program.variable(random.randint(1, 3)) for _ in range(9)]
    choices = [program.variable(1, whole=True) for _ in range(4)]
    program.require(choices, [], 1)
    for choice in choices:
        for each in random.sample(follows, 3):
            program.require([each], [choice])
    found, expected = program.minimum_by_choice(choices, 10), program.minimum(10)
    assert found is not None
    assert expected is not None
    assert (found.cost, found.bound) == (expected.cost, expected.bound) == (found.cost, found.cost)
    program.require([], choices)
    with pytest.raises(ValueError, match="contradict"):
        program.minimum_by_choice(choices, 10)


def test_without_the_solver_the_message_says_what_to_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(__import__("sys").modules, "highspy", None)
    with pytest.raises(NoSolver) as error:
        fewest_answers(space_of(TICTACTOE), Side.SECOND)
    assert INSTALL in str(error.value)


def test_without_time_there_is_a_bound_or_nothing():
    found = fewest_answers(space_of(TICTACTOE), Side.FIRST, symmetric=False, seconds=0.5)
    assert found is None or (found.bound <= found.entries)


def test_the_search_for_fewest_answers_can_be_stopped():
    with pytest.raises(Stopped):
        fewest_answers(space_of(TICTACTOE), Side.FIRST, symmetric=False, stop=lambda: True)


LARGE = ("morris", "wild", "mnk:4,3,3", "hexapawn:4,4", "notakto:2")


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=pytest.mark.long if case.game.name in LARGE else (), id=str(case)) for case in cases()],
)
def test_shipped_answers_never_lose_and_have_as_many_entries_as_they_say(case: Case):
    game, found = case.game, read_answers(case)
    rules, mark = RULES[game.name], game.mark(case.side)
    answers = {game.to_text(position): game.move_name(move) for position, move in found.moves.items()}
    assert entries(rules, mark, answers, case.counting, symmetric=case.symmetric) == found.entries
    assert 0 <= found.bound <= found.entries
