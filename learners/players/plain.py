"""The players that neither learn nor search: uniformly random, and perfect by exact values."""

from collections.abc import Mapping
from random import Random
from typing import Final, Self

from engine.evaluate import SOONEST, Policy, perfect_policy, uniform_policy
from engine.game import Game, Position
from engine.rating import rate_moves
from engine.search import USUAL_DEPTH
from engine.solve import PERFECT_EDGES
from engine.space import TooLarge
from engine.spaces import space_of
from learners.core.player import Choice, Thought
from learners.core.plural import counted_noun
from learners.players.parameter import Parameter, Parametric

VERDICT: Final = {1: "wins", 0: "draws", -1: "loses"}
SYMBOL: Final = {1: "+", 0: "=", -1: "-"}
"""The word and the symbol for the value of a move."""


def verdict_text(value: int, plies: int = 0) -> str:
    """Return what a move leads to: `wins in 3 moves`; `wins` if the number of plies is not known."""
    return VERDICT[value] + (f" in {counted_noun(plies, 'move')}" if plies else "")


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


TEACHER: Final = "perfect:any"
"""The usual opponent of a learner that plays one side only: it varies its moves more than `perfect`, which in a lost
position may play the same line for ever, so that nothing but the answer to it is learned."""
WAYS: Final[Mapping[str, str]] = {
    "any": "any move that keeps the exact value",
    "stubborn": "as perfect; if lost, sets the most traps",
}
"""The other ways to play perfectly, in a few words: see `engine.solve.PERFECT_EDGES`."""


class PerfectPlayer(Parametric):
    """Chooses uniformly among the moves of a way to play perfectly, all of which keep the value of the position."""

    label = "perfect"
    title = "Perfect"
    summary = "wins as soon, loses as late as possible"
    parameter = Parameter(
        "|".join(PERFECT_EDGES),
        "|".join(PERFECT_EDGES),
        lambda _: f"how it chooses among the moves that keep the value: {', '.join(PERFECT_EDGES)}",
        next(iter(WAYS)),
        lambda game: WAYS if game.numbered else {},
    )

    @classmethod
    def fits(cls, game: Game) -> bool:
        """Return whether it can play a game."""
        return game.numbered

    @classmethod
    def parsed(cls, game: Game, text: str) -> Self:
        """As in `Parametric`. Raises `TooLarge`."""
        return cls(game, text)

    def __init__(self, game: Game, way: str = SOONEST) -> None:
        """Play this game. Raises `TooLarge`."""
        if not game.numbered:
            raise TooLarge(f"{game.title} is too large to be played perfectly; alphabeta:{USUAL_DEPTH} looks ahead")
        self.game, self.way = game, way
        self.space = space_of(game)
        if way != SOONEST:
            self.label = f"{type(self).label}:{way}"

    def choose(self, position: Position, random: Random) -> Choice:
        """As in `Player`."""
        thoughts = self.thoughts(position)
        best = [thought for thought in thoughts if thought.chance]
        chosen = random.choice(best)
        name, count, total = self.game.move_name(chosen.move), len(best), len(thoughts)
        tempting = self.way == "stubborn" and chosen.symbol == SYMBOL[-1]
        leads = chosen.words.partition(" ")[0] if self.way == "any" else chosen.words
        if total == 1:
            among = "there is no other move"
        elif tempting:
            among = f"random play errs most after {count} of {total} moves"
        else:
            among = f"{count} of {total} moves {'keeps' if count == 1 else 'keep'} that"
        return Choice(chosen.move, f"{name} {leads} against best play; {among}")

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        """As in `Player`."""
        edges = self.space.edges(position)
        played = PERFECT_EDGES[self.way](self.space)[edges.start : edges.stop].tolist()
        return tuple(
            Thought(
                move=rated.move,
                chance=is_played / sum(played),
                symbol=SYMBOL[rated.value or 0],
                words=verdict_text(rated.value or 0, rated.plies),
            )
            for rated, is_played in zip(rate_moves(self.game, position), played, strict=True)
        )

    def policy(self) -> Policy:
        """As in `Player`."""
        return perfect_policy(self.space, self.way)
