"""Import the object that a text names."""

from __future__ import annotations

import builtins
import os
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from inspect import currentframe, getattr_static, isfunction
from typing import Any

from .answers import error_text, is_table
from .callables import make_without_arguments
from .forms import CannotAsk


def object_named(text: str) -> tuple[Any, Any, str]:
    """Return the object named by `module:name` or `file.py:name`, its module, and a note. Raises `CannotAsk`."""
    place, _, path = text.rpartition(":")
    names = path.split(".")
    module, end = import_place(place, text)
    if end and (not hasattr(module, names[0]) or is_table(getattr(module, names[0]))):
        raise CannotAsk(
            "%s %s, so it cannot be judged: put what plays a game with a person below 'if __name__ == \"__main__\":'"
            % (place, end)
        )
    agent = module
    for name in names:
        if not hasattr(agent, name):
            owner = getattr(agent, "__name__", type(agent).__name__)
            raise CannotAsk("%s: there is no %r in %s" % (text, name, owner))
        if isinstance(agent, type) and isfunction(getattr_static(agent, name)):
            agent = make_without_arguments(agent)  # a method wants an object
        agent = getattr(agent, name)
    return agent, module, "Its file %s: what stands below that was not run" % end if end else ""


def import_place(place: str, text: str) -> tuple[Any, str]:
    """Import the file or module of an object; also say how its code ended early, empty if it did not.

    Most that end early begin to play with a person, below all that an agent needs. `text` names the object in errors.
    Raises `CannotAsk`.
    """
    module: Any = None
    usual_input, usual_trace = builtins.input, sys.gettrace()
    builtins.input = NoInput()
    try:
        if place.endswith(".py"):
            module = module_of_file(place)
            module.__spec__.loader.exec_module(module)
        else:
            module = module_named(place)
    except CannotAsk:
        raise
    except EOFError:
        return module, "asks for input when it is imported"
    except SystemExit:
        return module, "ends when it is imported"
    except BaseException as error:
        advice = import_advice(error, place)
        raise CannotAsk("%s cannot be imported: %s%s" % (text, error_text(error), advice)) from error
    finally:
        builtins.input = usual_input
        sys.settrace(usual_trace)
    return module, ""


class NoInput:
    """Replaces `input` while an agent is imported, since there is nobody to ask.

    A file that catches the error and asks again might do so forever, so the second time, the error is raised again in
    the line that runs next.
    """

    was_called = False

    def __call__(self, *_: Any) -> Any:
        if self.was_called:
            own_frame: Any = currentframe()
            frame = own_frame.f_back
            sys.settrace(raise_at_line)
            while frame is not None and frame.f_globals is not globals():
                frame.f_trace = raise_at_line
                frame = frame.f_back
        self.was_called = True
        raise EOFError


def raise_at_line(_frame: Any, event: Any, _argument: Any) -> Any:
    """Raise the error of `NoInput` in the next line of Python that runs, wherever it is: see `sys.settrace`."""
    if event == "line":
        raise EOFError
    return raise_at_line


def import_advice(error: Any, place: str) -> str:
    """Return advice on an import that failed: where the missing module is, or that the file belongs to a package."""
    if not isinstance(error, ImportError) or not place.endswith(".py"):
        return ""
    missing, folder = str(error.name).split(".")[0], os.path.dirname(os.path.abspath(place))
    if "relative import" in str(error):
        parts = os.path.basename(folder), os.path.splitext(os.path.basename(place))[0]
        return "; name it as a part of its package, as in %s.%s:NAME, in %s" % (*parts, os.path.dirname(folder))
    while folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
        if any(os.path.exists(os.path.join(folder, missing + end)) for end in ("", ".py")):
            return "; it is in %s: begin there" % folder
    return ""


def module_named(name: str) -> Any:
    """Import a module. The current folder is searched last, so that its modules hide no others."""
    folder = os.getcwd()
    if folder not in sys.path:
        sys.path.append(folder)
    return import_module(name)


def module_of_file(path: str) -> Any:
    """Return the module of a file, to be run; it can import modules from its own and from the current folder."""
    if not os.path.isfile(path):
        raise CannotAsk("there is no file %r" % path)
    name = os.path.splitext(os.path.basename(path))[0]
    spec: Any = spec_from_file_location(name, path)
    sys.path += [os.path.dirname(os.path.abspath(path)), os.getcwd()]
    module = module_from_spec(spec)
    sys.modules.setdefault(name, module)
    return module
