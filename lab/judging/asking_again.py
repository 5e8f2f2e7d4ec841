"""Ask an agent again: in another order, and as it was before the first question.

Its answers may depend on a count of calls, on the time, or on earlier questions, as those of an agent that learns while
it is asked, or of a search whose table keeps bounds for exact values.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from math import log, sqrt
from time import monotonic
from typing import Final

from engine.evaluate import SAME
from engine.game import BadText, Game, Move, Position
from lab.judging.agent import Agent
from lab.judging.reply import AgentFailed, Reply

AGAIN: Final = 100
SECONDS: Final = 2.0
"""An agent that always gave the same answer is asked again in so many positions, the last ones first, and for no
longer; then as it was at first, in all of them, for as long."""
CONFIRMS: Final = 10
"""How often it must give the same other answer then: else it is random."""
COMPARED: Final = 8
"""In so many positions, the answers of a sampled agent are compared with those that it gives as it was at first."""
RISK: Final = 1e-6
"""The chance that the answers of an agent that does not change differ so much."""

Place = tuple[Position, Sequence[Move]]
"""A position, and the moves before it; none if they are not known."""
Given = Mapping[Place, Mapping[Move, float]]
"""The probabilities of moves that an agent answered; none for a missing or an illegal one."""


class Differ(Exception):
    """Two answers in the same position differ, or the agent has drawn random numbers."""


def chances_of(reply: Reply | None) -> Mapping[Move, float]:
    return {} if reply is None else reply.chances


def ask_again(game: Game, agent: Agent, given: Given) -> None:
    """Ask where these answers were given. Raises `Differ`, or `BadText` for an agent that cannot be judged."""
    places = [*given][::-1]
    if (other := _other_answer(agent, given, places[:: max(len(places) // AGAIN, 1)])) is not None:
        place, reply = other
        if given[place] and reply is not None and not reply.single:
            raise BadText(
                f"its probabilities in {game.to_text(place[0])} are others when it is asked again\n"
                "An agent that changes while it is asked cannot be judged: let it not learn, and give it reset()"
            )
        raise Differ
    with suppress(AgentFailed):  # a copy of the agent may not work
        if not agent.restart() or (other := _other_answer(agent, given, places)) is None:
            return
        (position, moves), _ = other
        found = agent.ask_many(position, CONFIRMS, moves)
        if len(found) == 1 and not _alike(given[position, moves], chances_of(found[0][0])):
            raise _changed(game, position)
        raise Differ


def _other_answer(agent: Agent, given: Given, places: Sequence[Place]) -> tuple[Place, Reply | None] | None:
    """Return the first of these places where it answers otherwise, and how; `None` if it does not, in time."""
    until = monotonic() + SECONDS
    for place in places:
        reply = agent(*place)
        if not _alike(given[place], chances_of(reply)):
            return place, reply
        if monotonic() > until:
            break
    return None


def _alike(one: Mapping[Move, float], other: Mapping[Move, float]) -> bool:
    return all(abs(one.get(move, 0.0) - other.get(move, 0.0)) <= SAME for move in {*one, *other})


def compare_sample(game: Game, agent: Agent, given: Given, samples: int) -> None:
    """Compare the answers of a sampled agent, asked so often, with those as it was at first. Raises `BadText`.

    By Hoeffding's bound, which holds for the difference of two shares as well.
    """
    places, until = [*given][:: -max(len(given) // COMPARED, 1)], monotonic() + SECONDS
    with suppress(AgentFailed):
        if not agent.restart():
            return
        for place in places:
            shares = dict[Move, float]()
            found = agent.ask_many(place[0], samples, place[1])
            count = sum(times for _, times in found)
            for reply, times in found:
                for move, chance in chances_of(reply).items():
                    shares[move] = shares.get(move, 0.0) + chance * times / count
            limit = sqrt(log(2 * len(places) * len(game.moves(place[0])) / RISK) / 2 * (1 / samples + 1 / count))
            if any(abs(shares.get(move, 0.0) - given[place].get(move, 0.0)) > limit for move in game.moves(place[0])):
                raise _changed(game, place[0])
            if monotonic() > until:
                return


def _changed(game: Game, position: Position) -> BadText:
    return BadText(
        f"its answers in {game.to_text(position)} were others before it was asked elsewhere: they depend on that\n"
        "Such an agent cannot be judged: let it not learn or keep what may be wrong later, or give it reset()"
    )
