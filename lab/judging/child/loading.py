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
from .callables import without_arguments
from .forms import CannotAsk


def object_named(text: Any) -> Any:
    """Return the object named by `module:name` or `file.py:name`, its module, and a note. Raises `CannotAsk`."""
    place, _, path = text.rpartition(":")
    agent: Any = None
    ends = ""
    usual, traced = builtins.input, sys.gettrace()
    builtins.input = NoInput()
    try:
        if place.endswith(".py"):
            agent = module_of_file(place)
            agent.__spec__.loader.exec_module(agent)
        else:
            agent = module_named(place)
    except CannotAsk:
        raise
    except (EOFError, SystemExit) as end:  # most begin to play with a person, below all that an agent needs
        ends = "%s when it is imported" % ("ends" if isinstance(end, SystemExit) else "asks for input")
    except BaseException as error:
        advice = import_advice(error, place)
        raise CannotAsk("%s cannot be imported: %s%s" % (text, error_text(error), advice)) from error
    finally:
        builtins.input = usual
        sys.settrace(traced)
    module, first = agent, path.split(".")[0]
    if ends and (not hasattr(module, first) or is_table(getattr(module, first))):
        raise CannotAsk(
            "%s %s, so it cannot be judged: put what plays a game with a person below 'if __name__ == \"__main__\":'"
            % (place, ends)
        )
    for each in path.split("."):
        if not hasattr(agent, each):
            name = getattr(agent, "__name__", type(agent).__name__)
            raise CannotAsk("%s: there is no %r in %s" % (text, each, name))
        if isinstance(agent, type) and isfunction(getattr_static(agent, each)):
            agent = without_arguments(agent)  # a method wants an object
        agent = getattr(agent, each)
    return agent, module, ends and "Its file %s: what stands below that was not run" % ends


class NoInput:
    """Replaces `input` while an agent is imported, since there is nobody to ask.

    A file that catches the error and asks again might do so forever, so the error is raised again in the line that runs
    next.
    """

    asked = False

    def __call__(self, *_: Any) -> Any:
        here: Any = currentframe()
        frame = here.f_back if self.asked else None
        if frame is not None:
            sys.settrace(ended)
        while frame is not None and frame.f_globals is not globals():
            frame.f_trace = ended
            frame = frame.f_back
        self.asked = True
        raise EOFError


def ended(_frame: Any, event: Any, _argument: Any) -> Any:
    """Raise the error of `NoInput` in the next line of Python that runs, wherever it is."""
    if event == "line":
        raise EOFError
    return ended


def import_advice(error: Any, place: Any) -> str:
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


def module_named(name: Any) -> Any:
    """Import a module. The current folder is searched last, so that its modules hide no others."""
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)
    return import_module(name)


def module_of_file(path: Any) -> Any:
    """Return the module of a file, to be run; it can import modules from its own and from the current folder."""
    if not os.path.isfile(path):
        raise CannotAsk("there is no file %r" % path)
    name = os.path.splitext(os.path.basename(path))[0]
    spec: Any = spec_from_file_location(name, path)
    sys.path += [os.path.dirname(os.path.abspath(path)), os.getcwd()]
    module = module_from_spec(spec)
    sys.modules.setdefault(name, module)
    return module
