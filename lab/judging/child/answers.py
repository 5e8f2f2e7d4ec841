"""Answers as JSON, and as text in messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .forms import MAX_ITEMS, CannotAsk

MAX_CHARACTERS = 200
"""A message quotes at most this many characters of an agent's error."""
MAX_BYTES = 10000
MAX_DEPTH = 4
PAIRS = (("row", "column"), ("row", "col"), ("r", "c"), ("x", "y"))
"""The attributes of an answer that is a square."""


class OnSquare(NamedTuple):
    """An answer that is the number of a square."""

    square: int


def packed(answer: Any, depth: Any = 0) -> Any:
    """Return an answer as a value that JSON can express. Raises `CannotAsk` if it is no move, number, text or list."""
    if answer is None or isinstance(answer, (bool, float, str)):
        return answer
    if isinstance(answer, int):
        if answer.bit_length() > MAX_BYTES:
            raise ValueError("a number with too many digits")
        return answer
    if isinstance(answer, OnSquare):
        return {"square": packed(answer.square)}
    if depth > MAX_DEPTH:
        raise CannotAsk("it is nested too deeply")
    if hasattr(answer, "detach"):  # a tensor of torch
        answer = answer.detach().cpu().numpy()
    if hasattr(answer, "tolist"):
        return packed(answer.tolist(), depth + 1)
    if hasattr(answer, "numpy"):  # a tensor of tensorflow
        return packed(answer.numpy(), depth + 1)
    if isinstance(answer, Mapping):
        return {"pairs": [[packed(key, depth + 1), packed(each, depth + 1)] for key, each in some(answer.items())]}
    if isinstance(answer, (set, frozenset)):
        return {"set": sorted((packed(each, depth + 1) for each in some(answer)), key=repr)}
    if isinstance(answer, (list, tuple)):
        return [packed(each, depth + 1) for each in some(answer)]
    for names in PAIRS:
        if all(hasattr(answer, name) for name in names):
            return [packed(getattr(answer, name), depth + 1) for name in names]
    for kind in (int, float):
        if isinstance(getattr(answer, "value", None), kind):  # a member of an enumeration
            return answer.value
    if hasattr(answer, "__index__"):
        return answer.__index__()
    if hasattr(answer, "__float__"):
        return float(answer)
    if hasattr(answer, "cr_frame"):  # Python warns of one that is not closed
        answer.close()
        raise CannotAsk("it waits for something: give a function without 'async'")
    raise CannotAsk("%s is not a move" % type(answer).__name__)


def some(items: Any) -> list[Any]:
    found: list[Any] = []
    for each in items:
        if len(found) > MAX_ITEMS:
            raise CannotAsk("these are more than %s numbers" % format(MAX_ITEMS, ","))
        found.append(each)
    return found


def written(answer: Any) -> str:
    try:
        words = repr(answer)
    except BaseException:  # noqa: BLE001  writing it runs code of the agent
        words = type(answer).__name__
    return words if len(words) <= MAX_CHARACTERS else words[:MAX_CHARACTERS] + "..."


def error_text(error: Any) -> str:
    """Return an error of the agent, or a refusal of this program, in one line; if it cannot be written, its type."""
    if isinstance(error, CannotAsk):
        return str(error)
    if isinstance(error, EOFError):
        return "EOFError: it asks for input"
    try:
        words = " ".join(str(error)[:MAX_CHARACTERS].split())
    except BaseException:  # noqa: BLE001  writing it runs code of the agent
        words = ""
    return "%s: %s" % (type(error).__name__, words) if words else type(error).__name__


def is_table(found: Any) -> bool:
    """Return whether an object is data and not an agent: a dict, a list, a tuple, or an array of numpy."""
    kind = type(found)
    return kind.__module__ in ("builtins", "collections", "numpy") and (
        isinstance(found, (dict, list, tuple)) or kind.__name__ == "ndarray"
    )


def plain(found: Any) -> Any:
    """Return data as values that JSON can express, as `packed` does. Raises `CannotAsk` for anything but data."""
    if isinstance(found, Mapping):
        return {"pairs": [[plain(key), plain(each)] for key, each in found.items()]}
    if isinstance(found, (list, tuple)):
        return [plain(each) for each in found]
    if hasattr(found, "tolist") and type(found).__module__ == "numpy":
        listed = plain(found.tolist())
        return {"array": listed} if isinstance(listed, list) and not found.dtype.hasobject else listed
    if isinstance(found, bytes):
        return {"bytes": found.decode("latin-1")}
    if found is None or isinstance(found, (bool, int, float, str)):
        return found
    name = type(found).__name__
    raise CannotAsk("has %s: as a table, only dicts, lists, tuples, numbers, texts and arrays are read" % name)
