"""The process in which a Python object is asked.

Each line that it reads says how often to ask, and in which position: `3 XO./.X./... O`. It answers with a line: a JSON
object with `replies`, each as in `Reply`, or null for no answer; or with `error`, which says why the object cannot be
judged. Before that, it writes a line once it has tried to import the object: an empty JSON object, or an `error`.

There may be fewer replies than wanted: it stops after an answer that is not one move, and after `BATCH_SECONDS`, so
that a line takes hardly longer than one answer. It imports no more than it needs, since the person waits for it.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from types import ModuleType
from typing import IO, Any, Final

from engine.game import BadText, Game, Position, quoted
from engine.games import parse_game
from lab.judging.adapters import Chooser, adapter_for
from lab.judging.reply import MAX_BYTES, Reply, read_reply, shown

OBJECT: Final = re.compile(r"(?P<file>.+\.py):(?P<path>[\w.]+)|(?P<module>[A-Za-z_][\w.]*):(?P<name>[\w.]+)")
"""The written form of a Python object."""
CODE: Final = (
    "import json, sys; path, *words = sys.argv[1:]; sys.path[:] = json.loads(path); "
    "from lab.judging.python_process import main; main(*words)"
)
"""Runs this process with the module path of its parent, which is the first argument."""
MAX_CHARACTERS: Final = 200
"""A message quotes at most this many characters of an agent's error."""
BATCH_SECONDS: Final = 0.002
"""After this time, the answers so far are written before the object is asked again."""
WATCH_SECONDS: Final = 1.0
"""The time between two checks that the parent still runs."""


def command_for(text: str, game: Game) -> list[str]:
    """Return the command that runs this process for the object that `text` names."""
    return [sys.executable, "-P", "-u", "-c", CODE, json.dumps(sys.path), text, game.name]


def main(text: str, name: str) -> None:
    """Answer positions of the game `name` until the input ends."""
    Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    own = os.getpid()
    lines, answers = _own_streams()

    def write(message: dict[str, object]) -> None:
        if os.getpid() != own:  # the agent forked: only the parent answers
            os._exit(0)
        try:
            answers.write(json.dumps(message) + "\n")
            answers.flush()
        except OSError:  # the agent has closed it
            os._exit(1)

    game = parse_game(name)
    try:
        choose = adapter_for(object_named(text), game)
    except ValueError as error:  # `BadText`, or `TooLarge`
        write({"error": str(error)})
        return
    except BaseException as error:  # noqa: BLE001  its attributes run code of their own
        write({"error": f"{text} cannot be asked: {_error_text(error)}"})
        return
    game.from_text(game.to_text(game.start))  # may find all positions first, which is no part of the agent's answer
    write({})
    for line in lines:
        times, _, where = line.strip().partition(" ")
        ask = partial(_reply, choose, text, game, game.from_text(where))
        try:
            message: dict[str, object] = {"replies": _replies(ask, int(times))}
        except BadText as error:
            message = {"error": str(error)}
        except BaseException:  # noqa: BLE001  an error whose own words or type cannot be read
            message = {"error": f"{text} failed in {where}"}
        if len(json.dumps(message)) >= MAX_BYTES:
            message = {"error": f"{text} answers more than {MAX_BYTES:,} characters in {where}"}
        write(message)


def _end_with(parent: int) -> None:
    """End this process soon after its parent, even while the agent is busy."""
    while os.getppid() == parent:
        sleep(WATCH_SECONDS)
    os._exit(1)


def _own_streams() -> tuple[Iterable[str], IO[str]]:
    """Return the input and the output of this process. The agent gets an empty input, and prints to standard error."""
    lines = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    if sys.stderr is None:  # it was closed
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115  stays open
    os.dup2(sys.stderr.fileno(), 1)
    with Path(os.devnull).open(encoding="utf-8") as nothing:
        os.dup2(nothing.fileno(), 0)
    return lines, answers


def _replies(ask: Callable[[], Reply | None], times: int) -> list[tuple[object, ...] | None]:
    """Return the answers in the form of a message. Raises `BadText`."""
    until, written = monotonic() + BATCH_SECONDS, list[tuple[object, ...] | None]()
    while len(written) < times:
        reply = ask()
        written.append(None if reply is None else (list(reply.chances.items()), reply.illegal, reply.single))
        if reply is None or not reply.single or monotonic() > until:
            break
    return written


def _reply(choose: Chooser, text: str, game: Game, position: Position) -> Reply | None:
    """Ask the object that `text` names. Raises `BadText`, which says what it does wrong."""
    where = game.to_text(position)
    try:
        answer = choose(position)
    except BadText as error:
        raise BadText(f"{text}: {error}") from error
    except BaseException as error:
        raise BadText(f"{text} failed in {where}: {_error_text(error)}") from error
    try:
        return read_reply(answer, game, position)
    except BadText as error:
        raise BadText(f"{text} answers {shown(answer)} in {where}: {error}") from error
    except BaseException as error:  # an answer may run code of its own
        raise BadText(f"{text} gives an answer in {where} that cannot be read: {_error_text(error)}") from error


def _error_text(error: BaseException) -> str:
    """An error of the agent in one line; by its type alone if it cannot be written."""
    try:
        words = " ".join(str(error)[:MAX_CHARACTERS].split())
    except BaseException:  # noqa: BLE001  writing it runs code of the agent
        words = ""
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def object_named(text: str) -> Any:  # noqa: ANN401
    """The object that a text names. Raises `BadText`."""
    found = OBJECT.fullmatch(text)
    if found is None:
        raise BadText(f"{quoted(text)} does not name a Python object: write module:name")
    path, name = found["path"] or found["name"], found["module"]
    try:
        agent: Any = _file(Path(found["file"])) if found["file"] else _module(name)
    except BadText:
        raise
    except BaseException as error:
        raise BadText(f"{text} cannot be imported: {_error_text(error)}") from error
    for each in path.split("."):
        if not hasattr(agent, each):
            raise BadText(f"{text}: there is no {quoted(each)} in {getattr(agent, '__name__', type(agent).__name__)}")
        agent = getattr(agent, each)
    return agent


def _module(name: str) -> ModuleType:
    """Import a module. The current folder is searched last, so that its modules hide no others."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.append(here)
    return import_module(name)


def _file(path: Path) -> ModuleType:
    """Import a file, which can import the modules beside it. Raises `BadText`."""
    spec = spec_from_file_location(path.stem, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise BadText(f"there is no file {quoted(str(path))}")
    sys.path.append(str(path.parent.resolve()))
    module = module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    spec.loader.exec_module(module)
    return module
