"""A served app for tests: the server as a process, and pages as aiohttp clients."""

import asyncio
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import aiohttp

from saves.library.library import Library
from tests.waiting import LIMIT, wait_until_async

ROOT = Path(__file__).parents[3]
DEADLINE = LIMIT


until = partial(wait_until_async, step=0.02)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as free:
        return free.getsockname()[1]


def is_running(pid: int) -> bool:
    """Whether a process exists and is not a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except (FileNotFoundError, ProcessLookupError):
        return False


def children(pid: int) -> list[int]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = stat.read_text().rpartition(")")[2].split()[1]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(parent) == pid and is_running(int(stat.parent.name)):
            found.append(int(stat.parent.name))
    return found


@dataclass(frozen=True)
class Served:
    process: asyncio.subprocess.Process
    page: str
    """The address with the token."""
    folder: Path
    errors: Path
    """What the server writes to standard error."""

    @property
    def address(self) -> str:
        return self.page.partition("/?")[0]

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def apps(self) -> list[int]:
        return children(self.process.pid)


@asynccontextmanager
async def serving(folder: Path, *options: str, cwd: Path = ROOT) -> AsyncIterator[Served]:
    """Run a server on a library in this folder; at the end, wait until it and all of its apps have ended."""
    command = [
        "-P",
        "-m",
        "noughts",
        "--library",
        str(folder / "library.sqlite"),
        "--serve",
        "--port",
        str(free_port()),
    ]
    errors = folder / "errors.txt"
    with errors.open("wb") as file:
        process = await asyncio.create_subprocess_exec(
            sys.executable, *command, *options, cwd=cwd, stdout=asyncio.subprocess.PIPE, stderr=file
        )
    apps = []
    try:
        line = (await asyncio.wait_for(process.stdout.readline(), DEADLINE)).decode()
        found = re.search(r"http://\S+/\?token=\S+", line)
        assert found, errors.read_text()
        yield Served(process, found[0], folder, errors)
        apps = children(process.pid)
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await asyncio.wait_for(process.wait(), DEADLINE)
    await until(lambda: not any(map(is_running, apps)))


@asynccontextmanager
async def browser(server: Served, *, enters: bool = True) -> AsyncIterator[aiohttp.ClientSession]:
    """A client with cookies of its own; with `enters`, it has opened the printed address."""
    async with aiohttp.ClientSession(server.address) as session:
        if enters:
            async with session.get(server.page) as answer:
                assert answer.status == 200, await answer.text()
        yield session


class Page:
    """An open web socket, and all that the app has written to it."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self.socket = socket
        self.text = ""
        self.files: list[list[str]] = []
        self._news = asyncio.Event()

    async def send(self, *message: object) -> None:
        await self.socket.send_json(message)

    async def press(self, keys: str) -> None:
        await self.send("input", keys)

    async def shows(self, text: str) -> None:
        """Wait until the app has written a text since the last such wait."""
        await self._wait_until(lambda: text in self.text)
        self.text = ""

    async def gets(self, kind: str) -> list[str]:
        await self._wait_until(lambda: any(each[0] == kind for each in self.files))
        return next(each for each in self.files if each[0] == kind)

    async def closed(self) -> int | None:
        await self._wait_until(lambda: self.socket.closed)
        return self.socket.close_code

    async def read(self) -> None:
        """Read continuously, as a browser does: otherwise the socket would not answer the pings of the server."""
        while not self.socket.closed:
            message = await self.socket.receive()
            if message.type is aiohttp.WSMsgType.BINARY:
                self.text += message.data.decode()
            elif message.type is aiohttp.WSMsgType.TEXT:
                self.files.append(message.json())
            self._news.set()

    async def _wait_until(self, condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(DEADLINE):
            while not condition():
                assert not self.socket.closed, f"closed with {self.socket.close_code}"
                self._news.clear()
                await self._news.wait()


@asynccontextmanager
async def page(
    server: Served, session: aiohttp.ClientSession, *, columns: int = 80, rows: int = 24
) -> AsyncIterator[Page]:
    """Open a page, and wait until its app has drawn the first screen."""
    async with session.ws_connect("/ws", origin=server.address, max_msg_size=0) as opened:
        shown = Page(opened)
        reading = asyncio.ensure_future(shown.read())
        try:
            await shown.send("size", columns, rows)
            await shown.shows("ibrary")
            yield shown
        finally:
            reading.cancel()
            await asyncio.wait([reading])


GAMES = 100_000_000
"""The games of a training: about half a minute on an idle machine."""


async def train(shown: Page) -> None:
    """Start a training of `GAMES` games in a terminal of 120 columns, and wait until it has played one."""
    await shown.press("t")
    await shown.shows("earner")
    await shown.press("\t" * 6)  # from the button to the number of games
    await shown.shows("Leave the field")
    await shown.press(str(GAMES))
    await shown.shows(str(GAMES))
    await shown.press("\x1b")
    await shown.shows("One step")
    await shown.press("g")
    await shown.shows("X wins")  # the first time, kernels are compiled before


def trained(folder: Path) -> list[dict[str, int]]:
    """Of each visitor, the saves that have learned, with their games. A new machine at the board is saved, too."""
    libraries = folder.glob("visitors/*/library.sqlite")
    return [
        {entry.name: entry.games for entry in Library(each).entries() if entry.games and not entry.gallery}
        for each in libraries
    ]


def environment_of(pid: int) -> dict[str, str]:
    pairs = Path(f"/proc/{pid}/environ").read_bytes().decode().split("\0")
    return dict(pair.split("=", 1) for pair in pairs if "=" in pair)


def command_of(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]
