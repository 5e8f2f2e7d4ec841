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
from lab.judging.asking.agent import Agent, Counted
from lab.judging.notation.reply import AgentFailed, Reply

AGAIN: Final = 100
SECONDS: Final = 2.0
"""An agent that always gave the same answer is asked again for at most `SECONDS`, first in about `AGAIN` places spread
over all, then in the others; and for as long in its first state.
"""
LONGER: Final = 20_000
PROBES: Final = 10
"""If something that the agent keeps has changed, it is asked `LONGER` times in all, `PROBES` times in a row, if time
allows.
"""
CONFIRMS: Final = 10
"""How often the agent must repeat another answer in its first state to count as changed instead of random."""
MANY: Final = 30
"""How often an agent is asked in one position: a sampled one in its first state, another where its answer differs."""
RISK: Final = 1e-3
"""The probability of answers that differ enough for `BadText`, if the agent does not change."""
SEED: Final = 0

Int64 = NDArray[np.int64]

Place = tuple[Position, Sequence[Move]]
"""A position, and the moves before it; empty if they are not known."""
Given = Mapping[Place, Mapping[Move, float]]
"""The probabilities of the moves in an agent's answer, by place; empty for a missing or an illegal answer."""


class Differ(Exception):
    """Two answers in the same position differ, or the agent has drawn random numbers."""

    def __init__(self, position: Position | None = None) -> None:
        """Take the position in which two answers differ; `None` if the agent has only drawn random numbers."""
        super().__init__()
        self.position = position


class Again(NamedTuple):
    """The result of asking again with the same answers."""

    compared: bool
    """Whether the answers could be compared with those in the agent's first state."""
    changed: str | None = None
    """The name of what the agent keeps and has changed: see `Agent.changed`."""
    asked: int = 0
    """How often the agent was asked again because something that it keeps had changed."""


def chances_of(reply: Reply | None) -> Mapping[Move, float]:
    return {} if reply is None else reply.chances


def ask_again(game: Game, agent: Agent, given: Given, times: int = 1) -> Again:
    """Ask again in the places of the `given` answers, `times` times each, and compare the answers.

    Places that are spread over all of them come first, then the others. If something that the agent keeps has changed,
    all of them are asked over and over; then the agent is asked in its state before the first question. Raises `Differ`
    if an answer differs, and `BadText` if the agent has changed.
    """
    places = [*given][::-1]
    step, until = max(len(places) // AGAIN, 1), monotonic() + SECONDS
    spread = sorted(range(len(places) - 1), key=lambda number: number % step != 0)
    _check_same(game, agent, given, [places[number] for number in spread], until, times)
    _check_same(game, agent, given, places[-1:], until, times)  # what it keeps was looked at after this place
    changed, asked = agent.changed(), 0
    while changed and places and asked < LONGER and monotonic() < until:
        asked += _check_same(game, agent, given, places, until, times, PROBES)
    if agent.restart is None:
        return Again(compared=True, changed=changed, asked=asked)
    with suppress(AgentFailed):  # a copy of the agent may not work
        if not agent.restart():
            return Again(compared=False, changed=changed, asked=asked)
        if (other := _other_answer(agent, given, places, monotonic() + SECONDS)) is None:
            return Again(compared=True, changed=changed, asked=asked)
        (position, moves), _ = other
        found = agent.ask_many(position, CONFIRMS, moves)
        if len(found) == 1 and not is_alike(given[position, moves], chances_of(found[0][0])):
            raise _changed(game, position)
        raise Differ(position)
    return Again(compared=False, changed=changed, asked=asked)


def _check_same(  # noqa: PLR0913, PLR0917  what is compared
    game: Game, agent: Agent, given: Given, places: Sequence[Place], until: float, before: int, times: int = 1
) -> int:
    """Ask again in some places, and return how often the agent was asked.

    Raises `Differ` if an answer differs, but `BadText` if the agent has changed rather than being random: it gave one
    answer `before` times in a row, and then another one more often in a row. The latter is not concluded of an agent
    that reads a clock, or may do so, since it may have had less time.
    """
    other = _other_answer(agent, given, places, until, times)
    if other is None:
        return len(places) * times
    place, reply = other
    if given[place] and reply is not None and not reply.single:
        raise BadText(
            f"its probabilities in {game.to_text(place[0])} are others when it is asked again\n"
            "An agent that changes while it is asked cannot be judged: let it not learn, and give it reset()"
        )
    if not agent.is_opaque():
        found = agent.ask_many(place[0], MANY, place[1])
        alike = (before / (before + MANY)) ** before * (MANY / (before + MANY)) ** MANY
        if len(found) == 1 and not is_alike(given[place], chances_of(found[0][0])) and alike < RISK:
            raise _changed(game, place[0])
    raise Differ(place[0])


def _other_answer(
    agent: Agent, given: Given, places: Sequence[Place], until: float, times: int = 1
) -> tuple[Place, Reply | None] | None:
    """Return the first place where the agent answers differently, with its answer; `None` if none is found in time."""
    for position, moves in places:
        for reply, _ in agent.ask_many(position, times, moves):
            if not is_alike(given[position, moves], chances_of(reply)):
                return (position, moves), reply
        if monotonic() > until:
            break
    return None


def is_alike(one: Mapping[Move, float], other: Mapping[Move, float]) -> bool:
    return all(abs(one.get(move, 0.0) - other.get(move, 0.0)) <= SAME for move in {*one, *other})


def compare_sample(game: Game, agent: Agent, counts: Mapping[Position, Int64]) -> bool:
    """Compare the answers of a sampled agent with those in its first state; return whether that was possible.

    Raises `BadText` if they differ too much.

    `counts` are those of `move_counts`. One half of the answers decides which moves became rarer and which more
    frequent; the other half measures by how much. If the agent does not change, the mean of these measures is 0, and
    Hoeffding's inequality bounds them. Besides, each answer in a position is then as likely as any other to be the very
    first one, so that bets on a rare first answer seldom win.
    """
    random, until = np.random.default_rng(SEED), monotonic() + SECONDS
    changes, spread, places = dict[Position, float](), 0.0, [*counts][:: -max(len(counts) // AGAIN, 1)]
    won = dict[Position, float]()  # by the bets, as logarithms
    compared = agent.restart is None or not counts
    with suppress(AgentFailed):
        for position in places if agent.restart is not None and agent.restart() else ():
            first, now = (move_counts(agent.ask_many(position, n, ()), game.moves(position)) for n in (1, MANY))
            won[position] = bet_won(counts[position], first)
            if min(counts[position].sum(), now.sum()) < 2:  # no halves
                break
            halves = [random.multivariate_hypergeometric(each, each.sum() // 2) for each in (counts[position], now)]
            before, after = (half / half.sum() for half in halves)
            rest = [each - half for each, half in zip((counts[position], now), halves, strict=True)]
            shares = rest[0] / rest[0].sum() - rest[1] / rest[1].sum()
            changes[position] = float(np.sign(before - after) @ shares)
            spread += sum(4 / each.sum() for each in rest)  # an answer changes a sum by at most 2 / n
            compared = True
            if monotonic() > until:
                break
    if sum(changes.values()) > sqrt(log(1 / RISK) / 2 * spread):
        raise _changed(game, max(changes, key=lambda position: changes[position]))
    if sum(won.values()) > log(1 / RISK):
        raise _changed(game, max(won, key=lambda position: won[position]))
    return compared


def bet_won(counts: Int64, first: Int64) -> float:
    """Return the gain, as a logarithm, of a bet that the first answer in a position is a rare one.

    `counts` has how often each answer was given later, `first` the same for the first answer.
    """
    share = (counts + first) / (counts + first).sum()
    rare = np.array([share[share <= each].sum() or 1.0 for each in share])  # the chance of one as rare as this
    return float(-log((share / np.sqrt(rare)).sum()) - log(rare[first > 0][0]) / 2)


def compare_games(game: Game, agent: Agent, given: Given) -> bool:
    """Compare answers given in games with those of the agent in its first state; return whether that was possible."""
    try:
        return ask_again(game, agent, given).compared
    except Differ:
        counts, until = dict[Position, Int64](), monotonic() + SECONDS
        for position, moves in [*given][-AGAIN:]:
            counts[position] = move_counts(agent.ask_many(position, MANY, moves), game.moves(position))
            if monotonic() > until:
                break
        return compare_sample(game, agent, counts)


def move_counts(replies: Counted, moves: Sequence[Move]) -> Int64:
    """Return how often each move was the answer; the last number counts the illegal and the missing answers."""
    count = Counter[Move]()
    for reply, times in replies:
        for move in chances_of(reply):
            count[move] += times
    total = sum(times for _, times in replies)
    return np.array([*(count[move] for move in moves), total - count.total()], np.int64)


def _changed(game: Game, position: Position) -> BadText:
    return BadText(
        f"its answers in {game.to_text(position)} were others before it was asked elsewhere: "
        "they depend on that, or on the time\n"
        "Such an agent cannot be judged: let it not learn or keep what may be wrong later, or give it reset()"
    )
