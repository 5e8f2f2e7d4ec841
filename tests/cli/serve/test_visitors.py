"""Visitors: their places and folders, how much they may take, and how long their apps may take to end."""

import asyncio
import errno
import io
import logging
import sys
from types import SimpleNamespace

import pytest
from aiohttp import WSMsgType
from aiohttp.test_utils import TestClient, TestServer

from cli.serve import server, session, visitors
from cli.serve.access import Access
from cli.serve.log import LineHandler
from cli.serve.server import Server, ServerOptions, grace_among
from cli.serve.visitors import TakenOver, Visitors, visitor_folder
from tests.waiting import LIMIT


def test_a_new_visitor_gets_no_folder_beyond_the_most_and_an_old_one_keeps_theirs(tmp_path, monkeypatch):
    monkeypatch.setattr(visitors, "MAX_FOLDERS", 2)
    one, _other = (visitor_folder(tmp_path / "library.sqlite", name) for name in ("one", "other"))
    with pytest.raises(OSError, match="2 visitors have a folder") as refused:
        visitor_folder(tmp_path / "library.sqlite", "third")
    assert refused.value.errno == errno.EDQUOT
    assert visitor_folder(tmp_path / "library.sqlite", "one") == one
    assert sorted(each.name for each in one.parent.iterdir()) == ["one", "other"]


def test_no_app_starts_on_a_disk_that_is_almost_full(tmp_path, monkeypatch):
    monkeypatch.setattr(visitors, "disk_usage", lambda _folder: SimpleNamespace(free=10**8))
    with pytest.raises(OSError, match="less than 512 MiB of the disk are free") as refused:
        visitor_folder(tmp_path / "library.sqlite", "one")
    assert refused.value.errno == errno.ENOSPC


@pytest.mark.parametrize(("visitors", "load", "seconds"), [(1, 0.1, 1), (8, 0.1, 2), (1, 12.0, 3), (1000, 0.1, 30)])
def test_an_app_has_a_second_to_save_and_more_where_the_cores_are_shared(visitors, load, seconds, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    monkeypatch.setattr("os.getloadavg", lambda: (load, 0.0, 0.0))
    assert grace_among(visitors) == seconds


def test_as_many_files_may_be_open_as_all_visitors_need():
    resource = pytest.importorskip("resource")
    before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, most))
    server.allow_open_files()
    raised = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before, most))
    assert raised in {(server.MAX_OPEN_FILES, most), (most, most)}


async def test_one_page_of_a_visitor_waits_for_the_place_and_a_newer_one_replaces_it():
    places = Visitors(1)
    first = await places.enter("one")
    second, third = (asyncio.ensure_future(places.enter("one")) for _ in range(2))
    with pytest.raises(TakenOver):
        await asyncio.wait_for(second, LIMIT)
    assert first.close.is_set()
    assert not third.done()
    places.leave("one", first)
    await asyncio.wait_for(third, LIMIT)


async def test_there_are_no_more_web_sockets_than_the_visitors_need(tmp_path, monkeypatch):
    monkeypatch.setattr(server, "MAX_CLOSING_PAGES", 3)
    monkeypatch.setattr(server, "FAREWELL", LIMIT)  # this client confirms no end
    served = Server(
        ServerOptions(tmp_path / "library.sqlite", "localhost", 1, 1, same_library=False), None, logging.getLogger()
    )
    served.visitors.closed = True
    listening = TestServer(served.application())
    await listening.start_server()
    access = served._access = Access(1, frozenset({f"127.0.0.1:{listening.port}"}))
    cookies = {access.key_cookie: access.key, access.visitor_cookie: "x" * 43}
    async with TestClient(listening, cookies=cookies) as client:
        origin = f"http://127.0.0.1:{listening.port}"
        sockets = [await client.ws_connect("/ws", origin=origin) for _ in range(5)]
        async with client.get("/ws", headers={"Origin": origin}) as answer:
            assert answer.status == 503
        for each in sockets:
            each._response.connection.transport.abort()


async def test_pings_count_as_input(monkeypatch):
    pauses, pongs = [], []

    async def pause(seconds):
        pauses.append(seconds)

    class Pinging:
        async def __aiter__(self):  # noqa: ANN204
            for _ in range(2000):
                yield SimpleNamespace(type=WSMsgType.PING, data=b"")

        async def pong(self, data):
            pongs.append(data)

    monkeypatch.setattr(asyncio, "sleep", pause)
    await session._forward_input(None, Pinging())
    assert len(pongs) == 2000
    assert max(pauses) > 1


RECORD = logging.LogRecord("noughts", logging.WARNING, "", 0, "a\x1b[2J page\nwas closed", (), None)


def test_a_message_is_one_line_without_control_characters(capsys):
    LineHandler().emit(RECORD)
    said = capsys.readouterr().err
    assert said.startswith("noughts: a")
    assert said.endswith("page was closed\n")
    assert "\x1b" not in said


def test_of_messages_at_once_one_is_printed_and_the_next_counts_the_others(capsys, monkeypatch):
    now = 100.0
    monkeypatch.setattr("cli.serve.log.monotonic", lambda: now)
    lines = LineHandler()
    for _ in range(5):
        lines.emit(RECORD)
    now += 2
    lines.emit(RECORD)
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2
    assert said[1].endswith("(and 4 more messages)")


class Gone(io.StringIO):
    def write(self, _text: str) -> int:
        raise BrokenPipeError


def test_a_terminal_that_is_gone_stops_no_session(monkeypatch):
    monkeypatch.setattr(sys, "stderr", Gone())
    LineHandler().emit(RECORD)
