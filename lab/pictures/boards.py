"""Pictures of several boards: rows of small boards, each row with a sentence at its right or without one."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Final

from engine.space import Space
from engine.trees.tree import Node
from lab.memory.matchbox import Matchbox, board_box
from lab.memory.shifts import Names, names_of, shift_boxes, shift_text, why_text
from lab.pictures.cards import CAPTION, box_size, draw_box
from lab.pictures.drawing import HEAD, MARGIN, Cell, Ink, Picture, heading, text
from lab.search import best_play_text, ending_text, reached_box
from learners.comparison import Shift

SQUARE: Final = 24
GAP: Final = 16
LINE_HEIGHT: Final = 20
WORDS_WIDTH: Final = 380
LETTER_WIDTH: Final = 7.4
PER_ROW: Final = 5
"""The number of boards side by side, if they have no sentence."""

Group = tuple[Sequence[Matchbox], str]
"""Boards side by side, at least one, and the sentence about them."""


def boards_picture(
    title: str, subtitle: str, groups: Sequence[Group], columns: Sequence[str], rows: Sequence[Sequence[Cell]]
) -> Picture:
    """Return a picture of rows of boards with their sentences; `columns` and `rows` are the numbers for the CSV."""
    ink, y = Ink(), float(HEAD)
    ink.over += heading(title, subtitle)
    widths = [sum(box_size(box, SQUARE)[0] + GAP for box in boxes) for boxes, _ in groups]
    widest = max(widths, default=float(WORDS_WIDTH))
    width = 2 * MARGIN + widest
    if any(words for _, words in groups):
        width += WORDS_WIDTH
    for boxes, words in groups:
        x = float(MARGIN)
        for box in boxes:
            draw_box(ink, box, x, y, SQUARE)
            x += box_size(box, SQUARE)[0] + GAP
        lines = wrap(words, int(WORDS_WIDTH / LETTER_WIDTH))
        for number, line in enumerate(lines, 1):
            ink.over.append(text(MARGIN + widest + GAP, y + LINE_HEIGHT * number, line))
        height = max(box_size(box, SQUARE)[1] for box in boxes)
        y += max(height, LINE_HEIGHT * (len(lines) + 1)) + CAPTION + GAP
    return Picture(title, width, y + MARGIN / 2, ink.elements(), columns, rows)


def node_picture(node: Node) -> Picture:
    """Return a picture of a node of a game tree, and of the positions after its moves, with what each move leads to."""
    game, boxes = node.tree.played, [*map(reached_box, node.children)]
    moves = " ".join(game.move_name(move) for move in node.path) or "the start"
    rows = [
        (game.move_name(child.path[-1]), game.to_text(child.position), ending_text(child), child.games.total)
        for child in node.children
    ]
    branches = [(boxes[first : first + PER_ROW], "") for first in range(0, len(boxes), PER_ROW)]
    title, best = f"{game.title}: {moves}", f"best play: {best_play_text(game, node.value)}"
    groups = [([board_box(game, node.position)], ""), *branches]
    return boards_picture(title, best, groups, ("move", "position", "leads_to", "games"), rows)


def differences_picture(space: Space, names: Names, shifts: Sequence[Shift]) -> Picture:
    """Return a picture of the positions in which two memories play differently, each with a sentence."""
    shown_names = names_of(*names)
    captions = ("before", "after") if shown_names is None else shown_names
    groups, rows = list[Group](), list[Sequence[Cell]]()
    for shift in shifts:
        sentences = f"{shift_text(space, shift, shown_names)} {why_text(shift, shown_names)}"
        groups.append((shift_boxes(space, shift, captions), sentences))
        position = space.game.to_text(int(space.position[shift.row]))
        for edge, before in shift.before.items():
            rows.append((position, space.game.move_name(int(space.move[edge])), before, shift.after[edge]))
    columns = ("position", "move", "first", "second")
    return boards_picture(f"{names[0]} and {names[1]}", "where they play differently", groups, columns, rows)
