"""How screens show a population: one card for each gene."""

from collections.abc import Mapping
from functools import cache
from typing import Final, Protocol

import numpy as np
from numpy.typing import NDArray

from engine.game import Game, Position
from engine.grid import Symmetry
from learners.core.snapshot import Memory, TrainingHistory
from learners.core.view import Change, MemoryView, MemoryWords, ShownLearner
from learners.genetic.genome import Genome

CHAMPION: Final = 1_000_000
"""Added to the number of a cell if the champion has that allele."""
PARTS: Final = 1_000_000_000
"""The statistics store shares and fitness multiplied by this."""
SHOWN_PARTS: Final = 10_000
"""The curves show how many of this number of games are lost."""


class ShownPopulation(ShownLearner, Protocol):
    genome: Genome
    individuals: int
    history: TrainingHistory

    @property
    def rounds(self) -> int:
        """The number of generations."""

    def champion_alleles(self) -> NDArray[np.int32] | None:
        """Return the champion's allele for each box; `None` before the first generation."""


class GeneticView(MemoryView[ShownPopulation]):
    words = MemoryWords(
        noun="gene",
        newest="Newest genes",
        none="Nothing has evolved yet",
        drawing="gene: its moves in one position, bar: how many play there",
        legend={"%": "of the population", "·": "nobody"},
        growth_title=f"Lost of {SHOWN_PARTS:,} games",
        games_label="best one's games",
    )

    def cards(self) -> NDArray[np.int32]:
        if not self.learner.memory.any():
            return np.zeros(0, np.int32)
        return self.space.first_edge[self.learner.genome.boxes.position]

    def caption(self, row: int) -> str:
        return f"{self.learner.genome.gene[row] + 1}"

    def newest(self, count: int) -> list[int]:
        """Return the genes in which the champion differs from the one at the latest earlier checkpoint."""
        learner, boxes = self.learner, self.learner.genome.boxes
        earlier = [each for rounds, each in learner.history.checkpoints.items() if rounds < learner.rounds]
        memory_before = earlier[-1].memory if earlier else None
        if memory_before is None:
            return []
        is_champion, was_champion = (memory[boxes.cells] >= CHAMPION for memory in (learner.memory, memory_before))
        changed = boxes.cell_box[is_champion & ~was_champion][:count]
        return [int(edge) for edge in self.space.first_edge[boxes.position[changed]]]

    def describe(self, change: Change) -> str:
        genome = self.learner.genome
        box = int(genome.boxes.box[self.space.source[change.edge]])
        return f"gene {genome.box_gene[box] + 1}: {change.before:,} → {change.after:,}"

    def details(self, position: Position) -> tuple[str, ...]:
        """Explain the way from a situation to the champion's move, as in Hochmuth's figures 1 to 3."""
        genome, game, space, alleles = self.learner.genome, self.game, self.space, self.learner.champion_alleles()
        row = space.row(position)
        box = int(genome.boxes.box[row])
        if alleles is None or box < 0:
            return ()
        gene, allele, symmetry = int(genome.gene[row]), int(alleles[box]), game.symmetries[int(genome.symmetry[row])]
        base, edge = int(genome.base[gene]), int(genome.edge[row, allele])
        in_base = int(genome.edge[space.row(base), allele])
        names = [game.move_name(int(space.move[each])) for each in (in_base, edge)]
        if base == position:
            return (f"Its champion plays {names[0]}: move {allele + 1} of {genome.alleles[gene]} of gene {gene + 1}.",)
        return (
            f"The board, {turn_words(game, symmetry)}, is the base case {game.to_text(base)}.",
            f"Gene {gene + 1} chooses move {allele + 1} of {genome.alleles[gene]} there: {names[0]}.",
            f"On this board, that is {names[1]}.",
        )

    def shown_numbers(self, numbers: Memory) -> Memory:
        return numbers % CHAMPION

    def open_edges(self) -> NDArray[np.bool_]:
        learner = self.learner
        if not learner.memory.any():
            return super().open_edges()
        return np.array(self.shown_numbers(learner.memory)[learner.cell] > 0)

    @classmethod
    def endings(cls, stats: Mapping[str, int]) -> dict[str, int]:
        won = stats["games"] - stats["draws"] - stats["lost"]
        return {"lost": stats["lost"], "drawn": stats["draws"], "won": won}

    def growth(self, stats: Mapping[str, int]) -> dict[str, int]:
        """Return how many of `SHOWN_PARTS` games the worst, the mean and the best individual lose."""
        best = stats["lost"] / max(1, stats["games"])
        lost = {"worst": stats["worst_lost"] / PARTS, "mean": stats["mean_lost"] / PARTS, "best": best}
        return {label: round(share * SHOWN_PARTS) for label, share in lost.items()}

    def remark(self, stats: Mapping[str, int]) -> str:
        if not stats["generation"]:
            return ""
        return f"fitness {stats['best_fitness'] / PARTS:.4g} of 1; variety {stats['diversity'] / PARTS:.2f}"

    @property
    def search_space(self) -> str:
        genome = self.learner.genome
        genes, deciding = f"{genome.size} genes", len(genome.boxes.position)
        if deciding < genome.size:
            genes += f", {deciding} of them for decisions,"
        alleles = int(genome.alleles.sum())
        return f"{genes} with {alleles:,} alleles in all: 10^{genome.log10_strategies:.2f} strategies"


@cache
def _symmetry_names(rows: int, columns: int) -> dict[Symmetry, str]:
    """Return the name of each symmetry of a board; those of a square are named only on a square board."""
    last_row, last_column = rows - 1, columns - 1
    places = [divmod(square, columns) for square in range(rows * columns)]
    goals = {
        "as it is": [(row, column) for row, column in places],
        "given a half turn": [(last_row - row, last_column - column) for row, column in places],
        "with left and right exchanged": [(row, last_column - column) for row, column in places],
        "with top and bottom exchanged": [(last_row - row, column) for row, column in places],
    }
    if rows == columns:
        goals |= {
            "given a quarter turn clockwise": [(column, last_row - row) for row, column in places],
            "given a quarter turn anticlockwise": [(last_column - column, row) for row, column in places],
            "mirrored in the falling diagonal": [(column, row) for row, column in places],
            "mirrored in the rising diagonal": [(last_column - column, last_row - row) for row, column in places],
        }
    names = dict[Symmetry, str]()
    for name, goal in goals.items():  # on a single row some of them are the same: the first name is the simplest
        names.setdefault(tuple(row * columns + column for row, column in goal), name)
    return names


def turn_words(game: Game, symmetry: Symmetry) -> str:
    """Return what a symmetry does to the board of a game, such as `given a half turn, with X and O exchanged`."""
    size = game.board.rows * game.board.columns
    squares = tuple(goal % size for goal in symmetry[:size])
    turn = _symmetry_names(game.board.rows, game.board.columns).get(squares, "with its squares rearranged")
    if symmetry[0] < size:
        return turn
    # the places of the first piece are carried to those of the second
    exchange = f"with {' and '.join(piece.mark for piece in game.board.pieces)} exchanged"
    return exchange if squares == tuple(range(size)) else f"{turn}, {exchange}"
