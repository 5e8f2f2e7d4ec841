"""Q-learning, SARSA and TD(λ) as they are described, with values in a dictionary by name: slow and independent.

A value is a whole number of parts of 2^30: 1 for a loss, 2^30 − 1 for a win. It belongs to a move of a position, or to
the position after the move; where symmetric ones are merged, to one image of it.
"""

from fractions import Fraction
from functools import cache
from math import ceil, floor

from tests.oracles.generator import Generator
from tests.oracles.menace import bead_of, ways_to_see
from tests.oracles.rules import DRAW, RULES

WHOLE = 2**30
EXACT = {
    "of": "move",
    "explore": (Fraction(1), Fraction(1, 10), 40_000),
    "rate": Fraction(1, 2),
    "average": False,
    "trace": Fraction(4, 5),
    "turn": False,
    "start": Fraction(1, 2),
    "merge": True,
    "toward": "best",
}
MACHINES = {("q", "exact"): EXACT, ("td", "exact"): {**EXACT, "of": "position", "toward": "greedy"}}
MACHINES["q", "openspiel"] = {
    **EXACT,
    "explore": (Fraction(1, 5), Fraction(1, 5), 0),
    "rate": Fraction(1, 10),
    "trace": Fraction(0),
    "turn": True,
    "merge": False,
}
MACHINES["q", "sarsa"] = {
    **MACHINES["q", "openspiel"],
    "explore": (Fraction(1, 10), Fraction(1, 10), 0),
    "rate": Fraction(1, 2),
    "toward": "chosen",
}
MACHINES["td", "sutton-barto"] = {
    **MACHINES["q", "openspiel"],
    "of": "position",
    "explore": (Fraction(1, 100), Fraction(1, 100), 0),
    "toward": "greedy",
}


@cache
def named(game: str, of: str, position: str, move: str, *, merge: bool) -> tuple[str, ...]:
    """What the value of a move belongs to."""
    after = RULES[game].play(position, move)
    if of == "position":
        return (ways_to_see(game, after)[0][0] if merge else after,)
    return (ways_to_see(game, position)[0][0], bead_of(game, position, move, merge=True)) if merge else (position, move)


class NaiveValues:
    def __init__(self, game: str, machine: dict, generator: Generator, opponent=None) -> None:
        """`opponent` returns the moves that it picks from, all equally likely, in a position; `None` is self-play."""
        self.game, self.rules, self.machine = game, RULES[game], machine
        self.generator, self.opponent = generator, opponent
        self.values: dict[tuple[str, ...], int] = {}
        self.times: dict[tuple[str, ...], int] = {}
        """How often each move that is learned from was made; with `merge`, symmetric moves are counted together."""
        self.visits: dict[tuple[str, ...], int] = {}
        """How often each value was visited: a value may belong to several moves."""
        self.made: set[tuple[str, str]] = set()
        """All moves made, each in its position."""
        self.games = 0

    def name(self, position: str, move: str) -> tuple[str, ...]:
        return named(self.game, self.machine["of"], position, move, merge=self.machine["merge"])

    def turn(self, position: str, move: str) -> tuple[str, ...]:
        """The name of a move as one that was made."""
        return named(self.game, "move", position, move, merge=self.machine["merge"])

    def value(self, name: tuple[str, ...]) -> int:
        return self.values.get(name, min(max(round(self.machine["start"] * WHOLE), 1), WHOLE - 1))

    def explored(self) -> int:
        """The chance of any move in the next game, in parts of 2^32."""
        *chances, games = self.machine["explore"]
        first, last = (round(chance * 2**32) for chance in chances)
        return last if self.games >= games else first + floor(Fraction((last - first) * self.games, games))

    def choose(self, position: str) -> str:
        draw = self.generator.draw()
        moves: dict[tuple[str, ...], str] = {}
        for move in self.rules.moves(position):
            moves.setdefault(self.name(position, move), move)
        if draw < self.explored():
            return list(moves.values())[floor(Fraction(draw * len(moves), self.explored()))]
        return moves[max(moves, key=self.value)]

    def answer(self, position: str) -> str:
        among, draw = self.opponent(position), self.generator.draw()
        return next(move for nth, move in enumerate(among, 1) if draw < round(Fraction(nth * 2**32, len(among))))

    def play_game(self) -> list[str]:
        position, moves, outcome = self.rules.start, [], None
        while outcome is None:
            theirs = self.opponent and len(moves) % 2
            moves.append(self.answer(position) if theirs else self.choose(position))
            position = self.rules.play(position, moves[-1])
            outcome = self.rules.outcome(position)
        self.learn(moves, outcome)
        return moves

    def learn(self, moves: list[str], outcome: str) -> None:
        names, turns, values, best = [], [], [], []
        position = self.rules.start
        for move in moves:
            self.made.add((position, move))
            names.append(self.name(position, move))
            turns.append(self.turn(position, move))
            values.append(self.value(names[-1]))
            best.append(max(self.value(self.name(position, each)) for each in self.rules.moves(position)))
            position = self.rules.play(position, move)

        def goal(ply: int) -> int | None:
            """What a value is moved towards; `None` where it is left alone."""
            later = ply + (2 if self.machine["turn"] else 1)
            if later >= len(moves):
                won = outcome == self.rules.marks[ply % 2]
                return WHOLE // 2 if outcome == DRAW else WHOLE - 1 if won else 1
            if self.machine["toward"] == "chosen" or values[later] == best[later]:
                beyond = goal(later)
                beyond = values[later] if beyond is None else beyond
                trace = Fraction(round(self.machine["trace"] * 2**31), 2**31)
                wanted = values[later] + floor((beyond - values[later]) * trace)
            elif self.machine["toward"] == "best":
                wanted = best[later]
            else:
                return None
            return wanted if self.machine["turn"] else WHOLE - wanted

        for ply, (name, before) in enumerate(zip(names, values, strict=True)):
            if self.opponent and ply % 2 and self.machine["turn"]:
                continue
            self.times[turns[ply]] = self.times.get(turns[ply], 0) + 1
            self.visits[name] = self.visits.get(name, 0) + 1
            if (wanted := goal(ply)) is None:
                continue
            rate = Fraction(round(self.machine["rate"] * 2**31), 2**31)
            if self.machine["average"]:
                rate = max(rate, Fraction(2**31 // self.visits[name], 2**31))
            step = ceil(abs(wanted - before) * rate)
            self.values[name] = before + (step if wanted > before else -step)
        self.games += 1
