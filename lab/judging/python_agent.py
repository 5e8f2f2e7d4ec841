"""Agents that are Python objects: `module:name`, or `file.py:name`."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from engine.game import BadText, Game, Position, quoted
from lab.judging.adapters import adapter_for
from lab.judging.judge import AgentFailed, Ask
from lab.judging.reply import Reply, read_reply

OBJECT: Final = re.compile(r"(?P<file>.+\.py):(?P<path>[\w.]+)|(?P<module>[A-Za-z_][\w.]*):(?P<name>[\w.]+)")
"""The written form of a Python object."""


@contextmanager
def python_agent(text: str, game: Game) -> Iterator[Ask]:
    """Import a Python object to ask it. What it prints goes to standard error.

    Raise `BadText` if it cannot be imported. Asking raises `AgentFailed` if the object fails.
    """
    with redirect_stdout(sys.stderr):
        choose = adapter_for(_found(text), game)

        def ask(position: Position) -> Reply | None:
            try:
                answer = choose(position)
            except BadText:
                raise
            except (Exception, SystemExit) as error:
                what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
                raise AgentFailed(f"{text} failed in {game.to_text(position)}: {what}") from error
            try:
                return read_reply(answer, game, position)
            except BadText as error:
                raise AgentFailed(
                    f"{text} answers {quoted(repr(answer))} in {game.to_text(position)}: {error}"
                ) from error

        yield ask


def _found(text: str) -> Any:  # noqa: ANN401
    """The object that a text names. Raise `BadText`."""
    found = OBJECT.fullmatch(text)
    if found is None:
        raise BadText(f"{quoted(text)} does not name a Python object: write module:name")
    path, name = found["path"] or found["name"], found["module"]
    try:
        agent: Any = _file(Path(found["file"])) if found["file"] else _module(name)
    except BadText:
        raise
    except (Exception, SystemExit) as error:
        raise BadText(f"{text} cannot be imported: {type(error).__name__}: {error}") from error
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
    """Import a file, which can import the modules beside it. Raise `BadText`."""
    spec = spec_from_file_location(path.stem, path)
    if not path.is_file() or spec is None or spec.loader is None:
        raise BadText(f"there is no file {quoted(str(path))}")
    sys.path.append(str(path.parent.resolve()))
    module = module_from_spec(spec)
    sys.modules.setdefault(path.stem, module)
    spec.loader.exec_module(module)
    return module
