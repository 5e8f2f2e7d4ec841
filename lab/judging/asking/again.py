"""Ask an agent again: in another order, and as it was before the first question.

Its answers may depend on a count of calls, on the time, or on earlier questions, as those of an agent that learns while
it is asked, or of a search whose table keeps bounds for exact values.
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
"""An agent that always gave the same answer is asked again in so many positions, the last ones first, and then in the
others, for no longer; then as it was at first, in all of them, for as long."""
LONGER: Final = 20_000
PROBES: Final = 10
"""If what it keeps has changed, it is asked at least so often again as far as time allows, so often at once."""
CONFIRMS: Final = 10
"""How often it must give the same other answer then: else it is random."""
MANY: Final = 30
"""A sampled agent is asked so often in these positions, as it was at first; and one that answers otherwise, there."""
RISK: Final = 1e-3
"""The chance that the answers of an agent that does not change differ so much."""
SEED: Final = 0

Int64 = NDArray[np.int64]

Place = tuple[Position, Sequence[Move]]
"""A position, and the moves before it; none if they are not known."""
Given = Mapping[Place, Mapping[Move, float]]
"""The probabilities of moves that an agent answered; none for a missing or an illegal one."""


class Differ(Exception):
    """Two answers in the same position differ, or the agent has drawn random numbers."""

    def __init__(self, position: Position | None = None) -> None:
        """Take the position in which they differ, if they do."""
        super().__init__()
        self.position = position


class Again(NamedTuple):
    """What came of asking again: the answers were the same."""

    compared: bool
    """Whether they could be compared with those of the agent as it was at first."""
    changed: str | None = None
    """What it keeps that changed: see `Agent`."""
    asked: int = 0
    """How often it was asked again then."""


def chances_of(reply: Reply | None) -> Mapping[Move, float]:
    return {} if reply is None else reply.chances


def ask_again(game: Game, agent: Agent, given: Given, times: int = 1) -> Again:
    """Ask where these answers were given, each of them so many times. Raises `Differ`, or `BadText` if it has changed.

    First come some places that are spread over all, then the others; then, if what it keeps has changed, all of them
    over and over.
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
    """Return how often it was asked. Raise `Differ` if it answers otherwise somewhere, or `BadText` if it has changed.

    One that gave an answer some times in a row, and then another one more often in a row, is not random. One that reads
    a clock, or may do so, may have had less time.
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
    """Return the first of these places where it answers otherwise, and how; `None` if it does not, in time."""
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
    """Compare the answers of a sampled agent with those as it was at first, and return whether that was possible.

    Raises `BadText` if they differ too much.

    `counts` are those of `move_counts`. Half of the answers tell which moves become rarer and which more frequent; by
    how much, the others tell. If it does not change, the mean is 0, and Hoeffding's inequality bounds it. Then also, of
    all answers in a position, each is as likely to be the very first: so a bet that this is a rare one seldom wins.
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
    """Return what a bet wins, as a logarithm, that the first answer in a position is a rare one among all `counts`."""
    share = (counts + first) / (counts + first).sum()
    rare = np.array([share[share <= each].sum() or 1.0 for each in share])  # the chance of one as rare as this
    return float(-log((share / np.sqrt(rare)).sum()) - log(rare[first > 0][0]) / 2)


def compare_games(game: Game, agent: Agent, given: Given) -> bool:
    """Compare the answers in some games with those as it was at first: as `ask_again` and `compare_sample` do."""
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
    """Return how often each move was the answer; and, as the last number, how often it was illegal or missing."""
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
