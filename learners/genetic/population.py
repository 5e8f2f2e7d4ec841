"""A population of strategies as it stands: how many of it have which allele, and how its champion plays.

votes   how many individuals have an allele
memory  at a cell its votes, and `CHAMPION` more where the champion, the fittest of all, has that allele
"""

from collections.abc import Mapping
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy, uniform_policy
from engine.game import BadText, Game, Position, Side
from learners.core.cards import Card
from learners.core.learner import Learner
from learners.core.player import Choice, Thought
from learners.core.settings import Setting
from learners.core.view import Strand
from learners.genetic.board_symmetries import turn_words
from learners.genetic.genome import Genome, genome_of

CHAMPION: Final = 1_000_000


class Population(Learner):
    """A learner whose memory is the votes of a population."""

    strand_title = "The champion's genome"

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        super().__init__(game, preset, seed, settings)
        self.individuals = int(self.settings["population"])
        if int(self.settings["elite"]) >= self.individuals:
            raise BadText(
                f"an elite of {self.settings['elite']} leaves nobody to breed: the population is {self.individuals}"
            )
        self.genome: Genome = genome_of(game, boards=self.settings["genes"] == "boards")

    @property
    def cell(self) -> NDArray[np.int32]:
        return self.genome.boxes.cell

    @property
    def extent(self) -> str:
        alleles, strategies = int(self.genome.alleles.sum()), f"10^{self.genome.log10_strategies:.2f} strategies"
        return f"{self.genome.size} genes with {alleles:,} alleles in all: {strategies}"

    def cards(self) -> NDArray[np.int32]:
        boxes = self.genome.boxes
        return self.space.first_edge[boxes.position] if self.memory.any() else np.zeros(0, np.int32)

    def card(self, edge: int) -> Card:
        boxes, row = self.genome.boxes, int(self.space.source[edge])
        box, position = int(boxes.box[row]), int(self.space.position[row])
        who = self.game.mark(Side(int(self.space.side[row])))
        one = {boxes.cell[each] for each in self.space.edges(position)}
        thoughts = tuple(
            thought
            for each, thought in zip(self.space.edges(position), self.thoughts(position), strict=True)
            if each in one
        )
        return Card(position, thoughts, f"{self.genome.box_gene[box] + 1}", f"{who}, move {boxes.own_move(box)}")

    def _alleles(self) -> NDArray[np.int32] | None:
        """The champion's allele for each box; `None` before the first generation."""
        boxes = self.genome.boxes
        chosen = self.memory[boxes.cells] >= CHAMPION
        return self.genome.cell_allele[chosen] if chosen.any() else None

    def _allele(self, box: int) -> int | None:
        """The champion's for one box; `None` before the first generation."""
        low, high = self.genome.boxes.span(box)
        chosen = self.memory[self.genome.boxes.cells[low:high]] >= CHAMPION
        return int(self.genome.cell_allele[low + int(chosen.argmax())]) if chosen.any() else None

    def policy(self) -> Policy:
        alleles, boxes, space = self._alleles(), self.genome.boxes, self.space
        if alleles is None:
            return uniform_policy(space)
        policy = np.zeros(len(space.move))
        rows = np.flatnonzero(boxes.box >= 0)
        policy[self.genome.edge[rows, alleles[boxes.box[rows]]]] = 1.0
        return policy

    def _votes(self, edge: int) -> int:
        return int(self.memory[self.genome.boxes.cell[edge]] % CHAMPION)

    def choose(self, position: Position, random: Random) -> Choice:
        game, edges, row = self.game, self.space.edges(position), self.space.number[position]
        allele = self._allele(int(self.genome.boxes.box[row]))
        if allele is None:
            move = int(self.space.move[edges[int(random.random() * len(edges))]])
            return Choice(move, f"nothing has evolved yet: {game.move_name(move)} is any of {len(edges)} moves")
        edge = int(self.genome.edge[row, allele])
        name = game.move_name(int(self.space.move[edge]))
        gene = f"gene {self.genome.gene[row] + 1} of {self.genome.size}"
        agree = f"{self._votes(edge):,} of {self.individuals:,} in the population agree"
        return Choice(int(self.space.move[edge]), f"{gene} says {name}; {agree}")

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        edges, row = self.space.edges(position), self.space.number[position]
        allele = self._allele(int(self.genome.boxes.box[row]))
        chosen = -1 if allele is None else int(self.genome.edge[row, allele])
        thoughts = []
        for edge in edges:
            votes = self._votes(edge)
            share = votes / self.individuals
            thoughts.append(
                Thought(
                    move=int(self.space.move[edge]),
                    chance=1 / len(edges) if allele is None else float(edge == chosen),
                    symbol=f"{max(1, round(100 * share))}%" if votes else "·",
                    words=f"{votes:,} of {self.individuals:,}" + ("; the champion's" if edge == chosen else ""),
                    shut=allele is not None and not votes,
                )
            )
        return tuple(thoughts)

    def kept_open(self) -> NDArray[np.bool_]:
        """Those that somebody in the population would play."""
        return np.array(self.amount(self.memory)[self.cell] > 0) if self.memory.any() else super().kept_open()

    def amount(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        return numbers % CHAMPION

    def strand(self) -> Strand:
        genome, boxes, alleles = self.genome, self.genome.boxes, self._alleles()
        signs, shares, edges = np.full(genome.size, "·"), np.zeros(genome.size), np.full(genome.size, -1, np.int32)
        if alleles is not None:
            numbers = self.memory[boxes.cells]
            signs[genome.box_gene] = alleles + 1
            shares[genome.box_gene] = self.amount(numbers[numbers >= CHAMPION]) / self.individuals
            edges[genome.box_gene] = self.space.first_edge[boxes.position]
        return Strand("".join(signs.tolist()), shares, edges)

    def details(self, position: Position) -> tuple[str, ...]:
        """The way from a situation to the champion's move, as in Hochmuth's figures 1 to 3."""
        genome, game, space, alleles = self.genome, self.game, self.space, self._alleles()
        row = space.number[position]
        box = int(genome.boxes.box[row])
        if alleles is None or box < 0:
            return ()
        gene, allele, symmetry = int(genome.gene[row]), int(alleles[box]), game.symmetries[int(genome.symmetry[row])]
        base, edge = int(genome.base[gene]), int(genome.edge[row, allele])
        in_base = int(genome.edge[space.number[base], allele])
        names = [game.move_name(int(space.move[each])) for each in (in_base, edge)]
        return (
            f"The board, {turn_words(game, symmetry)}, is the base case {game.to_text(base)}.",
            f"There gene {gene + 1} of {genome.size} holds {allele + 1}, of 1 to {genome.alleles[gene]}: {names[0]}.",
            f"On this board that is {names[1]}.",
        )
