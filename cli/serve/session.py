"""A session: one app, which is a child process, and the page that shows it, over a web socket. They end together."""

import asyncio
import json
import os
import signal
import sys
from base64 import b64encode
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePath
from time import monotonic
from typing import Final

from aiohttp import WebSocketError, WSMsgType, web

from cli.serve import packets
from cli.serve.messages import InputFilter, Malformed, Size, parse_message

DRIVER: Final = "textual.drivers.web_driver:WebDriver"
FIRST_MESSAGE: Final = 10.0
"""The time limit, in seconds, for a page to report its size."""
RATE: Final = 32 * 1024
"""The maximum input, in bytes per second, on average. A held key sends about a hundred."""
BURST: Final = 64 * 1024
"""Bytes of input that are accepted at once, before `RATE` applies."""
MIN_COST: Final = 64
"""The minimum number of bytes that a message counts as."""
SIZE_COST: Final = 2048
"""The bytes that a change of size counts as, because the app lays out and draws everything anew."""
CHUNK: Final = 32 * 1024
"""Bytes of a file that are requested at once."""
ERROR_TAIL: Final = 2000
"""How many of the last bytes of an app's standard error are kept."""

GONE: Final = (WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED, WSMsgType.ERROR)
SESSION_ENDED, TAKEN_OVER, FULL, NOT_STARTED = 4000, 4001, 4002, 4003
"""Codes with which the web socket closes: `page.js` has a line for each."""


def child_environment(size: Size, settings: Path) -> dict[str, str]:
    """Return the environment of an app: that of the server, without the variables about the server's terminal."""
    theirs = {name: value for name, value in os.environ.items() if not name.startswith(("TEXTUAL", "NO_COLOR"))}
    return {
        **theirs,
        "COLUMNS": str(size.columns),
        "ROWS": str(size.rows),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "TEXTUAL_DRIVER": DRIVER,
        "NOUGHTS_SERVED": "1",
        "NOUGHTS_SETTINGS": str(settings),
        "PYTHONSAFEPATH": "1",
        "PYTHONUTF8": "1",
    }


@dataclass(frozen=True)
class App:
    process: asyncio.subprocess.Process
    lifeline: int
    """The only write end of a pipe to the app. The app ends when it is closed."""

    @property
    def keys(self) -> asyncio.StreamWriter:
        assert self.process.stdin is not None  # noqa: S101  a pipe
        return self.process.stdin

    @property
    def output(self) -> asyncio.StreamReader:
        assert self.process.stdout is not None  # noqa: S101  a pipe
        return self.process.stdout

    @property
    def errors(self) -> asyncio.StreamReader:
        assert self.process.stderr is not None  # noqa: S101  a pipe
        return self.process.stderr


async def start_app(arguments: Sequence[str], environment: Mapping[str, str], folder: Path) -> App:
    """Start an app in a process group of its own. Raises `OSError`."""
    theirs, ours = os.pipe()
    try:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-m", "cli.serve.child"),  # with -P, no modules come from the current folder
            *(str(theirs), *arguments),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=folder,
            env=dict(environment),
            pass_fds=[theirs],
            start_new_session=True,
        )
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    return App(process, ours)


async def end_app(app: App, grace: float) -> None:
    """End an app: send SIGTERM, wait `grace` seconds for it to save its work, send SIGKILL. Discards its output."""
    discarding = asyncio.ensure_future(_discard(app.output))
    try:
        _signal(app, signal.SIGTERM)
        with suppress(TimeoutError):
            await asyncio.wait_for(app.process.wait(), grace)
        _signal(app, signal.SIGKILL)
        await app.process.wait()
    finally:
        discarding.cancel()
        os.close(app.lifeline)
        app.keys.close()
        with suppress(ConnectionError):  # unread input; asyncio would report the error if it were not awaited
            await app.keys.wait_closed()


def _signal(app: App, number: signal.Signals) -> None:
    with suppress(ProcessLookupError, PermissionError):  # the process group has ended
        os.killpg(app.process.pid, number)


async def _discard(stream: asyncio.StreamReader) -> None:
    while await stream.read(2**16):
        pass


async def last_error_line(app: App) -> str:
    end = b""
    while more := await app.errors.read(2**12):
        end = (end + more)[-ERROR_TAIL:]
    lines = end.decode("utf-8", "replace").strip().splitlines()
    return lines[-1] if lines else ""


async def first_size(socket: web.WebSocketResponse) -> Size:
    """Receive the size that a page reports first. Raises `Malformed`, or `ConnectionError` if the page was closed."""
    try:
        message = await socket.receive(FIRST_MESSAGE)
    except TimeoutError as error:
        raise Malformed("no size") from error
    if message.type in GONE:
        raise ConnectionAbortedError
    size = parse_message(message.data) if message.type is WSMsgType.TEXT else None
    if not isinstance(size, Size):
        raise Malformed("no size")
    return size


async def relay(app: App, socket: web.WebSocketResponse) -> None:
    """Forward input and output until the page or the app ends. Raises `Malformed` and `BadPacket`."""
    tasks = [asyncio.ensure_future(_send_output(app, socket)), asyncio.ensure_future(_forward_input(app, socket))]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        results = await asyncio.gather(*tasks, return_exceptions=True)
    for result in results:
        if isinstance(result, Exception) and not isinstance(result, EOFError | ConnectionError):
            raise result


async def _send_output(app: App, socket: web.WebSocketResponse) -> None:
    """Send the app's output to the page. Reads no faster from the app than the page receives."""
    await packets.read_start(app.output)
    app.keys.write(packets.meta(type="focus"))
    names: dict[str, str] = {}
    while True:
        kind, payload = await packets.read_packet(app.output)
        if kind == b"D":
            await socket.send_bytes(payload)
        elif kind == b"M":
            fields = json.loads(payload)
            if fields.get("type") == "exit":
                return
            if fields.get("type") == "deliver_file_start":
                key = str(fields["key"])
                names[key] = PurePath(str(fields["path"])).name
                await socket.send_json(["file", key, names[key]])
                _ask_for_chunk(app, key)
        elif kind == b"P":
            key, chunk = packets.parse_chunk(payload)
            if key in names and chunk:
                await socket.send_json(["chunk", key, b64encode(chunk).decode()])
                _ask_for_chunk(app, key)
            elif names.pop(key, None) is not None:
                await socket.send_json(["saved", key])


def _ask_for_chunk(app: App, key: str) -> None:
    app.keys.write(packets.meta(type="deliver_chunk_request", key=key, size=CHUNK))


async def _forward_input(app: App, socket: web.WebSocketResponse) -> None:
    """Forward the page's input to the app, no faster than `RATE`, and no faster than the app reads.

    Pings are answered here, not by aiohttp, so that they count as well.
    """
    allowance, filled, input_filter = float(BURST), monotonic(), InputFilter()
    async for message in socket:
        cost = MIN_COST
        if message.type is WSMsgType.PING:
            await socket.pong(message.data)
        elif message.type is WSMsgType.TEXT:
            content = parse_message(message.data)
            if isinstance(content, Size):
                app.keys.write(packets.meta(type="resize", width=content.columns, height=content.rows))
                cost = SIZE_COST
            else:
                keys = input_filter.encode(content)
                app.keys.write(packets.data(keys))
                cost = max(MIN_COST, len(keys))
            await app.keys.drain()
        elif message.type is WSMsgType.ERROR and not isinstance(message.data, WebSocketError):
            raise ConnectionAbortedError("the page was lost") from message.data
        elif message.type is not WSMsgType.PONG:
            raise Malformed("something other than text")
        now = monotonic()
        allowance, filled = min(BURST, allowance + RATE * (now - filled)) - cost, now
        if allowance < 0:
            await asyncio.sleep(-allowance / RATE)
