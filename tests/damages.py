"""Damage to the bytes of a file."""

from random import Random


def damages(data: bytes, random: Random) -> list[bytes]:
    """The data cut off, empty, overwritten with zeros or junk, with a bit flipped, a part moved, and a byte more."""
    place = random.randrange(len(data))
    return [
        data[:place],
        b"",
        bytes(len(data)),
        random.randbytes(len(data)),
        data[:place] + bytes([data[place] ^ 1 << random.randrange(8)]) + data[place + 1 :],
        data[:place] + data[place + 8 :] + data[place : place + 8],
        data + b"\0",
    ]
