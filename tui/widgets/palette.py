"""The palette: how the squares of small boards look, and other styles mixed from the colours of the theme."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import ceil
from typing import TYPE_CHECKING, Final, cast

from rich.style import Style
from rich.text import Text
from textual.color import Color, ColorParseError
from textual.widget import Widget

from engine.game import Game
from lab.memory.matchbox import BEADS, HUES, Square, SquareKind
from lab.text.numbers import BARS
from tui.shell.looks import ASCII
from tui.widgets.board_shape import DISCS

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

PALETTE_COLOURS: Final = ("role-first", "role-second", "role-good", "role-bad", "role-lit", "foreground", "background")
"""The colours of the theme from which a palette is mixed."""
SCALE_STEPS: Final = 8
"""The number of steps of a scale of colours."""
FAINT: Final = 0.35
"""How much of a colour is in its faintest shade."""
SHADES: Final = 10
"""The number of shades, not counting no shade."""
DEEPEST: Final = 0.8
"""The amount of colour in the last shade, from 0 to 1."""


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
"""The palette without the colours of a theme."""


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


def shade_of(widget: Widget, share: float) -> Style:
    """Return the style for a share from 0 to 1 in the current theme: a larger share has a deeper shade.

    Only the share 0 has no shade.
    """
    ground, colour = (widget.app.theme_variables.get(name, "ansi_default") for name in ("background", "role-heat"))
    return _shade(ground, colour, -int(-share * SHADES // 1))


@cache
def _shade(ground: str, colour: str, step: int) -> Style:
    if "ansi" in ground + colour:  # colours of the terminal cannot be mixed
        return Style(reverse=step == SHADES, bold=2 * step > SHADES, dim=0 < 2 * step <= SHADES)
    shade = Color.parse(ground).blend(Color.parse(colour), DEEPEST * step / SHADES)
    return Style(bgcolor=shade.hex, color=shade.get_contrast_text(1).rich_color, bold=step > 0)


def ground_of(widget: Widget) -> Style:
    """Return the style for the selection in a widget, in the current theme."""
    is_lit = widget.has_focus
    colour = widget.app.theme_variables["primary" if is_lit else "primary-muted"]
    if "ansi" in colour or widget.app.no_color:
        return Style(reverse=True, bold=is_lit)
    if not is_lit:
        return Style(bgcolor=colour)
    return Style(bgcolor=colour, color=Color.parse(colour).get_contrast_text(1).rich_color, bold=True)
