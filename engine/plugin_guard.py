"""Guards on plug-ins: a plug-in that fails in use raises `PluginFailed`, which names it, and nothing else.

Errors that the contracts allow pass, such as `BadText` and `TooLarge`. A check may examine what a method returns.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property, wraps
from traceback import format_exception_only, walk_tb
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final, TypeVar

from engine.game import BadText, IllegalMove, PluginFailed
from engine.stop import Stopped

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Data = TypeVar("Data", bound="DataclassInstance")
Returned = TypeVar("Returned")
OWN_PACKAGES: Final = frozenset({"engine", "learners", "saves", "lab", "cli", "tui", "noughts"})
"""The packages of the program: their classes need no guard."""
RAISED_BY: Final[Mapping[str, tuple[type[Exception], ...]]] = {"learn_record": (KeyError,)}
"""The further errors that the contract of a single method allows."""
Check = Callable[..., str]
"""Takes an object, the result of its method, and the arguments; returns what is wrong with the result, or `""`."""
_GUARDED: Final[set[object]] = set()
"""The classes that have been guarded, and the functions that guard."""


def guard(owner: str, kind: type, checks: Mapping[str, Check] | None = None) -> None:
    """Let the public methods of a class of a plug-in raise `PluginFailed` in place of unexpected errors.

    `owner` names the plug-in in messages. `checks`, by name of the method, examine what methods return, also inherited
    ones. Classes of other packages from which this class derives are left alone.
    """
    theirs = {name for each in kind.__mro__ if _package(each) == _package(kind) for name in vars(each)}
    for name, check in (checks or {}).items():
        if name not in theirs and _package(kind) not in OWN_PACKAGES and kind not in _GUARDED:
            setattr(kind, name, guard_function(owner, getattr(kind, name), check))
    for each in kind.__mro__:
        if _package(each) != _package(kind) or _package(each) in OWN_PACKAGES or each in _GUARDED:
            continue
        _GUARDED.add(each)
        for name, value in [*vars(each).items()]:
            if name == "__init__" or not name.startswith("_"):
                _guard_attribute(owner, each, name, value, (checks or {}).get(name))


def _guard_attribute(owner: str, kind: type, name: str, value: object, check: Check | None) -> None:
    match value:
        case FunctionType():
            setattr(kind, name, guard_function(owner, value, check))
        case classmethod() | staticmethod():
            setattr(kind, name, type(value)(guard_function(owner, value.__func__, check)))
        case property(fget=getter) if getter is not None:
            setattr(kind, name, property(guard_function(owner, getter, check), value.fset, value.fdel, value.__doc__))
        case cached_property():
            value.func = guard_function(owner, value.func, check)


def guard_fields(owner: str, data: Data, *names: str, check: Check | None = None) -> Data:
    """Return a dataclass of a plug-in with guards on the functions in some fields, except functions of the program."""
    guards = {}
    for name in names:
        function = getattr(data, name)
        if _package(function) not in OWN_PACKAGES and function not in _GUARDED:
            guards[name] = guard_function(owner, function, check)
    return replace(data, **guards) if guards else data


def guard_function(
    owner: str, function: Callable[..., Returned], check: Check | None = None
) -> Callable[..., Returned]:
    """Return a function of a plug-in that raises `PluginFailed` in place of unexpected errors."""
    from engine.space import Endless, TooLarge  # imports numpy

    expected: tuple[type[Exception], ...] = (BadText, IllegalMove, TooLarge, Endless, Stopped, MemoryError)
    expected += RAISED_BY.get(getattr(function, "__name__", ""), ())

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Returned:  # noqa: ANN401  those of any function
        try:
            returned = function(*args, **kwargs)
            problem = check(args[0], returned, *args[1:], **kwargs) if check is not None else ""
        except expected:
            raise
        except Exception as error:
            place = place_text(error, _package(function))
            raise PluginFailed(f"plug-in {owner} failed: {error_line(error)}{place}") from error
        if problem:
            raise PluginFailed(f"plug-in {owner} failed: {problem}")
        return returned

    _GUARDED.add(call)
    return call


def place_text(error: BaseException, package: str) -> str:
    """Return the module and line of a package where an error was raised, or where it called what raised the error."""
    for frame, line in reversed([*walk_tb(error.__traceback__)]):
        module = str(frame.f_globals.get("__name__"))
        if module.partition(".")[0] == package:
            return f" ({module}, line {line})"
    return ""


def _package(defined: type | Callable[..., object]) -> str:
    return str(getattr(defined, "__module__", "")).partition(".")[0]


def error_line(error: BaseException) -> str:
    """Return the type and the text of an error in one line; if the text cannot be made, the type."""
    return " ".join("".join(format_exception_only(error)).split())
