"""The players that neither learn nor search: uniformly random, and perfect by exact values."""

from random import Random
from typing import Final

from engine.evaluate import Policy, perfect_policy, uniform_policy
from engine.game import Game, Position
from engine.search import USUAL_DEPTH
from engine.solve import edge_values, perfect_edges
from engine.space import TooLarge
from engine.spaces import space_of
from learners.core.player import Choice, Thought
from learners.core.plural import counted_noun

VERDICT: Final = {1: "wins", 0: "draws", -1: "loses"}
SYMBOL: Final = {1: "+", 0: "=", -1: "-"}
"""The word and the symbol for the value of a move."""


class RandomPlayer:
    """Chooses uniformly among the legal moves."""

    label = "random"
    title = "Random"
    summary = "any legal move, each as likely"

    @classmethod
    def fits(cls, game: Game) -> bool:  # noqa: ARG003  any game will do
        """Return whether it can play a game."""
        return True

    def __init__(self, game: Game) -> None:
        """Play this game."""
        self.game = game

    def choose(self, position: Position, random: Random) -> Choice:
        """As in `Player`."""
        moves = self.game.moves(position)
        return Choice(random.choice(moves), f"picked at random from {counted_noun(len(moves), 'legal move')}")

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        """As in `Player`."""
        moves = self.game.moves(position)
        return tuple(Thought(move, 1 / len(moves), "·", f"1 of {len(moves)}") for move in moves)

    def policy(self) -> Policy:
        """As in `Player`."""
        return uniform_policy(space_of(self.game))


class PerfectPlayer:
    """Chooses uniformly among the moves that keep the exact value of the position."""

    label = "perfect"
    title = "Perfect"
    summary = "only moves that keep the exact value"

    @classmethod
    def fits(cls, game: Game) -> bool:
        """Return whether it can play a game."""
        return game.numbered

    def __init__(self, game: Game) -> None:
        """Play this game. Raises `TooLarge`."""
        if not game.numbered:
            raise TooLarge(f"{game.title} is too large to be played perfectly; alphabeta:{USUAL_DEPTH} looks ahead")
        self.game = game
        self.space = space_of(game)

    def choose(self, position: Position, random: Random) -> Choice:
        """As in `Player`."""
        thoughts = self.thoughts(position)
        best = [thought for thought in thoughts if thought.chance]
        chosen = random.choice(best)
        name, total = self.game.move_name(chosen.move), len(thoughts)
        keep = "keeps" if len(best) == 1 else "keep"
        among = f"{len(best)} of {total} moves {keep} that" if total > 1 else "there is no other move"
        return Choice(chosen.move, f"{name} {chosen.words} against best play; {among}")

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        """As in `Player`."""
        edges = self.space.edges(position)
        value, kept = edge_values(self.space), perfect_edges(self.space)
        count = sum(bool(kept[edge]) for edge in edges)
        return tuple(
            Thought(
                move=int(self.space.move[edge]),
                chance=1 / count if kept[edge] else 0.0,
                symbol=SYMBOL[int(value[edge])],
                words=VERDICT[int(value[edge])],
            )
            for edge in edges
        )

    def policy(self) -> Policy:
        """As in `Player`."""
        return perfect_policy(self.space)
