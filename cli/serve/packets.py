"""The packets of Textual's web driver: a letter, four bytes of length (big-endian), and the payload.

The app sends `D` (text for the terminal), `M` (JSON) and `P` (a packed tuple). It receives `D` (keys) and `M`.
"""

import asyncio
import json
from typing import Final

START: Final = b"__GANGLION__\n"
"""The line after which the app writes packets."""
MAX_FIRST_LINES: Final = 100
"""The maximum number of lines before `START`."""
MAX_PACKET: Final = 16 * 2**20
"""The maximum size of a packet, in bytes: several times a screen of 500 × 200 in which every cell has its own style."""


class BadPacket(Exception):
    """Output that is not a valid packet."""


def packet(kind: bytes, payload: bytes) -> bytes:
    return kind + len(payload).to_bytes(4, "big") + payload


def data(payload: bytes) -> bytes:
    return packet(b"D", payload)


def meta(**fields: object) -> bytes:
    """Pack a message to the web driver, such as a new size."""
    return packet(b"M", json.dumps(fields).encode())


async def read_start(stream: asyncio.StreamReader) -> None:
    """Read up to the first packet. Raises `BadPacket` or `EOFError`."""
    for _ in range(MAX_FIRST_LINES):
        try:
            line = await stream.readuntil(b"\n")
        except asyncio.LimitOverrunError as error:
            raise BadPacket("a long line before the first packet") from error
        if line == START:
            return
    raise BadPacket("no packets")


async def read_packet(stream: asyncio.StreamReader) -> tuple[bytes, bytes]:
    """Return the letter and the payload of the next packet. Raises `BadPacket`, or `EOFError` at the end."""
    head = await stream.readexactly(5)
    size = int.from_bytes(head[1:], "big")
    if size > MAX_PACKET:
        raise BadPacket("a packet that is too large")
    return head[:1], await stream.readexactly(size)


def parse_chunk(payload: bytes) -> tuple[str, bytes]:
    """Return the key and the bytes of a chunk of a file, packed as the tuple `("deliver_chunk", key, chunk)`.

    A text is packed as `s5:hello`, bytes as `5:hello`, a tuple as `t…e`. Raises `BadPacket`.
    """
    if payload[:1] != b"t":
        raise BadPacket("not a tuple")
    fields, at = [], 1
    while payload[at : at + 1] not in {b"e", b""}:
        colon = payload.find(b":", at)
        length = payload[at:colon].removeprefix(b"s")
        if colon < 0 or not length.isdigit() or len(length) > 8:
            raise BadPacket("neither text nor bytes")
        at = colon + 1 + int(length)
        fields.append(payload[colon + 1 : at])
    match fields:
        case [b"deliver_chunk", key, chunk]:
            return key.decode("utf-8", "replace"), chunk
        case _:
            raise BadPacket("not a chunk of a file")
