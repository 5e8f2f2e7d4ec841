"""Arrays of integers in few bytes: how checkpoints hold memories."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Int64 = NDArray[np.int64]

WIDTHS: Final = (np.int8, np.int16, np.int32, np.int64)
"""The types of numbers, the narrowest first."""
INDEX_BYTES: Final = 4
"""The bytes of an index."""


@dataclass(frozen=True, eq=False)
class Packed:
    """An array in the narrowest type that holds its numbers, or the numbers other than 0 with their indices."""

    size: int
    """The length m of the array."""
    indices: NDArray[np.int32] | None
    """The indices of the numbers other than 0, ascending, shape (k,); `None` if `kept` has all numbers."""
    kept: NDArray[np.signedinteger]
    """The numbers, shape (k,) or (m,)."""

    @property
    def nbytes(self) -> int:
        """The bytes of its arrays."""
        return self.kept.nbytes + (0 if self.indices is None else self.indices.nbytes)

    def array(self) -> Int64:
        """Return the whole array anew, shape (m,)."""
        if self.indices is None:
            return self.kept.astype(np.int64)
        array = np.zeros(self.size, np.int64)
        array[self.indices] = self.kept
        return array

    def numbers(self, at: NDArray[np.integer]) -> Int64:
        """Return the numbers at some indices, shape (len(at),): `array()[at]`, without the whole array."""
        if self.indices is None:
            kept: Int64 = self.kept[at].astype(np.int64)
            return kept
        if not len(self.indices):
            return np.zeros(len(at), np.int64)
        place = np.minimum(np.searchsorted(self.indices, at), len(self.indices) - 1)
        numbers: Int64 = np.where(self.indices[place] == at, self.kept[place], 0).astype(np.int64)
        return numbers


def pack(array: Int64) -> Packed:
    """Return a packed copy of an array, shape (m,)."""
    least, most = (int(array.min()), int(array.max())) if len(array) else (0, 0)
    width = next(each for each in WIDTHS if np.iinfo(each).min <= least and most <= np.iinfo(each).max)
    indices = np.flatnonzero(array)
    if len(indices) * (INDEX_BYTES + width().nbytes) < len(array) * width().nbytes:
        return Packed(len(array), indices.astype(np.int32), array[indices].astype(width))
    return Packed(len(array), None, array.astype(width))
