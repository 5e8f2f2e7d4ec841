"""Ask an agent in every position that it can meet.

A table, a player of this program, and an agent that answers with probabilities are asked once in each position. An
agent that answers with a move is asked `PROBES` times in each position, and then again in some of them. If its answers
differ anywhere, or if it draws random numbers, it is a *sampled* agent: randomness is a property of the agent, not of a
position. A sampled agent is asked `MOST_SAMPLES` times in each position, or fewer if measurements say that this takes
too long.

An agent that is shown the moves before a position may answer differently after two orders of the same moves. It is
asked after every order. If its answers depend on the order, they are kept on the tree of histories.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy
from engine.game import BadText, Game, Move, Position, Side
from engine.space import RUNNING, Space
from engine.spaces import space_of
from lab.judging.asking.again import Again, Differ, Given, ask_again, chances_of, compare_sample, move_counts
from lab.judging.asking.agent import Agent, Ask, AskProgress, Counted, Report, agent_of
from lab.judging.asking.histories import History, histories_of, order_finder, order_matters
from lab.judging.asking.in_games import AskedGames, compare_in_games
from lab.judging.notation.reply import Reply

PROBES: Final = 10
"""An agent counts as one that always gives the same answer once it has done so this many times in each position."""
SLOW: Final = 0.25
SLOW_PROBES: Final = 2
"""An agent whose answer takes `SLOW` seconds is asked only `SLOW_PROBES` times in the position."""
MAX_SAMPLES: Final = 100_000
"""The maximum number of questions in each position that can be asked for."""
MOST_SAMPLES: Final = 1000
SAMPLES: Final = 100
LEAST_SAMPLES: Final = 10
"""How often a sampled agent is asked in each position: at most, usually, and at least."""
LEAST_KEPT: Final = 2
"""The minimum number of answers in each position that count as a sample."""
LONG: Final = 120.0
"""A sampled agent is asked less often than `SAMPLES` times if those would take this many seconds."""
ROUND: Final = 2.0
"""A round of questions takes about this many seconds, or has one answer in each position if that takes longer."""
NOT_FIXED: Final = "its answers differ, or depend on the order of the moves: only a fixed strategy can be certified"
TINY: Final = 1e-9
"""Seconds that the clock of a machine cannot tell from none."""
SAMPLED_GAMES: Final = 100
"""The number of games against each opponent as each side, in a game that is too large for exact results."""
MOST_AGAIN: Final = 1000
"""The maximum number of histories, spread over all, that are asked again."""
SOME_ORDERS: Final = 3
"""After how many orders of the moves to a position a random agent is asked with the same seed."""
CHUNK: Final = 960
"""How many histories are asked between two reports."""
SECONDS: Final = 15.0
"""The maximum time for asking more than `SAMPLES` times, in seconds."""


@dataclass(frozen=True)
class IllegalMoves:
    position: Position
    moves: tuple[str, ...]
    """The moves, as the agent wrote them."""


@dataclass(frozen=True, eq=False)
class Answers:
    """The answers of an agent in the positions that it can meet, in a space with m edges."""

    policy: Policy
    """The probability of each edge, shape (m,); illegal moves and missing answers are resignations."""
    sides: tuple[Side, ...]
    asked: int
    """The number of positions, or of histories, in which the agent was asked."""
    illegal: tuple[IllegalMoves, ...]
    missing: tuple[Position, ...]
    counts: Mapping[int, NDArray[np.int64]]
    """For each position in which a sampled agent answered with a move, by its row: how often each of its edges was the
    answer; and, as the last number, how often the answer was illegal or missing. Empty for any other agent."""
    samples: int
    """The number of questions in each position in which the agent answered with one move."""
    fewest: int = 1
    """The smallest number of questions in one position: where a slow agent takes long, it is asked less often."""
    single: bool = False
    histories: History | None = None
    """The tree of histories, if the agent's answers depend on them; `policy` is then on this tree. Otherwise `None`."""
    is_certain: bool = True
    """Whether the agent gives probabilities, or neither draws random numbers nor reads a clock as far as is known; if
    not, equal answers prove less."""
    unexplained: bool = False
    """Whether the answers differ, although the agent draws no random numbers as far as is known."""
    clocked: bool = False
    """Whether the answers differ, and the agent has read a clock."""
    compared: bool = True
    """Whether a copy that had been asked nothing before answered alike; false if there was no such copy."""
    total: int = 0
    """The number of all questions before the answers were compared."""
    changed: str = ""
    """The name of what the agent keeps and changed while asked, so that it was asked more often; else empty."""
    played: bool = False
    """Whether the agent was also asked in all games, in the order of their moves, and answered alike."""
    differed: Position | None = None
    """A position in which the answers of a sampled agent differed before it was asked more often."""
    seeded: bool = False
    """Whether the agent is random, and with the same random numbers answers alike after different orders of moves."""
    stopped: bool = False
    """Whether an interrupt kept the agent from being asked more often."""


def ask_all(  # noqa: PLR0913  each has a default
    game: Game,
    agent: Agent | Ask,
    sides: Sequence[Side] = tuple(Side),
    samples: int | None = None,
    report: Report = lambda _: None,
    *,
    everywhere: bool = False,
    fixed: bool = False,
) -> Answers:
    """Ask an agent in each position that it can meet as each of `sides`. Raises `AgentFailed`, `TooLarge`.

    `samples` is how often an agent that answers with one move is asked in each position; the module says the default.
    With `everywhere`, the agent is also asked in positions that its own moves avoid. `report` is called before each
    question. Raises `BadText` if the agent is random and may also depend on the order of moves, since the two could not
    be told apart; and if it must be `fixed`, as soon as two answers differ. `KeyboardInterrupt` ends the questions; if
    a sampled agent was asked at least twice everywhere by then, its answers so far are returned.
    """
    agent = agent if isinstance(agent, Agent) else agent_of(agent)
    if agent.by_history:
        try:
            return _ask_histories(game, agent, sides, report)
        except Differ:
            if fixed:
                raise BadText(NOT_FIXED) from None
            _check_orders(game, agent, sides, report)
            answers = ask_all(game, replace(agent, by_history=False), sides, samples, report, everywhere=everywhere)
            return replace(answers, seeded=True)
    space = space_of(game)
    ask = partial(_ask, space, agent, sides, report=report, everywhere=everywhere)
    if agent.is_certain:
        return ask(samples=1)
    try:
        return ask(samples=samples or PROBES, until_differ=True)
    except Differ as found:
        if fixed:
            raise BadText(NOT_FIXED) from None
        differed = found.position
    answers = replace(_Rounds(agent, samples, report).answers(partial(ask, is_sampled=True)), differed=differed)
    if answers.stopped:
        return replace(answers, compared=False)
    counts = {int(space.position[row]): count for row, count in answers.counts.items()}
    compared = compare_sample(game, agent, counts)
    if compared and counts:
        compare_in_games(game, agent, counts, report)
    return replace(answers, compared=compared)


@dataclass(eq=False)
class _Rounds:
    """A sampled agent that is asked in rounds: once in each position, and then more often, as far as time allows."""

    agent: Agent
    samples: int | None
    """The number of questions in each position; `None` to ask as often as there is time for."""
    report: Report
    given: dict[Position, Counter[Reply | None]] = field(default_factory=dict)
    asked: int = 0
    often: int = 0
    """The number of questions in each position before this round."""
    seconds: float = 0.0
    """The seconds that one question in each position takes; 0 in the first round."""
    begun: float = 0.0
    since: float = 0.0
    """The times when the first round and this round began."""

    def answers(self, ask: Callable[..., Answers]) -> Answers:
        """Return the agent's answers, as `ask` collects them.

        `KeyboardInterrupt` ends the rounds; the answers so far are returned if they are a sample.
        """
        self.begun, answers, often = monotonic(), None, 1
        try:
            while self.often < self.goal(self.seconds):
                self.since = monotonic()
                answers = ask(samples=often, replies_of=self.replies, report=self.tell)
                self.seconds = max(monotonic() - self.since, TINY) / (often - self.often)
                self.often, often = often, min(self.goal(self.seconds), often + max(int(ROUND / self.seconds), 1))
        except KeyboardInterrupt:
            if answers is None or answers.samples < LEAST_KEPT:
                raise
            return replace(answers, stopped=True)
        assert answers is not None  # noqa: S101  the first round has one answer
        return answers

    def goal(self, seconds: float) -> int:
        """Return how often to ask in each position, given the seconds that one question in each of them takes."""
        more, usual = (int(min(each / max(seconds, TINY), MOST_SAMPLES)) for each in (SECONDS, LONG))
        return self.samples or (more if more >= 2 * SAMPLES else max(min(usual, SAMPLES), LEAST_SAMPLES))

    def replies(self, position: Position, times: int) -> Counted:
        """Ask until there are `times` answers in a position, and return all answers there."""
        counts = self.given.setdefault(position, Counter())
        if all(reply is None or reply.single for reply in counts) and times > counts.total():
            for reply, number in self.agent.ask_many(position, times - counts.total(), ()):
                counts[reply] += number
                self.asked += number
            if any(reply is not None and not reply.single for reply in counts) and len(counts) > 1:
                raise BadText("it answers with a move, and again with probabilities: let it always give the latter")
        return [*counts.items()]

    def tell(self, progress: AskProgress) -> None:
        """Report the progress; in the first round by positions, which also tells how long later rounds take."""
        now = monotonic()
        seconds = self.seconds or (now - self.begun) / max(progress.share, TINY)
        left = max(seconds * (self.goal(seconds) - self.often) - (now - self.since), 0.0)
        share = (now - self.begun) / max(now - self.begun + left, TINY)
        self.report(AskProgress(self.asked, share, left if progress.share or self.seconds else None))


def _ask(  # noqa: PLR0913, C901  the arguments of `ask_all`, and one pass over all positions
    space: Space,
    agent: Agent,
    sides: Sequence[Side],
    samples: int,
    report: Report,
    *,
    replies_of: Callable[[Position, int], Counted] | None = None,
    until_differ: bool = False,
    is_sampled: bool = False,
    everywhere: bool = False,
) -> Answers:
    """Ask in every position of a space. With `until_differ`, raise `Differ` if answers differ.

    With `is_sampled`, the agent's answers are known to differ, even if they do not this time. `replies_of` asks a
    number of times in a position, by default as `_probed` does.
    """
    policy, single, differ, fewest = np.zeros(len(space.move)), False, False, samples
    illegal, missing, counts, asked = list[IllegalMoves](), list[Position](), dict[int, NDArray[np.int64]](), 0
    total, given, replies_of = 0, dict[Position, Reply | None](), replies_of or partial(_probed, agent)
    positions, outcomes, movers = space.position.tolist(), space.outcome.tolist(), space.side.tolist()
    firsts, all_moves, targets = space.first_edge.tolist(), space.move.tolist(), space.target.tolist()
    for number, side in enumerate(sides):
        reached = bytearray([everywhere]) * len(positions)
        reached[0] = True
        for row, position in enumerate(positions):  # edges lead to later rows
            if not reached[row] or outcomes[row] != RUNNING:
                continue
            edges = range(firsts[row], firsts[row + 1])
            if movers[row] != side:
                for edge in edges:
                    reached[targets[edge]] = True
                continue
            report(AskProgress(total, (number + row / len(positions)) / len(sides)))
            asked += 1
            replies = replies_of(position, samples)
            fewest = min(fewest, max(sum(times for _, times in replies), 1))
            total += sum(times for _, times in replies)
            differ = differ or len(replies) > 1
            if until_differ and (differ or agent.drew()):
                raise Differ(position if differ else None)
            if until_differ and asked == 1:
                agent.changed()  # to compare with later, when it is asked there again
            moves = [all_moves[edge] for edge in edges]
            given[position] = reply = _merged(replies)
            if reply is None:
                missing.append(position)
            elif reply.illegal:
                illegal.append(IllegalMoves(position, reply.illegal))
            is_single = any(each is not None and each.single for each, _ in replies)
            single = single or is_single
            if is_single or (len(replies) > 1):
                counts[row] = move_counts(replies, moves)
            for edge, move in zip(edges, moves, strict=True):
                policy[edge] = chance = 0.0 if reply is None else reply.chances.get(move, 0.0)
                if chance > 0:
                    reached[targets[edge]] = True
    before: Given = {(position, ()): chances_of(reply) for position, reply in given.items()}
    again = ask_again(space.game, agent, before, fewest) if until_differ else Again(compared=True)
    in_games = until_differ and again.compared and not (agent.by_history or everywhere)
    played = in_games and AskedGames(space.game, agent, before, report).check(keeps=again.changed is not None)
    compared = again.compared
    is_sampled = is_sampled or differ or (single and not agent.is_certain and agent.drew())
    return Answers(
        policy=policy,
        sides=tuple(sides),
        asked=asked,
        illegal=tuple(illegal),
        missing=tuple(missing),
        counts=counts if is_sampled else {},
        samples=samples,
        fewest=fewest,
        single=single,
        is_certain=compared and (agent.is_certain or not (single and (agent.is_opaque() or again.changed))),
        compared=compared,
        total=total + again.asked,
        changed=again.changed or "",
        played=played,
        unexplained=is_sampled and not agent.drew(),
        clocked=is_sampled and agent.drew() and agent.is_opaque(),
    )


def _probed(agent: Agent, position: Position, samples: int) -> Counted:
    """Ask a number of times in a position; less often if the first answer takes long."""
    begun, counts = monotonic(), Counter[Reply | None]()
    for reply, times in agent.ask_many(position, 1, ()):
        counts[reply] += times
    left = min(samples, SLOW_PROBES if monotonic() - begun > SLOW else samples) - 1
    if left and all(reply is None or reply.single for reply in counts):
        for reply, times in agent.ask_many(position, left, ()):
            counts[reply] += times
    return [*counts.items()]


def _merged(replies: Counted) -> Reply | None:
    """Return several answers in a position as one, in proportion to their counts; `None` if there are none."""
    if len(replies) == 1:
        return replies[0][0]
    total, chances = sum(times for _, times in replies), Counter[Move]()
    given = [(reply, times) for reply, times in replies if reply is not None]
    for reply, times in given:
        for move, chance in reply.chances.items():
            chances[move] += chance * times / total  # type: ignore[assignment]  # a counter of shares
    return Reply(dict(chances), tuple(dict.fromkeys(each for reply, _ in given for each in reply.illegal)), single=True)


def _chances(space: Space, policy: Policy, row: int) -> dict[Move, float]:
    edges = slice(space.first_edge[row], space.first_edge[row + 1])
    return dict(zip(space.move[edges].tolist(), policy[edges].tolist(), strict=True))


def _ask_histories(  # noqa: C901  layer by layer, and each history in it
    game: Game, agent: Agent, sides: Sequence[Side], report: Report
) -> Answers:
    """Ask an agent that may depend on the order of the moves, in all histories that it can meet, ply by ply."""
    tree = histories_of(game)
    if tree is None or agent.ask_histories is None:
        return _ask_some_orders(game, agent, sides, report)
    space, policy = tree.space, np.zeros(len(tree.space.move))
    illegal, missing, asked = dict[Position, IllegalMoves](), dict[Position, None](), 0
    for number, side in enumerate(sides):
        reached = np.zeros(len(space.position), np.bool_)
        reached[0] = True
        for place, edges in reversed(list(space.plies())):
            rows = np.flatnonzero(reached[place] & (space.outcome[place] == RUNNING)) + place.start
            mine = rows[space.side[rows] == side].tolist()
            for start in range(0, len(mine), CHUNK):
                report(AskProgress(asked, (number + place.start / len(space.position)) / len(sides)))
                part = mine[start : start + CHUNK]
                histories = [(int(space.position[row]), tree.moves_to(row)) for row in part]
                if not asked:
                    agent.ask_histories(histories[:1])
                    agent.changed()  # to compare with later, when it is asked there again
                for row, (position, _), replies in zip(part, histories, agent.ask_histories(histories), strict=True):
                    if len(replies) > 1:
                        raise Differ
                    reply, asked = replies[0][0], asked + 1
                    if reply is None:
                        missing[position] = None
                        continue
                    if reply.illegal:
                        illegal[position] = IllegalMoves(position, reply.illegal)
                    for edge in range(int(space.first_edge[row]), int(space.first_edge[row + 1])):
                        policy[edge] = reply.chances.get(int(space.move[edge]), 0.0)
                    if reply.single and agent.drew():
                        raise Differ
            played = (space.side[space.source[edges]] != side) | (policy[edges] > 0)
            reached[space.target[edges][played & reached[space.source[edges]]]] = True
    rows = tree.asked(policy, sides)
    rows = rows[:: max(len(rows) // MOST_AGAIN, 1)]
    given: Given = {(int(space.position[row]), tree.moves_to(row)): _chances(space, policy, row) for row in rows}
    again = ask_again(game, agent, given, SLOW_PROBES)
    answers = Answers(policy, tuple(sides), asked, tuple(illegal.values()), tuple(missing), {}, 1, histories=tree)
    certain = again.compared and not (agent.is_opaque() or again.changed)
    answers = replace(answers, is_certain=certain, compared=again.compared, changed=again.changed or "")
    merged = tree.by_position(policy, sides)
    return answers if merged is None else replace(answers, policy=merged, histories=None)


def _check_orders(game: Game, agent: Agent, sides: Sequence[Side], report: Report) -> None:
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

    def ask_many(position: Position, _times: int, _moves: Sequence[Move]) -> Counted:
        orders = sorted(orders_to(position))
        replies = [agent.ask_many(position, SLOW_PROBES, order) for order in orders]
        if any(len(each) > 1 for each in replies) or agent.drew():
            raise Differ
        for order, reply in zip(orders, replies, strict=True):
            if reply[0][0] != replies[0][0][0]:
                raise order_matters(game, position, orders[0], order)
        return [(replies[0][0][0], 1)]

    return _ask(space_of(game), replace(agent, ask_many=ask_many), sides, 1, report, until_differ=True)
