"""What a learner needs beside its memory, packed small: a population of strategies."""

import zlib
from typing import Final

from engine.game import BadText

MOST: Final = 16 * 2**20
"""The most bytes that are unpacked: the largest population takes 8.3 million."""
LEVEL: Final = 1
"""How hard to pack: the least takes a tenth of the usual time, and an eighth more room."""


def packed(bulk: bytes) -> bytes:
    return zlib.compress(bulk, LEVEL) if bulk else b""


def unpacked(data: bytes) -> bytes:
    """Raises `BadText` for what `packed` did not make."""
    if not data:
        return b""
    opened = zlib.decompressobj()
    try:
        bulk = opened.decompress(data, MOST)
    except zlib.error as error:
        raise BadText(f"{error}") from error
    if not opened.eof or opened.unused_data:
        raise BadText(f"it is cut off, has more behind its end, or holds more than {MOST:,} bytes")
    return bulk
