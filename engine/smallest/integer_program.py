"""A minimum over variables from 0 to 1 or whole numbers, found and proved by the solver HiGHS, which is an extra."""

from collections.abc import Collection, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from math import ceil, inf
from time import monotonic
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.game import BadText
from engine.stop import Stop, Stopped, never

INSTALL: Final = "pip install 'noughts[exact]'"
ROUNDING_ERROR: Final = 1e-6
"""Numbers of the solver that differ by less than this count as equal: the difference is a rounding error."""
CONTRADICTION: Final = "the rows of this program contradict each other"
POLL_SECONDS: Final = 0.05
"""The seconds between two calls of `stop()`."""


class NoSolver(BadText):
    """The solver is not installed. The message says how to install it."""


class Contradiction(ValueError):
    """No values fulfil all rows of a program."""


class Minimum(NamedTuple):
    values: NDArray[np.float64]
    """The best values found, one for each variable."""
    cost: int
    bound: int
    """The proved lower bound of the minimum, rounded up: costs are whole numbers."""


def has_solver() -> bool:
    return find_spec("highspy") is not None


def require_solver() -> None:
    """Raise `NoSolver` unless the solver is installed. Call this before long work that needs it at its end."""
    if not has_solver():
        raise NoSolver(f"this needs the solver HiGHS: {INSTALL}")


@dataclass
class IntegerProgram:
    """Costs to minimise, and rows: in each, the variables times their factors sum to a number or more."""

    costs: list[int] = field(default_factory=list)
    whole: list[int] = field(default_factory=list)
    """The variables that must be whole numbers; the others may be anything between."""
    most: list[float] = field(default_factory=list)
    """The largest number that each variable may be."""
    starts: list[int] = field(default_factory=list)
    """Where each row begins in `variables` and `factors`."""
    variables: list[int] = field(default_factory=list)
    factors: list[int] = field(default_factory=list)
    least: list[int] = field(default_factory=list)
    """The smallest sum that each row may have."""

    def variable(self, cost: int = 0, *, whole: bool = False, most: float = 1) -> int:
        """Add a variable from 0 to `most`, and return its number."""
        number = len(self.costs)
        self.costs.append(cost)
        self.most.append(most)
        if whole:
            self.whole.append(number)
        return number

    def require(self, more: list[int], less: list[int], least: int = 0) -> None:
        """Require that the variables in `more`, minus those in `less`, sum to `least` or more."""
        self.require_sum(dict.fromkeys(more, 1) | dict.fromkeys(less, -1), least)

    def require_sum(self, factors: Mapping[int, int], least: int) -> None:
        """Require that the variables times their `factors` sum to `least` or more."""
        self.starts.append(len(self.variables))
        self.variables += factors
        self.factors += factors.values()
        self.least.append(least)

    def minimum(self, seconds: float, stop: Stop = never, *, seed: int = 0) -> Minimum | None:
        """Return the minimum, or the best that is found within `seconds`; `None` if nothing is.

        Which of several best ones it is depends on the `seed`. Raises `NoSolver`, `Stopped` once `stop()` is true, and
        `Contradiction` if the rows contradict each other.
        """
        values, bound = self.solve(seconds, stop, seed)
        return None if values is None else self._minimum(values, bound)

    def minimum_by_choice(self, choices: Collection[int], seconds: float, stop: Stop = never) -> Minimum | None:
        """Return the `minimum`, if one has at most one of `choices` above 0: each of them is tried alone, then none.

        With several at once, the solver is far from a bound for long: it takes half of two, and half of what follows.
        What is not proved in half of the time is tried together in the rest: apart, few would have a bound at all.
        """
        best: Minimum | None = None
        bounds, deadline = dict[int | None, float](), monotonic() + seconds
        apart_deadline = deadline - seconds / 2 if choices else deadline
        tries_left = len(choices) + 1
        for chosen in (*choices, None):
            time = (apart_deadline - monotonic()) / tries_left
            best, bounds[chosen] = self._find_better(best, {*choices} - {chosen}, time, stop)
            tries_left -= 1
        bound, proved = min(bounds.values()), inf if best is None else best.cost - 1 + ROUNDING_ERROR
        if choices and bound <= proved:
            without = {each for each in choices if bounds[each] > proved}
            best, bound_together = self._find_better(best, without, deadline - monotonic(), stop)
            bound = max(bound, bound_together)
        if best is not None:
            return self._minimum(best.values, bound)
        if bound == inf:
            raise Contradiction(CONTRADICTION)
        return None

    def _find_better(
        self, best: Minimum | None, without: Collection[int], seconds: float, stop: Stop
    ) -> tuple[Minimum | None, float]:
        """Look for less than the `best` cost with some variables at 0; return the best now, and the proved bound."""
        part = deepcopy(self)
        for each in without:
            part.most[each] = 0
        if best is not None:
            part.require_sum({each: -cost for each, cost in enumerate(self.costs) if cost}, 1 - best.cost)
        try:
            values, bound = part.solve(seconds, stop)
        except Contradiction:  # none is better than the best one so far
            return best, inf
        if values is None:
            return best, bound
        return self._minimum(values, bound), bound

    def _minimum(self, values: NDArray[np.float64], bound: float) -> Minimum:
        cost = round(float(np.array(self.costs) @ values))
        return Minimum(values, cost, cost if bound >= cost else ceil(bound - ROUNDING_ERROR))

    def solve(self, seconds: float, stop: Stop, seed: int = 0) -> tuple[NDArray[np.float64] | None, float]:
        """Return the best values that are found, and the proved lower bound. Raises as `minimum` does."""
        require_solver()
        highspy: Any = import_module("highspy")  # some of its functions have no types
        solver = highspy.Highs()
        options = {"output_flag": False, "time_limit": max(seconds, 0.0), "mip_rel_gap": 0.0, "random_seed": seed}
        for option, value in options.items():
            solver.setOptionValue(option, value)
        costs, none = np.array(self.costs, float), np.zeros(0, np.int32)
        solver.addCols(len(costs), costs, 0 * costs, np.array(self.most), 0, none, none, np.zeros(0))
        whole = np.array(self.whole, np.int32)
        solver.changeColsIntegrality(len(whole), whole, np.full(len(whole), highspy.HighsVarType.kInteger))
        least = np.array(self.least, float)
        starts, variables = np.array(self.starts, np.int32), np.array(self.variables, np.int32)
        unbounded = np.full(len(least), highspy.kHighsInf)
        factors = np.array(self.factors, float)
        solver.addRows(len(least), least, unbounded, len(variables), starts, variables, factors)
        solver.HandleUserInterrupt = True
        solver.startSolve()
        try:
            while not solver.wait(POLL_SECONDS)[0]:
                if stop():
                    raise Stopped
        finally:
            solver.cancelSolve()
            solver.wait()
        if solver.getModelStatus() == highspy.HighsModelStatus.kInfeasible:
            raise Contradiction(CONTRADICTION)
        info = solver.getInfo()
        bound = max(info.mip_dual_bound, 0.0)
        if info.primal_solution_status != highspy.SolutionStatus.kSolutionStatusFeasible:
            return None, bound
        return np.array(solver.getSolution().col_value), bound
