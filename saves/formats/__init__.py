"""Export saves to text files and import them. The suffix of a file selects the format; each format is a module."""

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final

from engine.game import BadText, Game, quoted
from learners.core.snapshot import Snapshot
from saves.files import LARGEST, read_text, write_text
from saves.formats import json_text, riechel_text
from saves.formats.format import Format
from saves.paths import path_text

FORMATS: Final[tuple[Format, ...]] = (json_text.FORMAT, riechel_text.FORMAT)
"""Every format, the default first. To add one, write a module and add it here."""

QUOTATION: Final = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\"""")
"""Text in the form of `quoted`."""
BEFORE_OWN_WORDS: Final = ("should be", "as in", '"format"')
"""The words before a quotation of the program's own text, not of the file."""


def export_file(snapshot: Snapshot, path: Path, *, replace: bool = False) -> None:
    """Write a snapshot to a file, atomically.

    Raises `BadText` for an unknown suffix, or a learner that the format cannot express; `LibraryError` if the file
    cannot be written, or exists and `replace` is false.
    """
    write_text(path, export_text(snapshot, _format_of(path)), replace=replace)


def export_text(snapshot: Snapshot, kind: Format) -> str:
    """Return a snapshot as text. Raises `BadText` if the format cannot express it, or could not import it again."""
    text = kind.write(snapshot)
    if len(text) > LARGEST:
        raise BadText(f"it takes {len(text) >> 20:,} MiB, more than the {LARGEST >> 20} MiB that can be imported again")
    return text


def import_file(path: Path, game: Game | None = None) -> Snapshot:
    """Read a snapshot from a file. `game` is the game of a file that does not name one, by default tic-tac-toe.

    Raises `BadText` with the file's name and the line, also for a file that names another game; and `LibraryError` if
    the file cannot be read. The messages do not quote the file: it may be a wrong file, with secrets in it.
    """
    return import_text(partial(read_text, path), path_text(Path(path.name)), _format_of(path), game)


def import_text(read: Callable[[], str], name: str, kind: Format, game: Game | None = None) -> Snapshot:
    """Read a snapshot from the text that `read` returns; messages call the text `name`.

    Raises the same errors as `import_file`.
    """
    try:
        return kind.read(read(), game)
    except BadText as error:
        raise BadText(f"{name}: {_without_quotations(str(error))}") from None


def _format_of(path: Path) -> Format:
    for kind in FORMATS:
        if path.suffix.lower() == kind.suffix:
            return kind
    known = " or ".join(f"{kind.suffix} ({kind.title})" for kind in FORMATS)
    raise BadText(f"{quoted(path.name)}: the name of the file must end in {known}")


def _without_quotations(message: str) -> str:
    """Return a message in which `…` replaces text quoted from the file; quotations of the program's own words stay."""
    parts, end = [], 0
    for quotation in QUOTATION.finditer(message):
        before = message[end : quotation.start()]
        if any(words in before for words in BEFORE_OWN_WORDS):
            break
        is_field = quotation[0][1:-1] in json_text.FIELDS
        parts += [before, quotation[0] if is_field else "…"]
        end = quotation.end()
    return "".join([*parts, message[end:]])
