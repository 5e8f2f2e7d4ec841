"""The terminal as something that may be gone at any moment."""

import sys
from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import TextIO


class Lasting:
    """An output stream that lets go of what nobody can see any more.

    Textual writes from a thread of its own, which an error ends; the app would then wait for it without end.
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
    """Let the app draw on a stream that never fails, and read whatever bytes are typed; called before it is made."""
    vars(sys)["__stderr__"] = Lasting(sys.stderr)  # where Textual draws
    if sys.platform != "win32":
        from textual.drivers import linux_driver

        vars(linux_driver)["getincrementaldecoder"] = _lenient_decoder


def _lenient_decoder(encoding: str) -> Callable[[], IncrementalDecoder]:
    """What makes a decoder that leaves out what is not of the encoding, which would end Textual's reader."""
    return partial(getincrementaldecoder(encoding), errors="ignore")
