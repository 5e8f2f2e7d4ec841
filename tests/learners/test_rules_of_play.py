"""A saved memory becomes a policy by the rules of docs/formats.md alone, which are written here once more."""

import json

import numpy as np
import pytest

from engine.games import GAMES
from learners import LEARNERS, parse_learner
from learners.core.learner import Learner
from saves.formats.json_text import write

GAME = GAMES[0]
SQUARES = [(row, column) for row in range(3) for column in range(3)]
SYMMETRIES = [
    [3 * row + column for row, column in map(moved, SQUARES)]
    for moved in (
        lambda at: at,
        lambda at: (2 - at[0], 2 - at[1]),
        lambda at: (at[1], 2 - at[0]),
        lambda at: (2 - at[1], at[0]),
        lambda at: (at[0], 2 - at[1]),
        lambda at: (2 - at[0], at[1]),
        lambda at: (at[1], at[0]),
        lambda at: (2 - at[1], 2 - at[0]),
    )
]
"""To which square each is taken, in the order of the document."""
NAMES = [f"{'abc'[column]}{3 - row}" for row, column in SQUARES]
UNIT = 2**30


def image(board: str, symmetry: list[int]) -> str:
    after = [""] * 9
    for square, goal in enumerate(symmetry):
        after[goal] = board[square]
    return "".join(after)


def evenly(chosen: list[int]) -> dict[int, float]:
    return {square: 1 / len(chosen) for square in chosen}


class Reader:
    """Plays by a JSON save."""

    def __init__(self, text: str) -> None:
        saved = json.loads(text)
        self.learner, self.settings = saved["learner"], saved["settings"]
        self.rows = {
            (position.replace("/", "")[:9], NAMES.index(move)): number
            for position, moves in saved["memory"].items()
            for move, number in moves.items()
        }
        self.stored = {board for board, _ in self.rows}

    def row_of(self, board: str, square: int) -> tuple[str, int] | None:
        """Where the number of a move is, if it has any."""
        if self.learner in {"failures", "fixed"} or (self.learner in {"q", "td"} and not self.settings["merge"]):
            return (board, square)
        if self.learner == "genetic" or not self.settings["merge"]:
            among = SYMMETRIES if self.learner == "genetic" else sorted(SYMMETRIES)
            symmetry = next((each for each in among if image(board, each) in self.stored), None)
            return None if symmetry is None else (image(board, symmetry), symmetry[square])
        images = {(image(board, symmetry), symmetry[square]) for symmetry in SYMMETRIES} & self.rows.keys()
        assert len(images) < 2
        return min(images, default=None)

    def twins(self, board: str, square: int) -> set[int]:
        """The moves of the position that share the row of this one."""
        merged = self.settings.get("merge", False)
        return {symmetry[square] for symmetry in SYMMETRIES if image(board, symmetry) == board and merged} | {square}

    def chances(self, board: str, side: str, results: dict[int, int | None]) -> dict[int, float]:
        """The probability of each move; `results` has what each move is worth that ends the game."""
        rows = {square: self.row_of(board, square) for square in results}
        numbers = {square: self.rows.get(row, 0) if row else 0 for square, row in rows.items()}
        twins = {square: self.twins(board, square) for square in results}
        return getattr(self, self.learner, self.values)(numbers, twins, side, results)

    def failures(self, numbers, twins, side, results):
        among = [square for square, number in numbers.items() if not number] or list(numbers)
        count = len(among)
        if self.settings["pick"] == "uniform" or count == 1:
            return evenly(among)
        return {square: (0.5 if square in {among[0], among[-1]} else 1) / (count - 1) for square in among}

    def menace(self, numbers, twins, side, results):
        plays = self.settings["plays"] in {"both", {"X": "first", "O": "second"}[side]}
        if not plays or (len(numbers) == 1 and not self.settings["singles"]):
            return evenly(list(numbers))
        if not any(numbers.values()):
            if self.settings["empty"] != "refill":
                return {}
            numbers = dict.fromkeys(numbers, 1)
        if self.settings["pick"] == "fullest":
            numbers = {square: int(number == max(numbers.values())) for square, number in numbers.items()}
        shared = {square: number / len(twins[square] & numbers.keys()) for square, number in numbers.items()}
        return {square: share / sum(shared.values()) for square, share in shared.items()}

    def genetic(self, numbers, twins, side, results):
        return evenly([square for square, number in numbers.items() if number >= 1_000_000])

    def fixed(self, numbers, twins, side, results):
        return {square: number / UNIT for square, number in numbers.items()}

    def values(self, numbers, twins, side, results):
        start = min(max(round(float(self.settings["start"]) * UNIT), 1), UNIT - 1)
        given = results if self.settings["endings"] == "given" else {}
        worth = {square: number % UNIT or given.get(square) or start for square, number in numbers.items()}
        return evenly([square for square, each in worth.items() if each == max(worth.values())])


def result_of(learner: Learner, edge: int) -> int | None:
    outcome = int(learner.space.outcome[learner.space.target[edge]])
    mover = int(learner.space.side[learner.space.source[edge]])
    return None if outcome < 0 else UNIT // 2 if outcome == 2 else UNIT - 1 if outcome == mover else 1


CASES = [
    (kind.spec.name, preset) for kind in LEARNERS if not kind.spec.parameters for preset in kind.spec.presets_for(GAME)
]


@pytest.mark.sample(3)
@pytest.mark.parametrize(("kind", "preset"), CASES)
def test_the_rows_of_a_save_are_played_by_the_written_rules(kind: str, preset: str):
    few = {"population": 12} if kind == "genetic" else {}
    learner = parse_learner(kind)(GAME, preset, 3, few)
    learner.train(2 if few else 700)
    reader, space, policy = Reader(write(learner.snapshot())), learner.space, learner.policy()
    read = np.zeros(len(policy))
    for row in np.flatnonzero(np.diff(space.first_edge)):
        edges = {int(space.move[edge]): edge for edge in range(space.first_edge[row], space.first_edge[row + 1])}
        text, side = GAME.to_text(int(space.position[row])).split(" ")
        results = {square: result_of(learner, edge) for square, edge in edges.items()}
        for square, chance in reader.chances(text.replace("/", ""), side, results).items():
            read[edges[square]] = chance
    assert np.abs(read - policy).max() < 1e-12
