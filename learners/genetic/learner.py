"""A genetic algorithm: a population of strategies, bred for losing fewer of their games (G. Hochmuth, 2003).

An individual is a whole strategy: in each of its genes a move for one situation. Its fitness comes from its exhaustive
set, all games in which it moves as its genes say and the opponent in every way there is, as the first side and then as
the second. The fittest of a generation is its champion: it plays.

    bulk       the population: one byte an allele, individual after individual, each gene after gene
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from types import ModuleType
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from engine.game import BadText, Game, Outcome, Side
from engine.match import Record
from learners.core.cards import Words
from learners.core.checkpoint_marks import MARKS
from learners.core.learner import BOTH, COMMON_STATS, Change, require_possible
from learners.core.player import Player
from learners.core.settings import Setting
from learners.core.snapshot import ITSELF, Memory, Snapshot
from learners.core.view import Curves
from learners.genetic.genome import kinds_of
from learners.genetic.population import CHAMPION, Population
from learners.genetic.rules import PRESETS, SETTING_KINDS, gaps

PARTS: Final = 1_000_000_000
"""The statistics below tell shares, and fitness, in such parts."""
IN_PARTS: Final = ("best_fitness", "mean_fitness", "mean_lost", "worst_lost", "diversity")
SHOWN_PARTS: Final = 10_000
"""The curves tell how many of so many games are lost."""
POINTS: Final = ((0, 5, 10), (0, 10, 15))
"""What a loss, a draw and a win score as the first side and as the second (Hochmuth, table 1)."""
SELECTIONS: Final = ("roulette", "scaled", "tournament")
"""As the kernel numbers them."""

TOGETHER: Final = 10
"""Generations that are bred again between two looks at whether to stop."""

Bytes = NDArray[np.uint8]


def _kernels() -> tuple[ModuleType, ModuleType]:
    """The one that breeds and the one that judges."""
    from learners.genetic import fitness_kernel as judging  # import numba, so only when something is to evolve
    from learners.genetic import kernel as genetic

    return genetic, judging


class Genetic(Population):
    name = "genetic"
    title = "Genetic algorithm"
    summary = "breeds a population of strategies for losing fewer of their games"
    presets = PRESETS
    ready_preset = "swift"
    setting_kinds = SETTING_KINDS
    counted = "generation"
    round_noun = "generation"
    games_stat = "played"
    usual_rounds = 500
    marks = (*range(1, 100), *range(100, 1000, 10), *(mark for mark in MARKS if mark >= 1000))
    learns_records = False
    own_stats: ClassVar[Mapping[str, str]] = {
        "generation": "generation",
        "lost": "",
        "perfect": "",
        "played": "games counted",
        **dict.fromkeys(IN_PARTS, ""),
    }
    size_stat = "generation"
    words = Words(
        noun="gene",
        newest="Genes that changed last",
        none="Nothing has evolved yet",
        legend={"%": "of the population", "·": "nobody"},
    )
    growth_title = f"Lost of {SHOWN_PARTS:,} games"
    games_label = "best one's games"
    log_rounds = False

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        super().__init__(game, preset, seed, settings)
        self.population: Bytes = np.zeros((0, self.genome.size), np.uint8)
        """The alleles of every individual, shape (individuals, genes); of nobody before the first generation."""
        self._judged = np.zeros((0, 6), np.int64)
        self._fitness = np.zeros(0)
        self._stats = dict.fromkeys((*COMMON_STATS, *self.own_stats), 0)

    @property
    def perfect(self) -> bool:
        return self.settings["until"] == "perfect" and bool(self._stats["perfect"])

    def meet(self, opponent: Player | None) -> None:
        self.turn_to(ITSELF if opponent is None else opponent.label)

    def turn_to(self, opponent: str) -> None:
        if opponent != ITSELF:
            raise BadText(f"{self.name} plays against every reply there is: nobody else can train it")
        super().turn_to(opponent)

    def train(self, rounds: int) -> None:
        (kernel, judging), kinds = _kernels(), kinds_of(self.genome)
        merge = int(self.settings["replies"] == "symmetric")
        points = np.array(POINTS if self.settings["fitness"] == "points" else np.zeros((2, 3)), np.int64)
        until = self.settings["until"] == "perfect" and not self._stats["perfect"]
        if rounds:
            self.catch_up()
        left, played = rounds, 0
        if rounds and not len(self.population):
            self.population = np.zeros((self.individuals, self.genome.size), np.uint8)
            kernel.scatter(self.population, self.genome.alleles, self.generator)
            left -= 1
        if len(self._judged) != len(self.population):
            self._judged, self._fitness = np.zeros((len(self.population), 6), np.int64), np.zeros(len(self.population))
            judging.judge(self.population, kinds.node, kinds.arc, merge, points, self._judged, self._fitness)
        if left < rounds:
            played = int(self._judged[:, : len(Outcome)].sum())
            if until and self._judged[self._fitness.argmax(), judging.LOST] == 0:
                left = 0
        done, counted = kernel.evolve(
            left,
            int(until),
            self.population,
            np.zeros_like(self.population),
            self._judged,
            self._fitness,
            self.genome.alleles,
            kinds.node,
            kinds.arc,
            points,
            self._rules(merge),
            gaps(float(self.settings["mutation"]), self.genome.size),
            self.generator,
        )
        if rounds:
            self._read(done + (self._stats["generation"] == 0), played + int(counted))

    def catch_up(self, stop: Callable[[], bool] = lambda: False) -> None:
        """Breed a population that was not kept once more, from the seed."""
        super().catch_up()
        wanted = self.rounds
        if not wanted or len(self.population):
            return
        past = Genetic(self.game, self.preset, self.seed, self.settings)
        while past.rounds < wanted and not stop():
            past.train(min(TOGETHER, wanted - past.rounds))
        if past.rounds == wanted:
            if not (np.array_equal(past.memory, self.memory) and np.array_equal(past.generator, self.generator)):
                raise BadText("its seed leads to another population: it can be played against, and not be bred on")
            self.population = past.population

    def _rules(self, merge: int) -> NDArray[np.int64]:
        settings = self.settings
        chances = (int(float(settings[key]) * 2**32) for key in ("replication", "crossover"))
        selection = SELECTIONS.index(str(settings["selection"]))
        return np.array(
            [merge, selection, settings["size"], settings["elite"], *chances, settings["change"] == "lost"], np.int64
        )

    def _read(self, generations: int, played: int) -> None:
        """Take the votes, the champion and the statistics from the population."""
        (_, judging), boxes, genome = _kernels(), self.genome.boxes, self.genome
        best = int(self._fitness.argmax())
        judged = self._judged
        votes = np.zeros((genome.size, int(genome.alleles.max())), np.int64)
        judging.vote(self.population, votes)
        genes = genome.box_gene[boxes.cell_box]
        chosen = self.population[best, genes] == genome.cell_allele
        self.memory[boxes.cells] = votes[genes, genome.cell_allele] + CHAMPION * chosen
        games = judged[:, : len(Outcome)].sum(axis=1)
        lost = judged[:, judging.LOST] / games
        shares = votes[genome.alleles > 1] / self.individuals
        first_wins, second_wins, draws = judged[best, : len(Outcome)].tolist()
        parts = (self._fitness[best], self._fitness.mean(), lost.mean(), lost.max(), 1 - (shares**2).sum(axis=1).mean())
        self._stats = {
            "games": int(games[best]),
            "plies": int(judged[best, judging.PLIES]),
            "first_wins": first_wins,
            "second_wins": second_wins,
            "draws": draws,
            "generation": self._stats["generation"] + generations,
            "lost": int(judged[best, judging.LOST]),
            "perfect": int(judged[best, judging.LOST] == 0),
            "played": self._stats["played"] + played,
            **{key: round(float(part) * PARTS) for key, part in zip(IN_PARTS, parts, strict=True)},
        }

    def learn_record(self, record: Record, sides: Collection[Side] = BOTH) -> tuple[Change, ...]:
        raise BadText(f"{self.name} learns from all games at once, not from one: train it")

    def tell(self, change: Change) -> str:
        box = int(self.genome.boxes.box[self.space.source[change.edge]])
        return f"gene {self.genome.box_gene[box] + 1}: {change.before:,} → {change.after:,}"

    def stats(self) -> dict[str, int]:
        return dict(self._stats)

    @classmethod
    def told(cls, stats: Mapping[str, int]) -> dict[str, int | float | bool]:
        in_parts = {key: stats[key] / PARTS for key in IN_PARTS}
        return {**stats, **in_parts, "perfect": bool(stats["perfect"])}

    @classmethod
    def endings(cls, stats: Mapping[str, int]) -> dict[str, int]:
        won = stats["games"] - stats["draws"] - stats["lost"]
        return {"lost": stats["lost"], "drawn": stats["draws"], "won": won}

    def curves(self, stats: Mapping[str, int]) -> tuple[Curves, Curves]:
        return Curves(f"Lost of {SHOWN_PARTS:,}", self.growth(stats), log=True), Curves("Best one", self.endings(stats))

    def remark(self, stats: Mapping[str, int]) -> str:
        best, diversity = (stats[key] / PARTS for key in ("best_fitness", "diversity"))
        return f"fitness {best:.4g}; diversity {diversity:.3f}" if stats["generation"] else ""

    def growth(self, stats: Mapping[str, int]) -> dict[str, int]:
        best = stats["lost"] / max(1, stats["games"])
        lost = {"worst": stats["worst_lost"] / PARTS, "mean": stats["mean_lost"] / PARTS, "best": best}
        return {label: round(share * SHOWN_PARTS) for label, share in lost.items()}

    def newest(self, count: int) -> list[int]:
        """Where the champion decides otherwise than that of the last memory kept before this moment."""
        before = [memory for rounds, memory in self.memories.items() if rounds < self.rounds]
        boxes = self.genome.boxes
        if not before:
            return []
        chosen, was_chosen = (memory[boxes.cells] >= CHAMPION for memory in (self.memory, before[-1]))
        changed = boxes.cell_box[chosen & ~was_chosen][:count]
        return [int(edge) for edge in self.space.first_edge[boxes.position[changed]]]

    def snapshot(self) -> Snapshot:
        return replace(super().snapshot(), bulk=self.population.tobytes())

    def _take(self, snapshot: Snapshot) -> None:
        boxes, stats = self.genome.boxes, snapshot.stats
        numbers, elsewhere = snapshot.memory[boxes.cells], snapshot.memory.copy()
        elsewhere[boxes.cells] = 0
        population = self._population_of(snapshot.bulk)
        if elsewhere.any():
            raise BadText("there are votes where no gene decides")
        if stats["generation"]:
            self._check(numbers, population)
        elif snapshot.memory.any() or len(population):
            raise BadText("there is a population before the first generation")
        self._check_stats(stats)
        self.memory[:] = snapshot.memory
        self.population = population
        self._judged, self._fitness = np.zeros((0, 6), np.int64), np.zeros(0)
        self._stats = {key: stats[key] for key in self._stats}

    def _check_stats(self, stats: Mapping[str, int]) -> None:
        """Raise `BadText` for statistics that no population comes to."""
        games, bred = stats["games"], stats["generation"] > 0
        if bred != (games > 0) or stats["perfect"] != (bred and not stats["lost"]):
            raise BadText(f"the statistics tell of {stats['lost']} games lost of {games}, which cannot be")
        scale = PARTS if self.settings["fitness"] == "unlost" else PARTS * max(map(max, POINTS)) * stats["played"]
        most = {
            "games": stats["played"],
            "plies": games * int(self.space.ply[-1]),
            "lost": stats["first_wins"] + stats["second_wins"],
            **dict.fromkeys(("best_fitness", "mean_fitness"), scale),
            **dict.fromkeys(("mean_lost", "worst_lost", "diversity"), PARTS * bred),
        }
        require_possible(stats, most)

    def _check(self, numbers: Memory, population: Bytes) -> None:
        """Raise `BadText` unless these can be the numbers of the cells, and of this population where there is one."""
        boxes, genome = self.genome.boxes, self.genome
        votes, marks = numbers % CHAMPION, numbers // CHAMPION
        count = len(boxes.position)
        if (np.bincount(boxes.cell_box, marks, count) != 1).any():
            raise BadText("the champion has not one move in every situation")
        if (np.bincount(boxes.cell_box, votes, count) != self.individuals).any():
            raise BadText(f"the votes of a situation are not {self.individuals:,}, one of each individual")
        genes = genome.box_gene[boxes.cell_box]
        if len(population) and not np.array_equal(votes, (population[:, genes] == genome.cell_allele).sum(axis=0)):
            raise BadText("the votes are not those of the population")

    def _population_of(self, bulk: bytes) -> Bytes:
        """The population that lies in those bytes. Raises `BadText`."""
        genome = self.genome
        if len(bulk) not in (0, self.individuals * genome.size):
            raise BadText(
                f"{self.individuals:,} genomes of {genome.size} genes take {self.individuals * genome.size:,} bytes, "
                f"not {len(bulk):,}"
            )
        population = np.frombuffer(bulk, np.uint8).reshape(-1, genome.size).copy()
        wrong = np.argwhere(population >= genome.alleles)
        if len(wrong):
            each, gene = wrong[0].tolist()
            raise BadText(
                f"gene {gene + 1} of individual {each + 1} has allele {int(population[each, gene]) + 1} "
                f"of {genome.alleles[gene]}"
            )
        return population
