"""Matchboxes as text: cards of a memory and small boards, in rows, in the colours of the theme and of the beads."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import ceil
from typing import TYPE_CHECKING, Final, cast

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.color import Color, ColorParseError
from textual.widget import Widget

from engine.game import Game
from lab.memory.matchbox import BEADS, HUES, Matchbox, Square, SquareKind
from lab.text.numbers import BARS, short_count
from tui.shell.looks import ASCII
from tui.widgets.board_shape import DISCS, mark_lines

if TYPE_CHECKING:
    from tui.shell.lab_app import LabApp

EMPTY: Final = "·"
BEAD: Final = "●"
WHITE_BEAD: Final = "○"
"""A white bead on a light ground, where its colour would be grey."""
DRAWN: Final = "◉"
"""The bead that was drawn, or the move that was played."""
STRUCK: Final = "╱"
ASCII_BARS: Final = "1234567"
SCALE_STEPS: Final = 8
"""The number of steps of a scale of colours."""


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
class Palette:
    """The styles of small boards."""

    first: Style
    second: Style
    quiet: Style
    share: Style
    frame: Style
    lit: Style
    changed: Style
    """The ground of a move whose number has just changed."""
    good: Style
    bad: Style
    rows: tuple[Style, Style]
    """The grounds of a completed row: of a machine against a person, and of anybody else."""
    beads: tuple[Style, ...]
    """The styles of bead colours; empty on a terminal without colours."""
    light: bool = False
    """Whether the ground is light."""
    values: tuple[Style, ...] = ()
    """The styles of values, from loss to win in equal steps. Without colours this and the other scales are empty."""
    struck: tuple[Style, ...] = ()
    """The styles of moves that are ruled out, the earliest first, and of shares that have lost, the least first."""
    more: tuple[Style, ...] = ()
    """The styles of shares that have gained, the least first."""
    bars: str = BARS
    """The characters of bars, the lowest first."""

    def of_bead(self, hue: int) -> Style:
        """Return the style of beads of a colour, by its number from 1; 0 is no colour."""
        return self.beads[(hue - 1) % len(self.beads)] if hue and self.beads else self.share

    def of_side(self, side: int | None) -> Style:
        """Return the style of the pieces of a side, or of nobody."""
        if side is None:
            return self.share
        return self.second if side else self.first

    def bead(self, hue: int) -> str:
        return WHITE_BEAD if self.light and hue == 1 else BEAD

    def of_change(self, change: float) -> Style:
        """Return the style of a share that has gained or lost, by the heat of the change from −1 to 1."""
        return _step(self.more if change > 0 else self.struck, abs(change), self.share)

    def look(self, square: Square, *, discs: bool = False) -> tuple[str, Style]:
        """Return the character on a square, and its style."""
        text, style = self._sign(square, discs=discs)
        if square.drawn:
            text, style = DRAWN, self.of_bead(square.hue) + Style(bold=True)
        if square.changed:
            style += self.changed
        elif square.row is not None:
            style += self.rows[square.row]
        return text, style

    def _sign(self, square: Square, *, discs: bool) -> tuple[str, Style]:
        """Return the character on a square, and its style, whether or not it was drawn or changed."""
        match square.kind:
            case SquareKind.NOTHING:
                text, style = EMPTY, self.quiet
            case SquareKind.PIECE:
                text, style = DISCS[bool(square.side)] if discs else square.text, self.of_side(square.side)
            case SquareKind.SIGN:
                text, style = square.text, self.quiet
            case SquareKind.STRUCK:
                text, style = STRUCK, _step(self.struck, square.level, self.bad)
            case SquareKind.VALUE:
                text, style = self.bars[_bar_index(square.level) or 0], _step(self.values, square.level, self.share)
            case SquareKind.BEAD | SquareKind.SHARE:
                index = _bar_index(square.level)
                if index is None:
                    text, style = EMPTY, self.quiet
                else:
                    text, style = self.bars[index], self.of_bead(square.hue)
        return text, style

    def draw_marks(self, text: Text, game: Game) -> Text:
        """Return a text with the marks of the sides as the board shows them: in their colours, or as discs."""
        for piece in game.board.pieces:
            if piece.side is None:
                continue
            sign, style = self.look(Square(SquareKind.PIECE, piece.mark, piece.side), discs=game.board.discs)
            mark = re.compile(rf"(?<![\w-]){re.escape(piece.mark)}(?![\w-])")
            places = [match.start() for match in mark.finditer(text.plain)]
            text.plain = mark.sub(sign, text.plain)
            for place in places:
                text.stylize(style, place, place + 1)
        return text


def _bar_index(level: float) -> int | None:
    """Return the index of the bar for a level from 0 to 1; `None` for 0."""
    if level <= 0:
        return None
    return min(len(BARS), ceil(round(level * len(BARS), 9))) - 1


def _step(scale: Sequence[Style], level: float, default: Style) -> Style:
    """Return the style for a level from 0 to 1 on a scale; the default without one."""
    if not scale:
        return default
    return scale[round(min(1.0, max(0.0, level)) * (len(scale) - 1))]


_BOLD: Final = Style(bold=True)
PLAIN: Final = Palette(
    first=_BOLD,
    second=_BOLD,
    quiet=Style(dim=True),
    share=Style(),
    frame=Style(dim=True),
    lit=Style(bold=True),
    changed=Style(reverse=True, bold=True),
    good=_BOLD,
    bad=_BOLD,
    rows=(Style(reverse=True), Style(reverse=True)),
    beads=(),
)


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


def theme_colour(widget: Widget, name: str) -> str:
    """Return a colour of the current theme or of beads, by name, as text for Rich.

    Some themes use colours of the terminal.
    """
    if name in HUES:
        return HUES[name][0 if widget.app.current_theme.dark else 1]
    return widget.app.theme_variables.get(name, "default").removeprefix("ansi_")


def palette_of(widget: Widget) -> Palette:
    """Return the styles of small boards in the current theme; the colours are those of the large board.

    The result is cached.
    """
    app = cast("LabApp", widget.app)
    colours = tuple(theme_colour(widget, name) for name in PALETTE_COLOURS)
    bars = ASCII_BARS if app.looks.skin == ASCII else BARS
    return _palette(colours, dark=app.current_theme.dark, coloured=not app.no_color, bars=bars)


PALETTE_COLOURS: Final = ("role-first", "role-second", "role-good", "role-bad", "role-lit", "foreground", "background")


@cache
def _palette(colours: tuple[str, ...], *, dark: bool, coloured: bool, bars: str) -> Palette:
    *_, good, bad, lit, foreground, background = colours
    bold = [Style(color=colour, bold=True, dim=False) for colour in colours[:5]]
    quiet = Style(color=foreground, bold=False, dim=True)
    frame_colour = _blend(background, foreground, FAINT)
    palette = Palette(
        first=bold[0],
        second=bold[1],
        quiet=quiet,
        share=Style(color=foreground, bold=False, dim=False),
        frame=quiet if frame_colour is None else Style(color=frame_colour),
        lit=bold[4],
        changed=_ground(background, lit),
        good=bold[2],
        bad=bold[3],
        rows=(_ground(background, bad), _ground(background, good)),
        beads=(),
        bars=bars,
    )
    if not coloured:
        return palette
    return replace(
        palette,
        beads=tuple(Style(color=pair[0 if dark else 1]) for pair in BEADS),
        light=not dark,
        values=_scale(bad, foreground, good),
        struck=_scale(background, bad, start=FAINT),
        more=_scale(background, good, start=FAINT),
    )


FAINT: Final = 0.35
"""How much of a colour is in its faintest shade."""


def _blend(ground: str, colour: str, share: float) -> str | None:
    """Return a share of a colour on a ground; `None` if one of them is a colour of the terminal."""
    try:
        return Color.parse(ground).blend(Color.parse(colour), share).hex
    except ColorParseError:
        return None


def _ground(background: str, colour: str) -> Style:
    blend = _blend(background, colour, FAINT)
    return PLAIN.changed if blend is None else Style(bgcolor=blend)


def _scale(*colours: str, start: float = 0.0) -> tuple[Style, ...]:
    """Return styles in equal steps through the colours; the colours themselves if they cannot be mixed."""
    shares = [start + (1 - start) * step / SCALE_STEPS for step in range(SCALE_STEPS + 1)]
    last = len(colours) - 1
    styles = []
    for share in shares:
        nth = min(last - 1, int(share * last))
        blend = _blend(colours[nth], colours[nth + 1], share * last - nth)
        styles.append(Style(color=blend or colours[min(last, round(share * last))]))
    return tuple(styles)


SHADES: Final = 10
"""The number of shades, not counting no shade."""
DEEPEST: Final = 0.8
"""The amount of colour in the last shade, from 0 to 1."""


def shade_of(widget: Widget, share: float) -> Style:
    """Return the style for a share from 0 to 1 in the current theme: a larger share has a deeper shade.

    Only the share 0 has no shade.
    """
    ground, colour = (widget.app.theme_variables.get(name, "ansi_default") for name in ("background", "role-heat"))
    return _shade(ground, colour, -int(-share * SHADES // 1))


def ground_of(widget: Widget) -> Style:
    """Return the style for the selection in a widget, in the current theme."""
    is_lit = widget.has_focus
    colour = widget.app.theme_variables["primary" if is_lit else "primary-muted"]
    if "ansi" in colour or widget.app.no_color:
        return Style(reverse=True, bold=is_lit)
    if not is_lit:
        return Style(bgcolor=colour)
    return Style(bgcolor=colour, color=Color.parse(colour).get_contrast_text(1).rich_color, bold=True)


@cache
def _shade(ground: str, colour: str, step: int) -> Style:
    if "ansi" in ground + colour:  # colours of the terminal cannot be mixed
        return Style(reverse=step == SHADES, bold=2 * step > SHADES, dim=0 < 2 * step <= SHADES)
    shade = Color.parse(ground).blend(Color.parse(colour), DEEPEST * step / SHADES)
    return Style(bgcolor=shade.hex, color=shade.get_contrast_text(1).rich_color, bold=step > 0)
