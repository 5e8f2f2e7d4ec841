"""Learners as text files, one format a module, chosen by the end of the file's name."""

import re
from pathlib import Path
from typing import Final

from engine.game import BadText, Game, quoted
from learners.core.snapshot import Snapshot
from saves.files import read_text, write_text
from saves.formats import json_text, riechel_text
from saves.formats.format import Format
from saves.paths import shown

FORMATS: Final[tuple[Format, ...]] = (json_text.FORMAT, riechel_text.FORMAT)
"""Every format, the default first. A new one is one file and one entry here."""

QUOTATION: Final = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
"""A text as `quoted` writes it."""
OURS: Final = ("should be", "as in", '"format"')
"""What comes before quotations of our own words in messages about a file."""


def export_file(snapshot: Snapshot, path: Path, *, replace: bool = False) -> None:
    """Write a snapshot to a file, whole or not at all.

    Raises `BadText` for a suffix that names no format or a learner that it cannot hold, `LibraryError` for a file that
    cannot be written, or that is there already unless `replace`.
    """
    write_text(path, exported(snapshot, path), replace=replace)


def exported(snapshot: Snapshot, path: Path) -> str:
    """A snapshot in the format that the suffix of a path names. Raises `BadText` as `export_file` does."""
    return _format_of(path).write(snapshot)


def import_file(path: Path, game: Game | None = None) -> Snapshot:
    """Read a snapshot from a file, for that game where one is named.

    Raises `BadText`, with the file's name and the line, and `LibraryError` for a file that cannot be read. The messages
    quote nothing of the file: it may be another one than somebody thinks, with secrets in it.
    """
    kind = _format_of(path)
    try:
        return kind.read(read_text(path), game)
    except BadText as error:
        raise BadText(f"{shown(Path(path.name))}: {_without_quotations(str(error))}") from None


def _format_of(path: Path) -> Format:
    for kind in FORMATS:
        if path.suffix.lower() == kind.suffix:
            return kind
    known = " or ".join(f"{kind.suffix} ({kind.title})" for kind in FORMATS)
    raise BadText(f"{quoted(path.name)}: the name of the file must end in {known}")


def _without_quotations(message: str) -> str:
    """A message about a file without what it quotes from that: all quotations but those of the words that we want."""
    parts, at = [], 0
    for found in QUOTATION.finditer(message):
        parts.append(message[at : found.start()])
        at = found.start() if any(words in message[at : found.start()] for words in OURS) else found.end()
        if at == found.start():
            break
        own = found[0][1:-1] in json_text.FIELDS
        parts.append(found[0] if own else "…")
    return "".join([*parts, message[at:]])
