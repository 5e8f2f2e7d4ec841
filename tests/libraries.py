"""The library that a test has for itself: `tests/conftest.py` sets its path."""

from saves.library.library import Library
from saves.paths import library_path


def library() -> Library:
    """Open it, as a command or the app does."""
    return Library(library_path())
