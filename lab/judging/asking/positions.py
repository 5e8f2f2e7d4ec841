"""Ask an agent once, or several times, in each position that it can meet."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import monotonic
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy
from engine.game import Move, Position, Side
from engine.space import RUNNING, Space
from lab.judging.asking.agent import Agent, AskProgress, CountedReplies, Report
from lab.judging.asking.answers import Answers, ReplyCollector
from lab.judging.asking.ask_again import AnswersDiffer, Place, Recheck, ask_again, chances_of, move_counts
from lab.judging.asking.in_games import AskedGames
from lab.judging.notation.reply import Reply

SLOW_SECONDS: Final = 0.25
SLOW_PROBES: Final = 2
"""An agent whose answer takes `SLOW_SECONDS` is asked only `SLOW_PROBES` times in the position."""


def ask_positions(  # noqa: PLR0913  each has a default but the agent, and where it is asked
    space: Space,
    agent: Agent,
    sides: Sequence[Side],
    samples: int,
    report: Report,
    *,
    replies_of: Callable[[Position, int], CountedReplies] | None = None,
    until_differ: bool = False,
    is_sampled: bool = False,
    everywhere: bool = False,
) -> Answers:
    """Ask in every position of a space. With `until_differ`, raise `AnswersDiffer` if answers differ.

    With `is_sampled`, the agent's answers are known to differ, even if they do not this time. `replies_of` asks a
    number of times in a position, by default as `_probe` does.
    """
    collector, replies_of = ReplyCollector(space), replies_of or partial(_probe, agent)
    counts, answers = dict[int, NDArray[np.int64]](), dict[Place, dict[Move, float]]()
    total, fewest, is_single, differ = 0, samples, False, False
    for row, share in _rows_to_ask(space, sides, collector.policy, everywhere=everywhere):
        report(AskProgress(total, share))
        position = int(space.position[row])
        replies = replies_of(position, samples)
        times = sum(number for _, number in replies)
        total, fewest = total + times, min(fewest, max(times, 1))
        if len(replies) > 1:
            differ = True
        if until_differ and (differ or agent.has_drawn()):
            raise AnswersDiffer(position if differ else None)
        if until_differ and not collector.asked:
            agent.find_change()  # to compare with later, when it is asked there again
        reply = _merge_replies(replies)
        collector.add(row, reply)
        answers[position, ()] = dict(chances_of(reply))
        has_single = any(each is not None and each.single for each, _ in replies)
        if has_single:
            is_single = True
        if has_single or len(replies) > 1:
            counts[row] = move_counts(replies, space.move[[*space.edges_from(row)]].tolist())
    recheck, has_played = Recheck(compared=True), False
    if until_differ:
        recheck = ask_again(space.game, agent, answers, fewest)
        if recheck.compared and not agent.by_history and not everywhere:
            games = AskedGames(space.game, agent, answers, report)
            has_played = games.check(keeps=recheck.changed is not None)
    is_sampled = is_sampled or differ or (is_single and not agent.is_certain and agent.has_drawn())
    is_fixed = agent.is_certain or not (is_single and (agent.is_opaque() or recheck.changed))
    return Answers(
        policy=collector.policy,
        sides=tuple(sides),
        asked=collector.asked,
        illegal=tuple(collector.illegal.values()),
        missing=tuple(collector.missing),
        counts=counts if is_sampled else {},
        samples=samples,
        fewest=fewest,
        has_single_moves=is_single,
        is_certain=recheck.compared and is_fixed,
        is_compared=recheck.compared,
        total=total + recheck.asked,
        changed_name=recheck.changed or "",
        has_played=has_played,
        is_unexplained=is_sampled and not agent.has_drawn(),
        has_read_clock=is_sampled and agent.has_drawn() and agent.is_opaque(),
    )


def _rows_to_ask(
    space: Space, sides: Sequence[Side], policy: Policy, *, everywhere: bool
) -> Iterator[tuple[int, float]]:
    """Yield the rows in which an agent has to move as each of `sides`, each with the share of all that is done.

    A move that the agent plays with probability 0 leads nowhere, unless it is asked `everywhere`. The `policy` of a row
    is read after the row has been yielded.
    """
    outcomes, movers, targets = space.outcome.tolist(), space.side.tolist(), space.target.tolist()
    first_edges, row_count = space.first_edge.tolist(), len(outcomes)
    for number, side in enumerate(sides):
        reached = bytearray([everywhere]) * row_count
        reached[0] = True
        for row in range(row_count):  # edges lead to later rows
            if not reached[row] or outcomes[row] != RUNNING:
                continue
            is_own = movers[row] == side
            if is_own:
                yield row, (number + row / row_count) / len(sides)
            for edge in range(first_edges[row], first_edges[row + 1]):
                if not is_own or policy[edge] > 0:
                    reached[targets[edge]] = True


def _probe(agent: Agent, position: Position, samples: int) -> CountedReplies:
    """Ask a number of times in a position; less often if the first answer takes long."""
    began, counts = monotonic(), Counter[Reply | None]()
    for reply, times in agent.ask_many(position, 1, ()):
        counts[reply] += times
    more = samples - 1
    if monotonic() - began > SLOW_SECONDS:
        more = min(samples, SLOW_PROBES) - 1
    if more and all(reply is None or reply.single for reply in counts):
        for reply, times in agent.ask_many(position, more, ()):
            counts[reply] += times
    return [*counts.items()]


def _merge_replies(replies: CountedReplies) -> Reply | None:
    """Return several answers in a position as one, in proportion to their counts; `None` if there are none."""
    if len(replies) == 1:
        return replies[0][0]
    total = sum(times for _, times in replies)
    chances, illegal = dict[Move, float](), dict[str, None]()
    for reply, times in replies:
        if reply is not None:
            illegal |= dict.fromkeys(reply.illegal)
            for move, chance in reply.chances.items():
                chances[move] = chances.get(move, 0) + chance * times / total
    return Reply(chances, tuple(illegal), single=True)
