"""Conversion of parameters, such as the weights of a network, to bytes: the form in which they are stored.

Each parameter is an integer of 32 bits. The lowest bytes of all parameters come first, then the second lowest, and so
on: zlib, which compresses them, needs less space if similar bytes are next to each other.
"""

from typing import Final

import numpy as np

from engine.game import BadText
from learners import find_kind
from learners.core.snapshot import Memory
from saves.encoding.bulk import packed, unpacked

WIDTH: Final = 4
"""Bytes per parameter."""


def has_parameters(learner: str) -> bool:
    """Whether the memory of the learner with this name is parameters, not a table over moves."""
    kind = find_kind(learner)
    return kind is not None and kind.spec.parameters


def packed_parameters(memory: Memory) -> bytes:
    """Compress parameters, shape (p,)."""
    planes = memory.astype("<i4").view(np.uint8).reshape(-1, WIDTH).T
    return packed(planes.tobytes())


def unpacked_parameters(data: bytes) -> Memory:
    """The reverse of `packed_parameters`. Raises `BadText` for data that `packed_parameters` cannot have made."""
    planes = unpacked(data)
    if len(planes) % WIDTH:
        raise BadText(f"{len(planes):,} bytes are no parameters of {WIDTH} bytes each")
    numbers = np.frombuffer(planes, np.uint8).reshape(WIDTH, -1).T
    memory: Memory = np.ascontiguousarray(numbers).view("<i4").ravel().astype(np.int32)
    return memory
