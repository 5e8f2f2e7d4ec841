"""Hochmuth's strategies with dictionaries and strings, after his paper: slow, naive, and independent of the engine.

A situation is a position as it is written. Its base case is the first of its images in alphabetical order. Its choices
are the moves of the base case; symmetric moves are one choice, a set. A strategy has one choice for every base case.
"""

from collections import deque
from fractions import Fraction
from functools import cache
from itertools import product

from tests.oracles.counting import reachable
from tests.oracles.generator import Generator, draws_from
from tests.oracles.rules import DRAW, RULES, SQUARES, move_through, read, seen_in_square

Choice = frozenset[str]
Strategy = dict[str, Choice]
POINTS = {(0, "won"): 10, (0, "drawn"): 5, (0, "lost"): 0, (1, "won"): 15, (1, "drawn"): 10, (1, "lost"): 0}
"""The points of his table 1, by side (0 for the first) and outcome."""


@cache
def base(name: str, position: str) -> tuple[str, dict[str, str]]:
    """The base case of a position, and the square that each square is moved to by the transformation."""
    return min(RULES[name].seen(position), key=lambda way: way[0])


@cache
def orbits(name: str, position: str, moves: tuple[str, ...]) -> list[Choice]:
    """The moves in sets, each of moves that symmetries of the position map to each other, in order."""
    still = [goes for image, goes in RULES[name].seen(position) if image == position]
    sets = [frozenset(move_through(move, goes) for goes in still) for move in moves]
    return list(dict.fromkeys(sets))


def choices(name: str, position: str) -> list[Choice]:
    return orbits(name, position, tuple(RULES[name].moves(position)))


@cache
def boards() -> dict[str, list[Choice]]:
    """The base cases of the paper, each with its choices: those of all boards that are not full, even after a win."""
    found = {}
    for letters in product("XO.", repeat=9):
        more = letters.count("X") - letters.count("O")
        if "." not in letters or more not in (0, 1):
            continue
        rows = "".join(letters)
        position = f"{rows[:3]}/{rows[3:6]}/{rows[6:]} {'XO'[more]}"
        first = min(image for image, _ in seen_in_square(position))
        board, _ = read(first)
        found[first] = orbits("tictactoe", first, tuple(square for square in SQUARES if board[square] == "."))
    return found


@cache
def decisions(name: str) -> dict[str, list[Choice]]:
    """The base cases of the positions in which somebody is to move, each with its choices."""
    rules = RULES[name]
    running = [position for position in reachable(rules) if rules.outcome(position) is None]
    return {first: choices(name, first) for first in sorted({base(name, position)[0] for position in running})}


def decoded(name: str, strategy: Strategy, position: str) -> str:
    """The move of a strategy: its choice for the base case, transformed back."""
    first, goes = base(name, position)
    comes = {square: origin for origin, square in goes.items()}
    return min(move_through(move, comes) for move in strategy[first])


def exhaustive_set(
    name: str, strategy: Strategy, side: int, *, merge: bool
) -> list[tuple[str, tuple[str, ...], list[str]]]:
    """Every game that a strategy can play as `side`: the outcome, the moves, and the base cases that it decided."""
    rules, played = RULES[name], []
    mine = rules.marks[side]
    queue = deque([(rules.start, (), [])])
    while queue:
        position, moves, decided = queue.popleft()
        outcome = rules.outcome(position)
        if outcome is not None:
            fares = "drawn" if outcome == DRAW else "won" if outcome == mine else "lost"
            played.append((fares, moves, decided))
            continue
        if read(position)[1] == mine:
            replies, decided = [decoded(name, strategy, position)], [*decided, base(name, position)[0]]
        elif merge:
            replies = [min(same) for same in choices(name, position)]
        else:
            replies = rules.moves(position)
        queue.extend((rules.play(position, reply), (*moves, reply), decided) for reply in replies)
    return played


def tally(name: str, strategy: Strategy, side: int, *, merge: bool) -> dict[str, int]:
    games = exhaustive_set(name, strategy, side, merge=merge)
    fares = [each for each, _, _ in games]
    return {
        **{how: fares.count(how) for how in ("won", "drawn", "lost")},
        "plies": sum(len(moves) for _, moves, _ in games),
    }


def scored(tallies: list[dict[str, int]]) -> Fraction:
    """His first fitness, from the results as the first side and as the second."""
    return Fraction(sum(worth * tallies[side][how] for (side, how), worth in POINTS.items()))


def unlost(tallies: list[dict[str, int]]) -> Fraction:
    """His second fitness: the share of games not lost."""
    total = sum(counts[how] for counts in tallies for how in ("won", "drawn", "lost"))
    return Fraction(total - sum(counts["lost"] for counts in tallies), total)


@cache
def happens_within(rate: str, tries: int) -> Fraction:
    """The probability that an event occurs at least once."""
    return 1 - (1 - Fraction(rate)) ** tries


class NaiveEvolution:
    """Evolution by the rules. A gene is the index of a choice, in the order of `genes`."""

    def __init__(self, name: str, genes: dict[str, list[Choice]], rules: dict, generator: Generator) -> None:
        self.name, self.genes, self.rules, self.generator = name, genes, rules, generator
        self.alleles = [len(sets) for sets in genes.values()]
        self.population: list[list[int]] = []
        self.fitness: list[Fraction] = []

    def below(self, count: int) -> int:
        return self.generator.draw() * count // 2**32

    def happens(self, rate: str) -> bool:
        return self.generator.draw() < int(Fraction(rate) * 2**32)

    def strategy(self, genome: list[int]) -> Strategy:
        return {first: sets[allele] for (first, sets), allele in zip(self.genes.items(), genome, strict=True)}

    def next(self) -> None:
        """The first generation at random, and each later one bred from the one before."""
        if self.population:
            self.population = self.bred()
        else:
            self.population = [
                [self.below(count) for count in self.alleles] for _ in range(int(self.rules["population"]))
            ]
        merge = self.rules["replies"] == "symmetric"
        measure = scored if self.rules["fitness"] == "points" else unlost
        strategies = [self.strategy(genome) for genome in self.population]
        self.fitness = [
            measure([tally(self.name, strategy, side, merge=merge) for side in (0, 1)]) for strategy in strategies
        ]

    def bred(self) -> list[list[int]]:
        """Select all parents, with a draw for each crossover; then cross the genes; then mutate them."""
        ranked = sorted(range(len(self.population)), key=lambda each: -self.fitness[each])
        children = [list(self.population[each]) for each in ranked[: self.rules["elite"]]]
        crossings = []
        while len(children) < len(self.population):
            copied = self.happens(self.rules["replication"])
            child = list(self.population[self.selected()])
            if not copied:
                crossings.append((child, self.population[self.selected()], self.generator.draw()))
            children.append(child)
        for child, another, draw in crossings:
            child[:] = self.crossed(child, another, draw)
        for child, _, _ in crossings:
            self.mutate(child)
            if self.rules["change"] == "lost":
                self.change_lost(child)
        return children

    def selected(self) -> int:
        if self.rules["selection"] == "tournament":
            entered = [self.below(len(self.population)) for _ in range(self.rules["size"])]
            return min(entered, key=lambda each: (-self.fitness[each], each))
        least = min(self.fitness) if self.rules["selection"] == "scaled" else 0
        slots = [each - least for each in self.fitness]
        slots = slots if any(slots) else [Fraction(1)] * len(slots)
        ball = Fraction(self.generator.draw(), 2**32) * sum(slots)
        for each, slot in enumerate(slots):
            if ball < slot:
                return each
            ball -= slot
        raise AssertionError(slots)

    def crossed(self, one: list[int], another: list[int], seed: int) -> list[int]:
        child = []
        for gene, draw in enumerate(draws_from(seed, len(one))):
            if draw < int(Fraction(self.rules["crossover"]) * 2**32):
                one, another = another, one
            child.append(one[gene])
        return child

    def mutate(self, child: list[int]) -> None:
        """Mutate each gene with the same probability: a draw determines the distance to the next mutation."""
        gene = -1
        while gene < len(child):
            draw, passed = self.generator.draw(), 1
            while gene + passed < len(child) and draw >= happens_within(self.rules["mutation"], passed) * 2**32:
                passed += 1
            gene += passed
            if gene < len(child):
                self.change(child, gene)

    def change(self, child: list[int], gene: int) -> None:
        """Give a gene another allele, counted cyclically from its own."""
        if self.alleles[gene] > 1:
            child[gene] = (child[gene] + 1 + self.below(self.alleles[gene] - 1)) % self.alleles[gene]

    def change_lost(self, child: list[int]) -> None:
        """Change one of the genes that decided in a lost game, if it has more than one allele."""
        strategy = self.strategy(child)
        to_blame = {
            first
            for side in (0, 1)
            for fares, _, decided in exhaustive_set(self.name, strategy, side, merge=True)
            if fares == "lost"
            for first in decided
        }
        marked = [gene for gene, (first, sets) in enumerate(self.genes.items()) if first in to_blame and len(sets) > 1]
        if marked:
            self.change(child, marked[self.below(len(marked))])
