"""What people type where they are asked for a file."""

import os
from pathlib import Path

from engine.game import BadText, quoted


def some_path(text: str) -> str:
    """A path that was given. Raises `BadText` for none, and for what can be none."""
    written = text.strip()
    if not written:
        raise BadText("give a path")
    if "\0" in written:
        raise BadText(f"{quoted(written)}: NUL cannot be in a path")
    try:
        path = str(Path(written).expanduser())
        os.fsencode(path)
    except RuntimeError as error:
        raise BadText(f"{quoted(written)}: nobody here has a home of that name") from error
    except UnicodeEncodeError as error:
        raise BadText(f"{quoted(written)}: half a character cannot be in a path") from error
    return path
