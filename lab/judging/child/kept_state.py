"""The state that an agent keeps between its answers, as far as it can be seen: in its objects, functions and module."""

from __future__ import annotations

from collections.abc import Mapping
from types import ModuleType
from typing import Any

MOST = 200000
"""The maximum number of things to look at; of an agent that keeps more, nothing is known."""
PLAIN = (type(None), bool, int, float, complex, str, bytes)


def kept_by(agent: Any, module: Any) -> dict[Any, Any] | None:
    """Return the state that an agent keeps, by place; `None` if it is too large."""
    found: dict[Any, Any] = {}
    left: list[Any] = [((name,), each) for name, each in vars(module).items() if name[:2] != "__"]
    left.append((("it",), agent))
    seen: set[int] = set()
    own = getattr(module, "__name__", "")
    while left:
        place, each = left.pop()
        if len(found) > MOST or len(left) > MOST:
            return None
        if isinstance(each, PLAIN):
            found[place] = each
        elif id(each) not in seen and not isinstance(each, ModuleType):
            seen.add(id(each))
            left += parts_of(place, each, own, found)
    return found


def parts_of(place: Any, each: Any, own: Any, found: Any) -> list[Any]:
    """Return the parts of a thing with their places. A number by which a change is noticed is put into `found`."""
    if type(each).__module__ == "numpy" and hasattr(each, "tobytes"):
        found[place] = hash(each.tobytes())
        return []
    if isinstance(each, Mapping):
        return [((*place, key if isinstance(key, (*PLAIN, tuple)) else id(key)), it) for key, it in [*each.items()]]
    if isinstance(each, (list, tuple)):
        found[place] = len(each)
        return [((*place, at), it) for at, it in enumerate(each)]
    named: Any = {} if isinstance(each, type) and each.__module__ != own else getattr(each, "__dict__", {})
    held = [*named.items()] if isinstance(named, Mapping) else []
    held += [("cell", getattr(cell, "cell_contents", None)) for cell in getattr(each, "__closure__", None) or ()]
    held += [("default", it) for it in getattr(each, "__defaults__", None) or ()]
    held += [("self", getattr(each, "__self__", None))] if hasattr(each, "__func__") else []
    return [((*place, at, name), it) for at, (name, it) in enumerate(held) if str(name)[:2] != "__"]


def changed_in(before: Any, after: Any) -> str | None:
    """Return the name of what has changed; empty if something was added, or is too large; `None` if nothing has."""
    if before == after is not None:
        return None
    for place, value in (before or {}).items():
        if after is not None and (place not in after or after[place] != value):
            return next((str(each) for each in place[::-1] if isinstance(each, str) and each.isidentifier()), "")
    return ""
