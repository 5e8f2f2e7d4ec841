"""Digests of source files: they tell whether two results come from the same code."""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

DIGITS: Final = 16


def digest_of(files: Mapping[str, Path], *texts: str) -> str:
    """Return a digest of files by name, and of further texts: 16 hexadecimal digits.

    The names are part of it, the folders are not: the same program has the same digest wherever it is installed.
    """
    digest = hashlib.sha256()
    for text in texts:
        digest.update(hashlib.sha256(text.encode()).digest())
    for name, path in sorted(files.items()):
        for part in (name.encode(), path.read_bytes()):
            digest.update(hashlib.sha256(part).digest())
    return digest.hexdigest()[:DIGITS]


def files_below(folder: Path, pattern: str) -> dict[str, Path]:
    return {path.relative_to(folder).as_posix(): path for path in folder.rglob(pattern)}
