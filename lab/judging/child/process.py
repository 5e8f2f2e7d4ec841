"""The process in which an object is asked: it reads questions, and writes answers."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from json import dumps, loads
from select import poll, select
from typing import Any

from .answers import MAX_BYTES, is_table, plain
from .asked_object import Asked
from .forms import CannotAsk
from .loading import object_named
from .randomness import CLOCK_READ, watch_clocks

MAX_TABLE = 2**26
"""The size limit of a table in the pipe, in bytes."""
WATCH_SECONDS = 1.0
"""The time between two checks that the parent still runs."""


def main() -> None:
    """Answer questions until the input ends."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it
    own = {os.getpid()}
    lines, answers = own_streams()
    threading.Thread(target=end_with, args=(lines.fileno(),), daemon=True).start()

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
    while (go_on := copied()) is None:  # a copy has a thread of its own
        own.add(os.getpid())
        threading.Thread(target=end_with, args=(lines.fileno(),), daemon=True).start()
        write({"restarted": True})
    for line in lines:
        question = loads(line)
        if "restart" in question:
            go_on()
        try:
            message = asked.answer(question)
        except CannotAsk as refusal:
            message = {"error": "%s %s" % (asked.text, refusal)}
        except BaseException:  # noqa: BLE001  an error whose own words or type cannot be read
            message = {"error": "%s failed in %s" % (asked.text, question.get("text", "a position"))}
        if len(dumps(message)) >= MAX_BYTES:
            where = question["text"]
            message = {
                "error": "%s answers more than %s characters in %s" % (asked.text, format(MAX_BYTES, ","), where)
            }
        write(message)


def table_of(found: Any, name: Any) -> Any:
    """Return a table in a form that JSON has. Raises `CannotAsk`."""
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


def copied() -> Any:
    """Copy this process, and return a function that ends it and lets the copy go on: an agent that was asked nothing.

    In the copy, return `None` once that is called. If there can be no copy, the function does nothing.
    """
    ready, wake = os.pipe()
    original = os.getpid()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python warns of threads, which the copy does not have
            copy = os.fork()
    except OSError:
        return lambda: None

    def go_on() -> None:
        os.write(wake, b".")
        os.waitpid(copy, 0)
        os._exit(1)

    if copy:
        return go_on
    os.close(wake)
    while not select([ready], [], [], WATCH_SECONDS)[0]:
        if os.getppid() != original:
            os._exit(1)
    if not os.read(ready, 1):
        os._exit(1)
    return None


def end_with(lines: Any) -> None:
    """End this process once nobody can write to its input, even while the agent is busy."""
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
