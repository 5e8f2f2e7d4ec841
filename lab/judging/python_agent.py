"""Agents that are Python objects: `module:name`, or `file.py:name`. Each is asked in a process of its own."""

import json
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Any, Final

from engine.game import Game, Position
from lab.judging.judge import Ask
from lab.judging.line_process import PATIENCE, Ended, LineProcess, Silent, Unasked
from lab.judging.python_process import command_for
from lab.judging.reply import AgentFailed, Reply

PATIENCE_AT_IMPORT: Final = 60.0
"""The time limit for an import, in seconds, unless that for an answer is longer."""
DISTURBED: Final = "it writes into the pipe that carries its answers"
MAX_AT_ONCE: Final = 100
"""How many answers with one move fit into a line."""


@contextmanager
def python_agent(text: str, game: Game, patience: float = PATIENCE, batches: Sequence[int] = (1,)) -> Iterator[Ask]:
    """Import a Python object in a process of its own, to ask it. What it prints goes to standard error.

    An object that answers with one move may be asked several times in a position. To save time, the process is then
    asked for several answers at once: for `batches[0]` of them, then for `batches[1]`, and so on.

    Raises `BadText` if it cannot be imported. Asking raises `AgentFailed` if the object fails, or is silent for
    `patience` seconds.
    """
    process = LineProcess(command_for(text, game), text, passes_errors=True)
    last, given, waiting = game.start, 0, deque[Reply | None]()

    def ask(position: Position) -> Reply | None:
        nonlocal last, given
        if position != last:
            last, given = position, 0
            waiting.clear()
        if not waiting:
            end = next((end for end in accumulate(batches) if end > given), given + 1)
            waiting.extend(answers(position, min(end - given, MAX_AT_ONCE)))
        given += 1
        return waiting.popleft()

    def answers(position: Position, times: int) -> list[Reply | None]:
        where = game.to_text(position)
        failure = f"{text} ended without an answer in {where}"
        message = _message(
            lambda: process.ask(f"{times} {where}", patience),
            f"{text} is silent in {where}: no answer within {patience:g} s",
            failure,
        )
        try:
            replies = [
                None if written is None else Reply(dict(written[0]), tuple(written[1]), single=written[2])
                for written in message["replies"]
            ]
        except (KeyError, TypeError, ValueError, IndexError):
            replies = []
        if not replies:
            raise AgentFailed(f"{failure}: {DISTURBED}")
        return replies

    try:
        longest = max(patience, PATIENCE_AT_IMPORT)
        failure = f"{text} cannot be imported"
        _message(lambda: process.next_line(longest), f"{failure} within {longest:g} s", failure)
        yield ask
    finally:
        process.end()


def _message(read: Callable[[], bytes], silent: str, ended: str) -> dict[str, Any]:
    """Read a line of the process. Raises `AgentFailed` for an error, or with these words if there is no line."""
    try:
        message = json.loads(read())
    except Silent:
        raise AgentFailed(f"{silent}\n--time-limit gives it more time") from None
    except Ended as end:
        raise AgentFailed(f"{ended}: {end}") from None
    except (Unasked, ValueError, RecursionError):
        raise AgentFailed(f"{ended}: {DISTURBED}") from None
    if not isinstance(message, dict) or not isinstance(message.get("error", ""), str):
        raise AgentFailed(f"{ended}: {DISTURBED}")
    if "error" in message:
        raise AgentFailed(message["error"])
    return message
