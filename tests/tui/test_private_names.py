"""No class of the app sets a private name of a class of Textual that it extends."""

import ast
import inspect
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from textwrap import dedent

from textual.widget import Widget

import tui


@cache
def private_names(cls: type) -> set[str]:
    """The private names of the attributes and methods that the source of a class sets."""
    definition = ast.parse(dedent(inspect.getsource(cls))).body[0]
    names = set()
    for node in ast.walk(definition):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Store()):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)) if (
                node in definition.body
            ):
                names.add(name)
    return {name for name in names if name.startswith("_") and not name.startswith("__")}


def clashes(cls: type) -> set[str]:
    """The private names that a class shares with classes of Textual that it extends."""
    own = private_names(cls)
    bases = [base for base in cls.__mro__ if base.__module__.startswith("textual.")] if own else []
    return {f"{cls.__name__}.{name} of {base.__name__}" for base in bases for name in own & private_names(base)}


def classes_of_the_app() -> list[type]:
    modules = [import_module(found.name) for found in walk_packages(tui.__path__, "tui.")]
    return [
        each
        for module in modules
        for each in vars(module).values()
        if inspect.isclass(each) and each.__module__ == module.__name__
    ]


class Clashing(Widget):
    def __init__(self) -> None:
        super().__init__()
        self.title, self._name = "", ""

    def _render(self) -> None: ...


def test_a_clash_is_found():
    assert clashes(Clashing) == {"Clashing._name of DOMNode", "Clashing._render of Widget"}


def test_no_private_name_of_textual_is_set():
    classes = classes_of_the_app()
    assert len(classes) > 100
    assert set().union(*map(clashes, classes)) == set()
