"""The web server: its addresses, its routes, start and shutdown."""

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from aiohttp import WSCloseCode, web

from cli.serve import packets, pages, session
from cli.serve.access import Access, address, known_hosts
from cli.serve.gate import Gate
from cli.serve.log import quiet_logger
from cli.serve.messages import MAX_MESSAGE, Malformed
from cli.serve.visitors import Full, TakenOver, VisitorPlace, Visitors, visitor_folder
from lab.signals import ENDING

GRACE: Final = 1.0
"""The time limit, in seconds, for an app to save its work if it has a processor core to itself."""
MAX_GRACE: Final = 30.0
"""The maximum time limit for this on a busy computer, in seconds."""
HEARTBEAT: Final = 20.0
"""Seconds between the pings that detect a page that is gone."""
FAREWELL: Final = 0.5
"""The time limit, in seconds, for a page to confirm the end of its web socket."""
BACKLOG: Final = 128
PAGES: Final = 2
"""The number of web sockets for each visitor: one has the place of the visitor, and one waits for it."""
MAX_CLOSING_PAGES: Final = 100
"""The maximum number of web sockets beyond `PAGES` for each visitor, such as those that are closing."""
MAX_OPEN_FILES: Final = 10_000
"""The limit of open files to ask for: enough for all visitors, at six each. The usual limit is often 1,024 or 256."""

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@dataclass(frozen=True)
class ServerOptions:
    """The options of a server: what it serves, and where."""

    library: Path
    host: str
    port: int
    visitors: int
    same_library: bool


def listen(host: str, port: int) -> list[socket.socket]:
    """Open a socket on every address of a host. Raises `OSError` if none can be opened, or a port is in use."""
    sockets: list[socket.socket] = []
    unusable: OSError | None = None
    for family, _, _, _, place in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM):
        try:
            sockets.append(socket.create_server((str(place[0]), port), family=family, backlog=BACKLOG))
        except OSError as error:
            unusable = error
            if error.errno == errno.EADDRINUSE:  # else the program that has the port would get some visitors' tokens
                break
    if unusable is not None and (not sockets or unusable.errno == errno.EADDRINUSE):
        for each in sockets:
            each.close()
        raise unusable
    return sockets


class Server:
    """Answers requests, and runs an app for each visitor."""

    def __init__(self, plan: ServerOptions, access: Access, logger: logging.Logger) -> None:
        self._plan = plan
        self._access = access
        self._logger = logger
        self._files = pages.load_files()
        self.visitors = Visitors(plan.visitors)
        self.gate: Gate | None = None
        self._pages = 0
        """The number of open web sockets."""

    def application(self) -> web.Application:
        application = web.Application(middlewares=[self._guard], client_max_size=1024)
        application.router.add_get("/", self._front)
        application.router.add_get("/static/{name}", self._static)
        application.router.add_get("/ws", self._session)
        application.on_response_prepare.append(_finish)
        return application

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse a request unless it names this server, comes from one of its pages, and has the key."""
        access = self._access
        if not access.is_addressed(request):
            return pages.line_page(403, pages.WRONG_ADDRESS)
        if ("Origin" in request.headers or request.path == "/ws") and not access.is_own_page(request):
            return pages.line_page(403, pages.FOREIGN_PAGE)
        if request.path == "/" and access.shows_token(request):
            return _enter(access, request)
        if not access.has_key(request):
            return pages.line_page(403, pages.NO_KEY)
        try:
            return await handler(request)
        except web.HTTPException as error:
            return pages.line_page(error.status, pages.NOT_FOUND)

    async def _front(self, request: web.Request) -> web.StreamResponse:
        visitor = self._access.visitor(request)
        if not self.visitors.has_room(visitor):
            return pages.line_page(503, pages.FULL)
        response = pages.send(self._files["index.html"])
        if visitor is None:
            self._access.set_visitor(response)
        return response

    async def _static(self, request: web.Request) -> web.StreamResponse:
        file = self._files.get(request.match_info["name"])
        return pages.line_page(404, pages.NOT_FOUND) if file is None else pages.send(file)

    async def _session(self, request: web.Request) -> web.StreamResponse:
        visitor = self._access.visitor(request)
        if visitor is None:
            return pages.line_page(403, pages.NO_KEY)
        if self._pages >= PAGES * self._plan.visitors + MAX_CLOSING_PAGES:
            return pages.line_page(503, pages.FULL)
        self._pages += 1
        try:
            return await self._show(visitor, request)
        finally:
            self._pages -= 1

    async def _show(self, visitor: str, request: web.Request) -> web.StreamResponse:
        """Open a web socket, and serve it when the visitor has a place."""
        page = web.WebSocketResponse(
            compress=False, max_msg_size=MAX_MESSAGE, heartbeat=HEARTBEAT, timeout=FAREWELL, autoping=False
        )
        await page.prepare(request)
        if self.gate is not None:
            self.gate.release(request.transport)
        try:
            place = await self.visitors.enter(visitor)
        except Full:
            await page.close(code=session.FULL)
            return page
        except TakenOver:
            await page.close(code=session.TAKEN_OVER)
            return page
        try:
            code = await self._serve(visitor, place, page)
        finally:
            self.visitors.leave(visitor, place)
        await page.close(code=code)
        return page

    async def _serve(self, visitor: str, place: VisitorPlace, page: web.WebSocketResponse) -> int:
        """Show an app in a page until either ends. Return the code with which to close the web socket."""
        try:
            size = await place.unless_asked_to_close(session.first_size(page))
            folder = visitor_folder(self._plan.library, visitor)
            library = self._plan.library.absolute() if self._plan.same_library else folder / "library.sqlite"
            environment = session.child_environment(size, folder / "settings.json")
            app = await session.start_app(["--library", str(library)], environment, folder)
        except Malformed as error:
            self._logger.warning("a page was closed: it sent %s", error)
            return WSCloseCode.POLICY_VIOLATION
        except TakenOver:
            return self._code_for_closing()
        except ConnectionAbortedError:
            return session.SESSION_ENDED
        except OSError as error:
            self._logger.warning("an app could not start: %s", error.strerror)
            return session.NOT_STARTED
        error_line = asyncio.ensure_future(session.last_error_line(app))
        code = session.SESSION_ENDED
        try:
            code = await self._until_end(app, place, page)
        finally:
            await asyncio.shield(session.end_app(app, grace_among(len(self.visitors))))
            last_line = await error_line
        if app.process.returncode == 1:
            self._logger.warning("an app ended with an error: %s", last_line)
        return code

    async def _until_end(self, app: session.App, place: VisitorPlace, page: web.WebSocketResponse) -> int:
        try:
            await place.unless_asked_to_close(session.relay(app, page))
        except TakenOver:
            return self._code_for_closing()
        except Malformed as error:
            self._logger.warning("a page was closed: it sent %s", error)
            return WSCloseCode.POLICY_VIOLATION
        except packets.BadPacket as error:
            self._logger.warning("an app was ended: it wrote %s", error)
        return session.SESSION_ENDED

    def _code_for_closing(self) -> int:
        return session.TAKEN_OVER if not self.visitors.closed else WSCloseCode.GOING_AWAY


def grace_among(visitors: int) -> float:
    """Return the time limit, in seconds, for an app to save its work if visitors or other programs share the cores."""
    sharing = max(visitors, os.getloadavg()[0]) / (os.cpu_count() or 1)
    return min(GRACE * max(1.0, sharing), MAX_GRACE)


def _enter(access: Access, request: web.Request) -> web.StreamResponse:
    """Set the cookie for a valid token, and redirect to the address without the token.

    A browser that followed a link on another site would not send the cookie after a plain redirect, since it is
    `SameSite=Strict`; it gets a page that redirects it instead.
    """
    if request.headers.get("Sec-Fetch-Site") == "cross-site":
        response = pages.line_page(200, "Opening Noughts …", move_to="/")
    else:
        response = web.Response(status=303, headers={"Location": "/"})
    access.set_key(response)
    return response


async def _finish(_request: web.Request, response: web.StreamResponse) -> None:
    """Add the common headers, and close the connection after the response: the gate's deadline is for one request."""
    response.headers.update(pages.HEADERS)
    if not isinstance(response, web.WebSocketResponse):
        response.force_close()


def run(plan: ServerOptions, announce: Callable[[str], None]) -> int:
    """Serve until a signal comes, and return its number. `announce` is called with the address. Raises `OSError`."""
    return asyncio.run(_run(plan, listen(plan.host, plan.port), announce))


def allow_open_files() -> None:
    if sys.platform == "win32":
        return
    import resource

    soft_limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    new_limit = MAX_OPEN_FILES if hard_limit == resource.RLIM_INFINITY else min(MAX_OPEN_FILES, hard_limit)
    if soft_limit != resource.RLIM_INFINITY and soft_limit < new_limit:
        resource.setrlimit(resource.RLIMIT_NOFILE, (new_limit, hard_limit))


async def _run(plan: ServerOptions, sockets: Sequence[socket.socket], announce: Callable[[str], None]) -> int:
    allow_open_files()
    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()

    def end(number: int) -> None:
        if not ended.done():
            ended.set_result(number)

    for number in ENDING:
        if signal.getsignal(number) is not signal.SIG_IGN:
            loop.add_signal_handler(number, end, number)
    logger = quiet_logger()
    hosts = [plan.host.encode("idna").decode(), *(str(each.getsockname()[0]) for each in sockets)]
    access = Access(plan.port, known_hosts(hosts, plan.port))
    server = Server(plan, access, logger)
    application = server.application()
    runner = web.AppRunner(application, access_log=None, logger=logger, lingering_time=0, shutdown_timeout=4 * FAREWELL)
    await runner.setup()
    assert runner.server is not None  # noqa: S101  set up
    server.gate = Gate(runner.server)
    listening = [await loop.create_server(server.gate.protocol, sock=each, backlog=BACKLOG) for each in sockets]
    announce(f"{address(plan.host, plan.port)}/?token={access.token}")
    try:
        return await ended
    finally:
        for each in listening:
            each.close()
        await server.visitors.close()
        await runner.cleanup()
