"""MENACE as it is described, with boxes in a dictionary and moves by name: slow, naive, and independent.

A box is named after one image of its position: the first one when squares are compared from the last, those of the
second side before those of the first. A bead is named after the image of its move. The beads of a box are in the order
of their moves; one draw of 32 bits picks among them.
"""

from collections.abc import Callable
from functools import cache

from tests.oracles.counting import reachable
from tests.oracles.debrief import Foreseen, best, solved
from tests.oracles.generator import Generator
from tests.oracles.rules import DRAW, RULES, move_through, read, squares_of_board

CERTAIN = 2**30
MACHINES = {
    "michie": {
        "sides": [0],
        "beads": [4, 3, 2, 1],
        "win": 3,
        "draw": 1,
        "loss": -1,
        "fullest": False,
        "merge": True,
        "singles": False,
        "least": 0,
        "empty": "resign",
        "last only": False,
        "winner's reward": False,
    }
}
MACHINES["steady"] = {**MACHINES["michie"], "sides": [0, 1], "beads": [16, 8, 4, 2], "empty": "refill"}
MACHINES["scroggs"] = {**MACHINES["michie"], "sides": [0, 1], "beads": [8, 4, 2, 1]}
MACHINES["blog"] = {
    **MACHINES["michie"],
    "sides": [0, 1],
    "beads": [10],
    "win": 2,
    "fullest": True,
    "merge": False,
    "singles": True,
    "least": 1,
    "winner's reward": True,
}
MACHINES["blog-fixed"] = {**MACHINES["blog"], "winner's reward": False}
MACHINES["her"] = {
    **MACHINES["michie"],
    "sides": [1],
    "beads": [1],
    "win": 0,
    "draw": 0,
    "singles": True,
    "last only": True,
}


@cache
def plies(name: str) -> dict[str, int]:
    return reachable(RULES[name])


@cache
def foreseen(name: str) -> Callable[[str], dict[str, Foreseen]]:
    return solved(RULES[name])


def perfect_moves(name: str, position: str) -> list[str]:
    """The soonest wins, or the draws, or the latest losses."""
    return best(foreseen(name)(position))


def moves_that_keep_the_value(name: str, position: str) -> list[str]:
    """All wins, or the draws, or all moves of a lost position."""
    worth = {move: each.worth or 0 for move, each in foreseen(name)(position).items()}
    return [move for move in worth if worth[move] == max(worth.values())]


@cache
def ways_to_see(name: str, position: str) -> list[tuple[str, dict[str, str]]]:
    """The images of a position, each with the square that each square is moved to; the one on the box first."""
    rules, squares = RULES[name], squares_of_board(position)

    def look(image: str) -> list[bool]:
        board, _ = read(image)
        return [board[square] == mark for mark in reversed(rules.pieces or rules.marks) for square in reversed(squares)]

    ways = rules.seen(position)
    least = min(look(image) for image, _ in ways)
    drawn = [(image, goes) for image, goes in ways if look(image) == least]
    return sorted(drawn, key=lambda way: [squares.index(way[1][square]) for square in squares])


@cache
def bead_of(name: str, position: str, move: str, *, merge: bool) -> str:
    """The image of a move on the box; with `merge`, the first of the moves that are symmetric there."""
    ways = ways_to_see(name, position)
    beads = {move_through(move, goes) for _, goes in (ways if merge else ways[:1])}
    return min(beads, key=RULES[name].moves(ways[0][0]).index)


class NaiveMenace:
    def __init__(self, name: str, machine: dict, generator: Generator, opponent=None) -> None:
        """`opponent` returns the moves that it picks from, all equally likely, in a position; `None` is self-play."""
        self.name, self.rules, self.machine = name, RULES[name], machine
        self.generator, self.opponent = generator, opponent
        self.boxes: dict[str, dict[str, int]] = {}
        self.drawn: dict[tuple[str, str], int] = {}
        self.outcomes = dict.fromkeys((*self.rules.marks, DRAW), 0)
        self.plies = self.resigned = self.refilled = 0
        self.gained = [0, 0]

    def bead(self, position: str, move: str) -> str:
        return bead_of(self.name, position, move, merge=self.machine["merge"])

    def new_box(self, position: str) -> dict[str, int]:
        move_number = plies(self.name)[position] // 2
        count = max(self.machine["beads"][min(move_number, len(self.machine["beads"]) - 1)], self.machine["least"])
        names = {self.bead(position, move) for move in self.rules.moves(position)}
        moves = self.rules.moves(ways_to_see(self.name, position)[0][0])
        return dict.fromkeys(sorted(names, key=moves.index), count)

    def decides(self, position: str, side: int) -> bool:
        sides = self.machine["sides"][:1] if self.opponent else self.machine["sides"]
        return side in sides and (self.machine["singles"] or len(self.rules.moves(position)) > 1)

    def pick(self, weights: dict[str, int]) -> str:
        nth = self.generator.draw() * sum(weights.values()) // 2**32
        for name, weight in weights.items():
            if nth < weight:
                return name
            nth -= weight
        raise AssertionError(weights)

    def play_game(self) -> list[str]:
        position, moves, opened = self.rules.start, [], []
        outcome = None
        while outcome is None:
            side = len(moves) % 2
            legal = self.rules.moves(position)
            if self.decides(position, side):
                key = ways_to_see(self.name, position)[0][0]
                box = self.boxes.setdefault(key, self.new_box(position))
                if not sum(box.values()) and self.machine["empty"] == "refill":
                    self.refilled += 1
                    box.update(self.new_box(position))
                if not sum(box.values()):
                    outcome = self.rules.marks[1 - side]
                    self.resigned += 1
                    break
                fullest = {bead: 1 for bead, count in box.items() if count == max(box.values())}
                bead = self.pick(fullest if self.machine["fullest"] else box)
                opened.append((side, key, bead))
                move = next(move for move in legal if self.bead(position, move) == bead)
            else:
                theirs = self.opponent and side not in self.machine["sides"][:1]
                among = self.opponent(position) if theirs else legal
                move = self.pick({move: round(CERTAIN / len(among)) for move in among})
            moves.append(move)
            position = self.rules.play(position, move)
            outcome = self.rules.outcome(position)
        self.outcomes[outcome] += 1
        self.plies += len(moves)
        for side in self.machine["sides"][:1] if self.opponent else self.machine["sides"]:
            self.gained[side] += self.change(side, outcome)
        for turn, (side, key, bead) in enumerate(opened):
            self.drawn[key, bead] = self.drawn.get((key, bead), 0) + 1
            last = all(later != side for later, _, _ in opened[turn + 1 :])
            if last or not self.machine["last only"]:
                self.move_beads(self.boxes[key], bead, self.change(side, outcome))
        return moves

    def change(self, side: int, outcome: str) -> int:
        if outcome == DRAW:
            return self.machine["draw"]
        both = len(self.machine["sides"]) == 2 and not self.opponent
        if self.rules.marks[side] == outcome or (both and self.machine["winner's reward"]):
            return self.machine["win"]
        return self.machine["loss"]

    def move_beads(self, box: dict[str, int], bead: str, change: int) -> None:
        left = max(box[bead] + change, self.machine["least"])
        if self.machine["empty"] == "keep" and left == 0 and sum(box.values()) == box[bead]:
            return
        box[bead] = left
