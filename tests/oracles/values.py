"""Q-learning, SARSA and TD(λ) as they are described, with values in a dictionary by name: slow and independent.

A value is a whole number of parts of 2^30: 1 for a loss, 2^30 − 1 for a win. It belongs to a move of a position, or to
the position after the move; where symmetric ones are merged, to one image of it. With own tables, `replies` has the
value of that position for the side that moves there.
"""

from fractions import Fraction
from functools import cache
from math import floor

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
    "ahead": "reply",
    "given": False,
    "ties": False,
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
    "ahead": "turn",
    "ties": True,
    "merge": False,
}
MACHINES["q", "sarsa"] = {
    **MACHINES["q", "openspiel"],
    "ties": False,
    "explore": (Fraction(1, 10), Fraction(1, 10), 0),
    "rate": Fraction(1, 2),
    "toward": "chosen",
}
MACHINES["td", "sutton-barto"] = {
    **MACHINES["q", "openspiel"],
    "of": "position",
    "given": True,
    "explore": (Fraction(1, 100), Fraction(1, 100), 0),
    "toward": "greedy",
}
MACHINES["td", "zhang"] = {**MACHINES["td", "sutton-barto"], "ahead": "own", "trace": Fraction(1, 10)}


@cache
def named(game: str, of: str, position: str, move: str, *, merge: bool) -> tuple[str, ...]:
    """What the value of a move belongs to."""
    after = RULES[game].play(position, move)
    if of == "position":
        return (ways_to_see(game, after)[0][0] if merge else after,)
    return (ways_to_see(game, position)[0][0], bead_of(game, position, move, merge=True)) if merge else (position, move)


def moved(before: int, wanted: int, rate: Fraction) -> int:
    """The nearest value; of two that are as near, the one farther from `before`."""
    step = floor(abs(wanted - before) * rate + Fraction(1, 2))
    return before + (step if wanted > before else -step)


class NaiveValues:
    def __init__(self, game: str, machine: dict, generator: Generator, opponent=None) -> None:
        """`opponent` returns the moves that it picks from, all equally likely, in a position; `None` is self-play."""
        self.game, self.rules, self.machine = game, RULES[game], machine
        self.generator, self.opponent = generator, opponent
        self.values: dict[tuple[str, ...], int] = {}
        self.replies: dict[tuple[str, ...], int] = {}
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
        return named(self.game, "move", position, move, merge=self.machine["merge"])

    def result(self, position: str, move: str) -> int | None:
        """What a move is worth that ends the game; `None` for others."""
        outcome = self.rules.outcome(self.rules.play(position, move))
        if outcome is None:
            return None
        return WHOLE // 2 if outcome == DRAW else WHOLE - 1 if outcome == position.split(" ")[1] else 1

    def value(self, position: str, move: str) -> int:
        return self.values.get(self.name(position, move), self.untried(position, move))

    def reply(self, position: str, move: str) -> int:
        """What the position after a move is worth to the other side."""
        untried = self.untried(position, move)
        ended = self.machine["given"] and self.result(position, move) is not None
        return self.replies.get(self.name(position, move), WHOLE - untried if ended else untried)

    def untried(self, position: str, move: str) -> int:
        start = min(max(round(self.machine["start"] * WHOLE), 1), WHOLE - 1)
        return (self.machine["given"] and self.result(position, move)) or start

    def explored(self) -> int:
        """The chance of any move in the next game, in parts of 2^32."""
        *chances, games = self.machine["explore"]
        first, last = (round(chance * 2**32) for chance in chances)
        return last if self.games >= games else first + floor(Fraction((last - first) * self.games, games))

    def choose(self, position: str) -> str:
        draw, explored = self.generator.draw(), self.explored()
        moves: dict[tuple[str, ...], str] = {}
        for move in self.rules.moves(position):
            moves.setdefault(self.name(position, move), move)
        self.exploring.append(draw < explored)
        if draw < explored:
            return list(moves.values())[floor(Fraction(draw * len(moves), explored))]
        most = max(self.value(position, move) for move in moves.values())
        best = [move for move in moves.values() if self.value(position, move) == most]
        return best[floor(Fraction((draw - explored) * len(best), 2**32 - explored)) if self.machine["ties"] else 0]

    def answer(self, position: str) -> str:
        among, draw = self.opponent(position), self.generator.draw()
        self.exploring.append(False)
        return next(move for nth, move in enumerate(among, 1) if draw < round(Fraction(nth * 2**32, len(among))))

    def play_game(self) -> list[str]:
        position, moves, outcome = self.rules.start, [], None
        self.exploring: list[bool] = []
        while outcome is None:
            theirs = self.opponent and len(moves) % 2
            moves.append(self.answer(position) if theirs else self.choose(position))
            position = self.rules.play(position, moves[-1])
            outcome = self.rules.outcome(position)
        self.learn(moves, outcome)
        return moves

    def learn(self, moves: list[str], outcome: str) -> None:  # noqa: C901  counts the inner functions
        names, turns, values, replies, best = [], [], [], [], []
        position = self.rules.start
        for move in moves:
            self.made.add((position, move))
            names.append(self.name(position, move))
            turns.append(self.turn(position, move))
            values.append(self.value(position, move))
            replies.append(self.reply(position, move))
            best.append(max(self.value(position, each) for each in self.rules.moves(position)))
            position = self.rules.play(position, move)

        def result(side: int) -> int:
            return WHOLE // 2 if outcome == DRAW else WHOLE - 1 if outcome == self.rules.marks[side] else 1

        def towards(before: int, goal: int | None) -> int:
            """What a later value counts as, given what it is moved towards itself."""
            trace = Fraction(round(self.machine["trace"] * 2**31), 2**31)
            return before if goal is None else before + floor((goal - before) * trace)

        def own_goal(side: int, ply: int) -> int | None:
            """What the value to `side` of the position after a move is moved towards; `None` if it is left alone."""
            later = ply + 1
            if later == len(moves):
                return result(side)
            if later % 2 != side:
                return towards(replies[later], own_goal(side, later))
            if self.machine["toward"] == "chosen" or (values[later] == best[later] and not self.exploring[later]):
                return towards(values[later], own_goal(side, later))
            return None

        def goal(ply: int) -> int | None:
            """What a value is moved towards; `None` where it is left alone."""
            if self.machine["ahead"] == "own":
                return own_goal(ply % 2, ply)
            later = ply + (2 if self.machine["ahead"] == "turn" else 1)
            if later >= len(moves):
                return result(ply % 2)
            if self.machine["toward"] == "chosen" or values[later] == best[later]:
                wanted = towards(values[later], goal(later))
            elif self.machine["toward"] == "best":
                wanted = best[later]
            else:
                return None
            return wanted if self.machine["ahead"] == "turn" else WHOLE - wanted

        for ply, name in enumerate(names):
            if self.opponent and ply % 2 and self.machine["ahead"] == "turn":
                continue
            self.times[turns[ply]] = self.times.get(turns[ply], 0) + 1
            self.visits[name] = self.visits.get(name, 0) + 1
            rate = Fraction(round(self.machine["rate"] * 2**31), 2**31)
            if self.machine["average"]:
                rate = max(rate, Fraction(2**31 // self.visits[name], 2**31))
            if (wanted := goal(ply)) is not None:
                self.values[name] = moved(values[ply], wanted, rate)
            if self.machine["ahead"] == "own":
                wanted = own_goal(1 - ply % 2, ply)
                self.replies[name] = replies[ply] if wanted is None else moved(replies[ply], wanted, rate)
        self.games += 1
