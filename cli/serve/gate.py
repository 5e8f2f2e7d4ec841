"""Limits connections in number and duration, so that idle or slow ones cannot block the server."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable
from ipaddress import IPv6Address, ip_address
from typing import Final

MAX_HEADERS: Final = 32 * 1024
"""The maximum size of a request's headers, in bytes, with the empty lines before them."""
DEADLINE: Final = 10.0
"""Seconds after which a connection is closed, unless a session uses it."""
MAX_WAITING: Final = 100
"""The maximum number of connections without complete headers."""
MAX_ANSWERED: Final = 200
"""The maximum number of connections whose request is being answered, not counting sessions."""
NETWORK: Final = 8
"""The number of leading bytes that all IPv6 addresses of one owner share."""


class Gate:
    """Counts connections, and passes each to the web server when the headers of its request are complete.

    If there are too many, it closes the oldest connection of the address that has the most: nobody can take the places
    of others by opening many.
    """

    def __init__(self, handler: Callable[[], asyncio.Protocol]) -> None:
        self.handler = handler
        self.waiting: dict[asyncio.Transport, None] = {}
        self._deadlines: dict[asyncio.Transport, asyncio.TimerHandle] = {}
        """The deadlines of all connections that are counted, the oldest connection first."""

    def protocol(self) -> "NewConnection":
        return NewConnection(self)

    def add(self, transport: asyncio.Transport) -> None:
        """Count a new connection as waiting, and start its deadline."""
        while len(self.waiting) >= MAX_WAITING:
            oldest = oldest_of_most(self.waiting)
            del self.waiting[oldest]
            oldest.abort()
        self.waiting[transport] = None
        self._deadlines[transport] = asyncio.get_running_loop().call_later(DEADLINE, transport.abort)

    def answer(self, transport: asyncio.Transport) -> None:
        """Count a connection as answered from now on: the headers of its request are complete."""
        self.waiting.pop(transport, None)
        self._deadlines = {each: timer for each, timer in self._deadlines.items() if not each.is_closing()}
        answered = [each for each in self._deadlines if each not in self.waiting]
        if len(answered) > MAX_ANSWERED:
            oldest_of_most(answered).abort()

    def release(self, transport: asyncio.BaseTransport | None) -> None:
        """Cancel the deadline of a connection that a session uses, and no longer count it."""
        timer = self._deadlines.pop(transport, None) if isinstance(transport, asyncio.Transport) else None
        if timer is not None:
            timer.cancel()

    def forget(self, transport: asyncio.Transport) -> None:
        """Cease to count a connection that was lost before its headers were complete."""
        self.waiting.pop(transport, None)
        self.release(transport)


def oldest_of_most(transports: Iterable[asyncio.Transport]) -> asyncio.Transport:
    """Return the oldest connection of the owner with the most connections."""
    owners = {each: owner(str((each.get_extra_info("peername") or ("",))[0])) for each in transports}
    most = Counter(owners.values()).most_common(1)[0][0]
    return next(each for each in owners if owners[each] == most)


def owner(address: str) -> str | bytes:
    """Return the address that stands for all addresses of its owner; an unknown one stands for itself."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address):
        return str(parsed.ipv4_mapped) if parsed.ipv4_mapped else parsed.packed[:NETWORK]
    return address


class NewConnection(asyncio.Protocol):
    """A connection until the headers of its first request are complete.

    Empty lines before a request are skipped, as HTTP asks: the web server would take them for no request at all.
    """

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._received = b""
        self._size = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  of a stream
        self._transport = transport
        self._gate.add(transport)

    def data_received(self, data: bytes) -> None:
        self._size += len(data)
        self._received = (self._received + data).lstrip(b"\r\n")
        if self._size > MAX_HEADERS:
            self._transport.abort()
        elif b"\r\n\r\n" in self._received:
            self._gate.answer(self._transport)
            if self._transport.is_closing():
                return
            handler = self._gate.handler()
            self._transport.set_protocol(handler)
            handler.connection_made(self._transport)
            handler.data_received(self._received)

    def connection_lost(self, _error: Exception | None) -> None:
        self._gate.forget(self._transport)
