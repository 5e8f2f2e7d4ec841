"""Ask an agent that is shown the moves before a position, and may answer differently after two orders of them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from engine.evaluate import Policy
from engine.game import BadText, Game, Move, Position, Side
from engine.space import RUNNING, Space
from engine.spaces import space_of
from lab.judging.asking.agent import Agent, AskProgress, CountedReplies, Report
from lab.judging.asking.answers import Answers, ReplyCollector
from lab.judging.asking.ask_again import AnswersDiffer, GivenAnswers, ask_again
from lab.judging.asking.histories import HistoryTree, histories_of, order_error, order_finder
from lab.judging.asking.positions import SLOW_PROBES, ask_positions

MOST_AGAIN: Final = 1000
"""The maximum number of histories, spread over all, that are asked again."""
SOME_ORDERS: Final = 3
"""After how many orders of the moves to a position a random agent is asked with the same seed."""
CHUNK: Final = 960
"""How many histories are asked about between two reports."""


def ask_histories(game: Game, agent: Agent, sides: Sequence[Side], report: Report) -> Answers:
    """Ask in all histories that an agent can meet, ply by ply; where there are too many, after some of the orders.

    Raises `AnswersDiffer` if the agent is random.
    """
    tree = histories_of(game)
    if tree is None or agent.ask_histories is None:
        return _ask_some_orders(game, agent, sides, report)
    space, collector = tree.space, ReplyCollector(tree.space)
    policy = collector.policy
    for number, side in enumerate(sides):
        reached = np.zeros(len(space.position), np.bool_)
        reached[0] = True
        for place, edges in reversed(list(space.plies())):
            rows = np.flatnonzero(reached[place] & (space.outcome[place] == RUNNING)) + place.start
            own_rows = rows[space.side[rows] == side].tolist()
            for start in range(0, len(own_rows), CHUNK):
                report(AskProgress(collector.asked, (number + place.start / len(space.position)) / len(sides)))
                _ask_rows(tree, agent, own_rows[start : start + CHUNK], collector)
            played = (space.side[space.source[edges]] != side) | (policy[edges] > 0)
            reached[space.target[edges][played & reached[space.source[edges]]]] = True
    rows = tree.decisions(policy, sides)
    answers: GivenAnswers = {
        (int(space.position[row]), tree.moves_to(row)): _chances(space, policy, row)
        for row in rows[:: max(len(rows) // MOST_AGAIN, 1)]
    }
    recheck = ask_again(game, agent, answers, SLOW_PROBES)
    policy_by_position = tree.policy_by_position(policy, sides)
    return Answers(
        policy=policy if policy_by_position is None else policy_by_position,
        sides=tuple(sides),
        asked=collector.asked,
        illegal=tuple(collector.illegal.values()),
        missing=tuple(collector.missing),
        counts={},
        samples=1,
        histories=tree if policy_by_position is None else None,
        is_certain=recheck.compared and not (agent.is_opaque() or recheck.changed),
        is_compared=recheck.compared,
        changed_name=recheck.changed or "",
    )


def _ask_rows(tree: HistoryTree, agent: Agent, rows: Sequence[int], collector: ReplyCollector) -> None:
    """Ask after some histories. Raises `AnswersDiffer` if the agent is random."""
    assert agent.ask_histories is not None  # noqa: S101  see the caller
    histories = [(int(tree.space.position[row]), tree.moves_to(row)) for row in rows]
    if not collector.asked:
        agent.ask_histories(histories[:1])
        agent.find_change()  # to compare with later, when it is asked there again
    for row, replies in zip(rows, agent.ask_histories(histories), strict=True):
        reply, _ = replies[0]
        collector.add(row, reply)
        if len(replies) > 1 or (reply is not None and reply.single and agent.has_drawn()):
            raise AnswersDiffer


def _chances(space: Space, policy: Policy, row: int) -> dict[Move, float]:
    edges = [*space.edges_from(row)]
    return dict(zip(space.move[edges].tolist(), policy[edges].tolist(), strict=True))


def check_orders(game: Game, agent: Agent, sides: Sequence[Side], report: Report) -> None:
    """Raise `BadText` unless an agent with the same random numbers answers alike after some orders of the moves."""
    space, orders_to = space_of(game), order_finder(game)
    rows = np.flatnonzero((space.outcome == RUNNING) & np.isin(space.side, sides)).tolist()
    for number, row in enumerate(rows):
        report(AskProgress(number, number / len(rows)))
        position = int(space.position[row])
        orders = sorted(orders_to(position))[:SOME_ORDERS]
        if agent.ask_seeded is None or len({*agent.ask_seeded(position, orders, number)}) > 1:
            raise BadText(
                f"its answers in {game.to_text(position)} are random, and may also depend on the order of the moves\n"
                "These cannot be told apart: let it answer with probabilities, or give a function of the position"
            )


def _ask_some_orders(game: Game, agent: Agent, sides: Sequence[Side], report: Report) -> Answers:
    """Ask after a few orders of the moves before each position. Raises `BadText` if the answers depend on them."""
    orders_to = order_finder(game)

    def ask_many(position: Position, _times: int, _moves: Sequence[Move]) -> CountedReplies:
        orders = sorted(orders_to(position))
        replies = [agent.ask_many(position, SLOW_PROBES, order) for order in orders]
        if any(len(counted) > 1 for counted in replies) or agent.has_drawn():
            raise AnswersDiffer
        (first_reply, _), *_ = replies[0]
        for order, counted in zip(orders, replies, strict=True):
            if counted[0][0] != first_reply:
                raise order_error(game, position, orders[0], order)
        return [(first_reply, 1)]

    return ask_positions(space_of(game), replace(agent, ask_many=ask_many), sides, 1, report, until_differ=True)
