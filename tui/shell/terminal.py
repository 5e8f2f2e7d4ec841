"""Output that outlives the terminal, which may be gone at any moment."""

import sys
from contextlib import suppress
from typing import TextIO


class LastingOutput:
    """An output stream that drops what can no longer be written.

    Textual writes from a thread of its own; an error would end that thread, and the app would wait for it for ever.
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
    """Let the app draw on a stream that never fails; call it before the app is made."""
    vars(sys)["__stderr__"] = LastingOutput(sys.stderr)  # where Textual draws
