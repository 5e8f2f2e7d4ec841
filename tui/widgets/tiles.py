"""Little boards in rows, each with a caption: how twins, new failures and pages of a memory are shown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.style import Style
from rich.text import Text

from engine.game import Game, Position

EMPTY: Final = "·"
GAP: Final = 3


@dataclass(frozen=True)
class Tile:
    """One little board: a position, symbols on some of its squares, a line below."""

    game: Game
    position: Position
    symbols: Mapping[int, str] = field(default_factory=dict)
    """What to write on a square instead of what stands there."""
    caption: str = ""


@dataclass(frozen=True)
class Palette:
    """The styles that little boards are drawn in."""

    first: Style
    second: Style
    symbol: Style
    quiet: Style


PLAIN: Final = Palette(Style(bold=True), Style(bold=True), Style(bold=True, reverse=True), Style(dim=True))


def tile_width(tile: Tile) -> int:
    return max(2 * tile.game.columns - 1, len(tile.caption))


def tile_lines(tile: Tile, width: int, palette: Palette) -> list[Text]:
    """The board's rows and the caption, each `width` columns wide and starting at the left."""
    cells = tile.game.cells(tile.position)
    columns = tile.game.columns
    left = (width - (2 * columns - 1)) // 2
    lines = []
    for row in range(tile.game.rows):
        line = Text(" " * left, no_wrap=True)
        for column in range(columns):
            square = row * columns + column
            side = cells[square]
            if column:
                line.append(" ")
            if square in tile.symbols:
                line.append(tile.symbols[square], palette.symbol if tile.symbols[square] != EMPTY else palette.quiet)
            elif side is None:
                line.append(EMPTY, palette.quiet)
            else:
                line.append(tile.game.mark(side), palette.second if side else palette.first)
        line.pad_right(width - line.cell_len)
        lines.append(line)
    lines.append(Text(tile.caption.center(width), palette.quiet, no_wrap=True))
    return lines


def per_row(tiles: Sequence[Tile], width: int) -> int:
    """How many of the tiles go side by side in `width` columns."""
    widest = max(map(tile_width, tiles), default=1)
    return max(1, (width + GAP) // (widest + GAP))


def lines_of(
    tiles: Sequence[Tile], width: int, palette: Palette = PLAIN, *, apart: bool = False, count: int = 0
) -> Text:
    """All tiles, `count` to a row or else as many as go into `width` columns.

    `apart` leaves an empty line between the rows.
    """
    count = count or per_row(tiles, width)
    widest = max(map(tile_width, tiles), default=1)
    rows = []
    for start in range(0, len(tiles), count):
        columns = [tile_lines(tile, widest, palette) for tile in tiles[start : start + count]]
        rows.append(Text("\n").join(Text(" " * GAP).join(pieces) for pieces in zip(*columns, strict=True)))
    return Text("\n\n" if apart else "\n").join(rows)
