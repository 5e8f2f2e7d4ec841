"""Monte-Carlo tree search on any game: see `learners.uct.kernel`.

It plays over the space of a game; on a board where pieces are placed in turn, over bit masks; and with the rules of the
game itself, slowly, where there is neither.
"""

from dataclasses import replace
from functools import cached_property
from hashlib import sha256
from time import perf_counter
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

from engine.game import BadText, Game, Move, Outcome, Path, Position
from engine.grid import Grid, Symmetry, squares_of
from engine.grid_game import FallingBoard, GridGame
from engine.latest import Latest
from engine.search import require_running
from engine.space import Space
from engine.spaces import space_of
from engine.stop import Stop, Stopped, never
from learners.core.generator import LARGEST_SEED, seed_words
from learners.core.kernel_tables import Counts, space_tables
from learners.uct.interpreted import MOST_NODES, Interpreted
from learners.uct.result import UctMove, UctResult, best_move

if TYPE_CHECKING:  # whoever only asks for its result needs no compiler before
    from learners.uct.kernel_tables import Nodes, Rules

USUAL: Final = 200_000
"""The playouts that take a fraction of a second where the rules are compiled."""
USUAL_SLOWLY: Final = 1_000
"""The playouts that take seconds where they are not."""
MOST: Final = 10_000_000
"""The most playouts of a search."""
MOST_SQUARES: Final = 62
"""The most squares of a board whose masks fit in 64 bits with their signs."""
QUICK: Final = 0.02
"""A slice between two looks at whether to stop takes about so many seconds, and at most twice that."""


class _Player(Protocol):
    """What runs the iterations of one search: how moves are made is all that differs."""

    nodes: "Nodes"
    first_slice: int
    """The iterations of a slice of which it is not known yet how long it takes."""

    def run(self, times: int) -> int:
        """Run iterations; return how many were run."""

    def move(self, position: Position, number: int) -> Move:
        """The move of a number in the tree."""


class _Compiled:
    """Plays by compiled rules."""

    first_slice = 1000  # a millisecond or so

    def __init__(self, rules: "Rules", nodes: "Nodes", game: Game, space: Space | None, generator: Counts) -> None:
        """Begin with a tree of a root only."""
        self.rules, self.nodes, self.game, self.space, self.generator = rules, nodes, game, space, generator

    def run(self, times: int) -> int:
        """As in `_Player`."""
        from learners.uct.kernel import iterate

        return iterate(times, self.nodes, self.rules, self.generator)

    def move(self, position: Position, number: int) -> Move:
        """As in `_Player`."""
        if self.space is not None:
            return int(self.space.move[number])
        board = self.game.board
        return next(move for move in self.game.moves(position) if board.squares(position, move) == (number,))


def is_compiled(game: Game) -> bool:
    """Whether playouts of a game are compiled."""
    return game.numbered or _placing(game) is not None


def usual_playouts(game: Game) -> int:
    """The playouts of a search for which no number is given."""
    return USUAL if is_compiled(game) else USUAL_SLOWLY


def _placing(game: Game) -> GridGame | None:
    """The game, if its sides place their pieces on a board of few squares, until one has a row."""
    return game if isinstance(game, GridGame) and game.only_places and game.size <= MOST_SQUARES else None


def _placing_rules(game: GridGame) -> "Rules":
    """The compiled rules of such a game."""
    from learners.uct.kernel_tables import LOSS, WIN, board_rules

    grid, falls = game.grid, isinstance(game.board, FallingBoard)
    lowest = game.full >> grid.size - grid.columns << grid.size - grid.columns
    return board_rules(
        full=game.full,
        floor=lowest if falls else game.full,
        columns=grid.columns,
        widest=grid.columns if falls else grid.size,
        in_a_row=game.in_a_row,
        starts=_starts(grid, game.in_a_row),
        completed=WIN if game.ends[0] is Outcome.FIRST_WINS else LOSS,
    )


def _starts(grid: Grid, length: int) -> dict[int, int]:
    """The mask of the first squares of all rows, by the step from one of their squares to the next."""
    starts: dict[int, int] = {}
    for first, second, *_ in map(squares_of, grid.lines(length)):
        starts[second - first] = starts.get(second - first, 0) | 1 << first
    return starts


class Uct:
    """Searches of a game with a number of playouts each. The same seed gives the same result."""

    def __init__(self, game: Game, playouts: int | None = None, seed: int = 0) -> None:
        """Play so many random games from each position, or as many as usual. Raise `BadText` for other numbers."""
        self.game = game
        self.playouts = usual_playouts(game) if playouts is None else playouts
        self.seed = seed
        if not 1 <= self.playouts <= MOST:
            raise BadText(f"{self.playouts:,} playouts are not from 1 to {MOST:,}")
        if not 0 <= seed <= LARGEST_SEED:
            raise BadText(f"seed {seed} is not from 0 to {LARGEST_SEED}")
        self._latest = Latest[UctResult]()

    def result(self, position: Position, stop: Stop = never) -> UctResult:
        """Search a position. Raise `BadText` where the game is over, `Stopped` soon after `stop` returns `True`.

        Of symmetric positions one is searched, and the others see its result from their side of the symmetry.
        """
        require_running(self.game, position)
        transform = self.game.transform
        symmetry = min(self.game.symmetries, key=lambda each: transform(position, each))
        twin = transform(position, symmetry)
        return _seen_from(position, symmetry, self._latest.of(twin, lambda: self._searched(twin, stop), stop))

    def _searched(self, position: Position, stop: Stop) -> UctResult:
        player, done, seconds = self._player(position), 0, 0.0
        slice_ = player.first_slice
        while done < self.playouts and player.nodes.proven[0] < 0:
            if stop():
                raise Stopped
            begun = perf_counter()
            done += player.run(min(slice_, self.playouts - done))
            spent = perf_counter() - begun
            seconds += spent
            slice_ = max(1, slice_ // 2) if spent > QUICK else 2 * slice_ if spent < QUICK / 2 else slice_
        return _result_of(player, self.game, position, self.seed, seconds)

    def _player(self, position: Position) -> _Player:
        """What plays from a position."""
        from learners.uct.kernel_tables import start_tree

        game, generator = self.game, generator_for(self.game, position, self.seed)
        if (placing := _placing(game)) is not None:
            masks, side = placing.masks(position), game.side(position)
            start_tree(self._nodes, masks[side], masks[side.other])
            return _Compiled(self._rules, self._nodes, game, None, generator)
        if game.numbered and space_of(game).holds(position):
            start_tree(self._nodes, space_of(game).row(position), 0)
            return _Compiled(self._rules, self._nodes, game, space_of(game), generator)
        return Interpreted(game, position, self.playouts, generator)

    @cached_property
    def _rules(self) -> "Rules":
        """The compiled rules. The kernel is compiled as well, which is no part of the time that playouts take."""
        from learners.uct.kernel import iterate
        from learners.uct.kernel_tables import new_nodes, space_rules

        placing = _placing(self.game)
        rules = space_rules(space_tables(space_of(self.game))) if placing is None else _placing_rules(placing)
        iterate(0, new_nodes(1 + rules.widest, 0), rules, np.ones(2, np.int64))
        return rules

    @cached_property
    def _nodes(self) -> "Nodes":
        """The tree of all compiled searches, one after the other: to make a large one takes longer than a search."""
        from learners.uct.kernel_tables import new_nodes

        return new_nodes(min(MOST_NODES, 1 + self._rules.widest * (1 + self.playouts)), self.game.longest)


def generator_for(game: Game, position: Position, seed: int) -> Counts:
    """The generator of a search, shape (2,): it follows from the seed and the written position."""
    digest = sha256(f"{seed} {game.to_text(position)}".encode()).digest()
    return np.array(seed_words(int.from_bytes(digest[:8], "big") >> 1), np.int64)


def _seen_from(position: Position, symmetry: Symmetry, found: UctResult) -> UctResult:
    """The result of a search as seen from a position that the symmetry carries to the one searched."""
    game, moves = found.game, []
    for each in found.moves:
        here, line = position, list[Move]()
        for carried in each.line:
            line.append(next(move for move in game.moves(here) if game.transform_move(move, symmetry) == carried))
            here = game.play(here, line[-1])
        moves.append(replace(each, move=line[0], line=tuple(line)))
    return replace(found, position=position, moves=tuple(moves))


def _result_of(player: _Player, game: Game, position: Position, seed: int, seconds: float) -> UctResult:
    """What the tree of a search tells."""
    from learners.uct.kernel_tables import OPEN

    nodes = player.nodes
    moves = [
        replace(each, line=_line(player, game, position, each, node)) for each, node in _moves(player, position, 0)
    ]
    return UctResult(
        game=game,
        position=position,
        seed=seed,
        playouts=int(nodes.visits[0]),
        nodes=int(nodes.used[0]),
        proven=bool(nodes.proven[0] != OPEN),
        moves=tuple(moves),
        seconds=seconds,
    )


def _moves(player: _Player, position: Position, node: int) -> list[tuple[UctMove, int]]:
    """The moves of a node, each with its own node."""
    from learners.uct.kernel_tables import OPEN, WIN

    nodes, found = player.nodes, []
    for child in range(int(nodes.first[node]), int(nodes.first[node]) + int(nodes.children[node])):
        visits, proven = int(nodes.visits[child]), int(nodes.proven[child])
        worth = proven / WIN if proven != OPEN else int(nodes.points[child]) / (WIN * visits) if visits else 0.0
        move = player.move(position, int(nodes.move[child]))
        found.append((UctMove(move, visits, worth, proven != OPEN, (move,)), child))
    return found


def _line(player: _Player, game: Game, position: Position, first: UctMove, node: int) -> Path:
    """The best moves of both sides from a move of the root on, as far as they were tried."""
    line, best = [first.move], first
    while best.proven or best.visits:
        position = game.play(position, best.move)
        below = dict(_moves(player, position, node))
        if not below:
            break
        best = best_move(list(below))
        node = below[best]
        line.append(best.move)
    return tuple(line)
