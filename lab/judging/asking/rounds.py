"""Ask a sampled agent in rounds: once in each position, and then more often, as far as time allows."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Final

from engine.game import BadText, Position
from lab.judging.asking.agent import Agent, AskProgress, Counted, Report
from lab.judging.asking.answers import Answers
from lab.judging.notation.reply import Reply

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
