"""A sweep in words: its size, its progress, and its results."""

from collections.abc import Mapping, Sequence

from engine.plural import counted_noun, listed
from lab.race.race_text import NOTHING, band_text, share_figure
from lab.sweep.findings import Findings
from lab.text.columns import columns
from lab.text.names import learner_name
from lab.text.numbers import count_text, duration_text, percent_text, rate_text, remaining_seconds, short_count
from learners import parse_learner
from learners.core.snapshot import ITSELF
from learners.sweep.analysis import Group
from learners.sweep.definition import Definition
from learners.sweep.running import SweepPlan, SweepProgress


def plan_text(plan: SweepPlan) -> str:
    """Return the amount of work of a sweep: `12 points × 1,000 seeds: 12,000 machines, 120,000,000 games`."""
    points, seeds = counted_noun(len(plan.points), "point"), counted_noun(len(plan.definition.seeds), "seed")
    rounds = " and ".join(counted_noun(count, noun) for noun, count in plan.rounds.items())
    return f"{points} × {seeds}: {counted_noun(plan.machines, 'machine')}, {rounds}"


def size_text(definition: Definition) -> str:
    """Return the size of a sweep before its points are known: `6 points × 20 machines, 10,000 games each`."""
    points = counted_noun(definition.sample or definition.size, "point")
    machines = counted_noun(len(definition.seeds), "machine")
    rounds = " or ".join(counted_noun(count, noun) for noun, count in definition.budgets)
    return f"{points} × {machines}, {rounds} each"


def learners_text(definition: Definition) -> str:
    """Return the learner and its opponents: `MENACE, steady · Tic-tac-toe · against itself`."""
    who = listed([learner_name(parse_learner(name).spec.title, preset) for name, preset in definition.learners], "and")
    opponents = listed(["itself" if each == ITSELF else each for each in definition.opponents], "and")
    return f"{who} · {definition.game.title} · against {opponents}"


def cell_text(definition: Definition) -> str:
    return f"Each cell: the median of {counted_noun(len(definition.seeds), 'machine')}."


def meaning_text(findings: Findings) -> str:
    """Sum up a map in a sentence: its best cell, how far the worst is behind it, and the setting that matters more."""
    shares, best = findings.heat.shares, findings.best
    if best is None:
        return ""
    worst = max(shares.values()) if findings.shown.measure.lower_is_better else min(shares.values())
    titles = findings.axis_title(0), findings.axis_title(1)
    where = ", ".join(f"{title} {value or NOTHING}" for title, value in zip(titles, best, strict=True))
    text = f"Best: {where}: {share_figure(shares[best])} %. Worst: {share_figure(worst)} %."
    has_one_value = 1 in {len(findings.heat.across[1]), len(findings.heat.down[1])}
    across_spread, down_spread = _spread(shares, 0), _spread(shares, 1)
    if has_one_value or len(shares) < 4 or across_spread == down_spread:
        return text
    return f"{text} What matters more: {titles[0] if across_spread > down_spread else titles[1]}."


def _spread(shares: Mapping[tuple[str, str], float], axis: int) -> float:
    """Return the difference between the largest and the smallest mean of the cells with equal values on an axis."""
    values: dict[str, list[float]] = {}
    for cell, share in shares.items():
        values.setdefault(cell[axis], []).append(share)
    means = [sum(each) / len(each) for each in values.values()]
    return max(means) - min(means)


def progress_text(progress: SweepProgress, per_second: float) -> str:
    """Return the number of finished machines, the rate, the time left, and the number of workers."""
    left = duration_text(remaining_seconds(progress.done, progress.total, per_second))
    done = f"{short_count(progress.done)} of {short_count(progress.total)} machines"
    return f"{done}, {rate_text(per_second)}, {left} left, {counted_noun(progress.workers, 'worker')}"


def group_lines(by: Sequence[str], groups: Sequence[Group]) -> list[str]:
    """Return a table of groups in the given order: values, number of machines, median, and the middle 80 %."""
    head = (*by, "machines", "median [middle 80 %]")
    rows = [
        (*(value or NOTHING for value in group.values), count_text(group.machines), _band(group)) for group in groups
    ]
    return columns([head, *rows], "<" * len(by) + "><")


def _band(group: Group) -> str:
    import numpy as np

    return band_text(np.array([group.low, group.median, group.high]), one=group.machines == 1)


def importance_lines(shares: Mapping[str, float]) -> list[str]:
    """Return a table of the columns that vary, with the share of the variance that each explains."""
    rows = [(key, NOTHING if share != share else percent_text(share)) for key, share in shares.items()]  # noqa: PLR0124
    return columns(rows, "<>") if rows else []
