"""Arrays of integers in few bytes, as checkpoints hold memories."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.space import Int64

WIDTHS: Final = (np.int8, np.int16, np.int32, np.int64)
INDEX_BYTES: Final = 4
NUMBERS_PER_BYTE: Final = 4
"""An array of m numbers is packed as a difference if that takes less than m / `NUMBERS_PER_BYTE` bytes."""


@dataclass(frozen=True, eq=False)
class Packed:  # noqa: PLW1641  arrays have no hash either
    """An array in the narrowest type for its numbers; or only some of its numbers, with their indices.

    The latter are the numbers other than 0, or those that differ from an earlier array, `before`.
    """

    size: int
    """The length m of the array."""
    indices: NDArray[np.int32] | None
    """The indices of the numbers in `kept`, ascending, shape (k,); `None` if `kept` has all numbers."""
    kept: NDArray[np.signedinteger]
    """The numbers, shape (k,) or (m,)."""
    before: "Packed | None" = None
    """The array from which all other numbers are taken; `None` if these are 0."""

    def __eq__(self, other: object) -> bool:
        """Return whether both are the same array, even if they are packed in different ways."""
        if not isinstance(other, Packed):
            return NotImplemented
        return self is other or (self.size == other.size and np.array_equal(self.array(), other.array()))

    @property
    def nbytes(self) -> int:
        """The number of bytes of its own arrays, without those of `before`."""
        return self.kept.nbytes + (0 if self.indices is None else self.indices.nbytes)

    def array(self) -> Int64:
        """Return the whole array as a new one, shape (m,)."""
        if self.indices is None:
            return self.kept.astype(np.int64)
        array = np.zeros(self.size, np.int64) if self.before is None else self.before.array()
        array[self.indices] = self.kept
        return array

    def numbers(self, at: NDArray[np.integer]) -> Int64:
        """Return the numbers at some indices, shape (len(at),), as `array()[at]` without making the whole array."""
        if self.indices is None:
            return np.asarray(self.kept[at], np.int64)
        numbers = np.zeros(len(at), np.int64) if self.before is None else self.before.numbers(at)
        if len(self.indices):
            place = np.minimum(np.searchsorted(self.indices, at), len(self.indices) - 1)
            numbers = np.where(self.indices[place] == at, self.kept[place], numbers)
        return numbers


def pack(array: Int64, before: Packed | None = None) -> Packed:
    """Return a packed copy of an array, shape (m,); as a difference from the array `before` if few numbers differ."""
    if before is not None:
        changed = np.flatnonzero(array != before.array())
        kept = _narrow(array[changed])
        if NUMBERS_PER_BYTE * (len(changed) * (INDEX_BYTES + kept.itemsize)) < len(array):
            return Packed(len(array), changed.astype(np.int32), kept, before)
    indices = np.flatnonzero(array)
    kept = _narrow(array[indices])
    if len(indices) * (INDEX_BYTES + kept.itemsize) < len(array) * kept.itemsize:
        return Packed(len(array), indices.astype(np.int32), kept)
    return Packed(len(array), None, array.astype(kept.dtype))


def _narrow(array: Int64) -> NDArray[np.signedinteger]:
    """Return the array in the narrowest of `WIDTHS` that holds its numbers."""
    lowest, highest = int(array.min(initial=0)), int(array.max(initial=0))
    for width in WIDTHS:
        if np.iinfo(width).min <= lowest and highest <= np.iinfo(width).max:
            return array.astype(width)
    raise AssertionError(array.dtype)
