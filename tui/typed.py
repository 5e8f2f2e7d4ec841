"""What people type where they are asked for a file."""

from pathlib import Path

from engine.game import BadText


def some_path(text: str) -> str:
    """A path that was given. Raises `BadText` for none."""
    if not text.strip():
        raise BadText("give a path")
    return str(Path(text.strip()).expanduser())
