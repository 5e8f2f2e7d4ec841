"""The process in which an object is asked: it reads questions, and writes answers."""

from __future__ import annotations

import os
import signal
import sys
import threading
from json import dumps, loads
from select import poll
from typing import Any

from .answers import MAX_BYTES, is_table, plain
from .asked_object import Asked
from .copies import BACK, goes_on_as_copy, waiting_copy
from .forms import CannotAsk
from .loading import object_named
from .state import CLOCK_READ, watch_clocks

MAX_TABLE = 2**26


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it
    own: set[int] = set()
    lines, answers = own_streams()

    def begin() -> None:  # in each copy, which has no threads
        own.add(os.getpid())
        threading.Thread(target=end_with, args=(lines.fileno(),), daemon=True).start()

    begin()

    def write(message: Any) -> None:
        if os.getpid() not in own:  # the agent forked: only the parent answers
            os._exit(0)
        try:
            answers.write(dumps(message) + "\n")
            answers.flush()
        except OSError:  # the agent has closed it
            os._exit(1)

    start = loads(next(iter(lines)))
    if start["path"]:
        sys.path[:] = start["path"]
    watch_clocks()
    try:
        agent, module, note = object_named(start["agent"])
        if is_table(agent):
            write({"table": table_of(agent, start["agent"])})
            return
        asked = Asked(start["agent"], agent, module, start["game"], note)
    except CannotAsk as refusal:
        write({"error": str(refusal)})
        return
    CLOCK_READ.clear()
    write(asked.opening())
    go_on = waiting_copy()
    if go_on is None:
        begin()
        write({"restarted": True})
    for line in lines:
        question = loads(line)
        if "restart" in question:
            go_on()
        if "back" in question:
            os._exit(BACK)
        if "mark" in question:
            is_copy = goes_on_as_copy()
            if is_copy:
                begin()
            write({"marked": is_copy})
            continue
        write(answer_of(asked, question))


def answer_of(asked: Asked, question: Any) -> Any:
    where = question.get("text", "a position")
    try:
        message = asked.answer(question)
    except CannotAsk as refusal:
        return {"error": "%s %s" % (asked.text, refusal)}
    except BaseException:  # noqa: BLE001  an error whose own words or type cannot be read
        return {"error": "%s failed in %s" % (asked.text, where)}
    if len(dumps(message)) >= MAX_BYTES:
        return {"error": "%s answers more than %s characters in %s" % (asked.text, format(MAX_BYTES, ","), where)}
    return message


def table_of(found: Any, name: Any) -> Any:
    """Return a table as values that JSON can express. Raises `CannotAsk`."""
    try:
        table = plain(found)
        size = len(dumps(table))
    except CannotAsk as refusal:
        raise CannotAsk("%s %s\nOr give a function that looks a position up in it" % (name, refusal)) from None
    except (RecursionError, ValueError):
        raise CannotAsk("%s is nested too deeply" % name) from None
    if size > MAX_TABLE:
        raise CannotAsk("%s is too large a table: leave out what play never meets" % name)
    return table


def end_with(lines: Any) -> None:
    """End this process as soon as nobody can write to its input any more, even while the agent is busy."""
    watched = poll()
    watched.register(lines, 0)
    watched.poll()
    os._exit(1)


def own_streams() -> Any:
    """Return the input and the output of this process. The agent gets an empty input, and prints to standard error."""
    lines = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    if sys.stderr is None:  # it was closed
        sys.stderr = open(os.devnull, "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), 1)
    with open(os.devnull, encoding="utf-8") as nothing:
        os.dup2(nothing.fileno(), 0)
    return lines, answers
