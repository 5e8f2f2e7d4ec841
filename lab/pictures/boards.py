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
LETTER: Final = 7.4

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
    widest = max(
        (sum(box_size(box, SQUARE)[0] + GAP for box in boxes) for boxes, _ in groups), default=float(WORDS_WIDTH)
    )
    width = 2 * MARGIN + widest + WORDS_WIDTH * any(words for _, words in groups)
    for boxes, words in groups:
        x = float(MARGIN)
        for box in boxes:
            draw_box(ink, box, x, y, SQUARE)
            x += box_size(box, SQUARE)[0] + GAP
        sentences = wrap(words, int(WORDS_WIDTH / LETTER))
        for nth, sentence in enumerate(sentences):
            ink.over.append(text(MARGIN + widest + GAP, y + LINE_HEIGHT * (nth + 1), sentence))
        high = max(box_size(box, SQUARE)[1] for box in boxes)
        y += max(high, LINE_HEIGHT * (len(sentences) + 1)) + CAPTION + GAP
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


def differences_picture(space: Space, names: Names, listed: Sequence[Shift]) -> Picture:
    """Return a picture of the positions in which two memories play differently, each with a sentence."""
    said = names_of(*names)
    captions = ("before", "after") if said is None else said
    groups = [
        (shift_boxes(space, each, captions), f"{shift_text(space, each, said)} {why_text(each, said)}")
        for each in listed
    ]
    rows = [
        (space.game.to_text(int(space.position[each.row])), space.game.move_name(int(space.move[edge])), before, after)
        for each in listed
        for edge, before in each.before.items()
        for after in (each.after[edge],)
    ]
    columns = ("position", "move", "first", "second")
    return boards_picture(f"{names[0]} and {names[1]}", "where they play differently", groups, columns, rows)
