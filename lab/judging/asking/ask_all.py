"""Ask an agent in every position that it can meet.

A table, a player of this program, and an agent that answers with probabilities are asked once in each position. An
agent that answers with a move is asked `PROBES` times in each position, and then again in some of them. If its answers
differ anywhere, or if it draws random numbers, it is a *sampled* agent: randomness is a property of the agent, not of a
position. A sampled agent is asked `MOST_SAMPLES` times in each position, or fewer if measurements say that this takes
too long: it is asked in `Rounds`.

An agent that is shown the moves before a position may answer differently after two orders of the same moves. It is
asked after every order. If its answers depend on the order, they are kept on the tree of histories.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from typing import Final

from engine.game import BadText, Game, Position, Side
from engine.spaces import space_of
from lab.judging.asking.agent import Agent, Ask, AskProgress, CountedReplies, Report, agent_of
from lab.judging.asking.answers import Answers
from lab.judging.asking.ask_again import AnswersDiffer, compare_sample
from lab.judging.asking.in_games import compare_in_games
from lab.judging.asking.orders import ask_histories, check_orders
from lab.judging.asking.positions import ask_positions
from lab.judging.notation.reply import Reply

PROBES: Final = 10
"""An agent counts as one that always gives the same answer once it has done so this many times in each position."""
MOST_SAMPLES: Final = 1000
SAMPLES: Final = 100
LEAST_SAMPLES: Final = 10
"""How often a sampled agent is asked in each position: at most, usually, and at least."""
LEAST_KEPT: Final = 2
"""The minimum number of answers in each position that count as a sample."""
LONG: Final = 120.0
"""A sampled agent is asked less often than `SAMPLES` times if those would take this many seconds."""
SECONDS: Final = 15.0
"""The maximum time for asking more than `SAMPLES` times, in seconds."""
ROUND: Final = 2.0
"""A round of questions takes about this many seconds, or has one answer in each position if that takes longer."""
TINY: Final = 1e-9
"""Seconds that the clock of a machine cannot tell from none."""
MAX_SAMPLES: Final = 100_000
"""The maximum number of questions in each position that can be asked for."""
SAMPLED_GAMES: Final = 100
"""The number of games against each opponent as each side, in a game that is too large for exact results."""
NOT_FIXED: Final = "its answers differ, or depend on the order of the moves: only a fixed strategy can be certified"


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
            return ask_histories(game, agent, sides, report)
        except AnswersDiffer:
            if fixed:
                raise BadText(NOT_FIXED) from None
            check_orders(game, agent, sides, report)
            answers = ask_all(game, replace(agent, by_history=False), sides, samples, report, everywhere=everywhere)
            return replace(answers, seeded=True)
    space = space_of(game)
    ask = partial(ask_positions, space, agent, sides, report=report, everywhere=everywhere)
    if agent.is_certain:
        return ask(samples=1)
    try:
        return ask(samples=samples or PROBES, until_differ=True)
    except AnswersDiffer as found:
        if fixed:
            raise BadText(NOT_FIXED) from None
        differed = found.position
    answers = replace(Rounds(agent, samples, report).answers(partial(ask, is_sampled=True)), differed=differed)
    if answers.stopped:
        return replace(answers, compared=False)
    counts = {int(space.position[row]): count for row, count in answers.counts.items()}
    compared = compare_sample(game, agent, counts)
    if compared and counts:
        compare_in_games(game, agent, counts, report)
    return replace(answers, compared=compared)


@dataclass(eq=False)
class Rounds:
    """A sampled agent that is asked in rounds."""

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

    def replies(self, position: Position, times: int) -> CountedReplies:
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
