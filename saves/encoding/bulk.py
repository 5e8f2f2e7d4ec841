"""Compression of large data of a snapshot, such as a population of strategies, or the weights of a network."""

import zlib
from typing import Final

from engine.game import BadText

MAX_BYTES: Final = 16 * 2**20
"""The size limit after decompression, in bytes. The largest population has 8.3 million, the largest network 16 MiB."""
LEVEL: Final = 1
"""The compression level of zlib: the lowest takes a tenth of the default's time, and an eighth more space."""


def packed(bulk: bytes) -> bytes:
    """Compress a bulk by zlib. An empty bulk stays empty."""
    return zlib.compress(bulk, LEVEL) if bulk else b""


def unpacked(data: bytes) -> bytes:
    """The reverse of `packed`. Raises `BadText` for data that `packed` cannot have made."""
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
