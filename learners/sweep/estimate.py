"""How long a sweep will take, estimated from a few of its machines."""

from dataclasses import dataclass
from time import perf_counter
from typing import Final

from engine.stop import never
from learners.race.race_samples import judging_of
from learners.sweep.batch import Batch, run_batch
from learners.sweep.point import opponent_of
from learners.sweep.running import SweepPlan

MAX_POINTS: Final = 12
"""The maximum number of points to measure."""
SECONDS: Final = 4.0
"""About how long to measure, in seconds."""
FIRST_ROUNDS: Final = 100
"""The rounds of the first slice of training; each further slice is twice as long."""


@dataclass(frozen=True)
class Estimate:
    """How long all machines of a sweep take, one after the other."""

    tried: int
    """How many machines were measured."""
    seconds: float
    """The processor time of all machines of the sweep."""


def estimate(plan: SweepPlan) -> Estimate:
    """Train and judge one machine at each of some points, which are spread over the grid, and extrapolate.

    Each machine gets an equal share of `SECONDS`. If it cannot finish in that time, its own time is extrapolated, too.
    """
    step = -(-len(plan.points) // MAX_POINTS)
    numbers = range(0, len(plan.points), step)
    each = [_seconds(plan, number, SECONDS / len(numbers)) for number in numbers]
    return Estimate(len(each), sum(each) / len(each) * plan.machines)


def _seconds(plan: SweepPlan, number: int, limit: float) -> float:
    """Return how long a machine of a point takes, by training and judging one for at most about `limit` seconds."""
    point, seed = plan.points[number], plan.definition.seeds[0]
    marks = plan.definition.marks_of(point.learner)
    run_batch(Batch(number, point, range(seed, seed + 1), (1,), plan.layout))  # compiles the kernels
    begun = perf_counter()
    machine = point.machine(seed, opponent_of(point))
    made = perf_counter() - begun
    trained, slice_rounds, begun = 0, FIRST_ROUNDS, perf_counter()
    while trained < marks[-1] and perf_counter() - begun < limit / 2:
        count = min(slice_rounds, marks[-1] - trained)
        machine.train(count)
        trained, slice_rounds = trained + count, 2 * slice_rounds
    training = (perf_counter() - begun) * marks[-1] / trained
    begun, judged, judging = perf_counter(), 0, judging_of(point.game)
    while judged < len(marks) and perf_counter() - begun < limit / 2:
        judging.judge(machine, machine.policy, never)
        judged += 1
    return made + training + (perf_counter() - begun) * len(marks) / judged
