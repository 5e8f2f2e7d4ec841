"""Judge a policy exactly: ask an agent in every position that it can meet, and compute its results.

An agent that answers with one move is asked `PROBES` times in each position. If its answers differ anywhere, it is
asked `SAMPLES` times in each position, since few answers show no rare move.

The results then have standard errors, computed by a bootstrap (Efron 1979): the answers are drawn again from those
given. Chances against an opponent that does not depend on the sample are unbiased, since no game meets a position
twice. The best responder to a sample exploits its accidents too, so its chances are too high on average. Those of a
responder to one half of the answers, against the other half, are too low. The truth is expected between the two.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import (
    OPPONENTS,
    Policy,
    Results,
    best_replies,
    best_response,
    chances_as,
    losing_game,
    scoreboard,
)
from engine.game import Game, Move, Position, Side
from engine.match import Match
from engine.solve import values
from engine.space import RUNNING, Space
from engine.spaces import space_of
from lab.judging.reply import Reply
from learners.core.player import Player

Ask = Callable[[Position], Reply | None]
"""Returns the answer of an agent in a position that is not over; `None` if it has no answer. Raises `AgentFailed`."""
PROBES: Final = 10
"""How often an agent is asked in each position before it counts as one that always gives the same answer."""
SAMPLES: Final = 100
"""How often an agent is asked in each position if its answers differ anywhere."""
RESAMPLES: Final = 50
"""The number of policies that the bootstrap draws."""
SPLITS: Final = 10
"""How often the answers are split into halves."""
MARGIN: Final = 2
"""The standard errors that a range adds to its lower and to its upper estimate."""


@dataclass(frozen=True)
class IllegalMoves:
    """The illegal moves that an agent plays in a position."""

    position: Position
    moves: tuple[str, ...]
    """As the agent wrote them."""


@dataclass(frozen=True)
class Sampled:
    """The precision of the results of an agent whose answers differ."""

    samples: int
    """How often it was asked in each position."""
    positions: int
    """The number of positions in which its answers differ."""
    errors: Mapping[str, Mapping[str, float]]
    """The standard error of the chance to lose, by side and by opponent."""
    ranges: Mapping[str, tuple[float, float]]
    """The range in which the chance to lose against the best responder is expected, by side: see the module."""


@dataclass(frozen=True, eq=False)
class Answers:
    """What an agent answered in the positions that it can meet, in a space with m edges."""

    policy: Policy
    """The probability of each edge, shape (m,); illegal moves and missing answers are resignations."""
    sides: tuple[Side, ...]
    """The sides that it was asked to play."""
    asked: int
    """The number of positions in which it was asked."""
    illegal: tuple[IllegalMoves, ...]
    missing: tuple[Position, ...]
    """The positions in which it had no answer."""
    counts: Mapping[int, NDArray[np.int64]]
    """For each position in which answers differ, by its row: how often each of its edges was the answer; and, as the
    last number, how often the answer was illegal or missing."""
    samples: int
    """How often it was asked in each position in which it answered with one move."""
    single: bool = False
    """Whether it answered with one move anywhere."""


@dataclass(frozen=True)
class AgentResults:
    """The results of an agent."""

    answers: Answers
    scores: Mapping[str, Results]
    """The exact results by side. As a side that it was not asked to play, it resigns at once."""
    losing: tuple[Side, Match] | None
    """The shortest game that it can lose, and the side that it plays there; `None` if it never loses."""
    optimal: Mapping[Side, bool | None]
    """Whether it secures the value of the game as each side, against any opponent; `None` if only samples say so."""
    sampled: Sampled | None


@dataclass(frozen=True)
class AskProgress:
    """The progress of asking an agent."""

    asked: int
    share: float
    """The share of all positions that have been asked or skipped, from 0 to 1."""


def ask_all(
    game: Game,
    ask: Ask,
    sides: Sequence[Side] = tuple(Side),
    samples: int | None = None,
    report: Callable[[AskProgress], object] = lambda _: None,
) -> Answers:
    """Ask an agent in each position that it can meet as each of `sides`. Raises `AgentFailed`, `TooLarge`.

    `samples` is how often an agent that answers with one move is asked in each position: by default `PROBES` times, or
    `SAMPLES` times if its answers differ anywhere.
    `report` is called before each question.
    """
    if samples is None:
        with suppress(_Differ):
            return _ask_all(game, ask, sides, PROBES, report, until_differ=True)
    return _ask_all(game, ask, sides, samples or SAMPLES, report, until_differ=False)


class _Differ(Exception):
    """Two answers in the same position differ."""


def _ask_all(  # noqa: PLR0913  the arguments of `ask_all`
    game: Game,
    ask: Ask,
    sides: Sequence[Side],
    samples: int,
    report: Callable[[AskProgress], object],
    *,
    until_differ: bool,
) -> Answers:
    """As `ask_all`, with a given number of samples. Raises `_Differ` if answers differ, with `until_differ`."""
    space = space_of(game)
    policy = np.zeros(len(space.move))
    single = False
    illegal, missing, counts, asked = list[IllegalMoves](), list[Position](), dict[int, NDArray[np.int64]](), 0
    for number, side in enumerate(sides):
        reached = np.zeros(len(space.position), np.bool_)
        reached[0] = True
        for row in range(len(space.position)):  # edges lead to later rows
            if not reached[row] or space.outcome[row] != RUNNING:
                continue
            edges = slice(int(space.first_edge[row]), int(space.first_edge[row + 1]))
            if space.side[row] == side:
                report(AskProgress(asked, (number + row / len(space.position)) / len(sides)))
                position, asked = int(space.position[row]), asked + 1
                reply, counted = _answer(ask, position, space.move[edges].tolist(), samples)
                if counted is not None:
                    if until_differ:
                        raise _Differ
                    counts[row] = counted
                if reply is None:
                    missing.append(position)
                    continue
                if reply.illegal:
                    illegal.append(IllegalMoves(position, reply.illegal))
                single = single or reply.single
                policy[edges] = [reply.chances.get(move, 0.0) for move in space.move[edges].tolist()]
                reached[space.target[edges][policy[edges] > 0]] = True
            else:
                reached[space.target[edges]] = True
    return Answers(policy, tuple(sides), asked, tuple(illegal), tuple(missing), counts, samples, single)


def player_agent(player: Player) -> Ask:
    """Return a function that asks a player of this program. Raises `TooLarge`."""
    space, policy = space_of(player.game), player.policy()

    def ask(position: Position) -> Reply:
        edges = space.edges(position)
        return Reply({int(space.move[edge]): float(policy[edge]) for edge in edges if policy[edge]})

    return ask


def _answer(
    ask: Ask, position: Position, moves: Sequence[Move], samples: int
) -> tuple[Reply | None, NDArray[np.int64] | None]:
    """The answer in a position, and the counts as in `Answers`; `None` for the counts if the answers do not differ."""
    reply = ask(position)
    if reply is None or not reply.single:
        return reply, None
    replies = [reply, *(ask(position) for _ in range(samples - 1))]
    if all(each == reply for each in replies):
        return reply, None
    count = Counter(move for each in replies if each is not None for move in each.chances)
    counts = np.array([*(count[move] for move in moves), len(replies) - count.total()], np.int64)
    wrong = dict.fromkeys(text for each in replies if each is not None for text in each.illegal)
    return Reply({move: times / len(replies) for move, times in count.items()}, tuple(wrong)), counts


def judge(game: Game, answers: Answers) -> AgentResults:
    """Compute the exact results of what an agent answered."""
    space = space_of(game)
    scores = scoreboard(space, answers.policy)
    value = int(values(space)[0])
    optimal: dict[Side, bool | None] = {
        side: _secures(scores[side.name.lower()], value if side is Side.FIRST else -value) for side in answers.sides
    }
    if answers.counts:  # a rare move may be missing in the samples
        optimal = {side: None if secure else False for side, secure in optimal.items()}
    games = [(side, losing_game(space, side, answers.policy)) for side in answers.sides]
    lost = [(side, _played(game, moves)) for side, moves in games if moves is not None]
    return AgentResults(
        answers=answers,
        scores=scores,
        losing=min(lost, key=lambda each: len(each[1].moves), default=None),
        optimal=optimal,
        sampled=_sampled(space, answers) if answers.counts else None,
    )


def _secures(results: Results, value: int) -> bool:
    """Whether a player secures a value (1 a win, 0 a draw, −1 a loss) against its best responder."""
    worst = results.against["best_responder"]
    return worst.win == 1 if value > 0 else worst.loss == 0 if value == 0 else True


def _played(game: Game, moves: Sequence[Move]) -> Match:
    match = Match(game)
    for move in moves:
        match.play(move)
    if match.outcome is None:
        match.resign()
    return match


def _sampled(space: Space, answers: Answers) -> Sampled:
    """The standard errors of the chances to lose, by the bootstrap, and the ranges of those that are biased."""
    random, fixed = np.random.default_rng(0), answers.policy.copy()
    fixed[np.isin(space.source, list(answers.counts))] = 0
    given = np.array(  # the edge of each answer, shape (positions, samples); m for an illegal or a missing one
        [
            np.repeat([*range(space.first_edge[row], space.first_edge[row + 1]), len(fixed)], counts)
            for row, counts in answers.counts.items()
        ]
    )

    def policy_of(some: NDArray[np.int64]) -> Policy:
        policy: Policy = fixed + np.bincount(some.ravel(), minlength=len(fixed) + 1)[:-1] / some.shape[1]
        return policy

    def split_loss(side: Side, some: NDArray[np.int64]) -> float:
        """The chance to lose of one half of the answers against the best responder to the other half."""
        one, other = np.array_split(random.permuted(some, axis=1), 2, axis=1)
        return chances_as(space, side, policy_of(one), best_replies(space, side, policy_of(other))).loss

    losses, lows = list[list[list[float]]](), list[list[float]]()
    for _ in range(RESAMPLES):
        drawn = np.take_along_axis(given, random.integers(answers.samples, size=given.shape), axis=1)
        scores = scoreboard(space, policy_of(drawn), answers.sides)
        losses.append([[scores[side].against[each].loss for each in OPPONENTS] for side in scores])
        lows.append([split_loss(side, drawn) for side in answers.sides])
    errors = np.array(losses).std(axis=0, ddof=1)
    ranges = {}
    for side, (*_, error), low_error in zip(answers.sides, errors, np.array(lows).std(axis=0, ddof=1), strict=True):
        low = np.mean([split_loss(side, given) for _ in range(SPLITS)]) - MARGIN * low_error
        high = best_response(space, side, answers.policy).loss + MARGIN * error
        ranges[side.name.lower()] = max(0.0, float(low)), min(1.0, float(high))
    return Sampled(
        samples=answers.samples,
        positions=len(answers.counts),
        errors={
            side.name.lower(): dict(zip(OPPONENTS, map(float, row), strict=True))
            for side, row in zip(answers.sides, errors, strict=True)
        },
        ranges=ranges,
    )
