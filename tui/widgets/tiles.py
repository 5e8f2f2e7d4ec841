"""Tiles: small boards in rows, each with a caption, in the colours of the theme and of the beads."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Final

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.color import Color
from textual.widget import Widget

from engine.game import Game, Position
from learners.core.cards import Card
from learners.core.player import Thought
from learners.menace.bead_words import COLOURS

EMPTY: Final = "·"
UNKNOWN: Final = "?"
"""The symbol of a move about which nothing is known."""
SHARE: Final = "%"
"""The last character of a share."""
GAP: Final = 3
LIT: Final = Style(reverse=True, bold=True)


@dataclass(frozen=True)
class Symbol:
    """A text on a square."""

    text: str
    hue: int = 0
    """The number of the bead colour, from 1; 0 for none."""
    drawn: bool = False
    """Whether the move of the symbol was played; the symbol is then highlighted."""
    changed: bool = False
    """Whether the number of the move has just changed."""
    worth: float | None = None
    """How deep the shade is, from 0 to 1; `None` for no shade."""


@dataclass(frozen=True)
class Tile:
    """A small board: a position, symbols on some squares, and a caption below."""

    game: Game
    position: Position
    symbols: Mapping[int, Symbol] = field(default_factory=dict)
    """The symbols by square; they replace the pieces there."""
    caption: str = ""
    beads: tuple[Symbol, ...] = ()
    """Symbols in a line below the board; they replace `symbols` if moves share their squares."""
    lit: bool = False
    """Whether the caption is highlighted."""


@dataclass(frozen=True)
class Palette:
    """The styles of small boards."""

    first: Style
    second: Style
    symbol: Style
    share: Style
    quiet: Style
    cursor: Style
    beads: tuple[Style, ...]
    """The styles of bead colours; empty on a terminal without colours."""
    shades: tuple[Style, ...] = ()
    """The styles of worths from 0 to 1, in equal steps; empty on a terminal without colours."""

    def text(self, symbol: Symbol) -> str:
        """The text of a symbol. For a bead in colour, the letter of the colour, its first character, is dropped."""
        return symbol.text[1:] if symbol.hue and self.beads and symbol.text != EMPTY else symbol.text

    def of(self, symbol: Symbol) -> Style:
        """The style of a symbol; highlighting does not depend on colour."""
        style = self.beads[(symbol.hue - 1) % len(self.beads)] if symbol.hue and self.beads else self.symbol
        style = self.share if symbol.text.endswith(SHARE) else self.quiet if symbol.text in (EMPTY, UNKNOWN) else style
        if symbol.worth is not None:
            style = self.shades[round(symbol.worth * (len(self.shades) - 1))] if self.shades else self.share
        return style + Style(
            reverse=symbol.drawn or None, bold=symbol.changed or None, underline=symbol.changed or None
        )


PLAIN: Final = Palette(
    Style(bold=True), Style(bold=True), Style(bold=True, reverse=True), Style(), Style(dim=True), Style(bold=True), ()
)


def card_tile(
    game: Game, card: Card, *, drawn: Collection[int] = (), changed: Collection[int] = (), lit: bool = False
) -> Tile:
    """A card as a tile. `drawn` are the moves that were played, `changed` those whose numbers have just changed."""
    signs = {
        thought.move: Symbol(thought.symbol, thought.hue, thought.move in drawn, thought.move in changed, thought.worth)
        for thought in card.thoughts
    }
    if has_beads_below(game, card.position, card.thoughts):
        return Tile(game, card.position, {}, card.caption, tuple(signs.values()), lit)
    placed = placed_on_squares(game, card.position, card.thoughts)
    symbols = {square: Symbol(sign) for square, sign in card.signs.items()}
    symbols |= {square: signs[thought.move] for square, thought in placed.items()}
    return Tile(game, card.position, symbols, card.caption, (), lit)


def placed_on_squares(game: Game, position: Position, thoughts: Iterable[Thought]) -> dict[int, Thought]:
    """The thought to draw on each square that moves lead to: of several moves, the thought on the likeliest one.

    A piece that a move captures stays visible, unless the move is ruled out.
    """
    cells = game.board.cells(position)
    placed: dict[int, Thought] = {}
    for thought in sorted(thoughts, key=lambda thought: thought.chance):
        *moved, square = game.board.squares(position, thought.move)
        if cells[square] is None or thought.excluded or not moved:
            placed[square] = thought
        else:
            placed.pop(square, None)
    return placed


def has_beads_below(game: Game, position: Position, thoughts: Sequence[Thought]) -> bool:
    """Whether beads are drawn below the board: if a move has two squares or an option, moves may share a square."""
    moves = [thought.move for thought in thoughts if thought.hue]
    board = game.board
    return any(len(board.squares(position, move)) > 1 or board.option(position, move) for move in moves)


def cell_width(tile: Tile) -> int:
    """The width of a square, in columns: that of the widest symbol."""
    return max((len(symbol.text) for symbol in tile.symbols.values()), default=1)


def board_width(tile: Tile) -> int:
    return (cell_width(tile) + 1) * tile.game.board.columns - 1


def tile_width(tile: Tile) -> int:
    beads = sum(len(symbol.text) + 1 for symbol in tile.beads) - 1
    return max(board_width(tile), beads, len(tile.caption))


def tile_lines(tile: Tile, width: int, palette: Palette) -> list[list[Segment]]:
    """The rows of the board, the beads if there are any, and the caption, each `width` columns wide."""
    cell, cells, columns = cell_width(tile), tile.game.board.cells(tile.position), tile.game.board.columns
    lines: list[list[Segment]] = []
    for square, piece in enumerate(cells):
        if square % columns == 0:
            lines.append([])
        symbol = tile.symbols.get(square)
        if symbol is not None:
            text, style = palette.text(symbol), palette.of(symbol)
        elif piece is None:
            text, style = EMPTY, palette.quiet
        else:
            text, style = piece.mark, palette.second if piece.side else palette.first
        space = cell - len(text) + (square % columns > 0)  # right-aligned, like numbers
        lines[-1] += [Segment(" " * space), Segment(text, style)]
    if tile.beads:
        lines.append(
            [part for bead in tile.beads for part in (Segment(" "), Segment(palette.text(bead), palette.of(bead)))][1:]
        )
    caption = f" {tile.caption} " if tile.lit and len(tile.caption) + 2 <= width else tile.caption
    lines.append([Segment(caption, LIT if tile.lit else palette.quiet)])
    return [_centred(line, width) for line in lines]


def _centred(line: list[Segment], width: int) -> list[Segment]:
    room = width - sum(len(segment.text) for segment in line)
    return [Segment(" " * (room // 2)), *line, Segment(" " * (room - room // 2))]


def per_row(tiles: Sequence[Tile], width: int) -> int:
    """How many of the tiles fit side by side in `width` columns."""
    widest = max(map(tile_width, tiles), default=1)
    return max(1, (width + GAP) // (widest + GAP))


def lines_of(tiles: Sequence[Tile], width: int, palette: Palette = PLAIN, *, apart: bool = False) -> Text:
    """All tiles, in rows of at most `width` columns. With `apart`, there is an empty line between the rows."""
    count = per_row(tiles, width)
    widest = max(map(tile_width, tiles), default=1)
    rows = []
    for start in range(0, len(tiles), count):
        drawn = [tile_lines(tile, widest, palette) for tile in tiles[start : start + count]]
        rows.append(Text("\n").join(Text(" " * GAP).join(map(_text, parts)) for parts in zip(*drawn, strict=True)))
    return Text("\n\n" if apart else "\n", no_wrap=True).join(rows)


def _text(line: list[Segment]) -> Text:
    return Text.assemble(*((segment.text, segment.style or "") for segment in line), no_wrap=True)


BEADS: Final = (
    ("#f5f5f0", "#66665c"),  # white
    ("#c3a6ff", "#7446c0"),  # lilac
    ("#a3b4c2", "#4f6272"),  # silver
    ("#7d7d7d", "#101010"),  # black
    ("#f2cf45", "#7d6200"),  # gold
    ("#5fcf74", "#186e2e"),  # green
    ("#ff9a3c", "#a84c00"),  # amber
    ("#ff6b62", "#c01b2e"),  # red
    ("#ff8fc8", "#b02a78"),  # pink
)
"""The colours of hues 1, 2 …, each for dark and for light themes: a black bead must not be black on black."""


HUES: Final = dict(zip(COLOURS, BEADS, strict=True))


def theme_colour(widget: Widget, name: str) -> str:
    """A colour of the current theme or of beads, by name, as text for Rich; some themes use colours of the terminal."""
    if name in HUES:
        return HUES[name][0 if widget.app.current_theme.dark else 1]
    return widget.app.theme_variables.get(name, "default").removeprefix("ansi_")


def palette_of(widget: Widget) -> Palette:
    """The styles of small boards in the current theme; the colours are those of the large board. Cached, so fast."""
    colours = tuple(
        theme_colour(widget, name) for name in ("role-first", "role-second", "role-bad", "accent", "foreground")
    )
    return _palette(colours, _heat(widget), dark=widget.app.current_theme.dark, coloured=not widget.app.no_color)


@cache
def _palette(colours: tuple[str, ...], heat: tuple[str, str], *, dark: bool, coloured: bool) -> Palette:
    *bold, foreground = colours
    first, second, symbol, cursor = (Style(color=colour, bold=True, dim=False) for colour in bold)
    return Palette(
        first=first,
        second=second,
        symbol=symbol,
        share=Style(color=foreground, bold=False, dim=False),
        quiet=Style(color=foreground, bold=False, dim=True),
        cursor=cursor,
        beads=tuple(Style(color=pair[0 if dark else 1]) for pair in BEADS if coloured),
        shades=tuple(_shade(*heat, step) for step in range(SHADES + 1)) if coloured else (),
    )


SHADES: Final = 10
"""The number of shades, not counting no shade."""
DEEPEST: Final = 0.8
"""The amount of colour in the last shade, from 0 to 1."""


def shade_of(widget: Widget, share: float) -> Style:
    """The style for a share from 0 to 1 in the current theme: a larger share has a deeper shade; only 0 has none."""
    return _shade(*_heat(widget), -int(-share * SHADES // 1))


def _heat(widget: Widget) -> tuple[str, str]:
    """The two colours that are mixed to make shades: the background, and the colour of heat."""
    ground, colour = (widget.app.theme_variables.get(name, "ansi_default") for name in ("background", "role-heat"))
    return ground, colour


def ground_of(widget: Widget) -> Style:
    """The style for the selection in a widget without focus, in the current theme."""
    colour = widget.app.theme_variables["primary-muted"]
    return Style(reverse=True) if "ansi" in colour else Style(bgcolor=colour)


@cache
def _shade(ground: str, colour: str, step: int) -> Style:
    if "ansi" in ground + colour:  # colours of the terminal cannot be mixed
        return Style(reverse=2 * step > SHADES, bold=step > 0)
    mixed = Color.parse(ground).blend(Color.parse(colour), DEEPEST * step / SHADES)
    return Style(bgcolor=mixed.hex, color=mixed.get_contrast_text(1).rich_color, bold=step > 0)
