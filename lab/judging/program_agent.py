"""Agents that are programs: they read a position from a line, and write a move in a line.

A position is our own text (`XO./.X./... O`). An answer is a move (`b2`, or the number of a square), or moves with their
probabilities (`b2=0.75 c1=0.25`). A program that ends after an answer is started again for the next position.
"""

import os
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Final

from engine.game import Game, Position, quoted
from lab.judging.judge import AgentFailed, Ask
from lab.judging.reply import Reply, read_reply
from saves.errors import reason

PATIENCE: Final = 5.0
"""The usual seconds for each answer. The first one includes the start of the program."""
MOST_BYTES: Final = 10_000
"""The most bytes of an answer."""
EXIT_SECONDS: Final = 1.0
"""The seconds that a program has to end after it has closed its output."""


def command_of(text: str) -> list[str] | None:
    """Return the program that a text names, with its arguments; `None` if there is none."""
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    if not words:
        return None
    path = Path(words[0])
    if path.is_file() and os.access(path, os.X_OK):
        return [str(path.resolve()), *words[1:]]
    found = shutil.which(words[0])
    return [found, *words[1:]] if found else None


@dataclass(eq=False)
class _Process:
    """A running program."""

    process: subprocess.Popen[bytes]
    lines: SimpleQueue[bytes] = field(default_factory=SimpleQueue)
    """The lines that it has written; an empty one marks the end of its output."""
    answered: bool = False
    """Whether it has answered a position."""

    def __post_init__(self) -> None:
        if self.process.stdout is not None:
            Thread(target=self._read, args=(self.process.stdout,), daemon=True).start()

    def _read(self, output: IO[bytes]) -> None:
        with suppress(OSError, ValueError):  # closed while it is read
            while line := output.readline(MOST_BYTES):
                self.lines.put(line)
        self.lines.put(b"")

    def send(self, text: str) -> None:
        """Write a line to the program. If it has ended, the end of its output shows that, so errors are ignored."""
        if self.process.stdin is not None:
            with suppress(OSError):
                self.process.stdin.write(text.encode() + b"\n")
                self.process.stdin.flush()

    def exit_code(self) -> int | None:
        """Return its exit code, once it has closed its output; `None` if it does not end."""
        with suppress(subprocess.TimeoutExpired):
            return self.process.wait(EXIT_SECONDS)
        return None

    def end(self) -> None:
        """Kill it, and all processes that it started."""
        with suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self.process.kill()
            else:
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


@contextmanager
def program_agent(command: list[str], title: str, game: Game, patience: float = PATIENCE) -> Iterator[Ask]:
    """Run a program to ask it, and kill it at the end. Asking raises `AgentFailed` if it cannot be judged."""
    running: list[_Process] = []

    def ask(position: Position) -> Reply | None:
        where = game.to_text(position)
        if not running:
            running.append(_start(command, title))
        program = running[0]
        program.send(where)
        try:
            line = program.lines.get(timeout=patience)
        except Empty:
            raise AgentFailed(
                f"{title} is silent in {where}: no answer within {patience:g} s\n"
                "It must write a line and flush it; --time-limit gives it more time"
            ) from None
        if not line:
            code = program.exit_code()
            running.clear()
            program.end()
            if code == 0 and program.answered:
                return ask(position)
            raise AgentFailed(f"{title} ended without an answer in {where}: {_ending(code)}")
        program.answered = True
        if len(line) >= MOST_BYTES:
            raise AgentFailed(f"{title} answers more than {MOST_BYTES:,} characters in {where}")
        return _reply(line.decode("utf-8", "replace").strip(), title, game, position)

    try:
        yield ask
    finally:
        for program in running:
            program.end()


def _start(command: list[str], title: str) -> _Process:
    try:
        return _Process(
            subprocess.Popen(  # noqa: S603  the person named the program to run
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        )
    except OSError as error:
        raise AgentFailed(f"{title} cannot be started: {reason(error)}") from error


def _ending(code: int | None) -> str:
    if code is None:
        return "it closed its output"
    return f"exit code {code}" if code >= 0 else f"killed by signal {-code}"


def _reply(line: str, title: str, game: Game, position: Position) -> Reply | None:
    """Read an answer. Raise `AgentFailed`."""
    weights = [word.partition("=") for word in line.split()]
    try:
        if weights and all(mark for _, mark, _ in weights):
            return read_reply({move: float(chance) for move, _, chance in weights}, game, position)
        return read_reply(line or None, game, position)
    except ValueError as error:
        raise AgentFailed(f"{title} answers {quoted(line)} in {game.to_text(position)}: {error}") from error
