"""Paths that a person types."""

import os
from pathlib import Path

from engine.game import BadText, quoted


def parse_path(text: str) -> str:
    """Parse a path, and expand `~` in it. Raises `BadText` for an empty or impossible one."""
    written = text.strip()
    if not written:
        raise BadText("enter a path")
    if "\0" in written:
        raise BadText(f"{quoted(written)}: a path cannot contain NUL")
    try:
        path = str(Path(written).expanduser())
        os.fsencode(path)
    except RuntimeError as error:
        raise BadText(f"{quoted(written)}: no user of this computer has that name") from error
    except UnicodeEncodeError as error:
        raise BadText(f"{quoted(written)}: a path cannot contain half a character (a lone surrogate)") from error
    return path
