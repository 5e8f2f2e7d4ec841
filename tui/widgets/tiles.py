"""Matchboxes as text: cards of a memory and small boards, in rows."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from rich.segment import Segment
from rich.style import Style
from rich.text import Text

from lab.memory.matchbox import Matchbox, Square
from lab.text.numbers import short_count
from tui.widgets.board_shape import mark_lines
from tui.widgets.palette import PLAIN, Palette


@dataclass(frozen=True)
class BoxForm:
    """How matchboxes are drawn."""

    framed: bool = True
    """Whether there is a frame, with the caption in its lower border."""
    square: tuple[int, int] = (1, 1)
    """The columns and lines of a square."""
    gap: int = 1
    """The columns between two squares."""
    leading: int = 0
    """The lines between two rows of squares."""
    apart: int = 1
    """The columns between two matchboxes."""
    captioned: bool = True
    """Whether a matchbox without a frame has its caption below."""


FRAMED: Final = BoxForm()
BARE: Final = BoxForm(framed=False, apart=3)
"""The form without a frame, with the caption below."""
SMALL: Final = BoxForm(framed=False, captioned=False)
"""The form with only a board."""
TIGHT: Final = BoxForm(framed=False, gap=0, captioned=False)
"""The smallest form: only the squares."""


@dataclass(frozen=True)
class CardFrame:
    """The frame of a card: rounded, or heavy under the cursor."""

    style: Style
    heavy: bool = False

    def line(self, width: int) -> Segment:
        """Return a piece of the upper or lower border."""
        return Segment(("━" if self.heavy else "─") * width, self.style)

    def border(self, middle: list[Segment], width: int) -> list[Segment]:
        """Return a border without corners, with a text in its middle."""
        room = width - sum(len(segment.text) for segment in middle)
        return [self.line(room // 2), *middle, self.line(room - room // 2)]

    def around(self, lines: Iterable[list[Segment]], above: list[Segment], below: list[Segment]) -> list[list[Segment]]:
        """Return lines of equal width in the frame; its borders are given without corners."""
        glyphs = "┏┓┗┛┃" if self.heavy else "╭╮╰╯│"
        top_left, top_right, bottom_left, bottom_right, side = (Segment(glyph, self.style) for glyph in glyphs)
        framed = [[side, *line, side] for line in lines]
        return [[top_left, *above, top_right], *framed, [bottom_left, *below, bottom_right]]


def box_width(box: Matchbox, form: BoxForm = FRAMED) -> int:
    board_width = (form.square[0] + form.gap) * max(box.columns, len(box.below)) - form.gap
    width = max(board_width, len(box.caption) if form.captioned else 0)
    return width + 4 if form.framed else width


def box_height(box: Matchbox, form: BoxForm = FRAMED) -> int:
    height = box.rows * (form.square[1] + form.leading) - form.leading
    if form.framed:
        return height + 2
    return height + 1 if form.captioned else height


def box_lines(
    box: Matchbox, width: int, palette: Palette = PLAIN, form: BoxForm = FRAMED, *, held: bool = False
) -> list[list[Segment]]:
    """Return the lines of a matchbox, each `width` columns wide; `held` if it is under the cursor."""
    room = width - 2 if form.framed else width
    starts = range(0, len(box.squares), box.columns)
    rows = [box.squares[start : start + box.columns] for start in starts]
    if box.below:
        rows.append(box.below)
    lines = [centred(line, room) for row in rows for line in _row(box, row, palette, form)][form.leading :]
    if form.framed:
        frame = CardFrame(palette.lit if held or box.lit else palette.frame, heavy=held)
        caption_style = palette.quiet if frame.style == palette.frame else frame.style
        caption = [Segment(f" {box.caption} ", caption_style)] if box.caption else []
        return frame.around(lines, frame.border(_gain(box, palette, room), room), frame.border(caption, room))
    if held:  # it has no frame that could be lit
        lines = [[*Segment.apply_style(line, post_style=palette.changed)] for line in lines]
    if form.captioned:
        lines.append(centred([Segment(box.caption, palette.quiet)], width))
    return lines


def _row(box: Matchbox, squares: Sequence[Square], palette: Palette, form: BoxForm) -> list[list[Segment]]:
    """Return the lines of a row of squares, with those that keep it apart from the row above."""
    looks = [palette.look(square, discs=box.discs) for square in squares]
    marks = [mark_lines(text, *form.square) for text, _ in looks]
    lines: list[list[Segment]] = [[] for _ in range(form.leading)]
    for texts in zip(*marks, strict=True):
        line = []
        for text, (_, style) in zip(texts, looks, strict=True):
            line += [Segment(" " * form.gap), Segment(text, style)]
        lines.append(line[1:])
    return lines


def _gain(box: Matchbox, palette: Palette, room: int) -> list[Segment]:
    """Return the beads that a box gained or lost, for its upper border of `room` columns, if possible with air."""
    if not box.gained:
        return []
    sign, style = ("+", palette.good) if box.gained > 0 else ("−", palette.bad)
    number = f"{sign}{short_count(abs(box.gained))}"
    air = " " if len(number) + 3 <= room else ""  # without it, a sign looks like the frame in ASCII
    return [
        Segment(f"{air}{number}", style),
        Segment(f"{palette.bead(box.gained_hue)}{air}", palette.of_bead(box.gained_hue)),
    ]


def centred(line: list[Segment], width: int) -> list[Segment]:
    """Return a line in the middle of `width` columns."""
    room = width - sum(len(segment.text) for segment in line)
    return [Segment(" " * (room // 2)), *line, Segment(" " * (room - room // 2))]


def boxes_per_row(boxes: Sequence[Matchbox], width: int, form: BoxForm = FRAMED) -> int:
    """Return how many of the matchboxes fit side by side in `width` columns."""
    widest = max((box_width(box, form) for box in boxes), default=1)
    return max(1, (width + form.apart) // (widest + form.apart))


def row_spacing(count: int, slot: int, width: int, form: BoxForm = FRAMED) -> tuple[int, int]:
    """Return the columns before a row of matchboxes of `slot` columns, and between two, so that they fill `width`.

    A few large boxes stand in its middle instead of far apart.
    """
    free, apart = width - count * slot, form.apart
    if count > 1:
        apart = max(apart, min(free // (count - 1), slot // 3))
    return max(0, free - apart * (count - 1)) // 2, apart


def boxes_text(
    boxes: Sequence[Matchbox], width: int, palette: Palette = PLAIN, form: BoxForm = FRAMED, links: Sequence[str] = ()
) -> Text:
    """Return all matchboxes, in rows of at most `width` columns, spread out if they fill a row.

    A click on one runs its action of `links`, if there are any.
    """
    count = boxes_per_row(boxes, width, form)
    widest = max((box_width(box, form) for box in boxes), default=1)
    indent, apart = 0, form.apart
    if len(boxes) >= max(2, count):
        indent, apart = row_spacing(count, widest, width, form)
    texts = [[line_text(line) for line in box_lines(box, widest, palette, form)] for box in boxes]
    for link, lines in zip(links, texts, strict=False):
        for line in lines:
            line.apply_meta({"@click": link})
    rows = []
    for start in range(0, len(boxes), count):
        row_lines = map(Text(" " * apart).join, zip(*texts[start : start + count], strict=True))
        rows += [Text.assemble(" " * indent, line) for line in row_lines]
    return Text("\n", no_wrap=True).join(rows)


def line_text(line: list[Segment]) -> Text:
    return Text.assemble(*((segment.text, segment.style or "") for segment in line), no_wrap=True)
