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
"""The largest number of a piece."""
MINUS_FOR_EMPTY: Final = "minus-01"
"""The name of the packing in which 0 is a piece, and −1 an empty square."""
Unpack = Callable[[Ints, int], Ints | None]
"""Returns the numbers of the squares, given the written numbers and the number of squares; `None` if impossible."""


class Packing(NamedTuple):
    words: str
    squares: Unpack


def written_numbers(board: Any) -> Ints:  # noqa: ANN401  as other programs write it
    """Return the whole numbers as which a board is written; empty if it is written in another way."""
    if isinstance(board, (list, tuple)) and all(type(each) is int for each in board):
        return tuple(board)
    written = str(board)
    if "-1" not in written:
        written = written.replace("None", "-1")
    if isinstance(board, str) and any(map(str.isalpha, written)):
        return ()
    words = elements_of(written)
    return tuple(map(read_whole_number, words)) if all(map(NUMBER.fullmatch, words)) else ()


def possible_packings(boards: Iterable[Ints], size: int) -> list[str]:
    """Return the names of the packings that all boards can have. Stops at the first board that rules out all."""
    names = [*PACKINGS]
    for board in boards:
        names = [name for name in names if PACKINGS[name].squares(board, size)]
        if not names:
            break
    return names


def _base_packing(base: int, *, big: bool, less: int = 0) -> Unpack:
    """Return the function that unpacks a number in this base; `less` is subtracted from each digit."""

    def unpack(board: Ints, size: int) -> Ints | None:
        if len(board) != 1 or not 0 <= board[0] < base**size:
            return None
        digits = [board[0] // base**place % base for place in range(size)]
        if max(digits) > MAX_PIECE:
            return None
        if big:
            digits.reverse()
        return tuple(digit - less for digit in digits)

    return unpack


def _bitboard_packing(*, big: bool) -> Unpack:
    def unpack(board: Ints, size: int) -> Ints | None:
        if len(board) == 1:
            board = board[0] % 2**size, board[0] >> size
        if len(board) != 2 or board[0] & board[1] or not 0 <= min(board) <= max(board) < 2**size:
            return None
        first, second = board
        digits = [(first >> place & 1) + 2 * (second >> place & 1) for place in range(size)]
        if big:
            digits.reverse()
        return tuple(digits)

    return unpack


def _one_hot_packing(empty: int, *, by_plane: bool) -> Unpack:
    """Return the function that unpacks one-hot boards, `empty` being the index of the number for an empty square."""

    def unpack(board: Ints, size: int) -> Ints | None:
        kinds, rest = divmod(len(board), size)
        if rest or not {*board} <= {0, 1} or kinds not in (MAX_PIECE, MAX_PIECE + 1):
            return None
        pieces = [*range(1, kinds + 1)]
        if empty < kinds:
            pieces = [*range(1, empty + 1), 0, *range(empty + 1, kinds)]
        numbers = list[int]()
        for place in range(size):
            flags = board[place::size] if by_plane else board[place * kinds : (place + 1) * kinds]
            if sum(flags) > 1 or (empty < kinds and not sum(flags)):
                return None
            numbers.append(pieces[flags.index(1)] if any(flags) else 0)
        return tuple(numbers)

    return unpack


def _unpack_minus(board: Ints, size: int) -> Ints | None:
    if len(board) != size or not {*board} <= {-1, 0, 1}:
        return None
    return tuple({-1: 0, 0: 2, 1: 1}[number] for number in board)


ENDS: Final = {"big": True, "little": False}
ORDINALS: Final = ("first", "second", "last")
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
        for end, big in ENDS.items()
    },
    "decimal": Packing("boards are decimal numbers", _base_packing(10, big=True)),
    **{
        f"bits-{end}": Packing(f"boards are bitboards of 1 and of 2, {end} end first", _bitboard_packing(big=big))
        for end, big in ENDS.items()
    },
    **{
        f"squares-{empty}": Packing(
            f"boards are one-hot, square by square, empty {ordinal}", _one_hot_packing(empty, by_plane=False)
        )
        for empty, ordinal in enumerate(ORDINALS)
    },
    **{
        f"planes-{empty}": Packing(
            f"boards are one-hot, plane by plane, empty {ordinal}", _one_hot_packing(empty, by_plane=True)
        )
        for empty, ordinal in enumerate(ORDINALS)
    },
    MINUS_FOR_EMPTY: Packing("0 is the other piece, not an empty square", _unpack_minus),
}
