"""The process in which an object is asked: it reads questions, and writes answers."""

from __future__ import annotations

import os
import signal
import sys
import threading
from json import dumps, loads
from select import poll
from typing import Any, TextIO

from .answers import MAX_BYTES, is_table, pack_table
from .asked_object import AskedObject
from .copies import BACK_CODE, continue_in_copy, start_waiting_copy
from .forms import CannotAsk
from .loading import object_named
from .state import CLOCKS_READ, watch_clocks

MAX_TABLE_BYTES = 2**26


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background ignores it
    channel = Channel()
    start = loads(next(iter(channel.lines)))
    if start["path"]:
        sys.path[:] = start["path"]
    watch_clocks()
    try:
        agent, module, note = object_named(start["agent"])
        if is_table(agent):
            channel.write({"table": packed_table(agent, start["agent"])})
            return
        asked = AskedObject(start["agent"], agent, module, start["game"], note)
    except CannotAsk as refusal:
        channel.write({"error": str(refusal)})
        return
    CLOCKS_READ.clear()
    channel.write(asked.opening())
    end_for_copy = start_waiting_copy()
    if end_for_copy is None:
        channel.own()
        channel.write({"restarted": True})
    for line in channel.lines:
        question = loads(line)
        if "restart" in question:
            if end_for_copy is not None:
                end_for_copy()
            channel.write({"restarted": False})  # no copy could be made
        elif "back" in question:
            os._exit(BACK_CODE)
        elif "mark" in question:
            is_copy = continue_in_copy()
            if is_copy:
                channel.own()
            channel.write({"marked": is_copy})
        else:
            channel.write(message_for(asked, question))


class Channel:
    """The pipes to and from the parent process.

    Only this process and the copies that it makes itself answer: a process that the agent forks does not.
    """

    def __init__(self) -> None:
        """Take over the input and the output. The agent gets an empty input, and prints to standard error."""
        self.lines: TextIO = os.fdopen(os.dup(0), encoding="utf-8")
        self.answers: TextIO = os.fdopen(os.dup(1), "w", encoding="utf-8")
        if sys.stderr is None:  # it was closed
            sys.stderr = open(os.devnull, "w", encoding="utf-8")
        os.dup2(sys.stderr.fileno(), 1)
        with open(os.devnull, encoding="utf-8") as nothing:
            os.dup2(nothing.fileno(), 0)
        self.owners: set[int] = set()
        self.own()

    def own(self) -> None:
        """Let this process answer, until nobody can write to its input any more."""
        self.owners.add(os.getpid())
        threading.Thread(target=exit_when_closed, args=(self.lines.fileno(),), daemon=True).start()

    def write(self, message: Any) -> None:
        if os.getpid() not in self.owners:
            os._exit(0)
        try:
            self.answers.write(dumps(message) + "\n")
            self.answers.flush()
        except OSError:  # the agent has closed it
            os._exit(1)


def exit_when_closed(pipe: int) -> None:
    """End this process as soon as nobody can write to its input any more, even while the agent is busy."""
    watcher = poll()
    watcher.register(pipe, 0)
    watcher.poll()
    os._exit(1)


def message_for(asked: AskedObject, question: Any) -> Any:
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


def packed_table(data: Any, name: str) -> Any:
    """Return a table as values that JSON can express. Raises `CannotAsk`."""
    try:
        table = pack_table(data)
        size = len(dumps(table))
    except CannotAsk as refusal:
        raise CannotAsk("%s %s\nOr give a function that looks a position up in it" % (name, refusal)) from None
    except (RecursionError, ValueError):
        raise CannotAsk("%s is nested too deeply" % name) from None
    if size > MAX_TABLE_BYTES:
        raise CannotAsk("%s is too large a table: leave out what play never meets" % name)
    return table
