"""Facts about an agent from its source."""

from __future__ import annotations

import ast
import os
import sys
from functools import lru_cache
from typing import Any

TYPES = "int8 uint8 int16 int32 float32".split()
"""The types of arrays that are tried as boards, too, for agents that look boards up by their bytes: array-int8."""
HASHES = "It calls hash(): of texts, that differs from run to run unless PYTHONHASHSEED is set, and so may its answers"
DATES = {"now", "utcnow", "today"}


def code_of(ask: Any, module: Any) -> list[Any]:
    """Return the syntax nodes of an agent's code, as far as it can be read."""
    names = [getattr(ask, "__module__", None), type(getattr(ask, "__self__", None)).__module__]
    found: list[Any] = []
    for each in [module, *(sys.modules.get(str(name)) for name in names)]:
        try:
            found += nodes_in(each.__file__, os.stat(each.__file__).st_mtime_ns)
        except Exception:  # noqa: BLE001, S112  it has no file, or none that can be read
            continue
    return found


@lru_cache(maxsize=8)
def nodes_in(path: str, _changed: int) -> list[Any]:
    """Return the syntax nodes of a file, cached until the time of its last change differs."""
    with open(path, encoding="utf-8") as code:
        return [*ast.walk(ast.parse(code.read()))]


def types_hashed(code: Any) -> list[str]:
    """Return the unusual number types in the code of an agent that looks boards up by their bytes; else nothing."""
    words: set[Any] = {each.attr for each in code if isinstance(each, ast.Attribute)}
    words |= {each.value for each in code if isinstance(each, ast.Constant)}
    return [each for each in TYPES if each in words] if words & {"tobytes", "tostring", "data"} else []


def calls_hash(code: Any) -> bool:
    """Return whether an agent may call `hash` on a text, which gives another result each time that Python starts."""
    called = [each.func for each in code if isinstance(each, ast.Call)]
    return any(getattr(each, "id", "") == "hash" for each in called) and not os.environ.get("PYTHONHASHSEED")


def is_method_call(node: Any) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


def imports_numpy(code: Any) -> bool:
    """Return whether an agent may want arrays of texts, since its code, as far as it can be read, imports numpy."""
    names = [each.module or "" for each in code if isinstance(each, ast.ImportFrom)]
    names += [alias.name for each in code if isinstance(each, ast.Import) for alias in each.names]
    return not code or any(name.split(".")[0] == "numpy" for name in names)


def letter_cases(code: Any, game: Any) -> set[bool]:
    """Return the cases of the marks in an agent's code, `True` for small letters; both if it has no marks."""
    marks, found = "".join(game["marks"]), set()
    for text in {each.value for each in code if isinstance(each, ast.Constant) and isinstance(each.value, str)}:
        letters = "".join(filter(str.isalpha, text))
        for small, known in ((False, marks), (True, marks.lower())):
            if letters and not letters.strip(known):
                found.add(small)
    return found or {False, True}
