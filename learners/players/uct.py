"""The player that searches by playouts: Monte-Carlo tree search with upper confidence bounds."""

from collections.abc import Collection
from random import Random
from typing import Final, Self

import numpy as np

from engine.evaluate import Policy
from engine.game import Game, Move, Position, Side
from engine.plural import counted_noun
from engine.result_caches import cached_with_spaces
from engine.space import RUNNING, Int32, Space
from engine.spaces import space_of
from learners.core.generator import LARGEST_SEED
from learners.core.player import Choice, Depiction, Thought
from learners.players.plain import SYMBOL, VERDICT
from learners.players.searcher import Parameter, Parametric, Searcher
from learners.uct.result import Rated, UctMove, UctResult, best_move
from learners.uct.search import MAX_PLAYOUTS, Uct

UNTRIED: Final = "·"
"""The symbol of a move that no playout began with."""


class UctPlayer(Searcher[UctResult], Parametric):
    """Plays the move with the most playouts, unless a value is proven: see `learners.uct.result.best_move`.

    A search depends on the seed and on the position, so that the player always plays the same move there. Without a
    seed in its label, it plays with seed 0, and is judged by many seeds: see `learners.players.levels`.
    """

    label = "uct"
    title = "UCT"
    summary = "200k random games"
    parameter = Parameter(
        "PLAYOUTS[/SEED]",
        f"[1-9][0-9]{{0,{len(str(MAX_PLAYOUTS)) - 1}}}(/(0|[1-9][0-9]{{0,{len(str(LARGEST_SEED)) - 1}}}))?",
        lambda _: f"a number of playouts from 1 to {MAX_PLAYOUTS:,}",
        "1000, or with a seed, as in uct:1000/7",
        lambda _: {str(playouts): counted_noun(playouts, "random game") for playouts in (100, 1000)},
    )

    def __init__(self, game: Game, playouts: int | None = None, seed: int | None = None) -> None:
        """Run this many playouts for each move, by default as many as usual. Raises `BadText` for impossible numbers.

        A seed needs a number of playouts, too.
        """
        search = Uct(game, playouts, seed or 0)
        super().__init__(game, search)
        self._search = search
        self.playouts, self.seed = search.playouts, seed
        if playouts is not None:
            self.label = f"{type(self).label}:{playouts}"
            if seed is not None:
                self.label += f"/{seed}"

    @classmethod
    def parse(cls, game: Game, text: str) -> Self:
        playouts, slash, seed = text.partition("/")
        return cls(game, int(playouts), int(seed) if slash else None)

    def with_seed(self, seed: int) -> Self:
        if self.seed is not None:
            return self
        return type(self)(self.game, self.playouts, seed).stoppable(self.stop)

    @classmethod
    def fits(cls, game: Game) -> bool:  # noqa: ARG003  any game will do
        return True

    def choose(self, position: Position, random: Random) -> Choice:
        result = self.result(position)
        return Choice(result.best.move, self._reason(position, result, result.best))

    def _reason(self, position: Position, result: UctResult, move: UctMove) -> str:
        name = self.game.move_words(position, move.move)
        playouts = counted_noun(result.playouts, "playout")
        if move.proven:
            parts = [f"{name} {words_of(move)}", f"proven by {playouts}" if result.playouts else "seen at once"]
        else:
            share = f"{100 * move.visits / result.playouts:.0f}"
            parts = [f"{share} % of {playouts} went to {name}, worth {worth_text(move)}"]
        return "; ".join([*parts, *self.expected_line(position, move.line)])

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        result = self.result(position)
        best = result.best
        return tuple(
            Thought(
                each.move,
                float(each is best),
                symbol_of(each),
                words_of(each),
                drawing=Depiction.VALUE,
                level=each.worth if each.visits or each.proven else None,
            )
            for each in sorted(result.moves, key=lambda each: each.move)
        )

    def best_among(self, position: Position, moves: Collection[Move]) -> Collection[Move]:
        return [best_move([each for each in self.result(position).moves if each.move in moves]).move]

    def policy(self) -> Policy:
        """Return the policy, as in `Player`. Raises `Stopped`.

        Of symmetric positions, only that with the smallest number is searched.
        """
        return self._policy(everywhere=True)

    def reached_policy(self) -> Policy:
        return self._policy(everywhere=False)

    def _policy(self, *, everywhere: bool) -> Policy:
        space = space_of(self.game)
        smallest, twin = _twins(space)
        best, searched = np.zeros(len(space.move), np.bool_), np.zeros(len(space.position), np.bool_)
        reached = np.full((len(Side), len(space.position)), everywhere)
        reached[:, 0] = True
        for positions, edges in reversed(list(space.plies())):
            running = space.outcome[positions] == RUNNING
            for side in Side:
                rows = np.flatnonzero(running & reached[side, positions] & (space.side[positions] == side))
                for row in np.unique(smallest[rows + positions.start]).tolist():
                    if not searched[row]:
                        searched[row] = True
                        position = int(space.position[row])
                        best[space.edge(position, self._search.move(position, self.stop))] = True
                source = space.source[edges]
                played = best[twin[edges]] | (space.side[source] != side)
                reached[side, space.target[edges][played & reached[side, source]]] = True
        return best[twin].astype(np.float64)


@cached_with_spaces()
def _twins(space: Space) -> tuple[Int32, Int32]:
    """Return the smallest row among the images of each position, shape (n,), and its edge for each edge, shape (m,)."""
    symmetry = space.images.argmin(axis=0).astype(space.symmetry_type)
    return space.images.min(axis=0), space.edge_images_by(symmetry)


def symbol_of(move: Rated) -> str:
    """Return the sign for the square of a move: `+`, `=` or `-` if it is proven, else its worth."""
    if move.proven:
        return SYMBOL[verdict_of(move)]
    return worth_text(move) if move.visits else UNTRIED


def words_of(move: Rated) -> str:
    """Return what is known of a move: `wins`, or `worth 0.58, 1,234 playouts`."""
    if move.proven:
        return VERDICT[verdict_of(move)]
    return f"worth {worth_text(move)}, {counted_noun(move.visits, 'playout')}" if move.visits else "not tried"


def worth_text(move: Rated) -> str:
    return f"{move.worth:.2f}"


def verdict_of(move: Rated) -> int:
    """Return the value of a proven move for the side that makes it: 1, 0 or −1."""
    return round(2 * move.worth) - 1
