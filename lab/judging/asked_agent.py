"""An outside agent that plays games: it resigns where it has no answer, or an illegal one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from engine.game import Game, Move, Position
from lab.judging.agent import Agent, Ask
from lab.judging.asking import IllegalMoves
from lab.judging.asking_again import Place, chances_of, compare_games
from learners.core.player import Choice


@dataclass
class AskedAgent:
    """Asks an agent for each move. Where the answer is missing or illegal, it resigns and records the position."""

    game: Game
    ask: Agent | Ask
    asked: int = 0
    """How often it was asked."""
    illegal: dict[Position, IllegalMoves] = field(default_factory=dict)
    """The first illegal answer in each position."""
    missing: dict[Position, None] = field(default_factory=dict)
    """The positions in which it had no answer."""
    given: dict[Place, Mapping[Move, float]] = field(default_factory=dict)
    """Its first answer in each position."""

    def choose(self, position: Position, random: Random) -> Choice:
        """Ask the agent; draw a move if it answers with probabilities. Raises `AgentFailed`."""
        reply = self.ask(position)
        self.asked += 1
        self.given.setdefault((position, ()), chances_of(reply))
        if reply is None:
            self.missing[position] = None
            return Choice(None, "it has no answer")
        left = random.random()
        for move, chance in reply.chances.items():
            left -= chance
            if left < 0:
                return Choice(move, "as it answered")
        if not reply.illegal:  # the probabilities sum to a little less than 1
            return Choice(max(reply.chances, key=lambda move: reply.chances[move]), "as it answered")
        self.illegal.setdefault(position, IllegalMoves(position, reply.illegal))
        return Choice(None, "its answer is illegal")

    def is_compared(self) -> bool:
        """Return whether it answers as a copy does that had been asked nothing before. Raises `BadText` if it does not.

        Without such a copy that is not known. A function of a position has none and needs none.
        """
        return not isinstance(self.ask, Agent) or compare_games(self.game, self.ask, self.given)
