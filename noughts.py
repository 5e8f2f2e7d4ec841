"""Start the program, unless Python would import a foreign package in place of one of its own.

The packages of Noughts have common names. Their paths are checked before any of them is imported: a foreign `engine`
would otherwise fail somewhere inside, with a traceback that does not name the cause.
"""

import os
import signal
import sys
from contextlib import suppress
from importlib.machinery import PathFinder
from pathlib import Path
from types import FrameType
from typing import NoReturn

PACKAGES = ("engine", "learners", "saves", "lab", "cli", "tui")
FOLDERS = tuple(f"{package}/" for package in PACKAGES)
HOME = Path(__file__).resolve().parent
"""The folder that contains this file and all packages."""
ADVICE = "Install Noughts by itself, with pipx or uv tool, as its README says."


def obstacle() -> str:
    """Why a package cannot be imported, and what to do about it, in two lines; empty if all can."""
    for name in PACKAGES:
        spec = PathFinder.find_spec(name)
        if spec is None or spec.origin is None:
            return _missing(HOME / name / "__init__.py")
        place = Path(spec.origin).resolve()
        if place.parent != HOME / name:
            return _foreign(place.parent if place.name == "__init__.py" else place)
    return _damage()


def _missing(path: Path) -> str:
    return f"{path}, a part of Noughts, is missing.\n{ADVICE}"


def _foreign(found: Path) -> str:
    """Say what to do about this package, which Python finds before one of ours."""
    folders = [Path(entry).resolve() for entry in os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    way_out = f"Take {found.parent} off PYTHONPATH." if found.parent in folders else ADVICE
    return f"{found} hides {HOME / found.stem}, a part of Noughts.\n{way_out}"


def _damage() -> str:
    """Say which file of ours another package has replaced or removed.

    Only an installed copy has a record of its files; their sizes are compared, which takes a millisecond.
    """
    for record in HOME.glob("noughts-*.dist-info/RECORD"):
        for line in record.read_text(encoding="utf-8").splitlines():
            name, _, size = line.rsplit(",", 2)
            if not (name.endswith(".py") and name.startswith(FOLDERS) and size.isdigit()):
                continue
            path = HOME / name
            if not path.is_file():
                return _missing(path)
            if path.stat().st_size != int(size) and (owner := _other_owner(name)):
                return f"The package {owner} has replaced {path}, a part of Noughts.\n{ADVICE}"
    return ""


def _other_owner(name: str) -> str:
    """The name and version of another installed package that contains this file; empty if none does."""
    for record in HOME.glob("*.dist-info/RECORD"):
        if record.parent.name.startswith("noughts-"):
            continue
        if any(line.startswith(f"{name},") for line in record.read_text(encoding="utf-8").splitlines()):
            return record.parent.name.removesuffix(".dist-info").replace("-", " ")
    return ""


def report_signals() -> None:
    """Print a line if SIGTERM or SIGHUP ends the program while no command handles them, and exit with 128 + number."""

    def end(number: int, _frame: FrameType | None) -> None:
        with suppress(OSError):
            os.write(2, f"noughts: ended by {signal.Signals(number).name}\n".encode())
        os._exit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)  # Windows has no SIGHUP
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, end)


def run() -> NoReturn:
    """Run the command line and exit; exit with code 1 if a package cannot be imported."""
    report_signals()  # before the imports, which take most of the time until a command handles signals
    if problem := obstacle():
        sys.exit(f"noughts: {problem}")
    from cli.__main__ import run as run_command

    run_command()


if __name__ == "__main__":
    if not sys.flags.safe_path and Path(sys.path[0]).resolve() != HOME:  # `python -m` puts the current folder first
        del sys.path[0]
    run()
