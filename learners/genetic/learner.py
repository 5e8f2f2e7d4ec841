"""A genetic algorithm: a population of strategies, bred to lose fewer of their games (G. Hochmuth, 2003).

An individual is a whole strategy: each of its genes holds a move for one situation. Its fitness comes from its
exhaustive set: all games in which it moves as its genes say, and the opponent makes every possible reply, as the first
side and as the second. The fittest individual of a generation is its champion, which plays.

votes   how many individuals have an allele
memory  the votes of a cell, plus `CHAMPION` if the champion has that allele
bulk    the population: one byte an allele, individual after individual, gene after gene
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy, uniform_policy
from engine.game import BadText, Game, Outcome, Position
from engine.plural import counted_noun
from learners.core.learner import Learner, require_possible
from learners.core.player import Choice, Thought
from learners.core.settings import Setting
from learners.core.snapshot import MARKS, Memory, Snapshot
from learners.core.spec import LearnerSpec, Statistic
from learners.core.view import Presentation
from learners.genetic.genome import Genome, class_tables, genome_of
from learners.genetic.kernel_tables import Breeding, Genes, PopulationTables, Scores, Scoring
from learners.genetic.rules import PRESET_WORDS, PRESETS, SETTINGS, gap_distribution
from learners.genetic.view import CHAMPION, PARTS, GeneticView

IN_PARTS: Final = ("best_fitness", "mean_fitness", "mean_lost", "worst_lost", "diversity")
POINTS: Final = ((0, 5, 10), (0, 10, 15))
"""The points for a loss, a draw and a win, as the first side and as the second (Hochmuth, table 1)."""
SELECTIONS: Final = ("roulette", "scaled", "tournament")
"""The ways to select, as the kernel numbers them."""
GENERATIONS_AT_ONCE: Final = 10
"""How many generations `prepare_training` breeds between two calls of `stop`."""


def _kernels() -> tuple[ModuleType, ModuleType]:
    """Return the breeding and the fitness kernel. They import numba, so they are imported only for training."""
    from learners.genetic import fitness_kernel, kernel

    return kernel, fitness_kernel


class Genetic(Learner):
    spec = LearnerSpec(
        name="genetic",
        title="Genetic algorithm",
        summary="breeds a population of strategies to lose fewer of their games",
        presets=PRESETS,
        settings=SETTINGS,
        statistics=(
            Statistic("generation", "generation"),
            Statistic("lost"),
            Statistic("perfect", flag=True),
            Statistic("played", "games counted"),
            *(Statistic(key, parts=PARTS) for key in IN_PARTS),
        ),
        round_statistic="generation",
        round_noun="generation",
        games_statistic="played",
        usual_rounds=500,
        history_marks=(*range(1, 100), *range(100, 1000, 10), *(mark for mark in MARKS if mark >= 1000)),
        learns_records=False,
    )
    shown = Presentation(
        preset_words=PRESET_WORDS,
        quick_start_preset="swift",
        size_statistic="generation",
        progress_statistic="best_fitness",
        remedy="breed a new one with another seed, a larger population, or the preset swift",
    )
    view_type = GeneticView
    only_itself = "plays against every reply there is: nobody else can train it"

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        """Make the learner as in `Learner`. Raises `BadText` also for an elite as large as the population."""
        super().__init__(game, preset, seed, settings)
        self.individuals = int(self.settings["population"])
        if int(self.settings["elite"]) >= self.individuals:
            raise BadText(
                f"an elite of {self.settings['elite']} leaves nobody to breed: the population is {self.individuals}"
            )
        self.genome: Genome = genome_of(game, boards=self.settings["genes"] == "boards")
        self.population: Genes = np.zeros((0, self.genome.size), np.uint8)
        """The alleles of every individual, shape (individuals, genes); no individual before the first generation."""
        self._scores = Scores(np.zeros((0, 6), np.int64), np.zeros(0))

    @property
    def cell(self) -> NDArray[np.int32]:
        return self.genome.boxes.cell

    @property
    def perfect(self) -> bool:
        """Whether the champion is perfect, and the settings end the training then."""
        return self.settings["until"] == "perfect" and bool(self.counts["perfect"])

    def train(self, rounds: int) -> None:
        if rounds:
            self.prepare_training()
        kernel, fitness_kernel = _kernels()
        until_perfect = self.settings["until"] == "perfect" and not self.counts["perfect"]
        scoring, classes, generations, played = self._scoring(), class_tables(self.genome), rounds, 0
        if rounds and not len(self.population):
            self.population = np.zeros((self.individuals, self.genome.size), np.uint8)
            kernel.randomise(self.population, self.genome.alleles, self.generator)
            generations -= 1
        if len(self._scores.fitness) != len(self.population):
            count = len(self.population)
            self._scores = Scores(np.zeros((count, 6), np.int64), np.zeros(count))
            fitness_kernel.score_population(self.population, classes, scoring, self._scores)
        if generations < rounds:
            judged, fitness = self._scores
            played = int(judged[:, : len(Outcome)].sum())
            if until_perfect and judged[fitness.argmax(), fitness_kernel.LOST] == 0:
                generations = 0
        population = PopulationTables(self.population, np.zeros_like(self.population), self._scores, self.generator)
        done, games = kernel.evolve(generations, int(until_perfect), population, scoring, self._breeding())
        if rounds:
            self._update_from_population(done + (self.counts["generation"] == 0), played + int(games))

    def prepare_training(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Breed the population again from the seed, if it was not stored."""
        super().prepare_training()
        rounds = self.rounds
        if not rounds or len(self.population):
            return
        repeated = Genetic(self.game, self.preset, self.seed, self.settings)
        while repeated.rounds < rounds:
            if stop():
                return
            repeated.train(min(GENERATIONS_AT_ONCE, rounds - repeated.rounds))
        is_same = np.array_equal(repeated.memory, self.memory) and np.array_equal(repeated.generator, self.generator)
        if not is_same:
            raise BadText("its seed leads to another population: it can be played against, but not bred further")
        self.population = repeated.population

    def _scoring(self) -> Scoring:
        points = np.zeros((2, 3), np.int64)
        if self.settings["fitness"] == "points":
            points[:] = POINTS
        return Scoring(int(self.settings["replies"] == "symmetric"), points)

    def _breeding(self) -> Breeding:
        settings = self.settings
        replication, crossover = (int(float(settings[key]) * 2**32) for key in ("replication", "crossover"))
        return Breeding(
            classes=class_tables(self.genome),
            alleles=self.genome.alleles,
            mutations=gap_distribution(float(settings["mutation"]), self.genome.size),
            selection=SELECTIONS.index(str(settings["selection"])),
            size=int(settings["size"]),
            elite=int(settings["elite"]),
            replication=replication,
            crossover=crossover,
            focus=int(settings["change"] == "lost"),
        )

    def _update_from_population(self, generations: int, played: int) -> None:
        (_, kernel), boxes, genome = _kernels(), self.genome.boxes, self.genome
        judged, fitness = self._scores
        best = int(fitness.argmax())
        votes = np.zeros((genome.size, int(genome.alleles.max())), np.int64)
        kernel.vote(self.population, votes)
        genes = genome.box_gene[boxes.cell_box]
        chosen = self.population[best, genes] == genome.cell_allele
        self.memory[boxes.cells] = votes[genes, genome.cell_allele] + CHAMPION * chosen
        games = judged[:, : len(Outcome)].sum(axis=1)
        lost = judged[:, kernel.LOST] / games
        shares = votes[genome.alleles > 1] / self.individuals
        diversity = 1 - (shares**2).sum(axis=1).mean() if len(shares) else 0.0  # a game may have no choice at all
        first_wins, second_wins, draws = judged[best, : len(Outcome)].tolist()
        parts = (fitness[best], fitness.mean(), lost.mean(), lost.max(), diversity)
        self.counts = {
            "games": int(games[best]),
            "plies": int(judged[best, kernel.PLIES]),
            "first_wins": first_wins,
            "second_wins": second_wins,
            "draws": draws,
            "generation": self.counts["generation"] + generations,
            "lost": int(judged[best, kernel.LOST]),
            "perfect": int(judged[best, kernel.LOST] == 0),
            "played": self.counts["played"] + played,
            **{key: round(float(part) * PARTS) for key, part in zip(IN_PARTS, parts, strict=True)},
        }

    def snapshot(self) -> Snapshot:
        return replace(super().snapshot(), bulk=self.population.tobytes())

    def restore_memory(self, snapshot: Snapshot) -> None:
        boxes, stats = self.genome.boxes, snapshot.stats
        numbers, elsewhere = snapshot.memory[boxes.cells], snapshot.memory.copy()
        elsewhere[boxes.cells] = 0
        population = self._population_of(snapshot.bulk)
        if elsewhere.any():
            raise BadText("there are votes where no gene decides")
        if stats["generation"]:
            self._check_votes(numbers, population)
        elif snapshot.memory.any() or len(population):
            raise BadText("there is a population before the first generation")
        self._check_stats(stats)
        self.memory[:] = snapshot.memory
        self.population = population
        self._scores = Scores(np.zeros((0, 6), np.int64), np.zeros(0))
        self.counts = {key: stats[key] for key in self.counts}

    def _check_stats(self, stats: Mapping[str, int]) -> None:
        games, is_bred = stats["games"], stats["generation"] > 0
        if is_bred != (games > 0) or stats["perfect"] != (is_bred and not stats["lost"]):
            raise BadText(f"the statistics count {stats['lost']:,} of {games:,} games as lost, which is impossible")
        scale = PARTS * max(1, max(map(max, POINTS)) * stats["played"])  # the fitness may have changed since
        limits = {
            "games": stats["played"],
            "plies": games * int(self.space.ply[-1]),
            "lost": stats["first_wins"] + stats["second_wins"],
            **dict.fromkeys(("best_fitness", "mean_fitness"), scale),
            **dict.fromkeys(("mean_lost", "worst_lost", "diversity"), PARTS * is_bred),
        }
        require_possible(stats, limits)

    def _check_votes(self, numbers: Memory, population: Genes) -> None:
        """Raise `BadText` for impossible numbers of the cells, or numbers that do not match a stored population."""
        boxes, genome = self.genome.boxes, self.genome
        votes, marks = numbers % CHAMPION, numbers // CHAMPION
        count = len(boxes.position)
        if (np.bincount(boxes.cell_box, marks, count) != 1).any():
            raise BadText("the champion must have exactly one move in every situation")
        if (np.bincount(boxes.cell_box, votes, count) != self.individuals).any():
            raise BadText(f"the votes of a situation are not {self.individuals:,}, one of each individual")
        genes = genome.box_gene[boxes.cell_box]
        if len(population) and not np.array_equal(votes, (population[:, genes] == genome.cell_allele).sum(axis=0)):
            raise BadText("the votes are not those of the population")

    def _population_of(self, bulk: bytes) -> Genes:
        """Return the population in `bulk`, shape (individuals, genes). Raises `BadText`."""
        genome, alleles = self.genome, np.frombuffer(bulk, np.uint8)
        if len(bulk) in (0, self.individuals * genome.size):
            population = alleles.reshape(-1, genome.size).copy()
            if (population < genome.alleles).all():
                return population
        raise BadText(f"its population is not one of {self.individuals:,} genomes of {genome.size} genes")

    # How the champion plays.

    def champion_alleles(self) -> NDArray[np.int32] | None:
        """Return the champion's allele for each box, shape (boxes,); `None` before the first generation."""
        is_champion = self.memory[self.genome.boxes.cells] >= CHAMPION
        return self.genome.cell_allele[is_champion] if is_champion.any() else None

    def _champion_allele(self, box: int) -> int | None:
        """Return the champion's allele for one box; `None` before the first generation."""
        low, high = self.genome.boxes.span(box)
        is_champion = self.memory[self.genome.boxes.cells[low:high]] >= CHAMPION
        if not is_champion.any():
            return None
        return int(self.genome.cell_allele[low + int(is_champion.argmax())])

    def policy(self) -> Policy:
        """Return the policy: the champion's moves; before the first generation, random moves."""
        alleles, boxes, space = self.champion_alleles(), self.genome.boxes, self.space
        if alleles is None:
            return uniform_policy(space)
        policy = np.zeros(len(space.move))
        rows = np.flatnonzero(boxes.box >= 0)
        policy[self.genome.edge[rows, alleles[boxes.box[rows]]]] = 1.0
        return policy

    def _votes(self, edge: int) -> int:
        return int(self.memory[self.genome.boxes.cell[edge]] % CHAMPION)

    def choose(self, position: Position, random: Random) -> Choice:
        game, edges, row = self.game, self.space.edges(position), self.space.row(position)
        allele = self._champion_allele(int(self.genome.boxes.box[row]))
        if allele is None:
            move = int(self.space.move[edges[int(random.random() * len(edges))]])
            moves = counted_noun(len(edges), "move")
            return Choice(move, f"nothing has evolved yet: {game.move_name(move)} is picked at random from {moves}")
        edge = int(self.genome.edge[row, allele])
        name = game.move_name(int(self.space.move[edge]))
        gene = f"gene {self.genome.gene[row] + 1} of {self.genome.size}"
        agree = f"{self._votes(edge):,} of {self.individuals:,} in the population agree"
        return Choice(int(self.space.move[edge]), f"{gene} says {name}; {agree}")

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        edges, row = self.space.edges(position), self.space.row(position)
        allele = self._champion_allele(int(self.genome.boxes.box[row]))
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
                    words=f"{votes:,} of {self.individuals:,}" + (", champion" if edge == chosen else ""),
                    excluded=allele is not None and not votes,
                    level=share,
                )
            )
        return tuple(thoughts)
