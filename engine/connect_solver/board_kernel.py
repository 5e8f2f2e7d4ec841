"""Bitboards of games with gravity, and what can be read off a position without a search.

mask      one bit a square: bit `column * (rows + 1) + row`, row 0 at the bottom. The top bit of each column is always
          0, so that no line runs from one column into the next. All fits into 63 bits: a signed word, never negative
own       the pieces of the side to move
taken     the pieces of both sides
shape     three tuples of `None`, as long as the board has columns and rows, and as a line is. Their lengths are part of
          their types, so that the compiler sees three constants
"""

import numpy as np
from numpy.typing import NDArray

from engine.compiling.compiler import compiled

Lengths = tuple[tuple[None, ...], tuple[None, ...], tuple[None, ...]]
Words = NDArray[np.int64]


@compiled
def count(mask: int) -> int:
    word = np.uint64(mask)
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return np.int64((word * np.uint64(0x0101010101010101)) >> np.uint64(56))  # type: ignore[return-value]  # an int


@compiled
def bottom_row(shape: Lengths) -> int:
    mask = 0
    for column in range(len(shape[0])):
        mask |= 1 << column * (len(shape[1]) + 1)
    return mask


@compiled
def all_squares(shape: Lengths) -> int:
    return bottom_row(shape) * ((1 << len(shape[1])) - 1)


@compiled
def quiet_squares(shape: Lengths) -> int:
    """Return the squares that a side gets if each of its moves is answered in the same column: an odd number above."""
    mask = 0
    for row in range(len(shape[1]) - 2, -1, -2):
        mask |= bottom_row(shape) << row
    return mask


@compiled
def winning_squares_along(shape: Lengths, mask: int, step: int) -> int:
    """Return the squares that complete a line in one direction; bits outside of the board are to be ignored."""
    if len(shape[2]) == 4:
        up = (mask << step) & (mask << 2 * step)
        down = (mask >> step) & (mask >> 2 * step)
        return (up & ((mask << 3 * step) | (mask >> step))) | (down & ((mask << step) | (mask >> 3 * step)))
    squares = 0
    for gap in range(len(shape[2])):
        line = -1
        for place in range(len(shape[2])):
            if place < gap:
                line &= mask << (gap - place) * step
            elif place > gap:
                line &= mask >> (place - gap) * step
        squares |= line
    return squares


@compiled
def winning_squares(shape: Lengths, mask: int) -> int:
    """Return the squares, taken or not, that complete a line of the pieces in a mask."""
    step = len(shape[1]) + 1
    squares = (
        winning_squares_along(shape, mask, step)
        | winning_squares_along(shape, mask, step - 1)
        | winning_squares_along(shape, mask, step + 1)
    )
    upright = mask << 1
    for height in range(2, len(shape[2])):
        upright &= mask << height
    return (squares | upright) & all_squares(shape)


@compiled
def line_starts(shape: Lengths, mask: int, step: int) -> int:
    """Return the lowest square of each line of the pieces in a mask, in one direction."""
    if len(shape[2]) == 4:
        pairs = mask & (mask >> step)
        return pairs & (pairs >> 2 * step)
    squares = mask
    for place in range(1, len(shape[2])):
        squares &= mask >> place * step
    return squares


@compiled
def has_line(shape: Lengths, mask: int) -> bool:
    step = len(shape[1]) + 1
    return (
        line_starts(shape, mask, 1)
        | line_starts(shape, mask, step)
        | line_starts(shape, mask, step - 1)
        | line_starts(shape, mask, step + 1)
    ) != 0


@compiled
def mirror_image(shape: Lengths, mask: int) -> int:
    width, image = len(shape[1]) + 1, 0
    for column in range(len(shape[0])):
        image |= ((mask >> column * width) & ((1 << width) - 1)) << (len(shape[0]) - 1 - column) * width
    return image


@compiled
def with_squares_above(shape: Lengths, mask: int) -> int:
    """Return the squares of a mask and all squares above them."""
    if mask:
        for _ in range(len(shape[1]) - 1):
            mask |= (mask << 1) & all_squares(shape)
    return mask
