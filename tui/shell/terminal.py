"""An output stream that survives the loss of the terminal."""

import sys
from contextlib import suppress
from typing import TextIO


class ResilientOutput:
    """An output stream that drops what cannot be written.

    Symptom without this guard: the app never ends after its terminal is closed. Textual writes in a thread; an error
    ends that thread, and the app waits for it forever.
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
    """Give Textual, which writes to `sys.__stderr__`, a stream that never fails. Call this before the app is made."""
    # the type stubs declare it as final, but Python allows this
    sys.__stderr__ = ResilientOutput(sys.stderr)  # type: ignore[assignment, misc]
