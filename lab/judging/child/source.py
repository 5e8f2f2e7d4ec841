"""What the source of an agent tells of it."""

from __future__ import annotations

import ast
import os
import sys
from functools import lru_cache
from typing import Any

TYPES = "int8 uint8 int16 int32 float32".split()
"""Types of numbers that arrays may have besides, for agents that look a board up by its bytes: array-int8."""
HASHES = "It calls hash(): of texts, that differs from run to run unless PYTHONHASHSEED is set, and so may its answers"
DATES = {"now", "utcnow", "today"}


def code_of(ask: Any, module: Any) -> list[Any]:
    """Return the nodes of the code of an agent, as far as it can be read."""
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
    """Return the nodes of a file, read once until its time of change is another one."""
    with open(path, encoding="utf-8") as code:
        return [*ast.walk(ast.parse(code.read()))]


def types_hashed(code: Any) -> list[str]:
    """Return the types of numbers in the code of an agent that looks boards up by their bytes, but for usual ones."""
    words: set[Any] = {each.attr for each in code if isinstance(each, ast.Attribute)}
    words |= {each.value for each in code if isinstance(each, ast.Constant)}
    return [each for each in TYPES if each in words] if words & {"tobytes", "tostring", "data"} else []


def calls_hash(code: Any) -> bool:
    """Return whether an agent may take the hash of a text, which is another one each time that Python is started."""
    called = [each.func for each in code if isinstance(each, ast.Call)]
    return any(getattr(each, "id", "") == "hash" for each in called) and not os.environ.get("PYTHONHASHSEED")


def is_method_call(node: Any) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


def imports_numpy(code: Any) -> bool:
    """Return whether an agent may want arrays of texts: if its code, as far as it can be read, imports numpy."""
    names = [each.module or "" for each in code if isinstance(each, ast.ImportFrom)]
    names += [alias.name for each in code if isinstance(each, ast.Import) for alias in each.names]
    return not code or any(name.split(".")[0] == "numpy" for name in names)


def letter_cases(code: Any, game: Any) -> set[bool]:
    """Return whether an agent may want marks in small letters: what is true of those in its code; both if none are."""
    marks, found = "".join(game["marks"]), set()
    for text in {each.value for each in code if isinstance(each, ast.Constant) and isinstance(each.value, str)}:
        letters = "".join(filter(str.isalpha, text))
        for small, known in ((False, marks), (True, marks.lower())):
            if letters and not letters.strip(known):
                found.add(small)
    return found or {False, True}
