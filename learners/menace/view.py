"""How screens show a matchbox machine: one card for each box."""

from collections.abc import Mapping
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from engine.game import Side
from engine.plural import plural
from learners.core.boxes import Boxes
from learners.core.view import Change, MemoryView, MemoryWords, ShownLearner
from learners.menace.matchboxes import COLOURS, LETTERS, colour_of, title_of


class ShownMachine(ShownLearner, Protocol):
    boxes: Boxes
    sides: tuple[Side, ...]

    @property
    def training_sides(self) -> tuple[Side, ...]:
        """The sides that the machine plays in training."""


class MenaceView(MemoryView[ShownMachine]):
    words = MemoryWords(
        noun="box",
        amounts="beads",
        plural="boxes",
        drawn_as="matchbox",
        newest="Boxes of the last game",
        none="No box",
        legend=dict(zip(LETTERS, COLOURS, strict=True)),
        drawing="bar: its share of the beads, ◉: drawn",
        growth_title="Beads gained",
    )

    def cards(self) -> NDArray[np.int32]:
        return self.space.first_edge[self.learner.boxes.position]

    def caption(self, row: int) -> str:
        boxes = self.learner.boxes
        return title_of(boxes, int(boxes.box[row]))

    def newest(self, count: int) -> list[int]:
        """Return the boxes that the machine opened in the last game."""
        edges = super().newest(len(self.learner.last_game))
        return [edge for edge in edges if self.side_of(edge) in self.learner.training_sides][:count]

    def describe(self, change: Change) -> str:
        boxes = self.learner.boxes
        box = int(boxes.box[self.space.source[change.edge]])
        gain = change.after - change.before
        sign = "+" if gain > 0 else "−"
        colour = colour_of(boxes, change.edge)
        beads = plural("bead", abs(gain))
        number = int(self.space.ply[boxes.position[box]]) + 1
        return f"{sign}{abs(gain)} {colour} {beads} in box {title_of(boxes, box)} (move {number})"

    def growth(self, stats: Mapping[str, int]) -> dict[str, int]:
        return {f"by {{{side.value}}}": stats[f"gained_{side.name.lower()}"] for side in self.learner.sides}
