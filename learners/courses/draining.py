"""A short course for a matchbox machine that never loses after it, if a lost game takes a bead from every opened box.

drained   a move that must be without beads in the end. It may be a good move, too: then play does not come to what
          follows it, and nothing needs to be drained there
kept      the other moves of the boxes that play can reach in the end: a bead must stay
level     the boxes that stand equally far from the start: a game opens one of them at most

An integer program decides which moves to drain: so that in the end every box that play can reach has a move that is
kept, and none that can lose; and so that the level with the most beads to drain has as few as possible. A game takes
one bead of a level, so no course has fewer games.

Then the games are found one by one, on the machine itself. Each is lost, and takes as many beads of drained moves as
possible. Where kept moves have one bead left, a game is won or drawn first, which puts beads in.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Final

from engine.game import Move
from engine.smallest.integer_program import IntegerProgram
from engine.stop import Stop, never
from learners.courses.decisions import LOST, Box, Cell, Decisions, End, moves_through

IMPOSSIBLE_WORTH: Final = -(10**9)
USEFUL_WORTH: Final = 100
"""The value of moving a useful bead in a game, compared with any other bead."""
MAX_LUCK: Final = 25
"""The largest random addition to this value: the first of equally good games seldom leads to the shortest course."""
Beads = Callable[[Cell], int]
Line = tuple[int, Cell, End]
"""The value of the best game from a box on, its first move, and the end after it."""


@dataclass(frozen=True)
class DrainPlan:
    drained: frozenset[Cell]
    kept: frozenset[Cell]
    bound: int
    """The proved lower bound: no course has fewer games."""


def plan_of(decisions: Decisions, drained: frozenset[Cell], bound: int) -> DrainPlan:
    """Return a plan that drains these cells, except those in boxes that play can then no longer reach."""
    reached = set(decisions.begins)
    for box, cells in decisions.boxes():
        if box in reached:
            for cell, ends in cells.items():
                if cell not in drained:
                    reached |= ends
    reached_cells = {cell for box, cells in decisions.ways.items() if box in reached for cell in cells}
    return DrainPlan(frozenset(reached_cells & drained), frozenset(reached_cells - drained), bound)


def quick_plan(decisions: Decisions) -> DrainPlan:
    """Return the plan that drains every losing move that play can reach. Needs no solver."""
    plan = plan_of(decisions, decisions.losing, 1)
    return plan if plan.drained else replace(plan, bound=0)


def best_plan(
    decisions: Decisions, beads: Beads, seconds: float, stop: Stop = never, *, seed: int = 0
) -> DrainPlan | None:
    """Return the best plan found within `seconds`; `None` if there is none. Raises `NoSolver`, `Stopped`.

    The `seed` decides which of many equally good plans it is.
    """
    program = IntegerProgram()
    games = program.variable(1, whole=True, most=float("inf"))
    reached = {box: program.variable() for box in decisions.ways}
    drained = {cell: program.variable(whole=True) for cell in decisions.ends}
    for end in decisions.begins & reached.keys():
        program.require([reached[end]], [], 1)
    levels = dict[int, dict[int, int]]()
    for box, cells in decisions.boxes():
        program.require([], [*(drained[cell] for cell in cells), reached[box]], -len(cells))
        level = levels.setdefault(int(decisions.space.ply[decisions.row_of[box]]), {games: 1})
        for cell, ends in cells.items():
            level[drained[cell]] = -beads(cell)
            if LOST in ends:
                program.require([drained[cell]], [reached[box]])
            for end in ends & reached.keys():
                program.require([reached[end], drained[cell]], [reached[box]])
    for level in levels.values():
        program.require_sum(level, 0)
    solution = program.minimum(seconds, stop, seed=seed)
    if solution is None:
        return None
    drained_cells = frozenset(cell for cell, variable in drained.items() if solution.values[variable] > 0.5)
    return plan_of(decisions, drained_cells, solution.bound)


class DrainingGames:
    """Finds the games that drain the cells of a plan, each by the beads that are left after the earlier games."""

    def __init__(  # noqa: PLR0913  each says how the machine learns, or which games to prefer
        self,
        decisions: Decisions,
        plan: DrainPlan,
        beads: Beads,
        gains: Mapping[End, int],
        lot: Random,
        *,
        resigns: bool,
    ) -> None:
        """Set the value of each cell for the plan; `lot` draws which of several good games comes first.

        `gains` is how many beads `WON` and `DRAWN` put in. With `resigns`, an empty box resigns; otherwise it is
        refilled.
        """
        self.decisions, self.plan, self.beads = decisions, plan, beads
        self.gains, self.resigns = gains, resigns
        self.full_beads = {cell: beads(cell) for cell in decisions.ends}
        """The number of beads of each cell with which a box is refilled."""
        self.useful = {cell: USEFUL_WORTH + lot.randrange(MAX_LUCK) for cell in decisions.ends}
        """The value of taking a bead from each cell, if the cell is drained."""

    def games(self) -> Iterator[tuple[Move, ...]]:
        """Yield games until none helps any more; the machine must learn from each before the next is requested."""
        while any(map(self.beads, self.plan.drained)):
            worth, cells, end = self._best_game(self._drain_worth, LOST)
            if worth < USEFUL_WORTH // 2:
                filling_games = [self._best_game(self._fill_worth, end) for end, gain in self.gains.items() if gain > 0]
                worth, cells, end = max(filling_games, default=(0, [], LOST))
                if worth < USEFUL_WORTH // 2:
                    return
            yield moves_through(self.decisions, cells, end)

    def _drain_worth(self, cell: Cell, beads: int) -> int:
        """Return the value of taking a bead from a cell in a lost game."""
        if cell in self.plan.drained:
            return self.useful[cell]
        if cell in self.plan.kept:
            return -1 if beads > 1 else IMPOSSIBLE_WORTH
        return 0

    def _fill_worth(self, cell: Cell, beads: int) -> int:
        """Return the value of putting beads into a cell in a game that is not lost."""
        if cell in self.plan.drained:
            return IMPOSSIBLE_WORTH
        if cell in self.plan.kept:
            return USEFUL_WORTH if beads == 1 else 1
        return 0

    def _best_game(self, worth_of: Callable[[Cell, int], int], wanted: End) -> tuple[int, list[Cell], End]:
        """Return the best game with this end: its value, its cells, and its end."""
        lines = dict[Box, Line]()
        worth: dict[End, int] = {wanted: 0}
        for box, box_cells in reversed(list(self.decisions.ways.items())):
            beads = {cell: self.beads(cell) for cell in box_cells}
            if not any(beads.values()):
                if self.resigns:
                    worth[box] = 0 if wanted == LOST else IMPOSSIBLE_WORTH
                    continue
                beads = {cell: self.full_beads[cell] for cell in box_cells}
            best: Line = (IMPOSSIBLE_WORTH, -1, LOST)
            for cell, ends in box_cells.items():
                if beads[cell]:
                    end = max(ends, key=lambda each: (worth.get(each, IMPOSSIBLE_WORTH), each))
                    best = max(best, (worth_of(cell, beads[cell]) + worth.get(end, IMPOSSIBLE_WORTH), cell, end))
            worth[box], lines[box] = best[0], best
        end = max(self.decisions.begins, key=lambda each: worth.get(each, IMPOSSIBLE_WORTH))
        total, cells = worth.get(end, IMPOSSIBLE_WORTH), list[Cell]()
        while total > IMPOSSIBLE_WORTH // 2 and end in lines:
            _, cell, end = lines[end]
            cells.append(cell)
        return total, cells, end
