"""Minimax and alpha-beta on any game: the result, or every step on the way to it. A space is not needed.

    score       an integer, seen from the first side, which maximises it; the second side minimises it. A win is worth
                `WON` and the plies that are left after it, so that the soonest win and the latest loss are best
    value       the score under a depth limit; its sign in a search to the ends of the game
    plies_left  the plies that the search may still go below a position, at most `UNLIMITED`
    window      low … high (alpha … beta): what the first side, and what the second side, can already force elsewhere
                in the tree. A score outside the window does not change the result; once low reaches high, the search
                skips the remaining moves of the node
    path        the moves from the root of the search to a node; the root's is ()

There are two implementations. `Search.steps` walks the tree and reports every step. `Search.result` is negamax: all
scores are those for the side to move, and a table holds the positions that were already searched in the same window.
Its counts are those of the walk, as if there were no table. In a search to the ends of the game, its scores count plies
from the node itself, so that the table serves at every ply: they move one ply from a node to its parent.
"""

import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from itertools import count
from math import dist
from typing import Final, NamedTuple

from engine.game import BadText, Estimate, Game, Move, MoveSequence, Outcome, Position, Side, Successor
from engine.latest import Latest
from engine.search_result import UNLIMITED, WON, Algorithm, RootMove, SearchResult, Step, StepKind, plies_to_win
from engine.solve import OUTCOME_VALUE
from engine.space import TooLarge
from engine.stop import Stop, Stopped, never

Order = str | tuple[Move, ...]
"""The name of an order, or moves that a search visits first, in this order, in each position where they are legal."""
OrderedSuccessors = Callable[[Position], Sequence[Successor]]
"""Returns the successors of a position in some order of their moves."""


def _order_centre_first(game: Game) -> OrderedSuccessors:
    """Order moves by their last square: squares on more lines first, and among equals those nearer to the middle."""
    grid = game.board.grid
    lines = grid.lines(game.in_a_row) if game.in_a_row else ()
    middle = (grid.rows - 1) / 2, (grid.columns - 1) / 2
    rank = [
        (-sum(line >> square & 1 for line in lines), dist(divmod(square, grid.columns), middle))
        for square in range(grid.size)
    ]
    place = [sorted(set(rank)).index(each) for each in rank]
    squares = game.board.squares
    return lambda position: sorted(
        game.successors(position), key=lambda successor: place[squares(position, successor[0])[-1]]
    )


def _order_given_first(game: Game, given: tuple[Move, ...]) -> OrderedSuccessors:
    rank = {move: place for place, move in enumerate(given)}
    return lambda position: sorted(game.successors(position), key=lambda successor: rank.get(successor[0], len(rank)))


ORDERS: Final[Mapping[str, Callable[[Game], OrderedSuccessors]]] = {
    "ascending": lambda game: game.successors,
    "descending": lambda game: lambda position: game.successors(position)[::-1],
    "centre": _order_centre_first,
}
"""The named orders, the default first."""


def parse_order(text: str, game: Game, position: Position) -> Order:
    """Read an order: its name, or names of moves of the position, as in `b2 a1`. Raises `BadText`, `IllegalMove`."""
    if text in ORDERS:
        return text
    names = re.split(r"[\s,]+", text.strip())
    try:
        return tuple(dict.fromkeys(game.parse_move(position, name) for name in names))
    except BadText as error:
        raise BadText(f"{error}; or an order: {', '.join(ORDERS)}") from error


INFINITY: Final = 10**9
"""Larger than every score: the root has the window −INFINITY … INFINITY."""
TABLE_LIMIT: Final = 200_000
"""The tables are cleared when they hold more entries than this, about 100 MB."""
WHOLE_TABLE_LIMIT: Final = 1_000_000
"""The limit in a search to the ends of the game. There every number of plies to a win has windows of its own, so that
in `morris` smaller tables would be cleared again and again."""
MAX_LEFT: Final = 1_000_000
"""A position of any game is searched to the end if at most this many positions are left: `Game.most_left`."""
USUAL_DEPTH: Final = 4
"""A depth at which a search of any game is quick."""

NODES_BETWEEN_STOP_CALLS: Final = 256
"""A search calls `stop` after this many inner nodes, that is every few hundredths of a second."""

COUNT: Final = 64
"""The bits of one count. The five counts of a node share one integer, so that one addition adds them all."""
NODE, LEAF, ESTIMATED, CUTOFF, SKIPPED = (1 << COUNT * place for place in range(5))

_Line = tuple[Move, "_Line"] | None
"""A principal variation as a linked list."""
_NodeResult = tuple[int, _Line, int]
"""The score of a node for its side to move, its principal variation, and the counts of its subtree."""
_SearchedMove = tuple[Move, int, int, int, _Line, int]
"""A root move, its window low and high, and its `_NodeResult`, all seen from the side to move at the root."""


def _score(outcome: Outcome, plies_left: int) -> int:
    return OUTCOME_VALUE[outcome] * (WON + plies_left)


def _one_ply_later(score: int) -> int:
    """Return a bound of a node as a bound of its child, from which every win is one ply nearer."""
    if WON <= abs(score) < INFINITY:
        return score + (1 if score > 0 else -1)
    return score


def _negamax_of(  # noqa: C901, PLR0915  counts the inner function
    successors: OrderedSuccessors, estimate: Estimate, *, prune: bool, table_limit: int
) -> Callable[..., _NodeResult]:
    """Return the negamax function. Its tables are variables of the closure, which are faster than attributes."""
    known: dict[Position, Sequence[Successor]] = {}
    tables: dict[tuple[int, int, int], dict[Position, _NodeResult]] = {}
    ticks = count(1)

    def negamax(  # noqa: C901, PLR0912, PLR0913, PLR0917  the inner loop of every search: further calls would slow it down
        position: Position,
        plies_left: int,
        low: int,
        high: int,
        sign: int,
        narrows: bool,  # noqa: FBT001
        stop: Stop,
        seen: list[_SearchedMove] | None = None,
    ) -> _NodeResult:
        """Search a position that is not over, with all scores times `sign`. Raises `Stopped`.

        With `narrows`, the window shrinks from move to move. The result for each move is appended to `seen`.
        """
        if not plies_left:
            return sign * estimate(position), None, NODE + LEAF + ESTIMATED
        if not next(ticks) % NODES_BETWEEN_STOP_CALLS:
            if stop():
                raise Stopped
            if sum(map(len, tables.values())) > table_limit:
                known.clear()
                tables.clear()
        moves = known.get(position)
        if moves is None:
            moves = known[position] = successors(position)
        below = plies_left - 1
        unlimited = plies_left == UNLIMITED
        best, line, counts = -INFINITY, None, NODE
        table = tables.get((below, low, high))
        if table is None:
            table = tables[below, low, high] = {}
        number = 0
        for move, after, outcome in moves:
            number += 1  # noqa: SIM113  faster than `enumerate`
            if outcome is None:
                result = table.get(after)
                if result is None:
                    if unlimited:
                        below_low, below_high = _one_ply_later(-high), _one_ply_later(-low)
                        result = negamax(after, UNLIMITED, below_low, below_high, -sign, prune, stop)
                    else:
                        result = negamax(after, below, -high, -low, -sign, prune, stop)
                    table[after] = result
                value, rest, subtree_counts = result
                value = -value
                if unlimited and value:
                    value = value - 1 if value > 0 else value + 1
            else:
                value, rest, subtree_counts = sign * _score(outcome, below), None, NODE + LEAF
            counts += subtree_counts
            if seen is not None:
                seen.append((move, low, high, value, rest, subtree_counts))
            if value > best:
                best, line = value, (move, rest)
                if narrows and best > low:
                    low = best
                    if low >= high:
                        if number < len(moves):
                            counts += CUTOFF + SKIPPED * (len(moves) - number)
                        break
                    table = tables.get((below, low, high))
                    if table is None:
                        table = tables[below, low, high] = {}
        return best, line, counts

    return negamax


class _Visit(NamedTuple):
    """A node to walk. The owners are the ancestors whose best moves set the bounds of its window."""

    path: MoveSequence
    position: Position
    outcome: Outcome | None
    plies_left: int
    low: int
    high: int
    narrows: bool
    """Whether the windows of its children shrink from move to move."""
    low_owner: MoveSequence | None = None
    high_owner: MoveSequence | None = None


class Search:
    """A search of a game with fixed parameters. It keeps its tables from one position to the next."""

    def __init__(  # noqa: PLR0913  one parameter for each choice
        self,
        game: Game,
        algorithm: Algorithm,
        depth: int | None = None,
        *,
        order: Order = "ascending",
        every_move: bool = False,
        table_limit: int | None = None,
        root: Position | None = None,
    ) -> None:
        """Search `depth` plies deep, or to the ends of the game if `None`.

        With `every_move`, each root move is searched in the full window, so that its value is exact. The tables hold up
        to `table_limit` entries: larger tables speed up a deep search. By default that is `TABLE_LIMIT`, or without a
        depth `WHOLE_TABLE_LIMIT`. With a `root`, only that position is to be searched. Raises `BadText` for a depth
        that the game does not have, `TooLarge` for a search to the ends of a large game, unless few positions are left
        at the root.
        """
        require_depth(game, depth, root)
        self.game = game
        self.algorithm = algorithm
        self.depth = depth
        self._prune = algorithm is Algorithm.ALPHABETA
        self._narrow = self._prune and not every_move
        self._estimate = game.heuristic.estimate
        self._successors = ORDERS[order](game) if isinstance(order, str) else _order_given_first(game, order)
        limit = table_limit or (TABLE_LIMIT if depth else WHOLE_TABLE_LIMIT)
        self._negamax = _negamax_of(self._successors, self._estimate, prune=self._prune, table_limit=limit)
        self._latest = Latest[SearchResult]()

    def result(self, position: Position, stop: Stop = never) -> SearchResult:
        """Search a position. Raises `BadText` if the game is over, `Stopped` soon after `stop` returns `True`.

        The last result is kept, since screens ask for it again. Only one thread searches at a time; the others wait,
        and then use its tables.
        """
        require_running(self.game, position)
        return self._latest.of(position, lambda: self._search(position, stop), stop)

    def _search(self, position: Position, stop: Stop) -> SearchResult:
        seen: list[_SearchedMove] = []
        sign = 1 if self.game.side(position) is Side.FIRST else -1
        plies_left = self.depth or UNLIMITED
        score, line, counts = self._negamax(position, plies_left, -INFINITY, INFINITY, sign, self._narrow, stop, seen)
        moves = []
        for move, low, high, move_score, rest, move_counts in seen:
            value, plies = self._value_and_plies(sign * move_score)
            is_estimated = _count(move_counts, ESTIMATED) > 0
            moves.append(RootMove(move, value, plies, low < move_score < high, is_estimated, _path((move, rest))))
        value, plies = self._value_and_plies(sign * score)
        return SearchResult(
            game=self.game,
            position=position,
            algorithm=self.algorithm,
            depth=self.depth,
            value=value,
            plies=plies,
            moves=tuple(moves),
            line=_path(line),
            nodes=_count(counts, NODE),
            leaves=_count(counts, LEAF),
            estimates=_count(counts, ESTIMATED),
            cutoffs=_count(counts, CUTOFF),
            skipped=_count(counts, SKIPPED),
        )

    def _value_and_plies(self, score: int) -> tuple[int, int | None]:
        value = score if self.depth is not None else (score > 0) - (score < 0)
        return value, plies_to_win(score, self.depth)

    def steps(self, position: Position) -> Iterator[Step]:
        """Return the steps of the search, in order. Raises `BadText` if the game is over."""
        require_running(self.game, position)
        return self._walk(_Visit((), position, None, self.depth or UNLIMITED, -INFINITY, INFINITY, self._narrow))

    def _walk(self, visit: _Visit) -> Generator[Step, None, int]:
        path, position, outcome, plies_left, low, high, narrows, low_owner, high_owner = visit
        yield Step(StepKind.ENTER, path, position, low, high)
        if outcome is not None or not plies_left:
            value = self._estimate(position) if outcome is None else _score(outcome, plies_left)
            yield Step(StepKind.LEAF, path, position, low, high, value)
            return value
        maximise = self.game.side(position) is Side.FIRST
        below = plies_left - 1
        best = -INFINITY if maximise else INFINITY
        for move, after, ending in self._successors(position):
            child_path = (*path, move)
            if low >= high:
                owner = high_owner if maximise else low_owner
                yield Step(StepKind.SKIP, child_path, after, low, high, best, owner=owner)
                continue
            child = _Visit(child_path, after, ending, below, low, high, self._prune, low_owner, high_owner)
            value = yield from self._walk(child)
            best = max(best, value) if maximise else min(best, value)
            if narrows and maximise and best > low:
                low, low_owner = best, path
            elif narrows and not maximise and best < high:
                high, high_owner = best, path
            yield Step(StepKind.BACK, path, position, low, high, best, move)
        return best


def _path(line: _Line) -> MoveSequence:
    moves = []
    while line is not None:
        move, line = line
        moves.append(move)
    return tuple(moves)


def _count(counts: int, unit: int) -> int:
    return counts // unit & (1 << COUNT) - 1


def search(  # noqa: PLR0913  one parameter for each choice
    game: Game,
    position: Position,
    *,
    algorithm: Algorithm,
    depth: int | None = None,
    order: Order = "ascending",
    stop: Stop = never,
) -> SearchResult:
    """Search one position: see `Search`."""
    return Search(game, algorithm, depth, order=order, root=position).result(position, stop)


def require_running(game: Game, position: Position) -> None:
    if game.outcome(position) is not None:
        raise BadText(f"the game is over in {game.to_text(position)}: there is nothing to search")


def can_search_to_end(game: Game, root: Position | None = None) -> bool:
    """Return whether a search to the ends of the game is possible from `root`; by default, from every position."""
    if game.numbered or root is None:
        return game.numbered
    plies_left = game.most_left(root)
    return plies_left is not None and plies_left <= MAX_LEFT


def require_depth(game: Game, depth: int | None, root: Position | None = None) -> None:
    """Raise `BadText` for a depth that the game does not have, `TooLarge` if a search from `root` needs one."""
    if depth is None and not can_search_to_end(game, root):
        here = "" if root in {None, game.start} else " from this position"
        raise TooLarge(f"{game.title} is too large to search to its ends{here}: give a depth, such as {USUAL_DEPTH}")
    if depth is not None and not 1 <= depth <= game.longest:
        raise BadText(
            f"depth {depth} is not from 1 to {game.longest}, the most moves that a game of {game.title} can last"
        )
