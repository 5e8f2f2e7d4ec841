"""`noughts --serve`: check the options, start the web server, and print its address."""

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
    """Serve the app until a signal ends it; return the exit code. Raises click's error if it cannot be served."""
    if sys.platform == "win32":
        raise click.ClickException("--serve needs Linux or macOS")
    if find_spec("aiohttp") is None:
        raise click.ClickException("--serve needs one more package, aiohttp: pip install '.[serve]'")
    if host in EVERYWHERE:
        raise click.UsageError("--host must be the name or address under which browsers reach this computer")
    from cli.serve.access import address
    from cli.serve.server import ServerOptions, run

    try:
        host.encode("idna")
        signal_number = run(ServerOptions(library, host, port, visitors, same_library), announce)
    except (OSError, UnicodeError) as error:
        reason = _reason(error) if isinstance(error, OSError) else "no computer can have that name"
        raise click.ClickException(f"nothing can be served at {address(host, port)}: {reason}") from error
    return SIGNAL_EXIT + signal_number


def _reason(error: OSError) -> str | None:
    """Return the reason of an error without the address that Python adds to it.

    Name resolution has error numbers of its own, for which `strerror` has the text.
    """
    return os.strerror(error.errno) if error.errno and error.errno > 0 else error.strerror


def announce(page: str) -> None:
    click.echo(f"Open Noughts at {page} (whoever has this address has access). Press Ctrl+C to stop the server.")
    sys.stdout.flush()
