"""Replay a search step by step, forward and back: the nodes after each step, and their values.

The search is depth-first, so the nodes in the order of their first steps are already the lines of a tree view.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from engine.game import Path, Position
from engine.search_result import Step, StepKind

MOST_STEPS: Final = 20_000
"""The most steps that are recorded."""


@dataclass(frozen=True)
class VisitedNode:
    """A node of the search after some steps."""

    path: Path
    position: Position
    low: int
    high: int
    """The alpha-beta window, from `low` to `high`."""
    value: int | None = None
    """The best value of the moves searched so far; `None` before the first."""
    leaf: bool = False
    cut: Step | None = None
    """The step that skipped the node, if one did."""


def record(steps: Iterable[Step], most: int = MOST_STEPS) -> tuple[tuple[Step, ...], bool]:
    """The first `most` steps of a search, and whether the search ends with them."""
    every = iter(steps)
    kept = tuple(islice(every, most))
    return kept, next(every, None) is None


class Replay:
    """The state of a search after the first `done` of its recorded steps."""

    def __init__(self, steps: Sequence[Step], *, whole: bool = True) -> None:
        """Begin before the first step."""
        self.steps = steps
        self.whole = whole
        """Whether the search ended with the last of the steps."""
        self.done = 0
        """The number of steps taken."""
        self.lines: list[Path] = []
        """The nodes that have been reached, in the order of the tree view."""
        self.seen: dict[Path, VisitedNode] = {}
        self._before: list[VisitedNode | None] = []
        """For each step taken, the state of its node before it."""

    @property
    def step(self) -> Step | None:
        """The last step taken; `None` at the beginning."""
        return self.steps[self.done - 1] if self.done else None

    def go_to(self, done: int) -> None:
        """Take or undo steps until `done` are taken; `done` is limited to the recorded steps."""
        done = min(max(0, done), len(self.steps))
        while self.done < done:
            self._forward()
        while self.done > done:
            self._back()

    def _forward(self) -> None:
        step = self.steps[self.done]
        before = self.seen.get(step.path)
        self._before.append(before)
        if before is None:
            self.lines.append(step.path)
            before = VisitedNode(step.path, step.position, step.low, step.high)
        match step.kind:
            case StepKind.ENTER:
                after = before
            case StepKind.LEAF:
                after = replace(before, value=step.value, leaf=True)
            case StepKind.BACK:
                after = replace(before, value=step.value, low=step.low, high=step.high)
            case StepKind.SKIP:
                after = replace(before, cut=step)
        self.seen[step.path] = after
        self.done += 1

    def _back(self) -> None:
        self.done -= 1
        path, before = self.steps[self.done].path, self._before.pop()
        if before is None:
            del self.seen[path]
            self.lines.pop()
        else:
            self.seen[path] = before

    def next_cut(self) -> int | None:
        """The value of `done` just after the next skipped subtree; `None` if there is none."""
        ahead = (number for number in range(self.done, len(self.steps)) if self.steps[number].kind is StepKind.SKIP)
        first = next(ahead, None)
        return None if first is None else first + 1

    @property
    def skipped(self) -> int:
        """The number of subtrees skipped so far."""
        return sum(seen.cut is not None for seen in self.seen.values())
