"""The app in a browser, through textual-serve: a page that shows a terminal, and for each that opens it an app."""

import shlex
import socket
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click

EVERYWHERE: Final = ("0.0.0.0", "::", "")  # noqa: S104  refused below
HOST: Final = "localhost"
PORT: Final = 8000
GRACE: Final = 0.5
"""Seconds that open pages are given at the end; an app keeps what it learned all the same."""


def command_line(library: Path) -> str:
    """What the server runs for each browser, in place of the shell that starts it."""
    return "exec " + shlex.join([sys.executable, "-m", "cli", "--library", str(library.absolute())])


def address(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def serve(library: Path, host: str, port: int) -> None:
    """Serve the app until Ctrl+C. Raises click's error or `OSError` where that cannot be."""
    if find_spec("textual_serve") is None:
        raise click.ClickException("--serve needs one more package, textual-serve: pip install '.[serve]'")
    if host in EVERYWHERE:
        raise click.UsageError("--host is the name or address that a browser finds this computer by")
    try:
        host.encode("idna")
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET).close()
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "no computer can have that name"
        raise click.ClickException(f"nothing can be served at {address(host, port)}: {why}") from error
    from aiohttp import web
    from rich.console import Console
    from textual_serve.server import Server

    server = Server(command_line(library), host, port, title="Noughts", public_url=address(host, port))
    server.console = Console(quiet=True)
    click.echo(f"Noughts is at {address(host, port)} for whoever can reach that. Ctrl+C ends it.")
    page = server._make_app()  # noqa: SLF001  its own way to run it would wait a minute for every open page at the end
    web.run_app(page, host=host, port=port, shutdown_timeout=GRACE, print=None, access_log=None)
