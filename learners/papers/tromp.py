"""The winner of Connect Four on boards of other sizes: a published table, solved again.

The table is compared as C. Steininger prints it, who extended it (https://github.com/ChristopheSteininger/c4).
"""

from collections.abc import Mapping, Sequence
from functools import partial
from time import thread_time
from typing import Final, NamedTuple

from engine.games import parse_game
from engine.stop import Stop
from learners.papers.report import UNPRINTED, Figure, Finding, FindingTable, PaperResult, Source
from learners.papers.running import Paper, PaperPart, ReportShare

SOURCE: Final = Source(
    "tromp",
    "John's Connect Four Playground",
    "John Tromp, 1995 to 2015",
    "Who wins Connect Four on boards of other sizes if both sides play perfectly. Each start is solved again, without "
    "a book; boards that take longer than a minute are left out.",
    topic="Connect Four by size, Tromp",
)
TABLE: Final = "the table of sizes"
WORDS: Final = ("a draw", "the first side wins", "the second side wins")
"""What a score of 0, 1 or −1 means."""


class BoardSize(NamedTuple):
    """A board, and the score of its start in the table: 1, 0 or −1."""

    columns: int
    rows: int
    score: int
    work: float = 1
    """About how many seconds of one core it takes."""

    @property
    def name(self) -> str:
        return f"{self.columns} × {self.rows}"


SIZES: Final = (
    *(BoardSize(4, rows, 0) for rows in range(4, 9)),
    *(BoardSize(5, rows, 0) for rows in (4, 5, 6)),
    *(BoardSize(5, 7, 0), BoardSize(5, 8, 0, 3), BoardSize(5, 9, 0, 25)),
    *(BoardSize(6, 4, -1), BoardSize(6, 5, 0), BoardSize(6, 6, -1, 2), BoardSize(6, 7, 1, 9)),
    *(
        BoardSize(7, 4, 0),
        BoardSize(7, 5, 0, 2),
        BoardSize(7, 6, 1, 15),
        BoardSize(8, 4, -1),
        BoardSize(8, 5, 1, 15),
        BoardSize(9, 4, -1, 10),
    ),
)


class Start(NamedTuple):
    score: int
    seconds: float
    """The time of one core."""


def solve(size: BoardSize, _seed: int, _report: ReportShare, stop: Stop) -> Start:
    from engine.connect_solver.solver import Solver  # imports numba

    game = parse_game(f"mnk:{size.columns},{size.rows},4+gravity")
    solver, start = Solver(game), thread_time()  # another thread compiles
    return Start(solver.solve(game.start, weak=True, stop=stop).score, thread_time() - start)


def tables(sizes: Sequence[BoardSize], results: Mapping[str, Sequence[Start]], _seed: int) -> PaperResult:
    starts = {size: results[size.name][0] for size in sizes}
    values = [
        Finding(size.name, Figure(WORDS[size.score], TABLE), WORDS[start.score]) for size, start in starts.items()
    ]
    times = [Finding(f"{size.name}, seconds", UNPRINTED, (start.seconds,), 1) for size, start in starts.items()]
    return (
        FindingTable.of("Who wins", "columns × rows, four in a line", *values),
        FindingTable.of("How long it took", "of one core, with a table of 128 MB", *times),
    ), ()


def tromp(sizes: Sequence[BoardSize] = SIZES) -> Paper[Start]:
    slowest_first = sorted(sizes, key=lambda size: -size.work)
    parts = [PaperPart(size.name, partial(solve, size), size.work) for size in slowest_first]
    return Paper(SOURCE, parts, partial(tables, sizes))
