"""Limits connections in number and duration, so that idle or slow ones cannot block the server."""

import asyncio
from collections.abc import Callable
from typing import Final

MAX_HEADERS: Final = 32 * 1024
"""The maximum size of a request's headers, in bytes."""
DEADLINE: Final = 10.0
"""Seconds after which a connection is closed, unless a session uses it."""
MAX_WAITING: Final = 100
"""The maximum number of connections without complete headers. Before one more is accepted, the oldest is closed."""
MAX_ANSWERED: Final = 200
"""The maximum number of connections whose request is being answered, not counting sessions."""


class Gate:
    """Counts connections, and passes each to the web server when the headers of its request are complete."""

    def __init__(self, handler: Callable[[], asyncio.Protocol]) -> None:
        self.handler = handler
        self.waiting: dict[asyncio.Transport, None] = {}
        self._answered: dict[asyncio.Transport, asyncio.TimerHandle] = {}

    def protocol(self) -> "NewConnection":
        """The protocol of a new connection."""
        return NewConnection(self)

    def add(self, transport: asyncio.Transport) -> None:
        """Count a new connection, and start its deadline. Closes connections beyond the limits."""
        while len(self.waiting) >= MAX_WAITING:
            oldest = next(iter(self.waiting))
            del self.waiting[oldest]
            oldest.abort()
        self.waiting[transport] = None
        loop = asyncio.get_running_loop()
        self._answered = {each: timer for each, timer in self._answered.items() if not each.is_closing()}
        self._answered[transport] = loop.call_later(DEADLINE, transport.abort)
        if len(self._answered) - len(self.waiting) > MAX_ANSWERED:
            transport.abort()

    def release(self, transport: asyncio.BaseTransport | None) -> None:
        """Cancel the deadline of a connection that a session uses, and no longer count it."""
        timer = self._answered.pop(transport, None) if isinstance(transport, asyncio.Transport) else None
        if timer is not None:
            timer.cancel()


class NewConnection(asyncio.Protocol):
    """A connection until the headers of its first request are complete."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._begun = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  of a stream
        self._transport = transport
        self._gate.add(transport)

    def data_received(self, data: bytes) -> None:
        self._begun += data
        if len(self._begun) > MAX_HEADERS:
            self._transport.abort()
        elif b"\r\n\r\n" in self._begun and not self._transport.is_closing():
            self._gate.waiting.pop(self._transport, None)
            handler = self._gate.handler()
            self._transport.set_protocol(handler)
            handler.connection_made(self._transport)
            handler.data_received(self._begun)

    def connection_lost(self, _error: Exception | None) -> None:
        self._gate.waiting.pop(self._transport, None)
