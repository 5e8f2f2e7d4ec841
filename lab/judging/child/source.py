"""Facts about an agent from its source."""

from __future__ import annotations

import ast
import os
import sys
from functools import lru_cache
from typing import Any

ARRAY_TYPES = "int8 uint8 int16 int32 float32".split()
"""The types of arrays that are tried as boards, too, for agents that look boards up by their bytes: array-int8."""
HASH_NOTE = (
    "It calls hash(): of texts, that differs from run to run unless PYTHONHASHSEED is set, and so may its answers"
)
DATE_METHODS = ("now", "utcnow", "today")


def code_of(ask: Any, module: Any) -> list[Any]:
    """Return the syntax nodes of an agent's code, as far as it can be read: of its module and of its class's."""
    names = [getattr(ask, "__module__", None), type(getattr(ask, "__self__", None)).__module__]
    nodes: list[Any] = []
    for each in [module, *(sys.modules.get(str(name)) for name in names)]:
        try:
            nodes += parse_file(each.__file__, os.stat(each.__file__).st_mtime_ns)
        except Exception:  # noqa: BLE001, S112  it has no file, or none that can be read
            continue
    return nodes


@lru_cache(maxsize=8)
def parse_file(path: str, _changed: int) -> list[Any]:
    """Return the syntax nodes of a file, cached until the time of its last change differs."""
    with open(path, encoding="utf-8") as code:
        return [*ast.walk(ast.parse(code.read()))]


def hashed_types(code: Any) -> list[str]:
    """Return the unusual number types in the code of an agent that looks boards up by their bytes; else nothing."""
    words: set[Any] = {each.attr for each in code if isinstance(each, ast.Attribute)}
    words |= {each.value for each in code if isinstance(each, ast.Constant)}
    if not words & {"tobytes", "tostring", "data"}:
        return []
    return [each for each in ARRAY_TYPES if each in words]


def has_random_hash(code: Any) -> bool:
    """Return whether an agent may call `hash` on a text, which gives another result each time that Python starts."""
    functions = [each.func for each in code if isinstance(each, ast.Call)]
    calls_hash = any(getattr(each, "id", "") == "hash" for each in functions)
    return calls_hash and not os.environ.get("PYTHONHASHSEED")


def sees_dates(code: Any) -> bool:
    """Return whether an agent may ask for the date, as by `datetime.now()`."""
    functions = [each.func for each in code if isinstance(each, ast.Call)]
    return any(isinstance(each, ast.Attribute) and each.attr in DATE_METHODS for each in functions)


def may_import_numpy(code: Any) -> bool:
    """Return whether an agent imports numpy, or its code cannot be read: then it may want arrays of texts."""
    names = [each.module or "" for each in code if isinstance(each, ast.ImportFrom)]
    names += [alias.name for each in code if isinstance(each, ast.Import) for alias in each.names]
    return not code or any(name.split(".")[0] == "numpy" for name in names)


def mark_cases(code: Any, game: Any) -> set[bool]:
    """Return the cases of the marks in an agent's code, `True` for small letters; both if it has no marks."""
    marks = set("".join(game["marks"]))
    small_marks = {mark.lower() for mark in marks}
    cases = set()
    for node in code:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            letters = set(filter(str.isalpha, node.value))
            if letters and letters <= marks:
                cases.add(False)
            if letters and letters <= small_marks:
                cases.add(True)
    return cases or {False, True}
