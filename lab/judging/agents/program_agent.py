"""Agents that are programs: they read a position from a line, and write a move in a line.

A position is written in the text form of Noughts (`XO./.X./... O`). An answer is a move (`b2`, or the number of a
square), or moves with their probabilities (`b2=0.75 c1=0.25`). A program that ends after an answer is started again for
the next position.
"""

import os
import shlex
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic

from engine.game import Game, Position, quoted
from lab.judging.agents.line_process import Ended, LineProcess, Silent, Unasked
from lab.judging.asking.agent import Agent, agent_of
from lab.judging.notation.reply import ANSWER_SECONDS, MAX_ANSWER_BYTES, AgentFailed, Reply, read_reply


def command_of(text: str) -> list[str] | None:
    """Return the command for a program named in a text, with its arguments; `None` if there is no such program."""
    try:
        words = shlex.split(text)
    except ValueError:
        return None
    if not words:
        return None
    path = Path(words[0])
    if path.is_file() and os.access(path, os.X_OK):
        return [str(path.resolve()), *words[1:]]
    program = shutil.which(words[0])
    return [program, *words[1:]] if program else None


@contextmanager
def program_agent(
    command: list[str], title: str, game: Game, patience: float = ANSWER_SECONDS, megabytes: int | None = None
) -> Iterator[Agent]:
    """Run a program, yield the agent that asks it, and kill the program at the end.

    The time for the first answer includes the start of the program. Asking raises `AgentFailed` if the program cannot
    be judged.
    """
    running = list[LineProcess]()

    def ask(position: Position) -> Reply | None:
        where = game.to_text(position)
        line = answer_to(where, monotonic() + patience)
        if len(line) >= MAX_ANSWER_BYTES:
            raise AgentFailed(f"{title} answers more than {MAX_ANSWER_BYTES:,} characters in {where}")
        return _reply(line.decode("utf-8", "replace").strip(), title, game, position)

    def answer_to(where: str, deadline: float) -> bytes:
        if not running:
            running.append(LineProcess(command, title, megabytes=megabytes))
        program = running[0]
        try:
            return program.ask(where, deadline - monotonic())
        except Silent:
            raise AgentFailed(
                f"{title} is silent in {where}: no answer within {patience:g} s\n"
                "It must write a line and flush it; --time-limit gives it more time"
            ) from None
        except Unasked as unasked:
            raise AgentFailed(
                f"{title} writes {quoted(str(unasked))} before it is asked in {where}\n"
                "It must write one line for each line that it reads, and nothing else"
            ) from None
        except Ended as ended:
            running.clear()
            program.end()
            if ended.code == 0 and program.has_answered:
                return answer_to(where, deadline)
            raise AgentFailed(f"{title} ended without an answer in {where}: {ended}") from None

    try:
        yield replace(agent_of(ask, "program"), is_opaque=lambda: True, restart=lambda: _end(running))
    finally:
        _end(running)


def _end(running: list[LineProcess]) -> bool:
    while running:
        running.pop().end()
    return True


def _reply(line: str, title: str, game: Game, position: Position) -> Reply | None:
    weights = [word.partition("=") for word in line.split()]
    try:
        if weights and all(mark for _, mark, _ in weights):
            return read_reply({move: float(chance) for move, _, chance in weights}, game, position)
        return read_reply(line or None, game, position)
    except ValueError as error:
        raise AgentFailed(f"{title} answers {quoted(line)} in {game.to_text(position)}: {error}") from error
