"""`-` in the place of a file: standard input, or standard output."""

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedWriter, RawIOBase
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import click

from lab.text.sanitise import PATH_WIDTH, plain
from saves.files import LARGEST, read_text, text_of, writable_text_file, write_text
from saves.paths import path_text

STANDARD_STREAM: Final = Path("-")
BLOCK_SIZE: Final = 2**16
"""The bytes of large output that are written at once."""
INPUT: Final = "standard input"


def is_stream(path: Path | None) -> bool:
    """Return whether a path is `-`, standard input or output. A file of that name is written `./-`."""
    return path == STANDARD_STREAM


def file_name(path: Path) -> str:
    """Return what messages call a file, or standard input."""
    return INPUT if is_stream(path) else plain(path_text(path), PATH_WIDTH)


def read_text_from(path: Path) -> str:
    """Return the text of a file or of standard input, of at most `LARGEST` bytes. Raises `BadText`, `LibraryError`."""
    return text_of(sys.stdin.buffer.read(LARGEST + 1), LARGEST) if is_stream(path) else read_text(path)


@contextmanager
def input_file(path: Path) -> Iterator[Path]:
    """Yield a file to read more than once: `path`, or a temporary copy of standard input."""
    if not is_stream(path):
        yield path
        return
    with TemporaryDirectory() as folder:
        copy = Path(folder) / INPUT
        with copy.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield copy


def write_output(data: str | bytes) -> None:
    click.echo(data.encode() if isinstance(data, str) else data, nl=False)


def require_writable(path: Path, *, replace: bool) -> None:
    """Raise `LibraryError` if a file cannot be written. Call this before long work."""
    if not is_stream(path):
        writable_text_file(path, replace=replace)


def write_to(path: Path, data: str | bytes, *, replace: bool) -> None:
    if is_stream(path):
        write_output(data)
    else:
        write_text(path, data, replace=replace)


def write_and_report(path: Path, data: str | bytes, *, replace: bool) -> None:
    write_to(path, data, replace=replace)
    if not is_stream(path):
        click.echo(f"Wrote {file_name(path)}")


class _Output(RawIOBase):
    """Standard output as a file, written by `write_output`, so that its errors are recognized."""

    def writable(self) -> bool:
        return True

    def write(self, data: Any, /) -> int:  # noqa: ANN401  whatever has bytes
        content = bytes(data)
        write_output(content)
        return len(content)


def output_file() -> BufferedWriter:
    """Return standard output as a file that writes many small pieces in blocks; it is complete once it is closed."""
    return BufferedWriter(_Output(), BLOCK_SIZE)


def require_one_document(*paths: Path | None, as_json: bool) -> None:
    """Raise click's error if standard output would hold more than one document."""
    streams = sum(map(is_stream, paths))
    if streams and as_json:
        raise click.UsageError("with --json, standard output holds one JSON document: name a file instead of -")
    if streams > 1:
        raise click.UsageError("standard output can hold one document only: name a file for the other one")
