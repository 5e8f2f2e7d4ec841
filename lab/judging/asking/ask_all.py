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
"""How often a sampled agent is asked in each position at most, unless a person asks for more."""
SAMPLES: Final = 100
"""How often it is asked usually."""
LEAST_SAMPLES: Final = 10
"""How often it is asked at least, however long that takes."""
LEAST_KEPT: Final = 2
"""The minimum number of answers in each position that count as a sample."""
LONG_SECONDS: Final = 120.0
"""A sampled agent is asked less often than `SAMPLES` times if those would take this many seconds."""
SECONDS: Final = 15.0
"""The maximum time for asking more than `SAMPLES` times, in seconds."""
ROUND_SECONDS: Final = 2.0
"""A round of questions takes about this many seconds, or has one answer in each position if that takes longer."""
TINY_SECONDS: Final = 1e-9
"""What the clock of a machine cannot tell from no time."""
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
            return replace(answers, is_seeded=True)
    ask = partial(ask_positions, space_of(game), agent, sides, report=report, everywhere=everywhere)
    if agent.is_certain:
        return ask(samples=1)
    try:
        return ask(samples=samples or PROBES, until_differ=True)
    except AnswersDiffer as difference:
        if fixed:
            raise BadText(NOT_FIXED) from None
        differing_position = difference.position
    answers = Rounds(agent, samples, report).ask_rounds(partial(ask, is_sampled=True))
    answers = replace(answers, differing_position=differing_position)
    if answers.is_stopped:
        return replace(answers, is_compared=False)
    return replace(answers, is_compared=_compare_answers(game, agent, answers, report))


def _compare_answers(game: Game, agent: Agent, answers: Answers, report: Report) -> bool:
    """Compare the answers of a sampled agent with those in its first state, and in games.

    Return whether the former was possible. Raises `BadText` if they differ too much.
    """
    space = space_of(game)
    counts = {int(space.position[row]): count for row, count in answers.counts.items()}
    compared = compare_sample(game, agent, counts)
    if compared and counts:
        compare_in_games(game, agent, counts, report)
    return compared


@dataclass(eq=False)
class Rounds:
    """A sampled agent that is asked in rounds."""

    agent: Agent
    samples: int | None
    """The number of questions in each position; `None` to ask as often as there is time for."""
    report: Report
    replies: dict[Position, Counter[Reply | None]] = field(default_factory=dict)
    asked: int = 0
    """The number of all questions so far."""
    times: int = 0
    """The number of questions in each position before this round."""
    seconds: float = 0.0
    """The seconds that one question in each position takes; 0 in the first round."""
    began: float = 0.0
    """The time when the first round began."""
    round_began: float = 0.0
    """The time when this round began."""

    def ask_rounds(self, ask: Callable[..., Answers]) -> Answers:
        """Return the agent's answers, as `ask` collects them.

        `KeyboardInterrupt` ends the rounds; the answers so far are returned if they are a sample.
        """
        self.began, answers, times = monotonic(), None, 1
        try:
            while self.times < self.find_goal(self.seconds):
                self.round_began = monotonic()
                answers = ask(samples=times, replies_of=self.ask_until, report=self.report_progress)
                self.seconds = max(monotonic() - self.round_began, TINY_SECONDS) / (times - self.times)
                self.times = times
                more = max(int(ROUND_SECONDS / self.seconds), 1)
                times = min(self.find_goal(self.seconds), times + more)
        except KeyboardInterrupt:
            if answers is None or answers.samples < LEAST_KEPT:
                raise
            return replace(answers, is_stopped=True)
        assert answers is not None  # noqa: S101  the first round has one answer
        return answers

    def find_goal(self, seconds: float) -> int:
        """Return how often to ask in each position, given the seconds that one question in each of them takes."""
        if self.samples:
            return self.samples
        seconds = max(seconds, TINY_SECONDS)
        in_short_time = int(min(SECONDS / seconds, MOST_SAMPLES))
        if in_short_time >= 2 * SAMPLES:
            return in_short_time
        in_long_time = int(min(LONG_SECONDS / seconds, SAMPLES, MOST_SAMPLES))
        return max(in_long_time, LEAST_SAMPLES)

    def ask_until(self, position: Position, times: int) -> CountedReplies:
        """Ask until there are `times` answers in a position, and return all answers there."""
        counts = self.replies.setdefault(position, Counter())
        missing = times - counts.total()
        if missing > 0 and all(reply is None or reply.single for reply in counts):
            for reply, number in self.agent.ask_many(position, missing, ()):
                counts[reply] += number
                self.asked += number
            if any(reply is not None and not reply.single for reply in counts) and len(counts) > 1:
                raise BadText("it answers with a move, and again with probabilities: let it always give the latter")
        return [*counts.items()]

    def report_progress(self, progress: AskProgress) -> None:
        """Report the progress; in the first round by positions, which also tells how long later rounds take."""
        now = monotonic()
        seconds = self.seconds or (now - self.began) / max(progress.share, TINY_SECONDS)
        seconds_left = max(seconds * (self.find_goal(seconds) - self.times) - (now - self.round_began), 0.0)
        share = (now - self.began) / max(now - self.began + seconds_left, TINY_SECONDS)
        is_known = progress.share or self.seconds
        self.report(AskProgress(self.asked, share, seconds_left if is_known else None))
