"""`noughts --serve`: checks what was asked for, starts the web server, and prints its address."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click

from lab.signals import SIGNAL_EXIT

EVERYWHERE: Final = ("0.0.0.0", "::", "")  # noqa: S104  refused below
HOST: Final = "localhost"
PORT: Final = 8000
VISITORS: Final = 40


def serve(library: Path, host: str, port: int, *, visitors: int, same_library: bool) -> int:
    """Serve the app until a signal ends it; returns the exit code. Raises click's error where that cannot be."""
    if sys.platform == "win32":
        raise click.ClickException("--serve needs Linux or macOS")
    if find_spec("aiohttp") is None:
        raise click.ClickException("--serve needs one more package, aiohttp: pip install '.[serve]'")
    if host in EVERYWHERE:
        raise click.UsageError("--host is the name or address that a browser finds this computer by")
    from cli.serve.access import address
    from cli.serve.server import Plan, run

    try:
        host.encode("idna")
        number = run(Plan(library, host, port, visitors, same_library), announce)
    except (OSError, UnicodeError) as error:
        why = _reason(error) if isinstance(error, OSError) else "no computer can have that name"
        raise click.ClickException(f"nothing can be served at {address(host, port)}: {why}") from error
    return SIGNAL_EXIT + number


def _reason(error: OSError) -> str | None:
    """What went wrong, without the address that Python adds; names that are not found have numbers of their own."""
    return os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror


def announce(page: str) -> None:
    click.echo(f"Noughts is at {page} for everybody who has this whole address. Ctrl+C ends it.")
    sys.stdout.flush()
