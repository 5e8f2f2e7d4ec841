"""The fitness that a user of DEAP or pygad would write: plain Python that plays every game (G. Hochmuth, 2003).

A board is a string of nine characters. As in the paper, two tables are computed beforehand: the base case of every
board with its transformation, and the gene of every base case; and unfinished games wait in a queue. Of symmetric
replies, only the first is played.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import product

EMPTY, MARKS = ".", "XO"
START = EMPTY * 9
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
TURN, FLIP = (6, 3, 0, 7, 4, 1, 8, 5, 2), (2, 1, 0, 5, 4, 3, 8, 7, 6)


def transformations() -> list[tuple[int, ...]]:
    """Return the eight symmetries; each gives, for every square, the square that is moved to it."""
    turns = [tuple(range(9))]
    for _ in range(3):
        turns.append(tuple(turns[-1][square] for square in TURN))
    return turns + [tuple(turn[square] for square in FLIP) for turn in turns]


SYMMETRIES = transformations()


def code(board: str) -> int:
    """Return the number of a board. The base case is the image with the lowest number."""
    return sum((1, 512)[MARKS.index(mark)] << square for square, mark in enumerate(board) if mark != EMPTY)


def base_case(board: str) -> tuple[str, tuple[int, ...]]:
    """Return the base case of a board, and for each of its squares the square of the board that it comes from."""
    images = {"".join(board[square] for square in symmetry): symmetry for symmetry in SYMMETRIES}
    lowest = min(images, key=code)
    return lowest, images[lowest]


BASE_CASE = {board: base_case(board) for board in map("".join, product(EMPTY + MARKS, repeat=9))}


def put(board: str, square: int, mark: str) -> str:
    return board[:square] + mark + board[square + 1 :]


def outcomes_of(board: str, mark: str) -> Iterator[tuple[int, str]]:
    """Yield the squares where `mark` can move, with the boards after the moves; only the first of symmetric moves."""
    seen = set()
    for square in range(9):
        if board[square] == EMPTY:
            following = put(board, square, mark)
            base, _ = BASE_CASE[following]
            if base not in seen:
                seen.add(base)
                yield square, following


def to_move(board: str) -> str:
    return MARKS[board.count("X") - board.count("O")]


def situations() -> list[str]:
    """Return the base cases of boards that are not full, won or not, by the number of marks and then by code."""
    filled = {base for base, _ in BASE_CASE.values() if base.count("X") - base.count("O") in (0, 1) and EMPTY in base}
    return sorted(filled, key=lambda board: (9 - board.count(EMPTY), code(board)))


GENE = {board: gene for gene, board in enumerate(situations())}
MOVES = [[square for square, _ in outcomes_of(board, to_move(board))] for board in GENE]
"""For each gene the squares of the base case that its alleles mean."""


def has_won(board: str, mark: str) -> bool:
    return any(board[one] == board[two] == board[three] == mark for one, two, three in LINES)


def respond(genome: Sequence[int], board: str, mark: str) -> str:
    base, symmetry = BASE_CASE[board]
    gene = GENE[base]
    return put(board, symmetry[MOVES[gene][genome[gene]]], mark)


def results(genome: Sequence[int]) -> tuple[int, int]:
    """Count the games of a strategy, as both sides against all replies up to symmetry, and those that it loses."""
    games = lost = 0
    for own, other in ("XO", "OX"):
        queue = deque([START] if own == "X" else [board for _, board in outcomes_of(START, other)])
        while queue:
            board = respond(genome, queue.popleft(), own)
            if has_won(board, own) or EMPTY not in board:
                games += 1
                continue
            for _, reply in outcomes_of(board, other):
                if has_won(reply, other):
                    games += 1
                    lost += 1
                elif EMPTY not in reply:
                    games += 1
                else:
                    queue.append(reply)
    return games, lost


def fitness(genome: Sequence[int]) -> float:
    games, lost = results(genome)
    return (games - lost) / games
