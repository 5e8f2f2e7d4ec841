"""Where connections come in: few at a time, each with a deadline, so that idle or slow ones cannot keep others out."""

import asyncio
from collections.abc import Callable
from typing import Final

HEADERS: Final = 32 * 1024
"""The most bytes of a request's headers."""
DEADLINE: Final = 10.0
"""Seconds that a connection lasts unless it becomes that of a session."""
WAITING: Final = 100
"""Connections whose request has not come yet; of more than these, the oldest are closed."""
ANSWERED: Final = 200
"""Connections whose request is being answered, besides those of sessions."""


class Gate:
    """Counts connections, and hands each over to the web server when its request is complete."""

    def __init__(self, handler: Callable[[], asyncio.Protocol]) -> None:
        self.handler = handler
        self.waiting: dict[asyncio.Transport, None] = {}
        self._answered: dict[asyncio.Transport, asyncio.TimerHandle] = {}

    def entrance(self) -> "Entrance":
        """The protocol of a new connection."""
        return Entrance(self)

    def take(self, transport: asyncio.Transport) -> None:
        while len(self.waiting) >= WAITING:
            oldest = next(iter(self.waiting))
            del self.waiting[oldest]
            oldest.abort()
        self.waiting[transport] = None
        loop = asyncio.get_running_loop()
        self._answered = {each: timer for each, timer in self._answered.items() if not each.is_closing()}
        self._answered[transport] = loop.call_later(DEADLINE, transport.abort)
        if len(self._answered) - len(self.waiting) > ANSWERED:
            transport.abort()

    def keep(self, transport: asyncio.BaseTransport | None) -> None:
        """Let a connection last: it belongs to a session."""
        timer = self._answered.pop(transport, None) if isinstance(transport, asyncio.Transport) else None
        if timer is not None:
            timer.cancel()


class Entrance(asyncio.Protocol):
    """A connection until its first request has come."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._begun = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  of a stream
        self._transport = transport
        self._gate.take(transport)

    def data_received(self, data: bytes) -> None:
        self._begun += data
        if len(self._begun) > HEADERS:
            self._transport.abort()
        elif b"\r\n\r\n" in self._begun and not self._transport.is_closing():
            self._gate.waiting.pop(self._transport, None)
            handler = self._gate.handler()
            self._transport.set_protocol(handler)
            handler.connection_made(self._transport)
            handler.data_received(self._begun)

    def connection_lost(self, _error: Exception | None) -> None:
        self._gate.waiting.pop(self._transport, None)
