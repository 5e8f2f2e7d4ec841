"""The complete game tree of a small game: every way to play it, and its statistics.

    node     a sequence of moves from the start. Many nodes share a position
    row      the number of a node's position in the game's space: nodes with the same row have the same subtree
    kept     the edges that belong to the tree: all, or one of each class where symmetric moves count as one

To count nodes, the tree counts the ways to each row; it enumerates no nodes. `Node` objects are made on demand.

The post on data.tree tests the two diagonals as `sum(diag(m))` and `sum(diag(t(m)))`; but a transposed matrix has the
same diagonal, so the other diagonal never wins. With the names of squares used here, that is a3 b2 c1. Source: "Solving
Tic-Tac-Toe with R data.tree", ipub, 24 September 2015.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.game import BadText, Game, IllegalMove, Move, MoveSequence, Outcome, Position, Side
from engine.games.tictactoe import TicTacToe
from engine.result_caches import cached_with_spaces
from engine.solve import values
from engine.space import RUNNING, Space
from engine.spaces import space_of

DEAD_DIAGONAL: Final = 0b100_010_001
"""The mask of the diagonal that does not win: a3, b2 and c1."""
LIVE_DIAGONAL: Final = 0b001_010_100
PUBLISHED_MISTAKE: Final = (
    "the data.tree post tests one diagonal twice and the other never, so that three on a3 b2 c1 do not win"
)


class Published(TicTacToe):
    summary = "Three in a row wins, except on the diagonal a3 b2 c1."
    lines = tuple(line for line in TicTacToe.grid.lines(3) if line != DEAD_DIAGONAL)

    def __init__(self) -> None:
        super().__init__()
        corners = {square for square in range(9) if LIVE_DIAGONAL >> square & 1}
        self.symmetries = tuple(
            symmetry for symmetry in self.grid.symmetries if {symmetry[square] for square in corners} == corners
        )


PUBLISHED: Final = Published()


ROOT: Final = 0
MAX_COUNT: Final = 2**62
"""A count up to this, with its rounding error as a floating-point number, has 64 bits."""
NODES: Final = len(Outcome)
"""The column of `Tree.below` that counts nodes."""


class TreeRules(StrEnum):
    CORRECT = "correct"
    PUBLISHED = "published"
    """With the slip of the data.tree post."""


def game_with(rules: TreeRules, game: Game) -> Game:
    """Return the game with the rules of a tree. Raises `BadText` for published rules with any game but tic-tac-toe."""
    if rules is TreeRules.CORRECT:
        return game
    if game.name != PUBLISHED.name:
        raise BadText(f"the rules as published are those of {PUBLISHED.title}: {game.title} has none")
    return PUBLISHED


class Reduction(StrEnum):
    """The ways in which symmetric moves count as one; the first of them represents all."""

    NONE = "none"
    FIRST_MOVE = "first-move"
    """Symmetric moves of the first position only, as in the data.tree post."""
    SYMMETRY = "symmetry"
    """Symmetric moves of every position: a symmetry that maps the position to itself maps one to the other."""


@dataclass(frozen=True)
class Games:
    first_wins: int
    second_wins: int
    draws: int

    @property
    def total(self) -> int:
        return self.first_wins + self.second_wins + self.draws

    def ending(self, outcome: Outcome) -> int:
        match outcome:
            case Outcome.FIRST_WINS:
                return self.first_wins
            case Outcome.SECOND_WINS:
                return self.second_wins
            case Outcome.DRAW:
                return self.draws


@dataclass(frozen=True)
class Branch:
    """The counts of the subtree of a first move."""

    move: Move
    nodes: int
    games: Games
    value: int
    """The value for the first side: 1, 0 or −1."""


@dataclass(frozen=True)
class Statistics:
    positions: int
    """The different positions of the nodes; with `Reduction.SYMMETRY`, symmetric positions count as one."""
    running_positions: int
    """The `positions` in which the game is not over."""
    nodes: int
    leaves: int
    """The nodes at which a game ends: one for each game."""
    games: Games
    mean_length: float
    mean_branching: float
    """The mean number of children of the nodes that have any."""
    by_ply: tuple[int, ...]
    """The nodes after 0, 1, 2 … moves."""
    games_by_ply: tuple[Games, ...]
    """The games that end after 0, 1, 2 … moves."""
    by_first_move: tuple[Branch, ...]


@dataclass(frozen=True)
class TreeLevel:
    """All nodes of a tree after the same number of moves."""

    nodes: int
    games: Games


class Tree:
    def __init__(self, game: Game, rules: TreeRules = TreeRules.CORRECT, reduction: Reduction = Reduction.NONE) -> None:
        """Raise `BadText` for published rules with any game but tic-tac-toe, `TooLarge` for a game without a space."""
        self.game = game
        self.rules = rules
        self.reduction = reduction
        self.played = game_with(rules, game)
        """The game with the rules of this tree: `game`, or tic-tac-toe as published."""
        self.space = space_of(self.played)

    @cached_property
    def kept(self) -> NDArray[np.bool_]:
        """Whether each edge belongs to the tree, shape (m,)."""
        if self.reduction is Reduction.SYMMETRY:
            return _first_of_their_kind(self.space)
        kept = np.ones(len(self.space.move), np.bool_)
        if self.reduction is Reduction.FIRST_MOVE:
            # By the symmetries of the correct rules: the post merges first moves that its own rules tell apart.
            true = space_of(self.game)
            openings = true.edges(self.game.start)
            kept[: len(openings)] = _first_of_their_kind(true)[: len(openings)]
        return kept

    @cached_property
    def _levels(self) -> tuple[NDArray[np.bool_], tuple[TreeLevel, ...]]:
        """Whether each row is reached, shape (n,); and the levels of the tree, from the root."""
        space = self.space
        source, target = space.source[self.kept], space.target[self.kept]
        ends = [space.outcome == outcome for outcome in Outcome]
        nodes = np.zeros(len(space.position), self._counts)  # for each row, how many nodes of one level have it
        nodes[ROOT] = 1
        reached, levels = np.zeros(len(nodes), np.bool_), list[TreeLevel]()
        while nodes.any():
            in_level = nodes > 0
            reached |= in_level
            levels.append(TreeLevel(int(nodes.sum()), Games(*(int(nodes[end].sum()) for end in ends))))
            edges = np.flatnonzero(in_level[source])
            ways = nodes[source[edges]]
            nodes = np.zeros_like(nodes)
            np.add.at(nodes, target[edges], ways)
        return reached, tuple(levels)

    @property
    def reached(self) -> NDArray[np.bool_]:
        return self._levels[0]

    @cached_property
    def _counts(self) -> "np.dtype[Any]":
        """The type of counts of nodes: 64 bits, or Python's integers for a tree that has more nodes than that."""
        space, nodes = self.space, np.ones(len(self.space.position))
        for positions, edges in space.plies():
            kept = np.flatnonzero(self.kept[edges]) + edges.start
            place = space.source[kept] - positions.start
            nodes[positions] += np.bincount(place, nodes[space.target[kept]], positions.stop - positions.start)
        return np.dtype(np.int64 if nodes[ROOT] < MAX_COUNT else object)

    @cached_property
    def below(self) -> NDArray[Any]:
        """What lies below a node of each row, itself included, shape (n, 4): games by `Outcome`, then nodes."""
        space = self.space
        below = np.zeros((len(space.position), NODES + 1), self._counts)
        for outcome in Outcome:
            below[:, outcome] = (space.outcome == outcome).astype(np.int64)
        below[:, NODES] = 1
        for _, edges in space.plies():
            kept = np.flatnonzero(self.kept[edges]) + edges.start
            np.add.at(below, space.source[kept], below[space.target[kept]])
        return below

    @cached_property
    def root(self) -> "Node":
        return Node(self, (), ROOT)

    def node(self, path: Iterable[Move]) -> "Node":
        """Return the node after these moves. Raises `IllegalMove` for one that is illegal or left out."""
        node = self.root
        for move in path:
            node = node.child(move)
        return node

    def find(self, position: Position) -> "Node":
        """Return a node with this position, or in a reduced tree with a symmetric one. Raises `BadText` without any."""
        images = [position]
        if self.reduction is not Reduction.NONE:
            images = [self.played.transform(position, each) for each in self.played.symmetries]
        for image in images:
            if self.space.holds(image):
                row = self.space.row(image)
                if self.reached[row]:
                    return self.node(self._path_to(row))
        raise BadText(f"no play in this tree leads to {self.played.to_text(position)}")

    def _path_to(self, row: int) -> list[Move]:
        """Return the moves that lead to a row that is reached, found backwards by the first kept edge into each row."""
        space, path = self.space, list[Move]()
        while row != ROOT:
            edge = np.flatnonzero((space.target == row) & self.kept & self.reached[space.source])[0]
            path.append(int(space.move[edge]))
            row = int(space.source[edge])
        return path[::-1]

    def statistics(self) -> Statistics:
        reached, levels = self._levels
        rows = np.flatnonzero(reached)
        if self.reduction is Reduction.SYMMETRY:
            rows = rows[np.unique(self.space.position_class[rows], return_index=True)[1]]
        by_ply, games_by_ply = tuple(level.nodes for level in levels), tuple(level.games for level in levels)
        nodes, leaves = sum(by_ply), self.root.games.total
        return Statistics(
            positions=len(rows),
            running_positions=int((self.space.outcome[rows] == RUNNING).sum()),
            nodes=nodes,
            leaves=leaves,
            games=self.root.games,
            mean_length=sum(ply * games.total for ply, games in enumerate(games_by_ply)) / leaves,
            mean_branching=(nodes - 1) / (nodes - leaves),
            by_ply=by_ply,
            games_by_ply=games_by_ply,
            by_first_move=tuple(
                Branch(child.path[0], child.nodes, child.games, child.value) for child in self.root.children
            ),
        )


@dataclass(frozen=True)
class Node:
    """One sequence of moves from the start. Nodes are made on demand; two with the same tree and path are equal."""

    tree: Tree
    path: MoveSequence
    row: int

    @property
    def position(self) -> Position:
        return int(self.tree.space.position[self.row])

    @property
    def side(self) -> Side:
        return Side(int(self.tree.space.side[self.row]))

    @property
    def outcome(self) -> Outcome | None:
        code = int(self.tree.space.outcome[self.row])
        return None if code == RUNNING else Outcome(code)

    @property
    def value(self) -> int:
        """The exact value for the first side: 1, 0 or −1."""
        return int(values(self.tree.space)[self.row])

    @property
    def games(self) -> Games:
        """The games that begin with these moves, by outcome."""
        first, second, draws, _ = self.tree.below[self.row].tolist()
        return Games(first, second, draws)

    @property
    def nodes(self) -> int:
        """The number of nodes in the subtree, this one included."""
        return int(self.tree.below[self.row, NODES])

    @property
    def children(self) -> tuple["Node", ...]:
        """The nodes one move further, in ascending order of the moves."""
        space = self.tree.space
        return tuple(
            Node(self.tree, (*self.path, int(space.move[edge])), int(space.target[edge]))
            for edge in space.edges_from(self.row)
            if self.tree.kept[edge]
        )

    @property
    def parent(self) -> "Node | None":
        return self.tree.node(self.path[:-1]) if self.path else None

    def child(self, move: Move) -> "Node":
        """Return the node after a move. Raises `IllegalMove` if the tree has none."""
        for child in self.children:
            if child.path[-1] == move:
                return child
        game, where = self.tree.played, self.tree.played.to_text(self.position)
        if move in game.moves(self.position):
            raise IllegalMove(
                f"{game.move_name(move)} in {where} is left out of this tree: a symmetric move stands for it"
            )
        raise IllegalMove(f"move {move} cannot be played in {where}")

    @property
    def main_line(self) -> tuple["Node", ...]:
        """The nodes after this one under best play; of several best moves, the first."""
        line, node = [], self
        while node.children:
            node = next(child for child in node.children if child.value == node.value)
            line.append(node)
        return tuple(line)

    @property
    def board(self) -> tuple[str, ...]:
        """The squares as the post prints them: `X1` for the first move, `O2` for the second, `""` if empty."""
        game, board = self.tree.played, self.tree.played.board
        position = game.start
        texts = ["" if piece is None else piece.mark for piece in board.cells(position)]
        for ply, move in enumerate(self.path, 1):
            squares, position = board.squares(position, move), game.play(position, move)
            cells = board.cells(position)
            for square in squares:
                piece = cells[square]
                texts[square] = "" if piece is None else f"{piece.mark}{ply}"
        return tuple(texts)


def _first_of_their_kind(space: Space) -> NDArray[np.bool_]:
    """Return whether each edge is the first of the edges of its position that are the same by symmetry, shape (m,)."""
    kind = space.source.astype(np.int64) * len(space.move) + space.edge_class
    kept = np.zeros(len(kind), np.bool_)
    kept[np.unique(kind, return_index=True)[1]] = True
    return kept


@cached_with_spaces()
def tree_of(game: Game, rules: TreeRules = TreeRules.CORRECT, reduction: Reduction = Reduction.NONE) -> Tree:
    """Return the tree of a game, made once. Raises `BadText`, `TooLarge`: see `Tree`."""
    return Tree(game, rules, reduction)
