"""How many games it takes until nobody beats a machine, if it draws its own moves and a teacher only replies."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from statistics import fmean, median, quantiles, stdev
from time import monotonic
from typing import Any, Final

from engine.evaluate import best_response
from engine.game import BadText, Side
from engine.plural import counted_noun
from engine.stop import Stop, while_time_lasts
from learners.core.learner import Learner
from learners.courses.course import Course, forced_match, new_pupil, teach_game
from learners.courses.decisions import moves_through
from learners.courses.finding import decisions_as, strikes_one_bead
from learners.courses.honest import HonestTeacher, NeverTaught, games_with_luck
from learners.menace.learner import Menace

RUNS: Final = 100
"""How many runs with honest luck and the best teacher are simulated."""
RUNS_WITH_LUCK: Final = 21
"""How many runs with honest luck and another teacher are simulated at most."""


@dataclass(frozen=True)
class HonestLuck:
    """How many games it takes if the machine draws its own moves, and the teacher only replies."""

    expected: float | None
    """The mean with the best teacher, exactly; `None` where that is not computed."""
    lengths: tuple[int, ...]
    """The games of each run with the machine itself that ended, ascending."""
    unfinished: int = 0
    """In how many further runs the machine could still lose when it learned nothing more."""


def honest_luck(course: Course, learner: Learner, stop: Stop, seconds: float) -> HonestLuck:
    """Return how long it takes with honest luck. Raises `BadText` for a course of two sides, and `Stopped`.

    A machine that strikes one bead a game has the best teacher, others one who plays what beats their memory most
    often; of these, as many runs are made as the time allows, `RUNS_WITH_LUCK` at most.
    """
    if len(course.games) > 1:
        raise BadText("honest luck is computed for one side: give --side")
    (side,) = course.games

    def pupil(seed: int) -> Learner:
        return new_pupil(type(learner), learner.game, course.preset, course.settings, seed=seed)

    if strikes_one_bead(learner):
        return _best_luck(learner, side, pupil, stop)
    lengths, unfinished, ends = list[int](), 0, monotonic() + seconds
    with while_time_lasts(stop):
        for seed in range(RUNS_WITH_LUCK):
            random = Random(seed)  # noqa: S311  reproducible draws, no secrets
            try:
                games = games_with_luck(pupil(seed), side, random, lambda: stop() or monotonic() > ends)
                lengths.append(sum(1 for _ in games))
            except NeverTaught:
                unfinished += 1
    return HonestLuck(None, tuple(sorted(lengths)), unfinished)


def _best_luck(learner: Menace, side: Side, pupil: Callable[[int], Learner], stop: Stop) -> HonestLuck:
    decisions = decisions_as(learner, side)
    teacher, lengths = HonestTeacher(decisions, stop), list[int]()
    expected = teacher.expected_games()
    for seed in range(RUNS):
        taught, length = pupil(0), 0
        for cells, end in teacher.drawn_games(Random(seed)):  # noqa: S311  reproducible draws, no secrets
            teach_game(taught, side, forced_match(taught, side, moves_through(decisions, cells, end)))
            length += 1
        if best_response(taught.space, side, taught.policy()).loss:
            raise ValueError(f"{learner.spec.title} can lose after {length} games with honest luck, seed {seed}")
        lengths.append(length)
    return HonestLuck(expected, tuple(sorted(lengths)))


def honest_text(honest: HonestLuck) -> str:
    """Return how long it takes if the machine draws its own moves."""
    lengths, runs = honest.lengths, len(honest.lengths)
    if honest.expected is not None:
        low, high = _band(lengths)
        return (
            f"If it draws its own moves, the best teacher needs {honest.expected:.3f} games on average (exact); {runs} "
            f"runs took {fmean(lengths):.2f} ± {2 * _error(lengths):.2f}, nine in ten from {low} to {high}."
        )
    teacher = "If it draws its own moves, and the teacher plays what beats its memory most often,"
    spoiled = f"{honest.unfinished} of {counted_noun(runs + honest.unfinished, 'run')} came to where it learns no more"
    if not runs:
        return f"{teacher} {spoiled if honest.unfinished else 'no run ended in the time: --seconds gives more'}."
    low, high = _band(lengths)
    text = (
        f"{teacher} it needs {median(lengths):,.0f} games: the median of {counted_noun(runs, 'run')}, nine in ten from"
    )
    return f"{text} {low:,} to {high:,}{f'; {spoiled}' if honest.unfinished else ''}."


def _error(lengths: Sequence[int]) -> float:
    """Return the standard error of the mean."""
    return stdev(lengths) / len(lengths) ** 0.5 if len(lengths) > 1 else 0.0


def _band(lengths: Sequence[int]) -> tuple[int, int]:
    """Return the 5th and the 95th percentile."""
    cuts = quantiles(lengths, n=20, method="inclusive") if len(lengths) > 1 else [*lengths, *lengths]
    return round(cuts[0]), round(cuts[-1])


def honest_document(honest: HonestLuck | None) -> dict[str, Any] | None:
    """Return what is known about honest luck as a part of a JSON object."""
    if honest is None:
        return None
    lengths = honest.lengths
    low, high = _band(lengths) if lengths else (None, None)
    return {
        "expected": None if honest.expected is None else round(honest.expected, 9),
        "runs": len(lengths),
        "unfinished": honest.unfinished,
        "mean": round(fmean(lengths), 9) if lengths else None,
        "error": round(_error(lengths), 9) if lengths else None,
        "median": median(lengths) if lengths else None,
        "low": low,
        "high": high,
    }
