"""A search gone through step by step, forward and back: which nodes are there after each step, and what they are worth.

A search goes down before it goes on, so that the nodes in the order of their first step are already a tree in lines.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from engine.game import Path, Position
from engine.search_result import Step, StepKind

MOST_STEPS: Final = 20_000
"""How many steps of a search are kept to look at."""


@dataclass(frozen=True)
class Seen:
    """A node of the search as far as it was looked at."""

    path: Path
    position: Position
    low: int
    high: int
    """The window it is searched in."""
    value: int | None = None
    """What it is worth by its moves so far."""
    leaf: bool = False
    cut: Step | None = None
    """The step that left it out."""


def record(steps: Iterable[Step], most: int = MOST_STEPS) -> tuple[tuple[Step, ...], bool]:
    """The first steps of a search, and whether these are all."""
    every = iter(steps)
    kept = tuple(islice(every, most))
    return kept, next(every, None) is None


class Replay:
    """The recorded steps with a place among them."""

    def __init__(self, steps: Sequence[Step], *, whole: bool = True) -> None:
        self.steps = steps
        self.whole = whole
        """Whether the search ended with the last of the steps."""
        self.done = 0
        """How many steps were taken."""
        self.lines: list[Path] = []
        """The nodes in the order in which they stand under each other."""
        self.seen: dict[Path, Seen] = {}
        self._before: list[Seen | None] = []
        """What each step found at its node, to be put back."""

    @property
    def step(self) -> Step | None:
        """The step taken last."""
        return self.steps[self.done - 1] if self.done else None

    def go_to(self, done: int) -> None:
        """Take steps, or take them back, until `done` are taken, as far as there are any."""
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
            before = Seen(step.path, step.position, step.low, step.high)
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
        """How many steps are taken when the next subtree has been skipped."""
        ahead = (number for number in range(self.done, len(self.steps)) if self.steps[number].kind is StepKind.SKIP)
        first = next(ahead, None)
        return None if first is None else first + 1

    @property
    def skipped(self) -> int:
        """How many subtrees were left out so far."""
        return sum(seen.cut is not None for seen in self.seen.values())
