"""The genome of a strategy: which situations have a gene, and which move an allele means in each position.

situation  a position up to symmetry; its base case is the position that stands for all of them
gene       one for each situation, numbered from 0 by ply
allele     0, 1, 2 …: one of the moves of the base case; symmetric moves count once

After G. Hochmuth, "On the genetic evolution of a perfect tic-tac-toe strategy" (Stanford, 2003). His 827 base cases are
boards on which marks were placed in turn, even after a line was complete: 200 of them can never be a decision.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.game import Game, Side
from engine.games.misere import Misere
from engine.games.tictactoe import TicTacToe
from engine.result_caches import cached_with_spaces
from engine.space import RUNNING, Int32, Int64, Space, Symmetries, TooLarge
from engine.spaces import space_of
from learners.core.boxes import Boxes, boxes_of
from learners.core.learner import BOTH
from learners.genetic.kernel_tables import ClassTables

OVER: Final = -1
"""Stands for the gene of a position that is over."""
MAX_ALLELES: Final = np.iinfo(np.uint8).max
"""The maximum number of alleles of a gene."""
MAX_STRATEGY_PLIES: Final = 2**62
"""The maximum number of plies in all games of a strategy."""


class Boards(TicTacToe):
    """Tic-tac-toe in which nobody wins: marks are placed in turn until the board is full."""

    name = "boards"
    lines = ()


BOARDS: Final = {game.name: Boards() for game in (TicTacToe, Misere)}
"""For each game, by name, the game that continues to a full board. Other games have genes for decisions only."""


@dataclass(frozen=True, eq=False)
class Genome:
    """The g genes of a game, and what their alleles mean in its n positions."""

    boxes: Boxes
    """The decisions of the game: one box for each position class, one cell for each of its distinct moves."""
    base: Int64
    """The base case of each gene, as a packed position, shape (g,)."""
    alleles: NDArray[np.uint8]
    """How many alleles each gene has, shape (g,)."""
    gene: Int32
    """The gene that decides in each position, or `OVER`, shape (n,)."""
    symmetry: Symmetries
    """The first of the game's symmetries that transforms each position into its base case, shape (n,)."""
    edge: Int32
    """The edge that each allele means in each position, −1 for none, shape (n, most alleles)."""

    @property
    def size(self) -> int:
        return len(self.base)

    @cached_property
    def box_gene(self) -> Int32:
        """The gene of each box, shape (boxes,)."""
        return self.gene[self.boxes.position]

    @property
    def cell_allele(self) -> Int32:
        """The allele of each of `boxes.cells`, shape (c,)."""
        return self.boxes.cell_number

    @cached_property
    def log10_strategies(self) -> float:
        """The decimal logarithm of the number of strategies, the product of the alleles of all genes."""
        return float(np.log10(self.alleles.astype(np.float64)).sum())


@cached_with_spaces()
def genome_of(game: Game, *, boards: bool) -> Genome:
    """Return the genome of a game, with a gene for each situation of the game, or of `BOARDS` if `boards` is true."""
    space, boxes = space_of(game), boxes_of(game, BOTH, merge=True, singles=True)
    situation_game = BOARDS.get(game.name, game) if boards else game
    situations = boxes_of(situation_game, BOTH, merge=True, singles=True)
    base = situations.space.position[situations.position]
    number = {position: gene for gene, position in enumerate(base.tolist())}
    box_gene = np.array([number[position] for position in space.position[boxes.position].tolist()], np.int32)
    gene = np.where(boxes.box >= 0, box_gene[boxes.box], OVER).astype(np.int32)
    widths = np.bincount(situations.cell_box)
    if widths.max() > MAX_ALLELES:
        raise TooLarge(f"{game.title} has a position with more than {MAX_ALLELES} moves: too many for a gene")
    alleles = widths.astype(np.uint8)
    symmetry = space.images.argmin(axis=0).astype(space.symmetry_type)
    decoded = space.edge_images_by(symmetry) == boxes.cell
    allele = np.zeros(len(space.move), np.int32)
    allele[boxes.cells] = boxes.cell_number
    edges = np.flatnonzero(decoded)
    edge = np.full((len(space.position), int(alleles.max())), -1, np.int32)
    edge[space.source[edges], allele[boxes.cell[edges]]] = edges
    return Genome(boxes, base, alleles, gene, symmetry, edge)


@cached_with_spaces()
def class_tables(genome: Genome) -> ClassTables:
    """Return the position classes of the game of a genome, with its genes."""
    space, boxes = genome.boxes.space, genome.boxes
    position_class = space.position_class
    rows = np.unique(position_class, return_index=True)[1]
    running = space.outcome[rows] == RUNNING
    cells = boxes.cells
    source = space.source[cells]
    first = np.searchsorted(source, np.append(rows, len(position_class)))
    same = np.bincount(boxes.cell[np.isin(space.source, rows)], minlength=len(space.move))[cells]
    last = np.array([OVER, 0, 0, len(cells)])
    node = np.stack(
        [genome.gene[rows], np.where(running, space.side[rows], space.outcome[rows]), space.ply[rows], first[:-1]],
        axis=1,
    )
    arc = np.stack([position_class[space.target[cells]], same], axis=1).astype(np.int64)
    plies = max(most_games(space, side) for side in Side) * int(space.ply[-1])
    if plies > MAX_STRATEGY_PLIES:
        raise TooLarge(f"{space.game.title} has too many games for genetic to play all replies to a strategy")
    if plies <= np.iinfo(np.int32).max:
        arc = arc.astype(np.int32)
    return ClassTables(np.vstack([node, last]).astype(np.int32), arc)


def most_games(space: Space, side: Side) -> float:
    """Return the maximum number of games that a strategy plays as one side, against all replies of the other."""
    games = np.ones(len(space.position))
    for rows, edges, starts in space.backwards():
        after = games[space.target[edges]]
        best_move, all_replies = np.maximum.reduceat(after, starts), np.add.reduceat(after, starts)
        games[rows] = np.where(space.side[rows] == side, best_move, all_replies)
    return float(games[0])
