"""Minimax and alpha-beta on any game: the result, or every step on the way to it. No space is needed.

    value   a whole number, as the first side sees it: that side takes the largest, the other the smallest
    left    how many plies the search may still go below a position; `ENDLESS` without a limit
    window  low … high: what the first side is sure to get, and what the second is sure to hold it to, elsewhere in the
            tree. A value outside of it changes nothing; where low meets high, the rest of a node is skipped
    path    the moves from the root of the search to a node; the root's is ()

How a node is searched is written once, in `Search._visit`, which asks for its children one after another. `found`
answers from a table, so that a node met again in the same window costs nothing; `steps` answers by walking on. The
counts are the same: those of an algorithm that remembers nothing.
"""

from collections.abc import Generator, Iterator
from typing import Final, NamedTuple, cast

from engine.found import WON, Algorithm, Found, Rated, Step, StepKind
from engine.game import BadText, Game, Move, Path, Position, Side
from engine.heuristics import Estimate, heuristic_of
from engine.orders import Order, ordered
from engine.solve import WORTH
from engine.space import TooLarge

ENDLESS: Final = -1
BEYOND: Final = 10**9
"""Larger than every value: the window of the root is −BEYOND … BEYOND."""
REMEMBERED: Final = 300_000
"""How many answers are kept before the table begins anew."""
USUAL_DEPTH: Final = 4
"""A depth that any game can be searched to in next to no time."""


class _Ask(NamedTuple):
    """A node to be searched; `narrow`: whether its children's windows shrink as values come in."""

    position: Position
    left: int
    low: int
    high: int
    narrow: bool


class _Answer(NamedTuple):
    """What a node comes to, the counts with all below it."""

    value: int
    line: Path = ()
    nodes: int = 1
    leaves: int = 1
    guesses: int = 0
    cutoffs: int = 0
    skipped: int = 0
    omitted: Path = ()
    """The moves of the node itself that were skipped."""


_Visit = Generator[tuple[Move, _Ask], _Answer, _Answer]


class Search:
    """A way to search a game. It remembers what it found, and so answers faster the second time."""

    def __init__(  # noqa: PLR0913  one parameter a choice
        self,
        game: Game,
        algorithm: Algorithm,
        depth: int | None = None,
        *,
        heuristic: Estimate | None = None,
        order: Order = "ascending",
        every_move: bool = False,
    ) -> None:
        """Look `depth` plies ahead, or to the ends, where the game's own heuristic or the one given values the leaves.

        With `every_move` each move of the root is searched in the full window, so that its value is exact. Raises
        `BadText` for a depth that the game does not have, `TooLarge` for a search to the ends of a large game.
        """
        require_depth(game, depth)
        self.game = game
        self.algorithm = algorithm
        self.depth = depth
        self.every_move = every_move
        self._estimate = heuristic or heuristic_of(game).estimate
        self._moves = ordered(game, order)
        self._table: dict[_Ask, _Answer] = {}

    def found(self, position: Position) -> Found:
        """The result. Raises `BadText` where the game is over."""
        searched: list[tuple[Move, _Ask, _Answer]] = []
        answer = self._search(self._root(position), searched)
        moves = [
            Rated(move, seen.value, ask.low < seen.value < ask.high, seen.guesses > 0, (move, *seen.line))
            for move, ask, seen in searched
        ]
        return Found(
            self.game, position, self.algorithm, self.depth, answer.value, tuple(moves), answer.line,
            answer.nodes, answer.leaves, answer.guesses, answer.cutoffs, answer.skipped,
        )  # fmt: skip

    def steps(self, position: Position) -> Iterator[Step]:
        """All that the search does, in order. Raises `BadText` where the game is over."""
        root = self._root(position)
        return self._walk((), root, None, None)

    def _root(self, position: Position) -> _Ask:
        if self.game.outcome(position) is not None:
            raise BadText(f"the game is over in {self.game.to_text(position)}: there is nothing to search")
        narrow = self.algorithm is Algorithm.ALPHABETA
        return _Ask(position, self.depth or ENDLESS, -BEYOND, BEYOND, narrow and not self.every_move)

    def _leaf(self, ask: _Ask) -> _Answer | None:
        """The answer where no child is looked at."""
        outcome = self.game.outcome(ask.position)
        if outcome is not None:
            return _Answer(WORTH[outcome] if ask.left == ENDLESS else WORTH[outcome] * (WON + ask.left))
        return None if ask.left else _Answer(self._estimate(ask.position), guesses=1)

    def _visit(self, ask: _Ask) -> _Visit:
        """Search a node that is no leaf: yields each child to be searched, is sent its answer, returns the node's."""
        position, left, low, high, narrow = ask
        prune = self.algorithm is Algorithm.ALPHABETA
        maximise = self.game.side(position) is Side.FIRST
        below = left - 1 if left > 0 else left
        moves = self._moves(position)
        best = 0
        line: Path = ()
        omitted: Path = ()
        nodes, leaves, guesses, cutoffs, skipped = 1, 0, 0, 0, 0
        for number, move in enumerate(moves):
            answer = yield move, _Ask(self.game.play(position, move), below, low, high, prune)
            nodes += answer.nodes
            leaves += answer.leaves
            guesses += answer.guesses
            cutoffs += answer.cutoffs
            skipped += answer.skipped
            if number == 0 or (answer.value > best if maximise else answer.value < best):
                best, line = answer.value, (move, *answer.line)
            if narrow and maximise:
                low = max(low, best)
            elif narrow:
                high = min(high, best)
            if low >= high and number + 1 < len(moves):
                omitted = moves[number + 1 :]
                cutoffs += 1
                skipped += len(omitted)
                break
        return _Answer(best, line, nodes, leaves, guesses, cutoffs, skipped, omitted)

    def _search(self, ask: _Ask, searched: list[tuple[Move, _Ask, _Answer]] | None = None) -> _Answer:
        """The answer to `ask`; its children are added to `searched`."""
        known = self._table.get(ask) if searched is None else None
        if known is not None:
            return known
        answer = self._leaf(ask)
        if answer is None:
            visit = self._visit(ask)
            try:
                move, child = next(visit)
                while True:
                    below = self._search(child)
                    if searched is not None:
                        searched.append((move, child, below))
                    move, child = visit.send(below)
            except StopIteration as done:
                answer = cast(_Answer, done.value)
        if len(self._table) >= REMEMBERED:
            self._table.clear()
        self._table[ask] = answer
        return answer

    def _walk(
        self, path: Path, ask: _Ask, low_owner: Path | None, high_owner: Path | None
    ) -> Generator[Step, None, _Answer]:
        """The steps of a node and of all below it; the owners are the nodes whose best moves made its window."""
        position, _, low, high, narrow = ask
        yield Step(StepKind.ENTER, path, position, low, high)
        answer = self._leaf(ask)
        if answer is not None:
            yield Step(StepKind.LEAF, path, position, low, high, answer.value)
            return answer
        maximise = self.game.side(position) is Side.FIRST
        best = None
        visit = self._visit(ask)
        try:
            move, child = next(visit)
            while True:
                owners = (path if child.low > ask.low else low_owner, path if child.high < ask.high else high_owner)
                below = yield from self._walk((*path, move), child, *owners)
                best = below.value if best is None else (max if maximise else min)(best, below.value)
                if narrow:
                    low, high = (max(low, best), high) if maximise else (low, min(high, best))
                yield Step(StepKind.BACK, path, position, low, high, best, move)
                move, child = visit.send(below)
        except StopIteration as done:
            answer = cast(_Answer, done.value)
        owner = high_owner if maximise else low_owner
        for move in answer.omitted:
            after = self.game.play(position, move)
            yield Step(StepKind.SKIP, (*path, move), after, low, high, best, owner=owner)
        return answer


def search(  # noqa: PLR0913  one parameter a choice
    game: Game,
    position: Position,
    *,
    algorithm: Algorithm,
    depth: int | None = None,
    heuristic: Estimate | None = None,
    order: Order = "ascending",
) -> Found:
    """Search one position: see `Search`."""
    return Search(game, algorithm, depth, heuristic=heuristic, order=order).found(position)


def steps(  # noqa: PLR0913  one parameter a choice
    game: Game,
    position: Position,
    *,
    algorithm: Algorithm,
    depth: int | None = None,
    heuristic: Estimate | None = None,
    order: Order = "ascending",
) -> Iterator[Step]:
    """Search one position step by step: see `Search`. No step is made before it is asked for."""
    return Search(game, algorithm, depth, heuristic=heuristic, order=order).steps(position)


def require_depth(game: Game, depth: int | None) -> None:
    """Raise `BadText` for a depth that the game does not have, `TooLarge` where a large game needs one."""
    if depth is None and not game.numbered:
        raise TooLarge(f"{game.title} is too large to search to its ends: give a depth, such as {USUAL_DEPTH}")
    if depth is not None and not 1 <= depth <= game.longest:
        raise BadText(
            f"depth {depth} is not from 1 to {game.longest}, the most moves that a game of {game.title} can last"
        )
