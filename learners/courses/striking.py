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

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from engine.game import Move, Outcome
from engine.smallest.integer_program import IntegerProgram, Minimum
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
    for box, cells in decisions.boxes():
        if box in reached:
            for cell, ends in cells.items():
                if cell in decisions.losing:
                    needed.add(cell)
                else:
                    reached |= ends
    return needed


def quick_strikes(decisions: Decisions, cost: Callable[[Cell], int]) -> Strikes:
    """Return sufficient strikes, found without a solver: each reply is the one that by itself needs fewest."""
    total_cost, best_end = dict[Cell, float](), dict[Cell, End]()
    for _, cells in decisions.boxes(last_first=True):
        for cell, ends in cells.items():
            if cell not in decisions.losing:
                continue
            costs = {
                end: sum(total_cost.get(each, inf) for each in decisions.ways.get(end, ()))
                for end in sorted(ends)
                if _can_strike(decisions, end)
            }
            if costs:  # else it cannot be struck
                best_end[cell] = min(costs, key=costs.__getitem__)
                total_cost[cell] = cost(cell) + costs[best_end[cell]]
    needed, reply = needed_cells(decisions), dict[Cell, End]()
    waiting = list(needed)
    for cell in unless_stopped(waiting, decisions.stop):  # the list grows in the loop
        if cell not in reply:
            reply[cell] = best_end[cell]
            waiting += decisions.ways.get(best_end[cell], ())
    return Strikes(reply, sum(map(cost, needed)))


def _can_strike(decisions: Decisions, end: End) -> bool:
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
    for cell in unless_stopped(waiting, stop):  # the list grows in the loop
        if cell in variables:
            continue
        variables[cell] = program.variable(cost(cell), whole=True)
        replies = [end for end in sorted(decisions.ends[cell]) if _can_strike(decisions, end)]
        if LOST in replies:
            by_reply[cell] = {}
            continue
        by_reply[cell] = {end: program.variable(whole=True) for end in replies}
        for end in replies:
            waiting += decisions.ways[end]
    for cell, variable in unless_stopped(variables.items(), stop):
        if cell in needed:
            program.require([variable], [], 1)
        if by_reply[cell]:
            program.require([*by_reply[cell].values()], [variable])
        for end, chosen in by_reply[cell].items():
            for each in decisions.ways[end]:
                program.require([variables[each]], [chosen])
    solution = program.minimum(seconds, stop)
    return None if solution is None else _strikes_of(solution, variables, by_reply)


def _strikes_of(
    solution: Minimum, variables: Mapping[Cell, int], by_reply: Mapping[Cell, Mapping[End, int]]
) -> Strikes:
    """Return the strikes of a solution, given the variables of the cells, and of the replies that lead to boxes."""
    is_chosen = solution.values > 0.5
    reply = dict[Cell, End]()
    for cell, variable in variables.items():
        if is_chosen[variable]:
            reply[cell] = next((end for end, chosen in by_reply[cell].items() if is_chosen[chosen]), LOST)
    return Strikes(reply, solution.bound)


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
        self.safe_way, self.any_way = self._find_ways(safe=True), self._find_ways(safe=False)
        """The edge by which each row is reached, −1 for the start and for a row that is not."""
        self.row_of = dict[Box, Row]()
        """A row of each box, one that is reached safely if there is one."""
        for ways in (self.any_way, self.safe_way):
            for row in range(len(ways) - 1, -1, -1):
                if self.mine[row] and self.box[row] >= 0 and (row == 0 or ways[row] >= 0):
                    self.row_of[self.box[row]] = row
        self.by_reply = {box: cell for cell, box in strikes.reply.items() if box >= 0}
        """By box, a cell that is struck by a reply that leads to this box."""

    def _find_ways(self, *, safe: bool) -> list[Edge]:
        ways = [-1] * len(self.mine)
        for row in unless_stopped(range(len(ways)), self.decisions.stop):
            if row == 0 or ways[row] >= 0:
                for edge in range(self.first[row], self.first[row + 1]):
                    is_avoided = safe and self.mine[row] and self.cell[edge] in self.decisions.losing
                    if not is_avoided and ways[self.target[edge]] < 0:
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
        spare = set[Cell]()
        if self.plays_on:
            spare = {cell for cell in needed if LOST in ends[cell]}
        for cell in sorted(order, key=lambda cell: cell in spare):  # the spare ones last, each in its order
            while not self.struck(cell):
                yield tuple(self.move[edge] for edge in self._edges_of_game(cell, spare))

    def _edges_of_game(self, cell: Cell, spare: set[Cell]) -> list[Edge]:
        """Return the edges of a game that strikes a cell, and also one of `spare` if possible."""
        way, edge = self._way_to(cell)
        whole_games = list[list[Edge]]()
        for reply in self._replies(edge, self.strikes.reply[cell]):
            if not self.plays_on or self.outcome[self.target[reply[-1]]] != RUNNING:
                return [*way, *reply]
            more = self._way_to_spare(self.target[reply[-1]], spare)
            if more is not None:
                return [*way, *reply, *more]
            whole_games.append([*way, *reply, *self._play_to_end(self.target[reply[-1]])])
        return whole_games[0]

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
            edge_to = self.safe_way if row == 0 or self.safe_way[row] >= 0 else self.any_way
            way = self._way_back(edge_to, row, 0)
        edge = next(each for each in range(self.first[row], self.first[row + 1]) if self.cell[each] == cell)
        return way, edge

    def _way_back(self, edge_to: Sequence[Edge] | Mapping[Row, Edge], row: Row, start: Row) -> list[Edge]:
        """Return the edges from `start` to a row, given the edge by which each row is reached."""
        way = list[Edge]()
        while row != start:
            way.append(edge_to[row])
            row = self.source[edge_to[row]]
        return way[::-1]

    def _replies(self, edge: Edge, wanted: int) -> Iterator[list[Edge]]:
        """Yield ways from an edge of the machine to a loss or to a box, as lists of edges, those with few edges first.

        Where the machine has no box, it plays any move.
        """
        queue = [[edge]]
        for edges in queue:  # the list grows in the loop
            row = self.target[edges[-1]]
            if self.outcome[row] != RUNNING:
                if wanted == LOST and self.outcome[row] == self.loss:
                    yield edges
            elif self.mine[row] and self.box[row] >= 0:
                if self.box[row] == wanted:
                    yield edges
            else:
                queue += [[*edges, each] for each in range(self.first[row], self.first[row + 1])]

    def _open_edges(self, row: Row) -> list[Edge]:
        """Return the edges from a row that may be played now."""
        edges = range(self.first[row], self.first[row + 1])
        if not self.mine[row] or self.box[row] < 0:
            return list(edges)
        return [each for each in edges if not self.struck(self.cell[each])] or list(edges)

    def _way_to_spare(self, row: Row, spare: set[Cell]) -> list[Edge] | None:
        """Return edges from a row on that strike one of `spare`; `None` if there are none."""
        edge_to, queue = dict[Row, Edge](), [row]
        for at in queue:  # the list grows in the loop
            for edge in self._open_edges(at):
                after = self.target[edge]
                cell = self.cell[edge]
                if self.mine[at] and cell in spare and not self.struck(cell):
                    return [*self._way_back(edge_to, at, row), *next(self._replies(edge, LOST))]
                if after not in edge_to and self.outcome[after] == RUNNING:
                    edge_to[after] = edge
                    queue.append(after)
        return None

    def _play_to_end(self, row: Row) -> list[Edge]:
        edges = list[Edge]()
        while self.outcome[row] == RUNNING:
            edges.append(self._open_edges(row)[0])
            row = self.target[edges[-1]]
        return edges
