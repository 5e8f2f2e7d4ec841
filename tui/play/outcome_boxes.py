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
from tui.widgets.tiles import Palette

LEAST: Final = 14, 8
"""The columns and lines of the smallest box that shows its beads."""
MOST: Final = 25, 11
GAP: Final = 2
HEADS: Final = 4
"""The lines above the boxes: what they are, and what each of them follows from, with air."""


def outcome_boxes(learner: Learner, turn: Turn, room: tuple[int, int], palette: Palette) -> Text:
    """Return the box of a machine's last turn after each outcome, in the room there is; empty if it is too little."""
    rewards = rewards_of(learner)
    columns = min(MOST[0], (room[0] - 2 * GAP) // 3)
    lines = min(MOST[1], room[1] - HEADS)
    fits = columns >= LEAST[0] and lines >= LEAST[1]
    if not isinstance(learner, Menace) or rewards is None or turn[1] is None or not fits:
        return Text()
    ways = [way for way in zip(("wins", "draws", "loses"), rewards, strict=True) if way[1]]
    after = [box_after_game(learner, turn[0], turn[1], reward) for _, reward in ways]
    most = max(each.beads or 0 for box in after for each in box.squares + box.below)
    boxes = [open_box_lines(box, columns, lines, palette, most) for box in after]
    drawn = [[Text.assemble(*((part.text, part.style or "") for part in line)) for line in box] for box in boxes]
    heads = [Text(f"{words}: {signed_text(reward)}".center(columns), "bold") for words, reward in ways]
    rows = [heads, *zip_longest(*drawn, fillvalue=Text())]
    for row in rows:
        for part in row:
            part.pad_right(columns - cell_len(part.plain))
    title = Text(f"{after[0].title.partition(' ·')[0]} after this game, if the machine …", "dim")
    return Text("\n").join([Text(), Text(), title, Text(), *(Text(" " * GAP).join(row) for row in rows)])
