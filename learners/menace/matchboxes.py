"""How a matchbox machine plays: it draws a bead from the box of the position, or plays the move with the most beads."""

from itertools import accumulate
from random import Random
from typing import Final

import numpy as np

from engine.evaluate import Policy
from engine.game import Position, Side
from engine.plural import counted_noun
from engine.space import Int32
from learners.core.boxes import Boxes
from learners.core.player import Choice, Thought
from learners.core.snapshot import Memory
from learners.core.view import number_text

COLOURS: Final = ("white", "lilac", "silver", "black", "gold", "green", "amber", "red", "pink")
"""The colours of the beads: by square from the top left, as in Michie's machine, or else by move of the box."""
LETTERS: Final = ("w", "l", "s", "k", "g", "n", "a", "r", "p")


def hue_of(boxes: Boxes, edge: int) -> int:
    """Return the number of the colour of a move's beads, from 1."""
    space, cell = boxes.space, int(boxes.cell[edge])
    game, source = space.game, int(space.source[cell])
    position, move = int(space.position[source]), int(space.move[cell])
    squares, has_nine_squares = game.board.squares(position, move), game.board.grid.size == len(COLOURS)
    if has_nine_squares and len(squares) == 1 and not game.board.option(position, move):
        return squares[0] + 1
    return int(np.searchsorted(boxes.cells_of(int(boxes.box[source])), cell)) % len(COLOURS) + 1


def colour_of(boxes: Boxes, edge: int) -> str:
    return COLOURS[hue_of(boxes, edge) - 1]


def title_of(boxes: Boxes, box: int) -> str:
    """Return the title of a box: its number among those of its side, after the side if the machine plays both."""
    side = Side(int(boxes.space.side[boxes.position[box]]))
    number = int(boxes.own_number[box])
    return f"{number}" if len(boxes.sides) == 1 else f"{boxes.space.game.mark(side)} {number}"


def beads_text(hue: int, count: int) -> str:
    """Return the letter of a colour, and then a count of beads in at most 4 characters: `w4`, `r12k`."""
    return f"{LETTERS[hue - 1]}{number_text(count)}" if count else "·"


class Matchboxes:
    """Boxes with beads, as a player uses them. This class only reads the memory: the learner changes it."""

    def __init__(self, boxes: Boxes, memory: Memory, first_beads: Int32, *, draws: bool, refills: bool) -> None:
        """Play by `memory`, the beads of each cell, shape (m,).

        `first_beads` is the initial number of beads of each move in a box, shape (boxes,). With `draws`, a bead is
        drawn; otherwise the move with the most beads is played. With `refills`, an empty box plays with its initial
        beads.
        """
        self.boxes = boxes
        self.memory = memory
        self.first_beads = first_beads
        self.draws = draws
        self.refills = refills
        self.space = boxes.space
        self.game = boxes.space.game

    @property
    def initial_beads(self) -> Memory:
        """The initial beads, a new array, shape (m,)."""
        initial_beads: Memory = np.zeros(len(self.memory), np.int64)
        initial_beads[self.boxes.cells] = self.first_beads[self.boxes.cell_box]
        return initial_beads

    def beads(self) -> Memory:
        """Return the number of beads of each cell that can be drawn, shape (m,)."""
        boxes = self.boxes
        if not self.refills:
            return self.memory
        empty = np.bincount(boxes.cell_box, self.memory[boxes.cells], len(boxes.position)) == 0
        beads = self.memory.copy()
        refilled = boxes.cells[empty[boxes.cell_box]]
        beads[refilled] = self.initial_beads[refilled]
        return beads

    def _beads_in(self, box: int) -> dict[int, int]:
        """Return the number of beads of each cell of a box that can be drawn, by ascending cell."""
        cells = self.boxes.cells_of(box)
        beads = self.memory[cells]
        if self.refills and not beads.any():
            beads = np.full(len(cells), self.first_beads[box], np.int64)
        return dict(zip(cells.tolist(), beads.tolist(), strict=True))

    def policy(self) -> Policy:
        """Return the policy. At the board, moves that share beads are equally likely; training plays the first of them.

        `layout.lay_out` says why that is the same. In positions without a box, moves are random.
        """
        space, boxes = self.space, self.boxes
        beads = self.beads()[boxes.cell]
        if not self.draws:
            most = np.zeros(len(space.position), np.int64)
            np.maximum.at(most, space.source, beads)
            beads = ((beads == most[space.source]) & (beads > 0)).astype(np.int64)
        policy: Policy = beads * boxes.shares
        del beads  # in a large game, each array takes hundreds of megabytes
        total = np.bincount(space.source, policy, len(space.position))
        policy /= np.where(total > 0, total, 1.0)[space.source]
        unboxed = np.flatnonzero((boxes.box < 0)[space.source])
        policy[unboxed] = (1 / np.maximum(np.diff(space.first_edge), 1))[space.source[unboxed]]
        return policy

    def _odds(self, beads: dict[int, int]) -> dict[int, int]:
        """Return the weight of each cell of a box in a draw, given its beads, by ascending cell."""
        if self.draws:
            return beads
        most = max(beads.values())
        return {cell: int(count == most > 0) for cell, count in beads.items()}

    def choose(self, position: Position, random: Random) -> Choice:
        game, edges = self.game, self.space.edges(position)
        box = int(self.boxes.box[self.space.row(position)])
        if box < 0:
            move = int(self.space.move[edges[int(random.random() * len(edges))]])
            mark = game.mark(game.side(position))
            if len(edges) == 1:
                return Choice(move, "the only move, which needs no box")
            plays_side = game.side(position) in self.boxes.sides
            missing = "it has no box for this position" if plays_side else f"it has no boxes for {mark}"
            return Choice(move, f"{missing}: {game.move_name(move)} is picked at random from {len(edges)} moves")
        beads = self._beads_in(box)
        odds = self._odds(beads)
        total = sum(odds.values())
        if not total:
            return Choice(None, f"box {title_of(self.boxes, box)} is empty: it resigns")
        nth = int(random.random() * total)
        cell = next(cell for cell, passed in zip(odds, accumulate(odds.values()), strict=True) if nth < passed)
        alike = [edge for edge in edges if self.boxes.cell[edge] == cell]
        move = int(self.space.move[alike[int(random.random() * len(alike))]])
        colour = colour_of(self.boxes, cell)
        if self.draws:
            share = f"{odds[cell]:,} of {counted_noun(total, 'bead')}"
            return Choice(move, f"{colour}, {share} in box {title_of(self.boxes, box)}{self._history(box, cell)}")
        others = f"; {counted_noun(total - 1, 'other')} as many" if total > 1 else ""
        return Choice(move, f"{colour} has the most, {beads[cell]:,}, in box {title_of(self.boxes, box)}{others}")

    def _history(self, box: int, cell: int) -> str:
        """Return the second half of a sentence on what games have made of the beads of a move, if they changed them."""
        first, now = int(self.first_beads[box]), int(self.memory[cell])
        if self.refills and not self.memory[self.boxes.cells_of(box)].any():
            return f"; it was empty: refilled with {first:,} of each"
        if now == first:
            return ""
        return f"; began with {first:,} here and has {'won' if now > first else 'lost'} {abs(now - first):,}"

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        edges = self.space.edges(position)
        box = int(self.boxes.box[self.space.row(position)])
        if box < 0:
            words = "the only move" if len(edges) == 1 else "no box"
            return tuple(Thought(int(self.space.move[edge]), 1 / len(edges), "·", words) for edge in edges)
        beads = self._beads_in(box)
        odds = self._odds(beads)
        total = sum(odds.values()) or 1
        thoughts = []
        for edge in edges:
            cell = int(self.boxes.cell[edge])
            count, hue = beads[cell], hue_of(self.boxes, cell)
            thoughts.append(
                Thought(
                    move=int(self.space.move[edge]),
                    chance=odds[cell] / total * float(self.boxes.shares[edge]),
                    symbol=beads_text(hue, count),
                    words=f"{number_text(count)} {COLOURS[hue - 1]}",
                    excluded=not count,
                    hue=hue,
                    level=count / (sum(beads.values()) or 1),
                    beads=count,
                )
            )
        return tuple(thoughts)
