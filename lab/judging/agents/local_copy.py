"""A copy of this process in which an object was asked nothing; its answers there show whether the object changes."""

import json
import os
from collections.abc import Callable, Mapping
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final
from warnings import catch_warnings, simplefilter

from lab.judging.child.copies import BACK_CODE, continue_in_copy
from lab.judging.notation.reply import AgentFailed

SILENCE_SECONDS: Final = 20.0
"""Seconds that a copy may be silent. Its first answer copies pages of memory, which takes seconds on a busy machine."""
Answer = Callable[[Mapping[str, Any]], Mapping[str, Any]]


class LocalCopy:
    """A copy of this process that waits for questions. It ends when nothing refers to this object any more."""

    def __init__(self, answer: Answer) -> None:
        """Copy this process. Raises `ValueError` or `OSError` if it cannot be copied."""
        context = get_context("fork")
        self._pipe, pipe_of_copy = context.Pipe()
        with catch_warnings():
            simplefilter("ignore")  # Python warns of threads, which the copy does not have
            context.Process(target=_serve, args=(answer, self._pipe, pipe_of_copy), daemon=True).start()
        pipe_of_copy.close()

    def answer(self, question: Mapping[str, Any]) -> Mapping[str, Any]:
        """Ask the copy a question, and return its answer. Raises `AgentFailed`."""
        try:
            self._pipe.send_bytes(json.dumps(question).encode())
            if not self._pipe.poll(SILENCE_SECONDS):
                raise AgentFailed(f"a copy is silent in {question['text']}: no answer within {SILENCE_SECONDS:g} s")
            message: Mapping[str, Any] = json.loads(self._pipe.recv_bytes())
        except (OSError, EOFError) as error:
            raise AgentFailed(f"a copy ended without an answer in {question['text']}") from error
        if "error" in message:
            raise AgentFailed(message["error"])
        return message


def _serve(answer: Answer, parent_pipe: "Connection[bytes, bytes]", pipe: "Connection[bytes, bytes]") -> None:
    """Answer questions until the other end of the pipe is closed; `parent_pipe` is the copy of that end here."""
    parent_pipe.close()
    while True:
        try:
            question = json.loads(pipe.recv_bytes())
        except EOFError:
            os._exit(0)
        if "back" in question:
            os._exit(BACK_CODE)
        try:
            message = {"marked": continue_in_copy()} if "mark" in question else answer(question)
        except AgentFailed as error:
            message = {"error": str(error)}
        pipe.send_bytes(json.dumps(message).encode())
