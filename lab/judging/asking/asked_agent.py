"""An outside agent as a player of games: where its answer is missing or illegal, it resigns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from time import monotonic

from engine.game import Game, Move, Position
from lab.judging.asking.agent import Agent, AskSeeded
from lab.judging.asking.answers import IllegalMoves
from lab.judging.asking.ask_again import SECONDS, SPREAD_PLACES, Place, chances_of, compare_games
from lab.judging.asking.histories import order_error, order_finder
from learners.core.player import Choice


@dataclass
class AskedAgent:
    """Asks an agent for each move. Where the answer is missing or illegal, it resigns, and the position is recorded."""

    game: Game
    ask: Agent
    asked: int = 0
    illegal: dict[Position, IllegalMoves] = field(default_factory=dict)
    """The first illegal answer in each position."""
    missing: dict[Position, None] = field(default_factory=dict)
    answers: dict[Place, Mapping[Move, float]] = field(default_factory=dict)
    """The agent's first answer in each position."""

    def choose(self, position: Position, random: Random) -> Choice:
        """Ask the agent for a move; if it answers with probabilities, draw one. Raises `AgentFailed`."""
        reply = self.ask(position)
        self.asked += 1
        self.answers.setdefault((position, ()), chances_of(reply))
        if reply is None:
            self.missing[position] = None
            return Choice(None, "it has no answer")
        drawn = random.random()
        for move, chance in reply.chances.items():
            drawn -= chance
            if drawn < 0:
                return Choice(move, "as it answered")
        if not reply.illegal:  # the probabilities sum to a little less than 1
            return Choice(max(reply.chances, key=lambda move: reply.chances[move]), "as it answered")
        self.illegal.setdefault(position, IllegalMoves(position, reply.illegal))
        return Choice(None, "its answer is illegal")

    def is_compared(self) -> bool:
        """Return whether the agent could be compared with a copy that was asked nothing before.

        Raises `BadText` if the two answer differently, or if the answers depend on the order of the moves before a
        position.
        """
        is_compared = compare_games(self.game, self.ask, self.answers)
        if self.ask.by_history and self.ask.ask_seeded is not None:
            self._check_orders(self.ask.ask_seeded)
        return is_compared

    def _check_orders(self, ask_seeded: AskSeeded) -> None:
        """Raise `BadText` if an answer changes with the order of the moves, while the random numbers are the same."""
        orders_to, deadline = order_finder(self.game), monotonic() + SECONDS
        for seed, (position, _) in enumerate([*self.answers][:: -max(len(self.answers) // SPREAD_PLACES, 1)]):
            orders = sorted(orders_to(position))
            *replies, repeated = ask_seeded(position, [*orders, orders[0]], seed)
            if repeated == replies[0]:  # else its random numbers cannot be repeated
                for order, reply in zip(orders, replies, strict=True):
                    if reply != replies[0]:
                        raise order_error(self.game, position, orders[0], order)
            if monotonic() > deadline:
                return
