"""The intervals of a sampled agent hold the truth, which a slow program computes from its probabilities."""

from collections.abc import Mapping
from random import Random

import numpy as np
import pytest

from engine.game import Game, Outcome, Position, Side
from engine.games import parse_game
from engine.spaces import space_of
from lab.judging.asking.ask_all import ask_all
from lab.judging.asking.confidence import CONFIDENCE, chances_of_each, chernoff_interval, shuffle_samples
from lab.judging.judge import judge
from lab.judging.notation.reply import Reply

SMALL = parse_game("mnk:3,2,2")
Chances = Mapping[Position, Mapping[int, float]]


def truth(game: Game, side: Side, policy: Chances, opponent: str) -> float:
    """The chance to lose, by plain recursion over positions."""
    known: dict[Position, float] = {}
    perfect = values_of(game)

    def loss(position: Position) -> float:
        if position not in known:
            outcome = game.outcome(position)
            if outcome is not None:
                known[position] = float(outcome is Outcome.won_by(side.other))
                return known[position]
            after = {move: loss(game.play(position, move)) for move in game.moves(position)}
            if game.side(position) is side or opponent == "self":
                known[position] = sum(policy[position][move] * each for move, each in after.items())
            elif opponent == "best_responder":
                known[position] = max(after.values())
            else:
                kept = perfect[position] if opponent == "perfect" else [*after]
                known[position] = sum(after[move] for move in kept) / len(kept)
        return known[position]

    return loss(game.start)


def values_of(game: Game) -> dict[Position, list[int]]:
    """The moves that win as soon, or lose as late, as possible, by position."""
    best, scores = dict[Position, list[int]](), dict[Position, float]()

    def score(position: Position) -> float:
        if position not in scores:
            outcome = game.outcome(position)
            if outcome is not None:
                scores[position] = 0 if outcome is Outcome.DRAW else -100
                return scores[position]
            after = {move: -score(game.play(position, move)) for move in game.moves(position)}
            top = max(after.values())
            best[position] = [move for move, each in after.items() if each == top]
            scores[position] = top - (top > 0) + (top < 0)
        return scores[position]

    score(game.start)
    return best


def random_policy(game: Game, random: Random) -> dict[Position, dict[int, float]]:
    """A policy that errs rarely in most positions, and often in some."""
    policy = {}
    for position, best in values_of(game).items():
        error = random.choice((0.0, 0.002, 0.02, 0.3, 1.0))
        moves = game.moves(position)
        chosen = random.choice(best)
        policy[position] = {move: error / len(moves) + (1 - error) * (move == chosen) for move in moves}
    return policy


def sampled_from(policy: Chances, random: Random):
    def ask(position: Position) -> Reply:
        moves, weights = zip(*policy[position].items(), strict=True)
        return Reply({random.choices(moves, weights)[0]: 1.0}, single=True)

    return ask


@pytest.mark.long
@pytest.mark.parametrize("name", ["mnk:3,2,2", pytest.param("tictactoe", marks=pytest.mark.long)])
def test_intervals_hold_the_truth_in_95_of_100_runs(name: str):
    game, random = parse_game(name), Random(7)
    held, runs = dict[str, int](), 24 if name != "tictactoe" else 40
    for _ in range(runs):
        policy = random_policy(game, random)
        verdict = judge(game, ask_all(game, sampled_from(policy, random), samples=random.choice((20, 60))))
        if verdict.sampled is None:  # nothing random was met
            continue
        assert verdict.optimal != dict.fromkeys(Side, True)
        for side in Side:
            for opponent, shares in verdict.sampled.intervals[side.name.lower()].items():
                low, high = shares["loss"]
                shown = verdict.scores[side.name.lower()].against[opponent].loss
                assert low <= shown <= high
                inside = low - 1e-9 <= truth(game, side, policy, opponent) <= high + 1e-9
                held[opponent] = held.get(opponent, 0) + inside
                held["of"] = held.get("of", 0) + 1
    runs = held.pop("of") // len(held)
    assert runs > 15
    assert min(held.values()) >= CONFIDENCE * runs, held


def test_each_answer_number_plays_a_policy_of_its_own():
    space, random = space_of(SMALL), Random(3)
    answers = ask_all(SMALL, sampled_from(random_policy(SMALL, random), random), samples=30)
    samples = shuffle_samples(space, answers.policy, dict(answers.counts))
    win, loss = chances_of_each(space, Side.SECOND, samples, None)
    for number in (0, 7, 29):
        one = samples._replace(answer_edges=samples.answer_edges[:, [number]])
        policy = one.policy
        chosen = {
            int(space.position[row]): {
                int(space.move[edge]): policy[edge] for edge in space.edges(int(space.position[row]))
            }
            for row in range(len(space.position))
        }
        assert loss[number] == pytest.approx(truth(SMALL, Side.SECOND, chosen, "self"))
    assert ((win + loss) <= 1 + 1e-9).all()


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_the_bound_after_no_loss_is_the_rule_of_three(count: int):
    assert chernoff_interval(0.0, count, 0.1).high == pytest.approx(1 - 0.05 ** (1 / count))
    assert chernoff_interval(0.0, count, 0.1).low == 0
    low, high = chernoff_interval(0.5, count, 0.05)
    assert low == pytest.approx(1 - high)
    assert high - 0.5 < np.sqrt(np.log(40) / (2 * count))
