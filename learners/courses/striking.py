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
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from engine.smallest.integer_program import IntegerProgram
from engine.stop import Stop, never, unless_stopped
from learners.courses.decisions import LOST, Cell, Decisions, End


@dataclass(frozen=True)
class Strikes:
    reply: Mapping[Cell, End]
    """The cells to strike, and where the teacher's reply to each leads: `LOST`, or a box that is dead by then."""
    bound: int
    """No set of strikes that suffices costs less."""


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
    """Return strikes that suffice, found without a solver: each reply is the one that needs least by itself."""
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
    """Return the strikes that cost least in total; `None` if none are found within `seconds`.

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
