"""Monte-Carlo tree search on any game: see `learners.uct.kernel`.

Playouts are compiled for games in which pieces are placed in turn, where a position is two bit masks, and for other
games that have a space. In all other games, and much more slowly, the methods of the game make the moves.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from time import perf_counter
from typing import Final

import numpy as np

from engine.game import BadText, Game, Move, MoveSequence, Outcome, Position
from engine.grid import Symmetry
from engine.grid_game import GridGame
from engine.latest import Latest
from engine.search import require_running
from engine.space import Space
from engine.spaces import space_of
from engine.stop import Stop, Stopped, never
from learners.core.generator import LARGEST_SEED, seed_words
from learners.core.kernel_tables import Counts, space_tables
from learners.uct.interpreted import MAX_NODES, Interpreted, PhaseKind
from learners.uct.kernel_tables import (
    LOSS,
    OPEN,
    WIN,
    Nodes,
    PlayoutRules,
    board_rules,
    new_nodes,
    space_rules,
    start_tree,
)
from learners.uct.result import UctMove, UctResult, best_move

USUAL_COMPILED: Final = 200_000
"""The usual number of compiled playouts, which take a fraction of a second."""
USUAL_UNCOMPILED: Final = 1_000
"""The usual number of playouts that are not compiled, which take seconds."""
MAX_PLAYOUTS: Final = 10_000_000
"""The maximum number of playouts of a search."""
MAX_SQUARES: Final = 62
"""The maximum number of squares of a board whose masks `learners.uct.kernel.count_bits` can count."""
SLICE_SECONDS: Final = 0.02
"""About how long a slice of playouts takes, in seconds. After each slice, the search asks whether to stop."""


class _Compiled:
    """Runs the playouts of one search, as `Interpreted` does: they differ only in how they make moves."""

    first_slice = 1000  # a millisecond or so

    def __init__(self, rules: PlayoutRules, nodes: Nodes, game: Game, space: Space | None, generator: Counts) -> None:
        self.rules, self.nodes, self.game, self.space, self.generator = rules, nodes, game, space, generator

    def run(self, times: int) -> int:
        """Run playouts; return how many were run: fewer than `times` if the root is proven first."""
        from learners.uct.kernel import run_playouts

        return run_playouts(times, self.nodes, self.rules, self.generator)

    def move(self, position: Position, number: int) -> Move:
        """Return the move of a position, given its number in `Nodes.move`."""
        if self.space is not None:
            return int(self.space.move[number])
        board = self.game.board
        return next(move for move in self.game.moves(position) if board.squares(position, move) == (number,))


Runner = _Compiled | Interpreted


def is_compiled(game: Game) -> bool:
    return game.numbered or placement_game_of(game) is not None


def usual_playouts(game: Game) -> int:
    return USUAL_COMPILED if is_compiled(game) else USUAL_UNCOMPILED


def placement_game_of(game: Game) -> GridGame | None:
    """Return the game itself if its sides only place pieces and its masks can be counted, else `None`."""
    if isinstance(game, GridGame) and game.places_pieces and game.size <= MAX_SQUARES:
        return game
    return None


def placement_rules(game: GridGame) -> PlayoutRules:
    """Return the compiled rules of a game in which sides only place pieces."""
    grid, falls = game.grid, game.falls
    lowest = game.full >> grid.size - grid.columns << grid.size - grid.columns
    return board_rules(
        full=game.full,
        floor=lowest if falls else game.full,
        columns=grid.columns,
        widest=grid.columns if falls else grid.size,
        in_a_row=game.in_a_row,
        starts=grid.line_starts(game.in_a_row),
        completed=WIN if game.ends[0] is Outcome.FIRST_WINS else LOSS,
    )


class Uct:
    """Searches of a game with a number of playouts each. The same seed gives the same result."""

    def __init__(self, game: Game, playouts: int | None = None, seed: int = 0) -> None:
        """Search with this many playouts, by default as many as usual. Raises `BadText` for impossible numbers."""
        self.game = game
        self.playouts = usual_playouts(game) if playouts is None else playouts
        self.seed = seed
        if not 1 <= self.playouts <= MAX_PLAYOUTS:
            raise BadText(f"{self.playouts:,} playouts are not from 1 to {MAX_PLAYOUTS:,}")
        if not 0 <= seed <= LARGEST_SEED:
            raise BadText(f"seed {seed} is not from 0 to {LARGEST_SEED}")
        self._latest = Latest[UctResult]()

    def result(self, position: Position, stop: Stop = never) -> UctResult:
        """Search a position. Raises `BadText` where the game is over, `Stopped` soon after `stop` returns `True`.

        Only one of several symmetric positions is searched; the result is mapped to the position that was asked for.
        """
        require_running(self.game, position)
        transform = self.game.transform
        symmetry = min(self.game.symmetries, key=lambda each: transform(position, each))
        twin = transform(position, symmetry)
        result = self._latest.of(twin, lambda: self._search(twin, stop), stop)
        return _map_back(position, symmetry, result)

    def move(self, position: Position, stop: Stop = never) -> Move:
        """Return the best move of `result`, but faster; the position must be the smallest of its images."""
        runner, _ = self._run(position, stop)
        nodes = runner.nodes
        moves = [UctMove(int(nodes.move[child]), *_rating(nodes, child), ()) for child in _children(nodes, 0)]
        return runner.move(position, best_move(moves).move)

    def _search(self, position: Position, stop: Stop) -> UctResult:
        runner, seconds = self._run(position, stop)
        return _result_of(runner, self.game, position, self.seed, seconds)

    def _run(self, position: Position, stop: Stop) -> tuple[Runner, float]:
        """Run the playouts of a search; return the runner, and the seconds that the playouts took."""
        runner, done, seconds = self._runner(position), 0, 0.0
        slice_playouts = runner.first_slice
        while done < self.playouts and runner.nodes.proven[0] == OPEN:
            if stop():
                raise Stopped
            start = perf_counter()
            done += runner.run(min(slice_playouts, self.playouts - done))
            last_seconds = perf_counter() - start
            seconds += last_seconds
            if last_seconds > SLICE_SECONDS:
                slice_playouts = max(1, slice_playouts // 2)
            elif last_seconds < SLICE_SECONDS / 2:
                slice_playouts *= 2
        return runner, seconds

    def _runner(self, position: Position) -> Runner:
        game, generator = self.game, generator_for(self.game, position, self.seed)
        placement_game = placement_game_of(game)
        if placement_game is not None:
            masks, side = placement_game.masks(position), game.side(position)
            start_tree(self._nodes, masks[side], masks[side.other])
            return _Compiled(self._rules, self._nodes, game, None, generator)
        if game.numbered and space_of(game).holds(position):
            start_tree(self._nodes, space_of(game).row(position), 0)
            return _Compiled(self._rules, self._nodes, game, space_of(game), generator)
        return Interpreted(game, position, self.playouts, generator)

    @cached_property
    def _rules(self) -> PlayoutRules:
        """The compiled rules. Compiles the kernel as well, so that the time of the playouts does not include that."""
        from learners.uct.kernel import run_playouts

        placement_game = placement_game_of(self.game)
        if placement_game is None:
            rules = space_rules(space_tables(space_of(self.game)))
        else:
            rules = placement_rules(placement_game)
        run_playouts(0, new_nodes(1 + rules.widest, 0), rules, np.ones(2, np.int64))
        return rules

    @cached_property
    def _nodes(self) -> Nodes:
        """The tree that all compiled searches use in turn: allocating a large one takes longer than a search."""
        return new_nodes(min(MAX_NODES, 1 + self._rules.widest * (1 + self.playouts)), self.game.longest)


def generator_for(game: Game, position: Position, seed: int) -> Counts:
    """Return the generator of a search, shape (2,): it follows from the seed and the written position."""
    digest = sha256(f"{seed} {game.to_text(position)}".encode()).digest()
    return np.array(seed_words(int.from_bytes(digest[:8], "big") >> 1), np.int64)


def _map_back(position: Position, symmetry: Symmetry, result: UctResult) -> UctResult:
    """Return the result of a search of the image of `position` under `symmetry`, mapped back to `position`."""
    game, moves = result.game, []
    for each in result.moves:
        at, line = position, list[Move]()
        for image in each.line:
            line.append(next(move for move in game.moves(at) if game.transform_move(move, symmetry) == image))
            at = game.play(at, line[-1])
        moves.append(replace(each, move=line[0], line=tuple(line)))
    return replace(result, position=position, moves=tuple(moves))


def _result_of(runner: Runner, game: Game, position: Position, seed: int, seconds: float) -> UctResult:
    nodes = runner.nodes
    moves = [
        replace(each, line=_line(runner, game, position, each, node)) for each, node in _moves(runner, position, 0)
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


def _rating(nodes: Nodes, node: int) -> tuple[int, float, bool]:
    """Return the visits and the worth of a node, and whether it is proven: see `Rated`."""
    visits, proven = int(nodes.visits[node]), int(nodes.proven[node])
    if proven != OPEN:
        return visits, proven / WIN, True
    mean_worth = int(nodes.points[node]) / (WIN * visits) if visits else 0.0
    return visits, mean_worth, False


def _children(nodes: Nodes, node: int) -> range:
    return range(int(nodes.first[node]), int(nodes.first[node]) + int(nodes.children[node]))


def _moves(runner: Runner, position: Position, node: int) -> list[tuple[UctMove, int]]:
    """Return the moves of a node of the tree, each with the node that it leads to."""
    moves = []
    for child in _children(runner.nodes, node):
        move = runner.move(position, int(runner.nodes.move[child]))
        moves.append((UctMove(move, *_rating(runner.nodes, child), (move,)), child))
    return moves


def _line(runner: Runner, game: Game, position: Position, first: UctMove, node: int) -> MoveSequence:
    """Return the best moves of both sides from a move of the root on, as far as they are visited or proven."""
    line, best = [first.move], first
    while best.proven or best.visits:
        position = game.play(position, best.move)
        below = dict(_moves(runner, position, node))
        if not below:
            break
        best = best_move(list(below))
        node = below[best]
        line.append(best.move)
    return tuple(line)


@dataclass(frozen=True)
class UctNode:
    path: MoveSequence
    position: Position
    visits: int = 0
    worth: float = 0.0
    """The worth of the node for the side that made the move to it: see `learners.uct.result`."""
    proven: bool = False


@dataclass(frozen=True)
class UctStep:
    kind: PhaseKind
    path: MoveSequence
    """The node of the step: the last one that the playout passes."""
    nodes: tuple[UctNode, ...]
    """The nodes that the step reaches or changes, as they are after it, parents first."""
    moves: MoveSequence = ()
    """The random moves of a playout, or the moves of a node that is expanded."""
    outcome: Outcome | None = None

    @property
    def node(self) -> UctNode:
        return next(node for node in self.nodes if node.path == self.path)


def uct_steps(game: Game, position: Position, playouts: int) -> Iterator[UctStep]:
    """Return the steps of a search, in order. Raises `BadText` where the game is over."""
    require_running(game, position)
    return _steps(Interpreted(game, position, playouts, generator_for(game, position, 0)), playouts)


def _steps(runner: Interpreted, playouts: int) -> Iterator[UctStep]:
    nodes, paths = runner.nodes, {0: MoveSequence()}

    def shown_node(node: int) -> UctNode:
        return UctNode(paths[node], runner.positions[node], *_rating(nodes, node))

    def expansion(node: int) -> UctStep:
        """Return the step that expands a node. Of the children, `nodes` has only those that the expansion proves."""
        children = _children(nodes, node)
        for child in children:
            paths[child] = (*paths[node], int(nodes.move[child]))
        proven = [shown_node(child) for child in children if nodes.proven[child] != OPEN]
        moves = tuple(sorted(paths[child][-1] for child in children))
        return UctStep(PhaseKind.EXPANSION, paths[node], (shown_node(node), *proven), moves)

    runner.run(0)
    yield expansion(0)
    for _ in range(playouts):
        if nodes.proven[0] != OPEN:
            return
        for phase in runner.playout():
            path = nodes.path[: phase.plies + 1].tolist()
            if phase.kind is PhaseKind.EXPANSION:
                yield expansion(path[-1])
                continue
            changed = path if phase.kind is PhaseKind.BACKUP else path[-1:]
            yield UctStep(phase.kind, paths[path[-1]], tuple(map(shown_node, changed)), phase.moves, phase.outcome)
