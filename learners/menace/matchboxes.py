"""A machine of matchboxes as it stands: its boxes, the beads in them, and how it plays from them."""

from collections.abc import Mapping
from itertools import accumulate
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy, uniform_policy
from engine.game import Game, Position, Side
from learners.core.boxes import Boxes, boxes_of
from learners.core.cards import Card
from learners.core.learner import BOTH, Learner
from learners.core.player import Choice, Thought
from learners.core.plural import counted_noun, plural
from learners.core.settings import Setting
from learners.core.snapshot import Memory
from learners.menace.beads import COLOURS, beads_text, colour_of, hue_of, title_of

PLAYS: Final = {"first": (Side.FIRST,), "second": (Side.SECOND,), "both": BOTH}
MOST_BEADS: Final = 2**31 - 1
"""In one box: a draw of 32 bits times that stays within 63."""


class Matchboxes(Learner):
    """A learner whose memory is beads in boxes."""

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        super().__init__(game, preset, seed, settings)
        self.sides: tuple[Side, ...] = PLAYS[str(self.settings["plays"])]
        self.boxes: Boxes = boxes_of(
            game, self.sides, merge=bool(self.settings["merge"]), singles=bool(self.settings["singles"])
        )
        self.most = MOST_BEADS // self.boxes.width
        self._begin()

    def _begin(self) -> None:
        """Put the first beads into every box."""
        beads = [max(int(count), int(self.settings["least"])) for count in str(self.settings["beads"]).split(",")]
        boxes = self.boxes
        own_move = np.array([boxes.own_move(box) for box in range(len(boxes.position))], np.int64)
        begun = np.array(beads)[np.minimum(own_move, len(beads)) - 1]
        self.memory[boxes.cells] = begun[boxes.cell_box]
        self._begun = self.memory.copy()

    @property
    def knows_something(self) -> bool:
        return not np.array_equal(self.memory, self._begun)

    @property
    def cell(self) -> NDArray[np.int32]:
        return self.boxes.cell

    @property
    def _draws(self) -> bool:
        return self.settings["pick"] == "drawn"

    def cards(self) -> NDArray[np.int32]:
        return self.space.first_edge[self.boxes.position]

    def card(self, edge: int) -> Card:
        row = int(self.space.source[edge])
        box = int(self.boxes.box[row])
        position, who = int(self.space.position[row]), self.game.mark(Side(int(self.space.side[row])))
        one = {self.boxes.cell[each] for each in self.space.edges(position)}
        thoughts = tuple(
            thought
            for each, thought in zip(self.space.edges(position), self.thoughts(position), strict=True)
            if each in one
        )
        return Card(position, thoughts, title_of(self.boxes, box), f"{who}, move {self.boxes.own_move(box)}")

    def _beads(self) -> Memory:
        """How many beads there are to draw from: an empty box that is to be refilled counts as it began."""
        boxes = self.boxes
        if self.settings["empty"] != "refill":
            return self.memory
        empty = np.bincount(boxes.cell_box, self.memory[boxes.cells], len(boxes.position)) == 0
        beads = self.memory.copy()
        refilled = boxes.cells[empty[boxes.cell_box]]
        beads[refilled] = self._begun[refilled]
        return beads

    def policy(self) -> Policy:
        """As it chooses: evenly among moves that share their beads, where training plays the first (`tables_for`)."""
        space, boxes = self.space, self.boxes
        beads = self._beads()[boxes.cell]
        if not self._draws:
            most = np.zeros(len(space.position), np.int64)
            np.maximum.at(most, space.source, beads)
            beads = ((beads == most[space.source]) & (beads > 0)).astype(np.int64)
        weight = beads * boxes.shares
        total = np.bincount(space.source, weight, len(space.position))[space.source]
        drawn = np.divide(weight, total, out=np.zeros(len(weight)), where=total > 0)
        return np.where(boxes.box[space.source] >= 0, drawn, uniform_policy(space))

    def _odds(self, position: Position) -> dict[int, int]:
        """The cells that a draw may give in a position, each with its weight."""
        beads = self._beads()
        odds = {int(self.boxes.cell[edge]): 0 for edge in self.space.edges(position)}
        odds = {cell: int(beads[cell]) for cell in sorted(odds)}
        if not self._draws:
            most = max(odds.values())
            odds = {cell: int(count == most > 0) for cell, count in odds.items()}
        return odds

    def choose(self, position: Position, random: Random) -> Choice:
        game, edges = self.game, self.space.edges(position)
        box = int(self.boxes.box[self.space.number[position]])
        if box < 0:
            move = int(self.space.move[edges[int(random.random() * len(edges))]])
            mark = game.mark(game.side(position))
            if len(edges) == 1:
                return Choice(move, f"{game.move_name(move)} is the only move: that needs no box")
            return Choice(move, f"it has no boxes for {mark}: {game.move_name(move)} is any of {len(edges)} moves")
        odds = self._odds(position)
        total = sum(odds.values())
        if not total:
            return Choice(None, f"box {title_of(self.boxes, box)} is empty: it resigns")
        nth = int(random.random() * total)
        cell = next(cell for cell, passed in zip(odds, accumulate(odds.values()), strict=True) if nth < passed)
        alike = [edge for edge in edges if self.boxes.cell[edge] == cell]
        move = int(self.space.move[alike[int(random.random() * len(alike))]])
        name, colour = game.move_name(move), colour_of(self.boxes, cell)
        if self._draws:
            said = f"{odds[cell]:,} of {counted_noun(total, 'bead')} in box {title_of(self.boxes, box)}"
            return Choice(move, f"{said} {'is' if odds[cell] == 1 else 'are'} {colour}: {name}")
        others = f"; {total - 1} {plural('other', total - 1)} as many" if total > 1 else ""
        most = int(self._beads()[cell])
        return Choice(move, f"{colour} has most, {most:,}, in box {title_of(self.boxes, box)}{others}: {name}")

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        edges = self.space.edges(position)
        if self.boxes.box[self.space.number[position]] < 0:
            words = "the only move" if len(edges) == 1 else "no box"
            return tuple(Thought(int(self.space.move[edge]), 1 / len(edges), "·", words) for edge in edges)
        odds, beads = self._odds(position), self._beads()
        total = sum(odds.values()) or 1
        thoughts = []
        for edge in edges:
            cell = int(self.boxes.cell[edge])
            count, hue = int(beads[cell]), hue_of(self.boxes, cell)
            thoughts.append(
                Thought(
                    move=int(self.space.move[edge]),
                    chance=odds[cell] / total * float(self.boxes.shares[edge]),
                    symbol=beads_text(hue, count),
                    words=COLOURS[hue - 1],
                    shut=not count,
                    hue=hue,
                )
            )
        return tuple(thoughts)
