"""Connect Four on a list of columns, each a string of pieces from the bottom: slow, and independent of the engine."""

from collections import Counter
from itertools import product

WIDTH, HEIGHT = 7, 6
Columns = tuple[str, ...]
EMPTY: Columns = ("",) * WIDTH


def at(columns: Columns, column: int, row: int) -> str:
    """The piece on a square; empty outside of the board."""
    inside = 0 <= column < WIDTH and 0 <= row < len(columns[column])
    return columns[column][row] if inside else ""


def mover(columns: Columns) -> str:
    return "XO"[sum(map(len, columns)) % 2]


def outcome(columns: Columns) -> str | None:
    for column, row, (right, up) in product(range(WIDTH), range(HEIGHT), [(1, 0), (0, 1), (1, 1), (1, -1)]):
        line = "".join(at(columns, column + right * step, row + up * step) for step in range(4))
        if line in ("XXXX", "OOOO"):
            return line[0]
    return "draw" if all(len(column) == HEIGHT for column in columns) else None


def moves(columns: Columns) -> list[str]:
    if outcome(columns):
        return []
    return [letter for letter, column in zip("abcdefg", columns, strict=True) if len(column) < HEIGHT]


def play(columns: Columns, move: str) -> Columns:
    number = "abcdefg".index(move)
    return (*columns[:number], columns[number] + mover(columns), *columns[number + 1 :])


def text(columns: Columns) -> str:
    rows = ["".join(at(columns, column, row) or "." for column in range(WIDTH)) for row in reversed(range(HEIGHT))]
    return f"{'/'.join(rows)} {mover(columns)}"


def counts(depth: int) -> dict[str, list[int]]:
    """The numbers of positions after 0, 1, 2 … moves, and of sequences of 1, 2 … moves."""
    level = Counter({EMPTY: 1})
    positions, sequences = [1], []
    for _ in range(depth):
        after = Counter[Columns]()
        for columns, ways in level.items():
            for move in moves(columns):
                after[play(columns, move)] += ways
        level = after
        positions.append(len(level))
        sequences.append(sum(level.values()))
    return {"positions_by_ply": positions, "perft": sequences}


def lines_of_two_and_three(columns: Columns) -> int:
    """The heuristic: open lines with two X count 1 and with three 4, minus the same for O."""
    total = 0
    for column, row, (right, up) in product(range(WIDTH), range(HEIGHT), [(1, 0), (0, 1), (1, 1), (1, -1)]):
        places = [(column + right * step, row + up * step) for step in range(4)]
        if all(0 <= c < WIDTH and 0 <= r < HEIGHT for c, r in places):
            line = "".join(sorted(at(columns, c, r) for c, r in places))
            total += {"XX": 1, "XXX": 4, "OO": -1, "OOO": -4}.get(line, 0)
    return total
