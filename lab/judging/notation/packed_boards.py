"""Boards written as numbers: one number in some base, two bitboards, or a number for each square.

big, little             a number in base 3: the first square has the largest place value, or the smallest
big-signed, …           the same with the digits −1, 0, 1, to each of which 1 is added
big-4, little-4         a number with two bits for each square
decimal                 the digits of the squares as one decimal number, which has lost its leading zeros
bits-big, bits-little   two numbers, or the lower and the upper half of one, with a bit for each piece of 1 and of 2
squares-0, planes-2 …   one-hot: three numbers for each square, or three planes, of which one is 1; the name has the
                        index, from 0 to 2, of the one for an empty square. There may be only two planes: without the
                        plane of empty squares, or without one of the others
minus-01                a number for each square: 0 and 1 are pieces, and −1, or None, is an empty square
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple

from lab.judging.notation.written_boards import elements_of
from lab.judging.notation.written_moves import NUMBER, read_whole_number

Ints = tuple[int, ...]
"""The numbers as which a board is written; or the numbers of its squares: 0 for an empty one, 1, and 2 or −1."""
MAX_PIECE: Final = 2
MINUS_FOR_EMPTY: Final = "minus-01"


class Packing(NamedTuple):
    words: str
    squares: Callable[[Ints, int], Ints | None]
    """Returns the numbers of the squares, given the written numbers and the number of squares; `None` if impossible."""


def written_numbers(board: Any) -> Ints:  # noqa: ANN401  as other programs write it
    """Return the whole numbers as which a board is written; empty if it is written in another way."""
    if isinstance(board, (list, tuple)) and all(type(each) is int for each in board):
        return tuple(board)
    written = str(board)
    if "-1" not in written:
        written = written.replace("None", "-1")
    words = [] if isinstance(board, str) and any(map(str.isalpha, written)) else elements_of(written)
    return tuple(map(read_whole_number, words)) if all(map(NUMBER.fullmatch, words)) else ()


def possible_packings(boards: Iterable[Ints], size: int) -> list[str]:
    """Return the names of the packings that all boards can have. Stops at the first board that rules out all."""
    found = [*PACKINGS]
    for board in boards:
        found = [name for name in found if PACKINGS[name].squares(board, size)]
        if not found:
            break
    return found


def _base_packing(base: int, *, big: bool, less: int = 0) -> Callable[[Ints, int], Ints | None]:
    def squares(board: Ints, size: int) -> Ints | None:
        if len(board) != 1 or not 0 <= board[0] < base**size:
            return None
        digits = [board[0] // base**place % base for place in range(size)]
        if max(digits) > MAX_PIECE:
            return None
        return tuple(digit - less for digit in (reversed(digits) if big else digits))

    return squares


def _bitboard_packing(*, big: bool) -> Callable[[Ints, int], Ints | None]:
    def squares(board: Ints, size: int) -> Ints | None:
        if len(board) == 1:
            board = board[0] % 2**size, board[0] >> size
        if len(board) != 2 or board[0] & board[1] or not 0 <= min(board) <= max(board) < 2**size:
            return None
        digits = [(board[0] >> place & 1) + 2 * (board[1] >> place & 1) for place in range(size)]
        return tuple(reversed(digits) if big else digits)

    return squares


def _one_hot_packing(empty: int, *, planes: bool) -> Callable[[Ints, int], Ints | None]:
    def squares(board: Ints, size: int) -> Ints | None:
        kinds, rest = divmod(len(board), size)
        if rest or not {*board} <= {0, 1} or kinds not in (MAX_PIECE, MAX_PIECE + 1):
            return None
        found = [board[place::size] if planes else board[place * kinds :][:kinds] for place in range(size)]
        if any(sum(each) > 1 or (kinds > empty and not sum(each)) for each in found):
            return None
        pieces = [kind + 1 - (kind > empty) if kind != empty else 0 for kind in range(kinds)]
        return tuple(pieces[each.index(1)] if any(each) else 0 for each in found)

    return squares


def _unpack_minus(board: Ints, size: int) -> Ints | None:
    return tuple((0, 2, 1)[each + 1] for each in board) if len(board) == size and {*board} <= {-1, 0, 1} else None


PACKINGS: Final[Mapping[str, Packing]] = {
    **{
        f"{end}{name}": Packing(
            f"boards are numbers in {words}, {end} end first", _base_packing(base, big=big, less=less)
        )
        for name, words, base, less in (
            ("", "base 3", 3, 0),
            ("-signed", "base 3 of digits −1, 0 and 1, plus 1", 3, 1),
            ("-4", "base 4", 4, 0),
        )
        for end, big in (("big", True), ("little", False))
    },
    "decimal": Packing("boards are decimal numbers", _base_packing(10, big=True)),
    "bits-big": Packing("boards are bitboards of 1 and of 2, big end first", _bitboard_packing(big=True)),
    "bits-little": Packing("boards are bitboards of 1 and of 2, little end first", _bitboard_packing(big=False)),
    **{
        f"{name}-{empty}": Packing(f"boards are one-hot, {words}, empty {('first', 'second', 'last')[empty]}", one_hot)
        for name, words in (("squares", "square by square"), ("planes", "plane by plane"))
        for empty in range(MAX_PIECE + 1)
        for one_hot in (_one_hot_packing(empty, planes=name == "planes"),)
    },
    MINUS_FOR_EMPTY: Packing("0 is the other piece, not an empty square", _unpack_minus),
}
