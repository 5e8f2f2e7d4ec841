"""What the papers that train learners share: seeds, opponents, and who loses to whom."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from engine.evaluate import Policy
from engine.game import Game, Side
from engine.space import Space
from engine.stop import Stop, Stopped
from learners.core.learner import Learner
from learners.core.player import Player
from learners.core.training import Progress, TrainingPlan, run
from learners.papers.report import UNPRINTED, Finding
from learners.papers.running import ReportShare
from learners.players.plain import TEACHER
from learners.players.registry import parse_player
from learners.race.measures import JUDGED, judge_policy

INTERVAL_SECONDS: Final = 0.2
"""The time between two progress values of a training, in seconds. Each contains a snapshot."""
OPPONENT_WORDS: Final[Mapping[str, str]] = {
    "random": "random",
    "perfect": "perfect",
    "self": "itself",
    "best_responder": "reader",
}
TEACHERS: Final[Mapping[str, str]] = {"perfect": TEACHER}
"""The label of the player to train against, for each name of an opponent that is not the label itself."""

Losses = Mapping[str, float]
"""The exact probabilities, in per cent, that a policy loses, by label: `as X, to random`."""


def seeds_text(first: int, count: int) -> str:
    return f"mean ± standard deviation of {count:,} seeds, {first:,} … {first + count - 1:,}"


def teacher(opponent: str, game: Game) -> Player:
    return parse_player(TEACHERS.get(opponent, opponent), game)


def train(learner: Learner, rounds: int, report: ReportShare, stop: Stop) -> Progress:
    """Train a learner to the end, and return the last progress. Raises `Stopped`."""
    learner.train(0)  # loads the kernel
    for progress in run(learner, TrainingPlan(rounds, INTERVAL_SECONDS), stop):
        report(progress.done / rounds)
    if not progress.finished:
        raise Stopped
    return progress


def train_singly(learner: Learner, games: int, report: ReportShare, stop: Stop) -> Iterator[dict[str, int]]:
    """Train game by game, and yield the statistics after each. Raises `Stopped`."""
    for game in range(games):
        if stop():
            raise Stopped
        learner.train(1)
        yield learner.stats()
        report((game + 1) / games)


def losses_by_opponent(space: Space, sides: Sequence[Side], policy: Policy) -> Losses:
    """Compute how often a policy of shape (m,) loses as these sides, and to whom.

    A policy for only one of the `sides` has no results against itself.
    """
    judged = judge_policy(space, policy)
    losses = dict[str, float]()
    for side in sides:
        for opponent, name in OPPONENT_WORDS.items():
            if opponent != "self" or len(sides) == len(Side):
                losses[_label(space.game, side, name)] = 100 * float(judged[side, JUDGED.index((opponent, "loss"))])
    return losses


def _label(game: Game, side: Side, name: str) -> str:
    return f"as {game.mark(side)}, to {name}"


def loss_findings(losses: Sequence[Losses], when: str = "") -> list[Finding]:
    """Return a finding for each label of `losses`, which has the results of each seed."""
    return [
        Finding(f"games in 100 {when}lost {label}", UNPRINTED, tuple(each[label] for each in losses), 1)
        for label in losses[0]
    ]


def unbeaten_finding(losses: Sequence[Losses], game: Game, sides: Sequence[Side], what: str) -> Finding:
    """Return how many seeds lose to nobody as these sides, not even to the best responder."""
    labels = [_label(game, side, OPPONENT_WORDS["best_responder"]) for side in sides]
    unbeaten = [each for each in losses if not any(each[label] for label in labels)]
    return Finding(what, UNPRINTED, (len(unbeaten),))
