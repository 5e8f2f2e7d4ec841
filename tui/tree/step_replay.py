"""Replay a search step by step, forward and back: the nodes after each step, and their values."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Generic, TypeVar

from engine.game import MoveSequence, Position
from engine.search_result import Step, StepKind
from learners.uct.interpreted import PhaseKind
from learners.uct.search import UctNode, UctStep

MAX_STEPS: Final = 20_000
"""The maximum number of steps to record."""


@dataclass(frozen=True)
class VisitedNode:
    """A node of the search after some steps."""

    path: MoveSequence
    position: Position
    low: int
    high: int
    """The alpha-beta window, from `low` to `high`."""
    value: int | None = None
    """The best value of the moves searched so far; `None` before the first."""
    leaf: bool = False
    cut: Step | None = None
    """The step that skipped the node, if one did."""


AnyStep = TypeVar("AnyStep")
AnyNode = TypeVar("AnyNode", VisitedNode, UctNode)


def record(steps: Iterable[AnyStep], limit: int = MAX_STEPS) -> tuple[tuple[AnyStep, ...], bool]:
    """Return the first `limit` steps of a search, and whether the search ends with them."""
    remaining = iter(steps)
    recorded = tuple(islice(remaining, limit))
    return recorded, next(remaining, None) is None


class StepReplay(ABC, Generic[AnyStep, AnyNode]):
    """The state of a search after the first `done` of its recorded steps."""

    def __init__(self, steps: Sequence[AnyStep], *, whole: bool = True) -> None:
        """Begin before the first step."""
        self.steps = steps
        self.whole = whole
        """Whether the search ended with the last of the steps."""
        self.done = 0
        """The number of steps taken."""
        self.positions: dict[MoveSequence, Position] = {
            path: position for step in steps for path, position in self.positions_of(step)
        }
        """The nodes of the whole search: each below its parent and its older siblings."""
        self.lines: Sequence[MoveSequence] = ()
        """The nodes of the tree view, in the same order."""
        self.visited: dict[MoveSequence, AnyNode] = {}
        """The nodes that the steps taken have reached, as they are now."""
        self._changed: list[list[tuple[MoveSequence, AnyNode | None]]] = []
        """For each step taken, the nodes that it changed, as they were before it; `None` for a node that it reached."""

    @staticmethod
    @abstractmethod
    def positions_of(step: AnyStep) -> Iterable[tuple[MoveSequence, Position]]:
        """Return the nodes that a step reaches or changes, with their positions, parents first."""

    @abstractmethod
    def nodes_after(self, step: AnyStep) -> Sequence[AnyNode]:
        """Return the nodes that a step reaches or changes, as they are after it, parents first."""

    @abstractmethod
    def lay_out(self) -> None:
        """Find the lines of the tree view after the steps taken."""

    @property
    def step(self) -> AnyStep | None:
        """The last step taken; `None` at the beginning."""
        return self.steps[self.done - 1] if self.done else None

    def go_to(self, done: int) -> None:
        """Take or undo steps until `done` are taken; `done` is limited to the recorded steps."""
        done = min(max(0, done), len(self.steps))
        while self.done < done:
            self._forward()
        while self.done > done:
            self._back()
        self.lay_out()

    def _forward(self) -> None:
        nodes = self.nodes_after(self.steps[self.done])
        self._changed.append([(node.path, self.visited.get(node.path)) for node in nodes])
        self.visited.update((node.path, node) for node in nodes)
        self.done += 1

    def _back(self) -> None:
        self.done -= 1
        for path, node in reversed(self._changed.pop()):
            if node is None:
                del self.visited[path]
            else:
                self.visited[path] = node


class Replay(StepReplay[Step, VisitedNode]):
    """A search by minimax or alpha-beta. It reaches its nodes in the order of the lines, so the lines never change."""

    @staticmethod
    def positions_of(step: Step) -> Iterable[tuple[MoveSequence, Position]]:
        return [(step.path, step.position)]

    def lay_out(self) -> None:
        self.lines = self.lines or [*self.positions]

    def nodes_after(self, step: Step) -> Sequence[VisitedNode]:
        node = self.visited.get(step.path) or VisitedNode(step.path, step.position, step.low, step.high)
        match step.kind:
            case StepKind.ENTER:
                return [node]
            case StepKind.LEAF:
                return [replace(node, value=step.value, leaf=True)]
            case StepKind.BACK:
                return [replace(node, value=step.value, low=step.low, high=step.high)]
            case StepKind.SKIP:
                return [replace(node, cut=step)]

    def find_next_cut(self) -> int | None:
        """Return the value of `done` just after the next skipped subtree; `None` if there is none."""
        return _find_next(self, lambda step: step.kind is StepKind.SKIP)


class UctReplay(StepReplay[UctStep, UctNode]):
    """A search by UCT, whose tree grows in many places: its lines are the nodes that have joined it."""

    def __init__(self, steps: Sequence[UctStep], *, whole: bool = True) -> None:
        super().__init__(steps, whole=whole)
        self.positions = dict(sorted(self.positions.items()))

    @staticmethod
    def positions_of(step: UctStep) -> Iterable[tuple[MoveSequence, Position]]:
        return ((node.path, node.position) for node in step.nodes)

    def lay_out(self) -> None:
        self.lines = [path for path in self.positions if path in self.visited]

    def nodes_after(self, step: UctStep) -> Sequence[UctNode]:
        return step.nodes

    def find_next_playout(self) -> int | None:
        """Return the value of `done` just after the next playout; `None` if there is none."""
        return _find_next(self, lambda step: step.kind is PhaseKind.BACKUP)

    @property
    def playouts(self) -> int:
        """The number of playouts counted so far."""
        return self.visited[()].visits if self.visited else 0


def _find_next(replay: StepReplay[AnyStep, AnyNode], is_wanted: Callable[[AnyStep], bool]) -> int | None:
    """Return the value of `done` just after the next step for which `is_wanted` is true; `None` if there is none."""
    for number in range(replay.done, len(replay.steps)):
        if is_wanted(replay.steps[number]):
            return number + 1
    return None
