"""Sessions: their sizes, their limits, what ends them, and who has which library."""

import asyncio
import os
import signal
import stat
import subprocess
import sys
import sysconfig
from collections.abc import AsyncIterator
from types import SimpleNamespace

import pytest
from aiohttp import ClientError, WebSocketError, WSMessage, WSMsgType

from cli.serve.messages import Malformed, parse_message
from cli.serve.session import relay
from tests.cli.serve.serving import (
    DEADLINE,
    GAMES,
    ROOT,
    browser,
    command_of,
    environment_of,
    is_running,
    page,
    serving,
    train,
    trained,
    until,
)

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")


@pytest.mark.long
async def test_sizes_are_clamped_at_the_start_and_later(server):
    async with browser(server) as session, page(server, session, columns=99_999, rows=99_999) as shown:
        (app,) = server.apps()
        given = environment_of(app)
        assert (given["COLUMNS"], given["ROWS"]) == ("500", "200")
        await shown.send("size", -1, 10**30)
        await shown.shows("oughts needs")
        await shown.send("size", 10**6, 10**6)
        await shown.shows("\x1b[200;1H")


def test_an_app_has_limits_of_its_own(tmp_path):
    (tmp_path / "noughts.py").write_text("print(open('/proc/self/limits').read())")
    start = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from cli.serve.child import main; main()"
    pipe = os.pipe()
    said = subprocess.check_output([sys.executable, "-c", start, str(pipe[0])], pass_fds=pipe, cwd=ROOT, text=True)
    most = {line[:25].strip(): line[25:].split()[:1] for line in said.splitlines()}
    wanted = {"Max data size": [str(2**31)], "Max file size": [str(2**28)], "Max core file size": ["0"]}
    assert most == {**most, **wanted}


@pytest.mark.long
@pytest.mark.parametrize("parts", [["\x1b[48;99999;99999;0;0t"], ["\x1b", "[4", "8", ";9;9;0;0t"]])
async def test_a_size_in_the_input_closes_the_page(server, parts):
    async with browser(server) as session, page(server, session) as shown:
        for part in parts:
            await shown.press(part)
        assert await shown.closed() == 1008
    await until(lambda: not server.apps())


MALFORMED = [
    "",
    "{",
    "[" * 5000,
    "null",
    "[]",
    '["size"]',
    '["size", 80]',
    '["size", "80", "24"]',
    '["size", true, 24]',
    '["size", 1e9, 24]',
    f'["size", {"9" * 5000}, 24]',
    '["input", 5]',
    '["input", "a", "b"]',
    '["\\u001b[2J", 1]',
]


@pytest.mark.parametrize("message", MALFORMED)
def test_a_malformed_message_is_refused(message):
    with pytest.raises(Malformed):
        parse_message(message)


@pytest.mark.long
@pytest.mark.parametrize("message", ["[" * 5000, '["size", true, 24]', '["\\u001b[2J", 1]'])
async def test_a_malformed_message_closes_the_page_with_one_line_at_most(server, message):
    async with browser(server) as session, page(server, session) as shown:
        await shown.socket.send_str(message)
        assert await shown.closed() == 1008
    await until(lambda: not server.apps())
    said = server.errors.read_text()
    assert said.count("\n") == 1
    assert said.startswith("noughts: a page was closed: it sent ")


class BrokenSocket:
    """A web socket whose next message is an error."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    async def __aiter__(self) -> AsyncIterator[WSMessage]:
        yield WSMessage(WSMsgType.ERROR, self.error, None)


@pytest.mark.parametrize("error", [TimeoutError(), ConnectionResetError()])
async def test_a_page_that_is_lost_ends_without_a_message(error):
    await relay(SimpleNamespace(output=asyncio.StreamReader()), BrokenSocket(error))


async def test_a_page_that_breaks_the_protocol_is_reported():
    with pytest.raises(Malformed, match="other than text"):
        await relay(SimpleNamespace(output=asyncio.StreamReader()), BrokenSocket(WebSocketError(1002, "reserved bits")))


@pytest.mark.long
async def test_a_page_that_vanishes_without_reading_ends_its_app(server):
    async with browser(server) as session, page(server, session, columns=500, rows=200) as shown:
        (app,) = server.apps()
        for turn in range(100):
            await shown.send("size", 500 - turn % 2, 200)
        shown.socket._response.connection.transport.abort()
    await until(lambda: not is_running(app))


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
async def test_apps_end_with_the_server(server, number):
    async with browser(server) as session, page(server, session):
        (app,) = server.apps()
        server.process.send_signal(number)
        code = await server.process.wait()
        await until(lambda: not is_running(app))
    assert code == {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGKILL: -9}[number]
    assert server.errors.read_text() == ""


@pytest.mark.long
async def test_an_app_that_does_not_react_is_killed_with_its_page(server):
    async with browser(server) as session, page(server, session):
        (app,) = server.apps()
        os.kill(app, signal.SIGSTOP)
    await until(lambda: not is_running(app))


@pytest.mark.long
async def test_an_app_that_is_quit_closes_its_page(server):
    async with browser(server) as session, page(server, session) as shown:
        await shown.press("q")
        assert await shown.closed() == 4000
    assert server.errors.read_text() == ""


@pytest.mark.long
async def test_a_training_is_kept_when_its_page_is_closed(server):
    async with browser(server) as session, page(server, session, columns=120, rows=40) as shown:
        await train(shown)
        (app,) = server.apps()
    await until(lambda: not is_running(app))
    (saves,) = trained(server.folder)
    assert saves["failures"] < GAMES


@pytest.mark.long
async def test_a_training_is_kept_while_kernels_are_compiled(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    async with serving(tmp_path) as server:
        async with browser(server) as session, page(server, session, columns=120, rows=40) as shown:
            await train(shown)
        await until(lambda: not server.apps())
    assert [*trained(tmp_path)[0]] == ["failures"]


@pytest.mark.long
async def test_each_visitor_has_a_library_in_a_folder_that_nobody_else_reads(server):
    async with browser(server) as one, browser(server) as other, page(server, one), page(server, other):
        apps = server.apps()
        libraries = {command_of(app)[-1] for app in apps}
        settings = {environment_of(app)["NOUGHTS_SETTINGS"] for app in apps}
    assert len(libraries) == len(settings) == 2
    folders = [server.folder / "visitors", *(server.folder / "visitors").iterdir()]
    assert len(folders) == 3
    assert {stat.S_IMODE(folder.stat().st_mode) for folder in folders} == {0o700}
    cookies = {each.value for each in (*one.cookie_jar, *other.cookie_jar)}
    assert not any(folder.name in cookie or cookie in folder.name for folder in folders for cookie in cookies)


@pytest.mark.long
async def test_a_reload_finds_the_same_library_and_ends_the_app_before(server):
    async with browser(server) as session, page(server, session) as first:
        (before,) = server.apps()
        library = command_of(before)[-1]
        closing = asyncio.ensure_future(first.closed())
        async with page(server, session):
            (after,) = server.apps()
            assert after != before
            assert command_of(after)[-1] == library
            assert await closing == 4001


@pytest.mark.long
async def test_a_page_that_says_nothing_gives_its_place_to_a_newer_one_at_once(server):
    async with browser(server) as session, session.ws_connect("/ws", origin=server.address) as silent:
        closing = asyncio.ensure_future(silent.receive())
        async with page(server, session):
            await closing
            assert silent.close_code == 4001


async def let_in(session):
    """Wait until there is room."""
    async with asyncio.timeout(DEADLINE):
        while (await session.get("/")).status == 503:  # noqa: ASYNC110  no event signals it
            await asyncio.sleep(0.02)


@pytest.mark.long
async def test_beyond_the_most_visitors_a_page_says_so(tmp_path):
    async with serving(tmp_path, "--visitors", "1") as server, browser(server) as one, browser(server) as late:
        async with page(server, one):
            async with late.get("/") as answer:
                assert answer.status == 503
                assert "Every place is taken" in await answer.text()
            async with late.ws_connect("/ws", origin=server.address) as socket:
                await socket.receive()
                assert socket.close_code == 4002
            async with one.get("/") as answer:
                assert answer.status == 200, "a reload"
        await let_in(late)
        async with page(server, late):
            pass


@pytest.mark.long
async def test_no_module_of_the_current_folder_is_executed(tmp_path):
    folder = tmp_path / "pupil"
    folder.mkdir()
    for name in ("random", "numpy", "click", "aiohttp", "sqlite3", "textual", "json"):
        (folder / f"{name}.py").write_text(f"open({str(tmp_path / 'executed')!r}, 'w')\n")
    async with (
        serving(tmp_path, cwd=folder) as server,
        browser(server) as session,
        page(server, session, columns=120, rows=40) as shown,
    ):
        await train(shown)
    noughts = sysconfig.get_path("scripts") + "/noughts"
    process = await asyncio.create_subprocess_exec(
        noughts, "train", "failures", "--games", "10", cwd=folder, stdout=asyncio.subprocess.DEVNULL
    )
    assert await process.wait() == 0
    assert not (tmp_path / "executed").exists()


@pytest.mark.long
async def test_a_visitor_downloads_what_is_exported(server):
    async with browser(server) as session, page(server, session, columns=120, rows=40) as shown:
        await shown.press("l")
        await shown.shows("hochmuth")
        await shown.press("X")
        await shown.shows(".json, .txt")
        await shown.press("\r")
        _, key, name = await shown.gets("file")
        assert await shown.gets("saved") == ["saved", key]
        assert name.endswith(".json")
        assert str(server.folder) not in shown.text
        assert all(each[1] == key for each in shown.files)
    assert not list(server.folder.rglob("*.json")) or {"settings.json"} == {
        each.name for each in server.folder.rglob("*.json")
    }


@pytest.mark.long
async def test_an_address_in_use_is_reported(server):
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "noughts", "--serve", "--port", str(server.port), stderr=asyncio.subprocess.PIPE
    )
    _, said = await process.communicate()
    assert process.returncode == 1
    assert said.decode() == f"noughts: nothing can be served at {server.address}: Address already in use\n"


@pytest.mark.long
async def test_binary_huge_and_undecodable_messages_close_the_page(server):
    codes = []
    for send in (
        lambda socket: socket.send_bytes(b"\0" * 10),
        lambda socket: socket.send_str("x" * 10**6),
        lambda socket: socket.send_frame(b"\xff\xfe", 1),
    ):
        async with browser(server) as session, page(server, session) as shown:
            await send(shown.socket)
            codes.append(await shown.closed())
    assert codes == [1008, 1009, 1007]
    assert "Traceback" not in server.errors.read_text()


@pytest.mark.long
@pytest.mark.parametrize(
    "raw", [b"\xff\0\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET \x1b[2J HTTP/1.1\r\nHost: x\r\n\r\n"]
)
async def test_malformed_requests_are_answered_without_output_on_the_terminal(server, raw):
    reader, writer = await asyncio.open_connection("localhost", server.port)
    writer.write(raw)
    assert b"Traceback" not in await reader.read()
    writer.close()
    await writer.wait_closed()
    said = server.errors.read_text()
    assert "Traceback" not in said
    assert "\x1b" not in said
    assert said.count("\n") <= 1


@pytest.mark.long
async def test_connections_that_say_nothing_keep_nobody_out(server):
    idle = [await asyncio.open_connection("localhost", server.port) for _ in range(300)]
    async with browser(server) as session, page(server, session):
        pass
    for _, writer in idle:
        writer.close()
    assert "Traceback" not in server.errors.read_text()


@pytest.mark.long
async def test_input_that_an_app_never_reads_is_discarded_silently(server):
    async with browser(server) as session, page(server, session) as shown:
        (app,) = server.apps()
        os.kill(app, signal.SIGSTOP)
        for _ in range(4):
            await shown.press("x" * 60_000)
        os.kill(app, signal.SIGKILL)
    await until(lambda: not server.apps())
    server.process.terminate()
    await server.process.wait()
    assert server.errors.read_text() in {"", "noughts: an app ended with an error: \n"}


async def test_a_body_is_never_read(server):
    async with browser(server) as session:
        try:
            async with session.post("/", data=b"x" * 10**6) as answer:
                assert answer.status == 405
        except ClientError:  # the connection is closed while the body is sent
            pass
    assert server.errors.read_text() == ""
