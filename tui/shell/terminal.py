"""Output that survives the loss of the terminal."""

import sys
from contextlib import suppress
from typing import TextIO


class LastingOutput:
    """An output stream that drops what cannot be written.

    Symptom without it: the app never ends after its terminal was closed. Textual writes from a thread, an error ends
    that thread, and the app waits for it.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError):
            self._stream.flush()

    def __getattr__(self, name: str) -> object:
        return getattr(self._stream, name)


def outlive_terminal() -> None:
    """Let Textual, which writes to `sys.__stderr__`, write to a stream that never fails. Call this before the app."""
    # declared as final, but Python lets programs replace it
    sys.__stderr__ = LastingOutput(sys.stderr)  # type: ignore[assignment, misc]
