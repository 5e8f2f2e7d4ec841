"""Answers as JSON, and as text in messages."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import Any, NamedTuple

from .forms import MAX_ITEMS, CannotAsk

MAX_CHARACTERS = 200
"""A message quotes at most this many characters of an agent's error."""
MAX_BYTES = 10000
"""The size limit of a message with answers."""
MAX_BITS = 10000
"""The size limit of a whole number in an answer: Python refuses to write much longer ones."""
MAX_DEPTH = 4
SQUARE_ATTRIBUTES = (("row", "column"), ("row", "col"), ("r", "c"), ("x", "y"))
"""The attributes of an answer that is a square."""


class OnSquare(NamedTuple):
    """An answer that is the number of a square."""

    square: int


def pack_answer(answer: Any, depth: int = 0) -> Any:
    """Return an answer as a value that JSON can express. Raises `CannotAsk` if it is no move, number, text or list."""
    if answer is None or isinstance(answer, (bool, float, str)):
        return answer
    if isinstance(answer, int):
        if answer.bit_length() > MAX_BITS:
            raise ValueError("a number with too many digits")
        return answer
    if isinstance(answer, OnSquare):
        return {"square": pack_answer(answer.square)}
    if depth > MAX_DEPTH:
        raise CannotAsk("it is nested too deeply")
    if hasattr(answer, "detach"):  # a tensor of torch
        answer = answer.detach().cpu().numpy()
    if hasattr(answer, "tolist"):
        return pack_answer(answer.tolist(), depth + 1)
    if hasattr(answer, "numpy"):  # a tensor of tensorflow
        return pack_answer(answer.numpy(), depth + 1)
    if isinstance(answer, Mapping):
        items = list_items(answer.items())
        return {"pairs": [[pack_answer(key, depth + 1), pack_answer(value, depth + 1)] for key, value in items]}
    if isinstance(answer, (set, frozenset)):
        return {"set": sorted((pack_answer(each, depth + 1) for each in list_items(answer)), key=repr)}
    if isinstance(answer, (list, tuple)):
        return [pack_answer(each, depth + 1) for each in list_items(answer)]
    for names in SQUARE_ATTRIBUTES:
        if all(hasattr(answer, name) for name in names):
            return [pack_answer(getattr(answer, name), depth + 1) for name in names]
    value = getattr(answer, "value", None)
    if isinstance(value, (int, float)):  # of a member of an enumeration
        return value
    if hasattr(answer, "__index__"):
        return answer.__index__()
    if hasattr(answer, "__float__"):
        return float(answer)
    if hasattr(answer, "cr_frame"):  # Python warns of a coroutine that is not closed
        answer.close()
        raise CannotAsk("it waits for something: give a function without 'async'")
    raise CannotAsk("%s is not a move" % type(answer).__name__)


def list_items(items: Any) -> list[Any]:
    """Return the items of a collection, which may be endless. Raises `CannotAsk` if there are too many."""
    listed = list(islice(items, MAX_ITEMS + 1))
    if len(listed) > MAX_ITEMS:
        raise CannotAsk("these are more than %s numbers" % format(MAX_ITEMS, ","))
    return listed


def answer_text(answer: Any) -> str:
    """Return an answer as Python writes it, shortened; if it cannot be written, its type."""
    try:
        text = repr(answer)
    except BaseException:  # noqa: BLE001  writing it runs code of the agent
        text = type(answer).__name__
    return text if len(text) <= MAX_CHARACTERS else text[:MAX_CHARACTERS] + "..."


def error_text(error: Any) -> str:
    """Return an error of the agent, or a refusal of this program, in one line; if it cannot be written, its type."""
    if isinstance(error, CannotAsk):
        return str(error)
    if isinstance(error, EOFError):
        return "EOFError: it asks for input"
    try:
        text = " ".join(str(error)[:MAX_CHARACTERS].split())
    except BaseException:  # noqa: BLE001  writing it runs code of the agent
        text = ""
    return "%s: %s" % (type(error).__name__, text) if text else type(error).__name__


def is_table(thing: Any) -> bool:
    """Return whether an object is data and not an agent: a dict, a list, a tuple, or an array of numpy."""
    kind = type(thing)
    if kind.__module__ not in ("builtins", "collections", "numpy"):
        return False
    return isinstance(thing, (dict, list, tuple)) or kind.__name__ == "ndarray"


def pack_table(data: Any) -> Any:
    """Return data as values that JSON can express, as `pack_answer` does. Raises `CannotAsk` for anything but data."""
    if isinstance(data, Mapping):
        return {"pairs": [[pack_table(key), pack_table(value)] for key, value in data.items()]}
    if isinstance(data, (list, tuple)):
        return [pack_table(each) for each in data]
    if hasattr(data, "tolist") and type(data).__module__ == "numpy":
        values = pack_table(data.tolist())
        return {"array": values} if isinstance(values, list) and not data.dtype.hasobject else values
    if isinstance(data, bytes):
        return {"bytes": data.decode("latin-1")}
    if data is None or isinstance(data, (bool, int, float, str)):
        return data
    name = type(data).__name__
    raise CannotAsk("has %s: as a table, only dicts, lists, tuples, numbers, texts and arrays are read" % name)
