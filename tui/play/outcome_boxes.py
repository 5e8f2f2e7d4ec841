"""A matchbox as it will be once the game is over: after a win, a draw and a loss, side by side."""

from itertools import zip_longest
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from engine.plural import signed_text
from lab.memory.open_box import box_after_game
from learners.core.learner import Learner
from learners.menace.learner import Menace
from tui.play.news import rewards_of
from tui.play.panels import Turn
from tui.widgets.open_box import open_box_lines
from tui.widgets.palette import Palette

MIN_SIZE: Final = 14, 8
"""The columns and lines of the smallest box that shows its beads."""
MAX_SIZE: Final = 25, 11
GAP: Final = 2
HEAD_LINES: Final = 4
"""The lines above the boxes: what they are, and what each of them follows from, with air."""


def outcome_boxes(learner: Learner, turn: Turn, room: tuple[int, int], palette: Palette) -> Text:
    """Return the box of a machine's last turn after each outcome, in the room there is; empty if it is too little."""
    rewards = rewards_of(learner)
    position, move = turn
    columns = min(MAX_SIZE[0], (room[0] - 2 * GAP) // 3)
    lines = min(MAX_SIZE[1], room[1] - HEAD_LINES)
    fits = columns >= MIN_SIZE[0] and lines >= MIN_SIZE[1]
    if not isinstance(learner, Menace) or rewards is None or move is None or not fits:
        return Text()
    outcomes = [(verb, reward) for verb, reward in zip(("wins", "draws", "loses"), rewards, strict=True) if reward]
    boxes = [box_after_game(learner, position, move, reward) for _, reward in outcomes]
    most = max(square.beads or 0 for box in boxes for square in box.squares + box.below)
    texts = [[Text(f"{verb}: {signed_text(reward)}".center(columns), "bold")] for verb, reward in outcomes]
    for text, box in zip(texts, boxes, strict=True):
        for line in open_box_lines(box, columns, lines, palette, most):
            text.append(Text.assemble(*((part.text, part.style or "") for part in line)))
    rows = [
        Text(),
        Text(),
        Text(f"{boxes[0].title.partition(' ·')[0]} after this game, if the machine …", "dim"),
        Text(),
    ]
    for parts in zip_longest(*texts, fillvalue=Text()):
        for part in parts:
            part.pad_right(columns - cell_len(part.plain))
        rows.append(Text(" " * GAP).join(parts))
    return Text("\n").join(rows)
