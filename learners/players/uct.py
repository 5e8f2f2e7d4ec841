"""The player that searches by playouts: Monte-Carlo tree search with upper confidence bounds."""

from random import Random
from typing import Final

import numpy as np

from engine.evaluate import Policy
from engine.game import Game, Position
from engine.space import RUNNING
from engine.spaces import space_of
from learners.core.player import Choice, Thought
from learners.core.plural import counted_noun
from learners.players.parameter import Parameter
from learners.players.plain import SYMBOL, VERDICT
from learners.players.searcher import Searcher
from learners.uct.result import Rated, UctMove, UctResult
from learners.uct.search import MAX_PLAYOUTS, Uct

UNTRIED: Final = "·"
"""The symbol of a move that no playout began with."""


class UctPlayer(Searcher[UctResult]):
    """Plays the move that most playouts went to, unless a value is proven: see `learners.uct.result.best_move`.

    The seed of a search follows from the position, so that it always plays the same move there.
    """

    label = "uct"
    title = "UCT"
    summary = "tries moves in random games"
    parameter = Parameter(
        "PLAYOUTS",
        "a number of playouts",
        len(str(MAX_PLAYOUTS)),
        lambda _: MAX_PLAYOUTS,
        1000,
        (100, 1000),
        "plays {}",
        "random game",
    )

    def __init__(self, game: Game, playouts: int | None = None) -> None:
        """Run this many playouts for each move, by default as many as usual. Raises `BadText` if there are too many."""
        search = Uct(game, playouts)
        super().__init__(game, search, playouts)
        self.playouts = search.playouts

    @classmethod
    def fits(cls, game: Game) -> bool:  # noqa: ARG003  any game will do
        """As in `Searcher`."""
        return True

    def choose(self, position: Position, random: Random) -> Choice:
        """As in `Player`. Raises `Stopped`."""
        found = self.result(position)
        return Choice(found.best.move, self._reason(found, found.best))

    def _reason(self, found: UctResult, chosen: UctMove) -> str:
        name = self.game.move_name(chosen.move)
        playouts = counted_noun(found.playouts, "playout")
        if chosen.proven:
            parts = [f"{name} {words_of(chosen)}", f"proven by {playouts}" if found.playouts else "seen at once"]
        else:
            share = f"{100 * chosen.visits / found.playouts:.0f}"
            parts = [f"{share} % of {playouts} went to {name}, worth {worth_text(chosen)}"]
        return "; ".join([*parts, *self.expected(chosen.line)])

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        """As in `Player`. Raises `Stopped`."""
        found = self.result(position)
        best = found.best
        return tuple(
            Thought(each.move, float(each is best), symbol_of(each), words_of(each))
            for each in sorted(found.moves, key=lambda each: each.move)
        )

    def policy(self) -> Policy:
        """As in `Player`. Raises `Stopped`. Of symmetric positions, only that with the smallest number is searched."""
        space = space_of(self.game)
        best = np.zeros(len(space.move), np.bool_)
        smallest = space.images.min(axis=0) == np.arange(len(space.position))
        for row in np.flatnonzero(smallest & (space.outcome == RUNNING)).tolist():
            position = int(space.position[row])
            best[space.edge(position, self.result(position).best.move)] = True
        symmetry = space.images.argmin(axis=0).astype(np.int8)  # maps each position to the one that is searched
        chosen: Policy = best[space.edge_images_by(symmetry)].astype(np.float64)
        return chosen


def symbol_of(move: Rated) -> str:
    """Return what to draw on the square of a move: `+`, `=` or `-` if it is proven, else its worth."""
    if move.proven:
        return SYMBOL[verdict_of(move)]
    return worth_text(move) if move.visits else UNTRIED


def words_of(move: Rated) -> str:
    """Return what is known of a move: `wins`, or `worth .58, 1,234 playouts`."""
    if move.proven:
        return VERDICT[verdict_of(move)]
    return f"worth {worth_text(move)}, {counted_noun(move.visits, 'playout')}" if move.visits else "not tried"


def worth_text(move: Rated) -> str:
    """Return what a move is worth: `.58` of a win."""
    return f"{move.worth:.2f}".removeprefix("0")


def verdict_of(move: Rated) -> int:
    """Return the value of a proven move to the side that makes it: 1, 0 or −1."""
    return round(2 * move.worth) - 1
