"""Compression of large data of a snapshot, such as a population of strategies, or the weights of a network.

Parameters, such as these weights, are integers of 32 bits. The lowest bytes of all parameters come first, then the
second lowest, and so on: zlib needs less space if similar bytes are next to each other.
"""

import zlib
from typing import Final

import numpy as np

from engine.game import BadText
from learners import find_kind
from learners.core.snapshot import Memory

MAX_BYTES: Final = 16 * 2**20
"""The size limit after decompression, in bytes. The largest population has 8.3 million, the largest network 16 MiB."""
LEVEL: Final = 1
"""The compression level of zlib: the lowest takes a tenth of the default's time, and an eighth more space."""


def packed(bulk: bytes) -> bytes:
    """Compress a bulk by zlib. An empty bulk stays empty."""
    return zlib.compress(bulk, LEVEL) if bulk else b""


def unpacked(data: bytes) -> bytes:
    """Return the reverse of `packed`. Raises `BadText` for data that `packed` cannot have made."""
    if not data:
        return b""
    opened = zlib.decompressobj()
    try:
        bulk = opened.decompress(data, MAX_BYTES)
    except zlib.error as error:
        raise BadText(f"{error}") from error
    if not opened.eof or opened.unused_data:
        raise BadText(f"it is cut off, has data after its end, or holds more than {MAX_BYTES:,} bytes")
    return bulk


WIDTH: Final = 4
"""Bytes per parameter."""


def has_parameters(learner: str) -> bool:
    """Return whether the memory of the learner with this name is parameters, not a table over moves."""
    kind = find_kind(learner)
    return kind is not None and kind.spec.parameters


def packed_parameters(memory: Memory) -> bytes:
    """Compress parameters, shape (p,)."""
    planes = memory.astype("<i4").view(np.uint8).reshape(-1, WIDTH).T
    return packed(planes.tobytes())


def unpacked_parameters(data: bytes) -> Memory:
    """Return the reverse of `packed_parameters`.

    Raises `BadText` for data that `packed_parameters` cannot have made.
    """
    planes = unpacked(data)
    if len(planes) % WIDTH:
        raise BadText(f"{len(planes):,} bytes are no parameters of {WIDTH} bytes each")
    numbers = np.frombuffer(planes, np.uint8).reshape(WIDTH, -1).T
    memory: Memory = np.ascontiguousarray(numbers).view("<i4").ravel().astype(np.int32)
    return memory
