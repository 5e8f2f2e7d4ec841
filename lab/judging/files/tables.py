"""Tables of other programs, read into rows: CSV, JSON, lines of JSON, numpy arrays, and pickled dicts and lists.

    rows    a line or an object for each (position, move, number), or for each (position, move)
    wide    a line for each position, with a column for each move; or one for each square, and the move
    tables  an object that gives for each position a move, a value, or numbers by move: as an object or as a list

This module does not decide what positions, moves and numbers mean: see `lab.judging.files.conventions`.
"""

import re
import zlib
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path
from typing import Final

from engine.game import BadText, Game
from lab.judging.files.arrays import read_numpy
from lab.judging.files.columns import read_columns
from lab.judging.files.file_table import FILE_SIGNATURES, FileTable
from lab.judging.files.objects import read_object
from saves.files import LARGEST, read_bytes, text_of
from saves.strict_json import parse_json

TABLE_SUFFIXES: Final = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".npy", ".npz", ".pkl", ".pickle", ".gz")
"""The suffixes of the files that can be read; `.gz` may follow another one."""
UTF_16_MARKS: Final = (BOM_UTF16_LE, BOM_UTF16_BE)
"""The bytes with which text from spreadsheets may begin."""
PROGRAM_SUFFIXES: Final = (".py", ".js", ".mjs", ".ts")
"""The suffixes of programs; a program that holds only a table is read as data."""
PYTHON_BEGINNINGS: Final = ("{'", "{(", "{np.", "[(", "[{'", "defaultdict(", "OrderedDict(", "Counter(")
"""The beginnings of a table in the notation of Python that JSON does not have."""
PROGRAM_SIGNS: Final = re.compile(
    r"^\s*(?:async|def|class|for|while|if|with|try|@)\b|=>|\b(?:lambda|function)\b", re.MULTILINE
)
"""Signs of a program that does more than hold a table."""
TABLE_SIGNS: Final = re.compile(r"^(?:[^'\"#(]*[=\s])?[{\[]", re.MULTILINE)
"""Signs of a program that holds a table."""
JSON_SIZE_FACTOR: Final = 20
"""The factor by which a JSON table of another program may be larger than a file of this one."""


def read_table(path: Path, game: Game) -> FileTable:
    """Read the table in a file. Raises `BadText`, with the place and an example, and `LibraryError`."""
    data, suffix = read_bytes(path), path.suffix.lower()
    if data.startswith(FILE_SIGNATURES[".gz"]):
        data, suffix = _inflate(data), Path(path.stem).suffix.lower()
    if suffix not in (*TABLE_SUFFIXES, *PROGRAM_SUFFIXES) or suffix in (".npy", ".npz"):
        suffix = signature_suffix(data) or suffix
    if suffix in (".npy", ".npz"):
        arrays = read_numpy(data)
        return read_object(arrays.get("", arrays), game)
    if suffix in (".pkl", ".pickle"):
        from lab.judging.files.data_pickle import read_pickle  # few files need it

        return read_object(read_pickle(data), game)
    text = text_of(data.decode("utf-16", "replace").encode() if data.startswith(UTF_16_MARKS) else data)
    if suffix == ".jsonl":
        lines = [parse_json(line, fractions=True, room=JSON_SIZE_FACTOR) for line in text.splitlines() if line.strip()]
        return read_object(lines, game)
    if suffix in PROGRAM_SUFFIXES or (suffix in (".json", ".txt") and text.lstrip().startswith(PYTHON_BEGINNINGS)):
        from lab.judging.notation.literals import read_literal  # few files need it

        return read_object(read_literal(text), game)
    if suffix == ".json" or (suffix == ".txt" and text.lstrip().startswith("{")):
        return read_object(parse_json(text, fractions=True, room=JSON_SIZE_FACTOR), game)
    return read_columns(text, game)


def _inflate(data: bytes) -> bytes:
    """Return the content of a gzip file. Raises `BadText` if it is damaged, or too large."""
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
    try:
        content = inflater.decompress(data, LARGEST)
    except zlib.error as error:
        raise BadText(f"it is no file of gzip that can be read: {error}") from error
    if inflater.unconsumed_tail:
        raise BadText(f"larger than {LARGEST // 1024:,} KiB when it is inflated, too large for a file of Noughts")
    if not inflater.eof or inflater.unused_data:
        raise BadText("it is no file of gzip that can be read: it has been cut, or goes on after its end")
    return content


def has_table(path: Path) -> bool:
    """Return whether a file is a program that seems to hold only a table."""
    if path.suffix.lower() not in PROGRAM_SUFFIXES:
        return False
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError):
        return False
    return TABLE_SIGNS.search(text) is not None and PROGRAM_SIGNS.search(text) is None


def signature_suffix(data: bytes) -> str:
    """Return the suffix for files that begin like this; empty for others. Programs save pickles under any name."""
    return next((suffix for suffix, signatures in FILE_SIGNATURES.items() if data.startswith(signatures)), "")
