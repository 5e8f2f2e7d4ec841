"""The players that search: minimax and alpha-beta, to the end of the game or to a depth."""

from collections.abc import Collection
from random import Random
from typing import ClassVar, Final, Self

import numpy as np

from engine.evaluate import Policy, uniform_policy
from engine.game import Game, Move, Position, Side
from engine.plural import counted_label, counted_noun, signed_text
from engine.search import Search
from engine.search_result import Algorithm, RootMove, SearchResult
from engine.space import RUNNING
from engine.spaces import space_of
from learners.core.player import Choice, Depiction, Thought
from learners.players.plain import SYMBOL, verdict_text
from learners.players.searcher import Parameter, Parametric, Searcher

LARGEST_SHOWN: Final = 99
"""The largest estimate that fits on a square with its sign."""
HALF_WAY: Final = 10
"""The estimate that is drawn half way between even and won."""


def depth_parameter(*offered: int) -> Parameter:
    """Return the parameter of a player that searches to a depth; menus offer these depths."""
    return Parameter(
        "DEPTH",
        "[1-9][0-9]?",
        lambda game: f"a depth from 1 to {game.longest:,}",
        "4",
        lambda game: {
            str(depth): f"looks {counted_noun(depth, 'move')} ahead" for depth in offered if depth <= game.longest
        },
    )


class MinimaxPlayer(Searcher[SearchResult], Parametric):
    """Searches each move and chooses uniformly among the best; values are seen from its own side."""

    algorithm: ClassVar[Algorithm]
    order: ClassVar[str] = "ascending"

    def __init__(self, game: Game, depth: int | None = None) -> None:
        """Search to a depth in plies, or to the end of the game.

        Raises `BadText` for a depth that the game does not have, `TooLarge` for a large game without a depth.
        """
        super().__init__(game, Search(game, self.algorithm, depth, order=self.order, every_move=True))
        if depth is not None:
            self.label = f"{type(self).label}:{depth}"
        self.depth = depth

    @classmethod
    def parse(cls, game: Game, text: str) -> Self:
        return cls(game, int(text))

    @classmethod
    def fits(cls, game: Game) -> bool:
        return game.numbered

    def choose(self, position: Position, random: Random) -> Choice:
        result = self.result(position)
        best = [rated for rated in result.moves if rated.move in result.best]
        choice = random.choice(best)
        return Choice(choice.move, self._reason(position, result, choice, len(best)))

    def _reason(self, position: Position, result: SearchResult, choice: RootMove, ties: int) -> str:
        value = signed_text(self._own_value(result, choice))
        verdict = f"its value is {value}" if self._is_estimate(choice) else f"it {self._words(result, choice)}"
        if ties > 1:
            verdict += f", as with {counted_noun(ties - 1, 'other move')}"
        ahead = f" {counted_noun(self.depth, 'move')} ahead," if self.depth else ""
        effort = f"it looked{ahead} at {counted_noun(result.nodes, 'position')}"
        if self.algorithm is Algorithm.ALPHABETA and result.cutoffs:
            effort += f", and cut {counted_label(result.cutoffs, 'branches')}"
        return "; ".join([verdict, effort, *self.expected_line(position, choice.line)])

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        result = self.result(position)
        best = result.best
        return tuple(
            Thought(
                move=rated.move,
                chance=1 / len(best) if rated.move in best else 0.0,
                symbol=self._symbol(result, rated),
                words=self._words(result, rated),
                drawing=Depiction.VALUE,
                level=self._level(result, rated),
            )
            for rated in sorted(result.moves, key=lambda rated: rated.move)
        )

    def best_among(self, position: Position, moves: Collection[Move]) -> Collection[Move]:
        result = self.result(position)

        def merit(rated: RootMove) -> tuple[int, int]:
            value, plies = self._own_value(result, rated), rated.plies or 0
            return value, -plies if value > 0 else plies

        merits = {rated.move: merit(rated) for rated in result.moves if rated.move in moves}
        return [move for move, merit in merits.items() if merit == max(merits.values())]

    def policy(self) -> Policy:
        """Return the policy. Raises `Stopped`. Symmetric positions are searched once, since their values are the same.

        Without a depth, minimax searches for either algorithm: the values are the same, and the windows of alpha-beta
        would split its table of the whole game.
        """
        space = space_of(self.game)
        search = self.search if self.depth else Search(self.game, Algorithm.MINIMAX, every_move=True)
        kept = np.zeros(len(space.move), np.bool_)
        for row in np.unique(space.position_class, return_index=True)[1].tolist():
            if space.outcome[row] == RUNNING:
                position = int(space.position[row])
                best = search.result(position, self.stop).best
                for edge in space.edges(position):
                    kept[space.edge_class[edge]] = int(space.move[edge]) in best
        return uniform_policy(space, kept[space.edge_class])

    def _own_value(self, result: SearchResult, rated: RootMove) -> int:
        return rated.value if self.game.side(result.position) is Side.FIRST else -rated.value

    def _level(self, result: SearchResult, rated: RootMove) -> float:
        """Return the value of a move as a level from 0, a loss, to 1, a win; estimates lie strictly between."""
        value = self._own_value(result, rated)
        if self._is_estimate(rated):
            return (1 + value / (abs(value) + HALF_WAY)) / 2
        return (1 + (value > 0) - (value < 0)) / 2

    def _is_estimate(self, rated: RootMove) -> bool:
        return rated.estimated and rated.plies is None

    def _symbol(self, result: SearchResult, rated: RootMove) -> str:
        value = self._own_value(result, rated)
        if self._is_estimate(rated):
            clipped = max(-LARGEST_SHOWN, min(LARGEST_SHOWN, value))
            return f"{clipped:+}" if clipped else "0"
        return SYMBOL[(value > 0) - (value < 0)]

    def _words(self, result: SearchResult, rated: RootMove) -> str:
        value = self._own_value(result, rated)
        if self._is_estimate(rated):
            return f"value {signed_text(value)}"
        return verdict_text((value > 0) - (value < 0), rated.plies or 0)


class Minimax(MinimaxPlayer):
    label = "minimax"
    title = "Minimax"
    summary = "looks at every line"
    parameter = depth_parameter(1, 2, 3)
    algorithm = Algorithm.MINIMAX


class AlphaBeta(MinimaxPlayer):
    label = "alphabeta"
    title = "Alpha-beta"
    summary = "minimax, but faster"
    parameter = depth_parameter(2, 4, 6)
    algorithm = Algorithm.ALPHABETA
    order = "centre"
