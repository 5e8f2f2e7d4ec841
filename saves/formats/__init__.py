"""Learners as text files, one format a module, chosen by the end of the file's name."""

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


def export_file(snapshot: Snapshot, path: Path, *, replace: bool = False) -> None:
    """Write a snapshot to a file, whole or not at all.

    Raises `BadText` for a suffix that names no format or a learner that it cannot hold, `LibraryError` for a file that
    cannot be written, or that is there already unless `replace`.
    """
    write_text(path, _format_of(path).write(snapshot), replace=replace)


def import_file(path: Path, game: Game | None = None) -> Snapshot:
    """Read a snapshot from a file, for that game where one is named.

    Raises `BadText`, with the file's name and the line, and `LibraryError` for a file that cannot be read.
    """
    kind = _format_of(path)
    try:
        return kind.read(read_text(path), game)
    except BadText as error:
        raise BadText(f"{shown(Path(path.name))}: {error}") from error


def _format_of(path: Path) -> Format:
    for kind in FORMATS:
        if path.suffix.lower() == kind.suffix:
            return kind
    known = " or ".join(f"{kind.suffix} ({kind.title})" for kind in FORMATS)
    raise BadText(f"{quoted(path.name)}: the name of the file must end in {known}")
