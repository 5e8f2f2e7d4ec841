"""The fewest moves to strike until a machine never loses, for machines that strike the last move of a lost game.

struck    a move that the machine never plays again: a failure, or a box's move without beads
dead      a box in which every move is struck. There HER resigns, and loses; the failure-based reasoner plays any move,
          and strikes the move before
needed    the losing moves of the boxes that play can reach without a losing move: all must be struck. Only losing
          moves can be, so no course can cut these boxes off
support   a needed move is struck by a reply that wins at once, or by one that leads to a dead box. So all moves of that
          box must be struck before, each in the same way

An integer program decides which replies need the fewest moves. It has a variable for each losing move, and one for each
reply to it that leads to a lost box. A box comes before those that it leads to, so there are no circles.

Then the games are found that strike these moves, deepest first, each played on the machine itself. A game leads to the
box of a move, plays it, and replies so that the machine strikes it. All moves on the way are still open: moves of later
boxes are struck first. Where a reply leads to a dead box and the machine plays on there, the game goes on to a further
move that must be struck, if it can: then it strikes two. For that, the moves of boxes without danger that lose at once
are left until the end.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from engine.game import Move, Outcome
from engine.smallest.integer_program import IntegerProgram
from engine.space import RUNNING
from engine.stop import Stop, never, unless_stopped
from learners.courses.decisions import LOST, Box, Cell, Decisions, End


@dataclass(frozen=True)
class Strikes:
    reply: Mapping[Cell, End]
    """The cells to strike, and where the teacher's reply to each leads: `LOST`, or a box that is dead by then."""
    bound: int
    """The proved lower bound: no sufficient set of strikes costs less."""


def needed_cells(decisions: Decisions) -> set[Cell]:
    """Return the losing cells of all boxes that play can reach without a losing move of the machine."""
    reached, needed = set(decisions.begins), set[Cell]()
    for box, here in decisions.boxes():
        if box in reached:
            for cell, ends in here.items():
                if cell in decisions.losing:
                    needed.add(cell)
                else:
                    reached |= ends
    return needed


def quick_strikes(decisions: Decisions, cost: Callable[[Cell], int]) -> Strikes:
    """Return sufficient strikes, found without a solver: each reply is the one that by itself needs fewest."""
    worth, best = dict[Cell, float](), dict[Cell, End]()
    for _, here in decisions.boxes(last_first=True):
        for cell, ends in here.items():
            if cell in decisions.losing:
                costs = {
                    end: sum(worth.get(way, float("inf")) for way in decisions.ways.get(end, ()))
                    for end in sorted(ends)
                    if _strikes(decisions, end)
                }
                if costs:  # else it cannot be struck
                    best[cell] = min(costs, key=costs.__getitem__)
                    worth[cell] = cost(cell) + costs[best[cell]]
    needed, reply = needed_cells(decisions), dict[Cell, End]()
    waiting = list(needed)
    for cell in unless_stopped(waiting, decisions.stop):  # it grows
        if cell not in reply:
            reply[cell] = best[cell]
            waiting += decisions.ways.get(best[cell], ())
    return Strikes(reply, sum(map(cost, needed)))


def _strikes(decisions: Decisions, end: End) -> bool:
    """Return whether a reply that leads to this end can strike the move before it."""
    return end == LOST or end in decisions.lost


def fewest_strikes(
    decisions: Decisions, cost: Callable[[Cell], int], seconds: float, stop: Stop = never
) -> Strikes | None:
    """Return the strikes with the smallest total cost; `None` if none are found within `seconds`.

    Raises `NoSolver` without the solver, and `Stopped` once `stop()` is true.
    """
    program, variables, by_reply = IntegerProgram(), dict[Cell, int](), dict[Cell, dict[End, int]]()
    needed = needed_cells(decisions)
    waiting = sorted(needed)
    for cell in unless_stopped(waiting, stop):  # it grows
        if cell in variables:
            continue
        variables[cell] = program.variable(cost(cell), whole=True)
        replies = [end for end in sorted(decisions.ends[cell]) if _strikes(decisions, end)]
        by_reply[cell] = {} if LOST in replies else {end: program.variable(whole=True) for end in replies}
        waiting += [each for end in by_reply[cell] for each in decisions.ways[end]]
    for cell, variable in unless_stopped(variables.items(), stop):
        if cell in needed:
            program.require([variable], [], 1)
        if by_reply[cell]:
            program.require([*by_reply[cell].values()], [variable])
        for end, chosen in by_reply[cell].items():
            for each in decisions.ways[end]:
                program.require([variables[each]], [chosen])
    found = program.minimum(seconds, stop)
    if found is None:
        return None
    on = {variable for variable in range(len(program.costs)) if found.values[variable] > 0.5}
    reply = {
        cell: next((end for end, chosen in by_reply[cell].items() if chosen in on), LOST)
        for cell, variable in variables.items()
        if variable in on
    }
    return Strikes(reply, found.bound)


Row = int
Edge = int
Struck = Callable[[Cell], bool]


class StrikingGames:
    """Finds the games of a course that strike the cells of a plan.

    `struck` tells whether a cell is struck now; `plays_on` whether the machine still plays in a dead box.
    """

    def __init__(self, decisions: Decisions, strikes: Strikes, struck: Struck, *, plays_on: bool) -> None:
        space, self.decisions, self.strikes = decisions.space, decisions, strikes
        self.struck, self.plays_on = struck, plays_on
        self.mine = (space.side == decisions.side).tolist()
        self.box, self.cell = decisions.box.tolist(), decisions.cell.tolist()
        self.first, self.source, self.target = space.first_edge.tolist(), space.source.tolist(), space.target.tolist()
        self.outcome, self.move = space.outcome.tolist(), space.move.tolist()
        self.loss = int(Outcome.won_by(decisions.side.other))
        self.safe_way, self.any_way = self._ways(safe=True), self._ways(safe=False)
        """The edge by which each row is reached, −1 for the start and for a row that is not."""
        self.row_of = dict[Box, Row]()
        """A row of each box, one that is reached safely if there is one."""
        for ways in (self.any_way, self.safe_way):
            for row in range(len(ways) - 1, -1, -1):
                if self.mine[row] and self.box[row] >= 0 and (row == 0 or ways[row] >= 0):
                    self.row_of[self.box[row]] = row
        self.by_reply = {box: cell for cell, box in strikes.reply.items() if box >= 0}
        """By box, a cell that is struck by a reply that leads to this box."""

    def _ways(self, *, safe: bool) -> list[Edge]:
        ways = [-1] * len(self.mine)
        for row in unless_stopped(range(len(ways)), self.decisions.stop):
            if row == 0 or ways[row] >= 0:
                for edge in range(self.first[row], self.first[row + 1]):
                    shut = safe and self.mine[row] and self.cell[edge] in self.decisions.losing
                    if not shut and ways[self.target[edge]] < 0:
                        ways[self.target[edge]] = edge
        return ways

    def games(self) -> Iterator[tuple[Move, ...]]:
        """Yield the games one after another; the machine must learn from each before the next is requested."""
        ends, box_of = self.decisions.ends, self.decisions.box_of
        ply = self.decisions.space.ply
        order = sorted(
            self.strikes.reply,
            key=lambda cell: (-int(ply[self.row_of[box_of[cell]]]), box_of[cell], LOST not in ends[cell], cell),
        )
        needed = needed_cells(self.decisions)
        spare = dict.fromkeys(cell for cell in order if cell in needed and LOST in ends[cell] and self.plays_on)
        for cell in [*(each for each in order if each not in spare), *spare]:
            while not self.struck(cell):
                yield tuple(self.move[edge] for edge in self._game(cell, spare))

    def _game(self, cell: Cell, spare: dict[Cell, None]) -> list[Edge]:
        """Return the edges of a game that strikes a cell, and also one of `spare` if possible."""
        way, edge = self._way_to(cell)
        over = list[list[Edge]]()
        for reply in self._replies(edge, self.strikes.reply[cell]):
            if not self.plays_on or self.outcome[self.target[reply[-1]]] != RUNNING:
                return [*way, *reply]
            more = self._go_on(self.target[reply[-1]], spare)
            if more is not None:
                return [*way, *reply, *more]
            over.append([*way, *reply, *self._to_the_end(self.target[reply[-1]])])
        return over[0]

    def _way_to(self, cell: Cell) -> tuple[list[Edge], Edge]:
        """Return the edges of a way to a row of the cell's box, and an edge of the cell there."""
        box = self.decisions.box_of[cell]
        above = self.by_reply.get(box)
        way, row = list[Edge](), self.row_of[box]
        if above is not None and box in self.decisions.lost and not self.struck(above):
            start, edge = self._way_to(above)
            reply = next(self._replies(edge, box))
            way, row = [*start, *reply], self.target[reply[-1]]
        else:
            ways = self.safe_way if row == 0 or self.safe_way[row] >= 0 else self.any_way
            at = row
            while at:
                way.append(ways[at])
                at = self.source[ways[at]]
            way.reverse()
        edge = next(each for each in range(self.first[row], self.first[row + 1]) if self.cell[each] == cell)
        return way, edge

    def _replies(self, edge: Edge, wanted: int) -> Iterator[list[Edge]]:
        """Yield ways from an edge of the machine to a loss or to a box, as lists of edges, those with few edges first.

        Where the machine has no box, it plays any move.
        """
        waiting = [[edge]]
        for edges in waiting:
            row = self.target[edges[-1]]
            if self.outcome[row] != RUNNING:
                if wanted == LOST and self.outcome[row] == self.loss:
                    yield edges
            elif self.mine[row] and self.box[row] >= 0:
                if self.box[row] == wanted:
                    yield edges
            else:
                waiting += [[*edges, each] for each in range(self.first[row], self.first[row + 1])]

    def _open(self, row: Row) -> list[Edge]:
        """Return the edges from a row that may be played now."""
        edges = range(self.first[row], self.first[row + 1])
        if not self.mine[row] or self.box[row] < 0:
            return list(edges)
        return [each for each in edges if not self.struck(self.cell[each])] or list(edges)

    def _go_on(self, row: Row, spare: dict[Cell, None]) -> list[Edge] | None:
        """Return edges from a row on that strike one of `spare`; `None` if there are none."""
        came, waiting = dict[Row, Edge](), [row]
        for here in waiting:
            for edge in self._open(here):
                after = self.target[edge]
                cell = self.cell[edge]
                if self.mine[here] and cell in spare and not self.struck(cell):
                    reply = next(self._replies(edge, LOST))
                    way, at = [*reversed(reply)], here
                    while at != row:
                        way.append(came[at])
                        at = self.source[came[at]]
                    return way[::-1]
                if after not in came and self.outcome[after] == RUNNING:
                    came[after] = edge
                    waiting.append(after)
        return None

    def _to_the_end(self, row: Row) -> list[Edge]:
        edges = list[Edge]()
        while self.outcome[row] == RUNNING:
            edges.append(self._open(row)[0])
            row = self.target[edges[-1]]
        return edges
