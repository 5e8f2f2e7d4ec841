"""Judge an agent: compute the exact results of its answers, or intervals for a sampled agent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from engine.evaluate import Policy, Results, losing_game, perfect_policy, scoreboard, secured_worth, uniform_policy
from engine.game import Game, Move, Side
from engine.match import Match
from engine.solve import soonest_edges, values
from engine.space import Space
from engine.spaces import space_of
from lab.judging.asking.answers import Answers
from lab.judging.asking.confidence import Interval, fixed_interval, responder_interval, shuffle_samples, worth_interval


@dataclass(frozen=True)
class SamplePrecision:
    """The precision of the results of a sampled agent."""

    samples: int
    """The number of questions in each position."""
    positions: int
    """The number of positions in which the agent's answers differ."""
    intervals: Mapping[str, Mapping[str, Mapping[str, Interval]]]
    """The interval of each chance, by side, by opponent, and by `win`, `draw` or `loss`."""
    exploitability: Mapping[str, Interval]
    """The interval of the exploitability, by side."""


@dataclass(frozen=True)
class AgentResults:
    answers: Answers
    worth: Mapping[Side, int]
    """The value of the game by side: 1 a win, 0 a draw, −1 a loss."""
    scores: Mapping[str, Results]
    """The exact results by side. As a side that the agent was not asked to play, it resigns at once."""
    lost: Mapping[Side, Match]
    """The shortest game that the agent can lose, by side; sides with which it never loses are missing."""
    optimal: Mapping[Side, bool | None]
    """Whether the agent secures the value of the game against any opponent, by side; `None` if samples cannot tell."""
    wins_given_away: int
    """The number of won positions that the agent meets and in which it plays a move that does not win."""
    late_wins: int
    """The number of won positions that the agent meets and in which it plays a move that wins later than another."""
    sampled: SamplePrecision | None

    @property
    def losing(self) -> tuple[Side, Match] | None:
        """The shortest game that the agent can lose, and its side there; `None` if it never loses."""
        return min(self.lost.items(), key=lambda side_and_match: len(side_and_match[1].moves), default=None)

    @property
    def nash_conv(self) -> float | None:
        """The sum of the exploitabilities of both sides; `None` if the agent does not play both."""
        if len(self.answers.sides) < len(Side):
            return None
        return sum(each.exploitability for each in self.scores.values())


def judge(game: Game, answers: Answers) -> AgentResults:
    """Compute the exact results of an agent's answers."""
    space = space_of(game) if answers.histories is None else answers.histories.space
    scores = scoreboard(space, answers.policy)
    first_value = int(values(space)[0])
    worth = {Side.FIRST: first_value, Side.SECOND: -first_value}
    optimal, lost = dict[Side, bool | None](), dict[Side, Match]()
    for side in answers.sides:
        optimal[side] = _is_value_secured(scores[side.name.lower()], worth[side])
        if optimal[side] and (answers.counts or not answers.is_certain):  # a rare move may be missing
            optimal[side] = None
        moves = losing_game(space, side, answers.policy)
        if moves is not None:
            lost[side] = _play_moves(game, moves)
    given_away, late = _count_flawed_wins(space, answers.policy)
    return AgentResults(
        answers=answers,
        worth=worth,
        scores=scores,
        lost=lost,
        optimal=optimal,
        wins_given_away=given_away,
        late_wins=late,
        sampled=_measure_precision(space, answers, worth) if answers.counts else None,
    )


def _is_value_secured(results: Results, value: int) -> bool:
    """Return whether a player secures a value (1 a win, 0 a draw, −1 a loss) against its best responder."""
    worst = results.against["best_responder"]
    if value > 0:
        return worst.win == 1
    return value < 0 or worst.loss == 0


def _count_flawed_wins(space: Space, policy: Policy) -> tuple[int, int]:
    """Return in how many won positions the agent gives the win away, and in how many it wins later than it could."""
    sign = np.where(space.side == Side.FIRST, 1, -1)[space.source]
    is_won, stays_won = (values(space)[ends] * sign > 0 for ends in (space.source, space.target))
    is_played = (policy > 0) & is_won
    given_away = np.unique(space.source[is_played & ~stays_won])
    late = np.unique(space.source[is_played & stays_won & ~soonest_edges(space)])
    return len(given_away), len(late)


def _play_moves(game: Game, moves: Sequence[Move]) -> Match:
    """Return the match with these moves, resigned if it is not over then."""
    match = Match(game)
    for move in moves:
        match.play(move)
    if match.outcome is None:
        match.resign()
    return match


def _measure_precision(space: Space, answers: Answers, worth: Mapping[Side, int]) -> SamplePrecision:
    samples = shuffle_samples(space, answers.policy, dict(answers.counts))
    opponents: dict[str, Policy | None] = {"random": uniform_policy(space), "perfect": perfect_policy(space)}
    if len(answers.sides) == len(Side):
        opponents["self"] = None
    intervals = dict[str, Mapping[str, Mapping[str, Interval]]]()
    exploitability = dict[str, Interval]()
    scores = scoreboard(space, samples.policy, answers.sides)
    for side in answers.sides:
        name = side.name.lower()
        low, high = responder_interval(space, side, samples, scores[name].against["best_responder"].loss)
        not_lost = Interval(0.0, 1 - low)
        intervals[name] = {
            **{each: fixed_interval(space, side, samples, opponent) for each, opponent in opponents.items()},
            "best_responder": {"win": not_lost, "draw": not_lost, "loss": Interval(low, high)},
        }
        secured = worth_interval(space, side, samples, secured_worth(space, side, samples.policy))
        exploitability[name] = Interval(max(0.0, worth[side] - secured.high), worth[side] - secured.low)
    differing = sum(int(np.count_nonzero(count)) > 1 for count in answers.counts.values())
    return SamplePrecision(answers.samples, differing, intervals, exploitability)
