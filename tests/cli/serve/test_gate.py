"""Strangers who open many connections without a request, or without an end, keep nobody else out."""

import asyncio
import socket
from contextlib import asynccontextmanager

import pytest

from cli.serve.gate import MAX_ANSWERED, MAX_HEADERS, MAX_WAITING, Gate, owner
from tests.cli.serve.serving import DEADLINE, browser, serving, until

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"


class Echo(asyncio.Protocol):
    """Sends back what the gate has passed on, and keeps the connection open."""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.transport.write(data)


@pytest.fixture
async def gate():
    gate = Gate(Echo)
    server = await asyncio.get_running_loop().create_server(gate.protocol, "127.0.0.1", 0)
    gate.port = server.sockets[0].getsockname()[1]
    yield gate
    server.close()
    for each in list(gate._deadlines):
        gate.release(each)
        each.abort()


@asynccontextmanager
async def strangers(port: int, count: int, sent: bytes, host: str = "127.0.0.1"):
    """Open connections from an address, each of which sends something."""
    opened = []
    for _ in range(count):
        try:
            opened.append(await asyncio.open_connection("127.0.0.1", port, local_addr=(host, 0)))
            opened[-1][1].write(sent)
            await asyncio.sleep(0)
        except ConnectionError:
            continue
    try:
        yield opened
    finally:
        for _, writer in opened:
            writer.transport.abort()


async def answer(port: int, *pieces: bytes, host: str = "127.0.0.1") -> bytes:
    """What the server answers to the pieces of a request; empty if it closes the connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(host, 0))
    try:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        return await asyncio.wait_for(reader.read(1 << 16), DEADLINE)
    except ConnectionError:
        return b""
    finally:
        writer.transport.abort()


@pytest.mark.long
@pytest.mark.parametrize("sent", [b"\r\n\r\n", b"\n" * 1000, b"", b"GET / HTTP/1.1\r\n"])
async def test_connections_without_a_request_wait_and_keep_nobody_out(gate, sent):
    async with strangers(gate.port, MAX_WAITING + MAX_ANSWERED, sent):
        await until(lambda: len(gate.waiting) == MAX_WAITING)
        assert await answer(gate.port, REQUEST) == REQUEST


async def test_empty_lines_before_a_request_are_skipped_up_to_the_size_of_headers(gate, monkeypatch):
    monkeypatch.setattr("cli.serve.gate.DEADLINE", 2 * DEADLINE)  # which closes a connection as well
    assert await answer(gate.port, b"\r\n\r\n", b"\r", b"\n" + REQUEST[:5], REQUEST[5:]) == REQUEST
    assert await answer(gate.port, *[b"\r\n" * 1000] * (MAX_HEADERS // 2000 + 1), REQUEST) == b""


@pytest.mark.skipif(not hasattr(socket, "SO_BINDTODEVICE"), reason="only Linux has all addresses of 127.0.0.0/8")
@pytest.mark.parametrize(("sent", "limit"), [(b"\r\n\r\n", MAX_WAITING), (REQUEST, MAX_ANSWERED)])
async def test_whoever_has_the_most_connections_loses_the_oldest(gate, sent, limit):
    async with strangers(gate.port, 3, sent, "127.0.0.2") as few, strangers(gate.port, limit + 20, sent, "127.0.0.3"):
        await until(lambda: len(gate._deadlines) <= limit + 3)
        assert await answer(gate.port, REQUEST, host="127.0.0.4") == REQUEST
        assert not any(reader.at_eof() for reader, _ in few)
        still_counted = {each.get_extra_info("peername")[0] for each in gate._deadlines if not each.is_closing()}
        assert "127.0.0.2" in still_counted


def test_all_addresses_of_an_owner_are_one():
    assert owner("2001:db8::1") == owner("2001:db8::2:3:4:5") != owner("2001:db8:0:1::1")
    assert owner("::ffff:192.0.2.1") == owner("192.0.2.1") != owner("192.0.2.2")
    assert owner("fe80::1%eth0") == owner("fe80::2%eth1")
    assert owner("") != owner("localhost")


@pytest.mark.long
async def test_a_visitor_enters_while_strangers_send_empty_lines(tmp_path):
    async with (
        serving(tmp_path) as server,
        strangers(server.port, MAX_WAITING + MAX_ANSWERED, b"\r\n\r\n"),
        browser(server) as session,
        session.get("/") as answered,
    ):
        assert answered.status == 200
