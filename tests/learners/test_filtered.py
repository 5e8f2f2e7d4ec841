"""Players behind a filter, compared with a naive reasoner whose failures a slow program removes move by move."""

from collections import Counter
from fractions import Fraction
from functools import cache
from random import Random

import numpy as np
import pytest

from engine.evaluate import OPPONENTS, best_response, scoreboard
from engine.game import BadText, Side
from engine.games import parse_game
from engine.solve import edge_values
from engine.space import RUNNING
from learners import parse_learner, parse_player
from learners.core.learner import Learner
from learners.core.player import Player
from learners.failures.learner import Failures
from learners.players.filtered import FilteredPlayer, require_failures
from learners.players.searcher import unseeded_searcher
from learners.race.entrants import parse_entrant
from learners.race.race import race
from tests.oracles.exact import against, against_best_responder, uniform
from tests.oracles.failures import NaiveReasoner
from tests.oracles.generator import Generator
from tests.oracles.rules import RULES, read
from tests.oracles.search import ESTIMATES, minimax

GAMES = {"tictactoe": 3000, "hexapawn": 12, "misere": 300}


@cache
def reasoner(game: str) -> Failures:
    learner = Failures(parse_game(game), "literal", 4)
    learner.train(GAMES[game])
    learner.label = "save:mine"
    return learner


@cache
def naive_reasoner(game: str) -> NaiveReasoner:
    naive = NaiveReasoner(RULES[game], "literal", Generator.seeded(4))
    for _ in range(GAMES[game]):
        naive.play_game()
    return naive


def even(_game: str, _position: str, moves: list[str]) -> set[str]:
    """The random player's choice among these moves."""
    return set(moves)


def two_ahead(game: str, position: str, moves: list[str]) -> set[str]:
    """The choice of minimax to a depth of 2."""
    rules = RULES[game]
    sign = 1 if read(position)[1] == rules.marks[0] else -1
    worth = {move: sign * minimax(rules, ESTIMATES[game], rules.play(position, move), 1, Counter()) for move in moves}
    return {move for move, value in worth.items() if value == max(worth.values())}


def naive_policy(game: str, choice) -> dict[tuple[str, str], Fraction]:
    """What a player plays if failures are removed first: from the written positions and moves alone."""
    naive, policy, space = naive_reasoner(game), {}, reasoner(game).space
    for row in np.flatnonzero(space.outcome == RUNNING).tolist():
        position = space.game.to_text(int(space.position[row]))
        legal = RULES[game].moves(position)
        chosen = choice(game, position, naive.open_moves(position) or legal)
        policy |= {(position, move): Fraction(move in chosen, len(chosen)) for move in legal}
    return policy


@pytest.mark.sample(1)
@pytest.mark.parametrize("game", ["hexapawn", "tictactoe", "misere"])
@pytest.mark.parametrize(("label", "choice"), [("random", even), ("minimax:2", two_ahead)])
def test_the_exact_results_are_those_of_a_slow_program(game, label, choice):
    rules, failures = RULES[game], reasoner(game)
    player = FilteredPlayer(parse_player(label, failures.game), failures)
    naive = naive_policy(game, choice)
    exact = scoreboard(failures.space, player.policy())
    everywhere = uniform(rules, [position for position, _ in naive])
    for side, mark in zip(Side, rules.marks, strict=True):
        seen = exact[side.name.lower()].against
        for opponent, chances in (
            ("random", against(rules, mark, naive, everywhere)),
            ("self", against(rules, mark, naive, naive)),
            ("best_responder", against_best_responder(rules, mark, naive)),
        ):
            found = seen[opponent]
            assert (found.win, found.draw, found.loss) == pytest.approx([float(each) for each in chances], abs=1e-12)


def players(game: str) -> list[Player]:
    rules = parse_game(game)
    learners = [parse_learner(name)(rules, preset, 2) for name, preset in (("q", "exact"), ("menace", "steady"))]
    for learner in learners:
        learner.train(200)
    return [*learners, *(parse_player(label, rules) for label in ("random", "minimax:2", "perfect", "uct:20/3"))]


@pytest.mark.parametrize("game", ["tictactoe", "hexapawn"])
def test_nobody_plays_a_failure_unless_all_moves_are(game):
    failures = reasoner(game)
    space, failed = failures.space, failures.memory > 0
    for player in players(game):
        filtered, rows = FilteredPlayer(player, failures), range(len(space.position))
        before, after = player.policy(), filtered.policy()
        removed = 0
        for row in Random(1).sample(rows, min(len(rows), 100)):
            position = int(space.position[row])
            edges = list(space.edges(position)) if space.outcome[row] == RUNNING else []
            if not edges:
                continue
            if isinstance(player, Learner):
                assert not any(each.excluded and each.chance for each in player.thoughts(position))
            thoughts = filtered.thoughts(position)
            assert [each.chance for each in thoughts] == pytest.approx(after[edges]), player.label
            assert after[edges].sum() == pytest.approx(before[edges].sum())
            if failed[edges].all() or not failed[edges].any():
                assert after[edges] == pytest.approx(before[edges])
            else:
                removed += 1
                assert not after[edges][failed[edges]].any()
            choice = filtered.choose(position, Random(row))
            assert len(choice.reason) <= 100
            assert choice.move is None or after[space.edge(position, choice.move)] > 0
        assert removed


def test_of_what_remains_a_player_that_ranks_moves_plays_the_best():
    """The one failure is the best move: uct plays the move with the next most playouts, q that with the next value."""
    game = parse_game("tictactoe")
    failures, uct = Failures(game, "literal", 0), parse_player("uct:200/1", game)
    failures.memory[failures.space.edge(game.start, uct.choose(game.start, Random(0)).move)] = 1
    ranked = sorted(uct.result(game.start).moves, key=lambda each: -each.visits)
    (second,) = [each.move for each in FilteredPlayer(uct, failures).thoughts(game.start) if each.chance]
    assert second == ranked[1].move
    q = parse_learner("q")(game, "exact", 5)
    q.train(500)
    failures.memory[:] = 0
    worth = {each.move: each.level for each in q.thoughts(game.start)}
    best = max(worth, key=worth.__getitem__)
    failures.memory[failures.space.edge(game.start, best)] = 1
    left = {move for move, level in worth.items() if move != best and level == max(set(worth.values()) - {worth[best]})}
    assert {each.move for each in FilteredPlayer(q, failures).thoughts(game.start) if each.chance} <= left


def test_a_perfect_database_makes_any_player_safe():
    """Of tic-tac-toe's losing moves, all are recorded: then even random play never loses."""
    failures = reasoner("tictactoe")
    whole = Failures(failures.game, "literal", 0)
    whole.memory[:] = edge_values(whole.space) == -1
    policy = FilteredPlayer(parse_player("random", whole.game), whole).policy()
    assert [best_response(whole.space, side, policy).loss for side in Side] == [0, 0]


def test_a_search_without_a_seed_stays_one_behind_a_filter():
    failures = reasoner("tictactoe")
    filtered = FilteredPlayer(parse_player("uct:20", failures.game), failures)
    assert (filtered.label, unseeded_searcher(filtered)) == ("uct:20~mine", filtered)
    assert unseeded_searcher(FilteredPlayer(parse_player("uct:20/1", failures.game), failures)) is None


def test_only_failures_are_a_filter():
    q = parse_learner("q")(parse_game("tictactoe"), "exact", 1)
    for player in (q, parse_player("random", q.game), None):
        with pytest.raises(BadText, match="is no filter: give a save of the learner failures"):
            require_failures(player)


def test_an_entrant_is_judged_behind_the_filter_and_trains_without_it():
    failures = reasoner("tictactoe")

    def find(label: str, game) -> Player | None:
        return failures if label == "save:mine" else None if label == "self" else parse_player(label, game)

    texts = ("menace:steady", "menace:steady~mine")
    entrants = [parse_entrant(text, failures.game, find) for text in texts]
    assert [each.text for each in entrants] == list(texts)
    *_, last = race(entrants, range(1, 3), 50, threads=1)
    bare, filtered = (judged[0, -1] for judged in last.judged)
    machine: Learner = entrants[1].machine(1)
    machine.train(50)
    policy = FilteredPlayer(machine, failures).policy()
    column = 3 * OPPONENTS.index("random") + 2
    expected = [scoreboard(failures.space, policy)[side.name.lower()].against["random"].loss for side in Side]
    assert filtered[:, column] == pytest.approx(expected)
    assert (filtered[:, column] < bare[:, column]).all()
