"""Ask an agent again, in another order, and in the state that it had before the first question.

Answers may depend on a count of calls, on the time, or on earlier questions: the agent may learn while it is asked, or
be a search whose table keeps bounds as if they were exact values.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import log, sqrt
from time import monotonic
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import SAME
from engine.game import BadText, Game, Move, Position
from lab.judging.asking.agent import Agent, CountedReplies
from lab.judging.notation.reply import AgentFailed, Reply

SPREAD_PLACES: Final = 100
"""About this many places, spread over all, are asked again before the others."""
SECONDS: Final = 2.0
"""The time limit for asking again an agent that always gave the same answer; and for as long in its first state."""
MOST_IF_CHANGED: Final = 20_000
"""How often an agent is asked in all, if time allows, when something that it keeps has changed."""
PROBES: Final = 10
"""How often such an agent is asked in a row in each place."""
CONFIRMATIONS: Final = 10
"""How often the agent must repeat another answer in its first state to count as changed instead of random."""
REPEATS: Final = 30
"""How often an agent is asked in one position: a sampled one in its first state, another where its answer differs."""
RISK: Final = 1e-3
"""The probability of answers that differ enough for `BadText`, if the agent does not change."""
SEED: Final = 0

Int64 = NDArray[np.int64]

Place = tuple[Position, Sequence[Move]]
"""A position, and the moves before it; empty if they are not known."""
GivenAnswers = Mapping[Place, Mapping[Move, float]]
"""The probabilities of the moves in an agent's answer, by place; empty for a missing or an illegal answer."""


class AnswersDiffer(Exception):
    """Two answers in the same position differ, or the agent has drawn random numbers."""

    def __init__(self, position: Position | None = None) -> None:
        """Take the position in which two answers differ; `None` if the agent has only drawn random numbers."""
        super().__init__()
        self.position = position


class Recheck(NamedTuple):
    """What is known after an agent was asked again and gave the same answers."""

    compared: bool
    """Whether the answers could be compared with those in the agent's first state."""
    changed: str | None = None
    """The name of what the agent keeps and has changed: see `Agent.find_change`."""
    asked: int = 0
    """How often the agent was asked again because something that it keeps had changed."""


def chances_of(reply: Reply | None) -> Mapping[Move, float]:
    return {} if reply is None else reply.chances


def ask_again(game: Game, agent: Agent, answers: GivenAnswers, times: int = 1) -> Recheck:
    """Ask again in the places of the given answers, `times` times each, and compare the answers.

    Places that are spread over all of them come first, then the others. If something that the agent keeps has changed,
    all of them are asked over and over; then the agent is asked in its state before the first question. Raises
    `AnswersDiffer` if an answer differs, and `BadText` if the agent has changed.
    """
    places = [*answers][::-1]
    step, deadline = max(len(places) // SPREAD_PLACES, 1), monotonic() + SECONDS
    spread = sorted(range(len(places) - 1), key=lambda number: number % step != 0)
    _check_same(game, agent, answers, [places[number] for number in spread], deadline, times)
    _check_same(game, agent, answers, places[-1:], deadline, times)  # what it keeps was looked at after this place
    changed, asked = agent.find_change(), 0
    while changed and places and asked < MOST_IF_CHANGED and monotonic() < deadline:
        asked += _check_same(game, agent, answers, places, deadline, times, PROBES)
    compared = agent.restart is None or _check_first_state(game, agent, answers, places)
    return Recheck(compared, changed, asked)


def _check_first_state(game: Game, agent: Agent, answers: GivenAnswers, places: Sequence[Place]) -> bool:
    """Compare the answers with those of an agent in its first state; return whether that was possible.

    Raises `AnswersDiffer` if an answer differs, and `BadText` if the agent has changed.
    """
    try:
        if not agent.try_restart():
            return False
        different = _find_other_answer(agent, answers, places, monotonic() + SECONDS)
        if different is None:
            return True
        (position, moves), _ = different
        replies = agent.ask_many(position, CONFIRMATIONS, moves)
    except AgentFailed:  # a copy of the agent may not work
        return False
    if len(replies) == 1 and not are_alike(answers[position, moves], chances_of(replies[0][0])):
        raise _change_error(game, position)
    raise AnswersDiffer(position)


def _check_same(  # noqa: PLR0913, PLR0917  what is compared
    game: Game,
    agent: Agent,
    answers: GivenAnswers,
    places: Sequence[Place],
    deadline: float,
    times_before: int,
    times: int = 1,
) -> int:
    """Ask again in some places, and return how often the agent was asked.

    Raises `AnswersDiffer` if an answer differs, but `BadText` if the agent has changed rather than being random: it
    gave one answer `times_before` times in a row, and then another one more often in a row. The latter is not concluded
    of an agent that reads a clock, or may do so, since it may have had less time.
    """
    different = _find_other_answer(agent, answers, places, deadline, times)
    if different is None:
        return len(places) * times
    (position, moves), reply = different
    before = answers[position, moves]
    if before and reply is not None and not reply.single:
        raise BadText(
            f"its probabilities in {game.to_text(position)} are others when it is asked again\n"
            "An agent that changes while it is asked cannot be judged: let it not learn, and give it reset()"
        )
    if not agent.is_opaque():
        replies = agent.ask_many(position, REPEATS, moves)
        total = times_before + REPEATS
        # the probability of one answer before and another one now, by the best guess of their shares
        likelihood = (times_before / total) ** times_before * (REPEATS / total) ** REPEATS
        if len(replies) == 1 and not are_alike(before, chances_of(replies[0][0])) and likelihood < RISK:
            raise _change_error(game, position)
    raise AnswersDiffer(position)


def _find_other_answer(
    agent: Agent, answers: GivenAnswers, places: Sequence[Place], deadline: float, times: int = 1
) -> tuple[Place, Reply | None] | None:
    """Return the first place where the agent answers differently, with its answer; `None` if none is found in time."""
    for position, moves in places:
        for reply, _ in agent.ask_many(position, times, moves):
            if not are_alike(answers[position, moves], chances_of(reply)):
                return (position, moves), reply
        if monotonic() > deadline:
            break
    return None


def are_alike(one: Mapping[Move, float], other: Mapping[Move, float]) -> bool:
    return all(abs(one.get(move, 0.0) - other.get(move, 0.0)) <= SAME for move in {*one, *other})


def compare_sample(game: Game, agent: Agent, counts: Mapping[Position, Int64]) -> bool:
    """Compare the answers of a sampled agent with those in its first state; return whether that was possible.

    Raises `BadText` if they differ too much.

    `counts` are those of `move_counts`. One half of the answers decides which moves became rarer and which more
    frequent; the other half measures by how much. If the agent does not change, the mean of these measures is 0, and
    Hoeffding's inequality bounds them. Besides, each answer in a position is then as likely as any other to be the very
    first one, so that bets on a rare first answer seldom win.
    """
    if agent.restart is None or not counts:
        return True
    changes, gains, bound = dict[Position, float](), dict[Position, float](), 0.0
    random, deadline = np.random.default_rng(SEED), monotonic() + SECONDS
    with suppress(AgentFailed):
        if not agent.try_restart():
            return False
        for position in [*counts][:: -max(len(counts) // SPREAD_PLACES, 1)]:
            moves, before = game.moves(position), counts[position]
            gains[position] = bet_gain(before, move_counts(agent.ask_many(position, 1, ()), moves))
            now = move_counts(agent.ask_many(position, REPEATS, ()), moves)
            if min(before.sum(), now.sum()) < 2:  # no halves
                break
            changes[position], position_bound = _measure_change(before, now, random)
            bound += position_bound
            if monotonic() > deadline:
                break
    if sum(changes.values()) > sqrt(log(1 / RISK) / 2 * bound):
        raise _change_error(game, max(changes, key=lambda position: changes[position]))
    if sum(gains.values()) > log(1 / RISK):
        raise _change_error(game, max(gains, key=lambda position: gains[position]))
    return bool(changes)


def _measure_change(before: Int64, now: Int64, random: np.random.Generator) -> tuple[float, float]:
    """Return by how much the answers in a position have changed, and the sum of squares for Hoeffding's inequality."""
    deciding = [random.multivariate_hypergeometric(counts, counts.sum() // 2) for counts in (before, now)]
    signs = np.sign(deciding[0] / deciding[0].sum() - deciding[1] / deciding[1].sum())
    measuring = [counts - half for counts, half in zip((before, now), deciding, strict=True)]
    shares = measuring[0] / measuring[0].sum() - measuring[1] / measuring[1].sum()
    # an answer changes the result by at most 2 / n
    return float(signs @ shares), sum(4 / half.sum() for half in measuring)


def bet_gain(counts: Int64, first: Int64) -> float:
    """Return the gain, as a logarithm, of a bet that the first answer in a position is a rare one.

    `counts` has how often each answer was given later, `first` the same for the first answer.
    """
    shares = (counts + first) / (counts + first).sum()
    rareness = np.array([shares[shares <= share].sum() or 1.0 for share in shares])  # the chance of one as rare
    return float(-log((shares / np.sqrt(rareness)).sum()) - log(rareness[first > 0][0]) / 2)


def compare_games(game: Game, agent: Agent, answers: GivenAnswers) -> bool:
    """Compare answers given in games with those of the agent in its first state; return whether that was possible."""
    try:
        return ask_again(game, agent, answers).compared
    except AnswersDiffer:
        counts, deadline = dict[Position, Int64](), monotonic() + SECONDS
        for position, moves in [*answers][-SPREAD_PLACES:]:
            counts[position] = move_counts(agent.ask_many(position, REPEATS, moves), game.moves(position))
            if monotonic() > deadline:
                break
        return compare_sample(game, agent, counts)


def move_counts(replies: CountedReplies, moves: Sequence[Move]) -> Int64:
    """Return how often each move was the answer; the last number counts the illegal and the missing answers."""
    counts = Counter[Move]()
    for reply, times in replies:
        for move in chances_of(reply):
            counts[move] += times
    total = sum(times for _, times in replies)
    return np.array([*(counts[move] for move in moves), total - counts.total()], np.int64)


def _change_error(game: Game, position: Position) -> BadText:
    return BadText(
        f"its answers in {game.to_text(position)} were others before it was asked elsewhere: "
        "they depend on that, or on the time\n"
        "Such an agent cannot be judged: let it not learn or keep what may be wrong later, or give it reset()"
    )
