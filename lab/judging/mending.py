"""Mend an agent: find the fewest positions in which it must answer differently so that it never loses.

`engine.smallest` finds them with an integer program, and proves that there cannot be fewer, if time allows.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.evaluate import Policy, resignations
from engine.game import BadText, Game, Move, Position, Side
from engine.plural import counted_noun
from engine.smallest.answers import SECONDS, CannotHold, fewest_answers
from engine.spaces import space_of
from engine.stop import Stop, never


@dataclass(frozen=True)
class Mend:
    """The fewest changes of an agent's answers after which it never loses as some sides, as far as that is possible."""

    moves: dict[Position, Move]
    """The move to play in each position in which the agent must answer differently."""
    bound: int
    """The proved lower bound for the number of changes."""
    impossible: tuple[Side, ...]
    """The sides that lose the game against best play, for which nothing can be mended."""
    seen: int = 0
    """The number of questions to a sampled agent in each position, whose other answers may lose; else 0."""

    @property
    def proved(self) -> bool:
        """Whether it is proved that there cannot be fewer changes."""
        return self.bound == len(self.moves)


def mend(game: Game, policy: Policy, sides: Sequence[Side], seconds: float = SECONDS, *, stop: Stop = never) -> Mend:
    """Return the fewest answers to change. `policy` must have an answer in each position in which the agent has one.

    Raises `BadText` without the solver, or if it finds nothing in time; and `Stopped` once `stop()` is true.
    """
    space = space_of(game)
    answers = (policy > 0) & ~(resignations(space, policy) > 0)[space.source]
    moves, bound, impossible = dict[Position, Move](), 0, list[Side]()
    for side in sides:
        try:
            fewest = fewest_answers(space, side, answers, symmetric=False, seconds=seconds, stop=stop)
        except CannotHold:
            impossible.append(side)
            continue
        if fewest is None:
            raise BadText(f"no way to mend it as {game.mark(side)} was found within {seconds:g} s")
        moves |= fewest.moves
        bound += fewest.bound
    return Mend(moves, bound, tuple(impossible))


def mend_blocks(game: Game, mending: Mend, draw: Callable[[Game, Position], list[str]]) -> list[list[str]]:
    """Return a block of lines for each position that the agent must answer differently: the board, and what to play."""
    return [[*draw(game, position), f"play {game.move_name(move)}"] for position, move in mending.moves.items()]


def mend_sentence(game: Game, mending: Mend) -> str:
    """Return how many answers must change, and whether it is proved that these are the fewest."""
    count, precision = len(mending.moves), ""
    lost = "".join(f"; as {game.mark(side)} the game is lost against best play" for side in mending.impossible)
    if mending.seen:
        precision = f", going by {counted_noun(mending.seen, 'answer')} in each position"
    if not count:
        return f"Nothing needs to be mended: it never loses{precision}{lost}"
    proof = "proved: no fewer will do" if mending.proved else f"no fewer than {mending.bound:,} will do"
    return f"To never lose, it must answer otherwise in {counted_noun(count, 'position')} ({proof}{precision}){lost}"
