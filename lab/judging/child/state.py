"""The state of an agent: its random generators, the clocks that it reads, and what it keeps between its answers."""

from __future__ import annotations

import gc
import os
import random
import sys
import time
from collections.abc import Mapping
from functools import wraps
from inspect import currentframe
from types import ModuleType
from typing import Any

from .forms import MAX_ITEMS

CLOCKS = "time time_ns monotonic monotonic_ns perf_counter perf_counter_ns process_time localtime gmtime ctime strftime"
CLOCK_READ: set[str] = set()
"""The functions of the module time that the agent called, except for the times in a log."""


def watch_clocks() -> None:
    for name in CLOCKS.split():
        setattr(time, name, noting(getattr(time, name)))


def noting(read: Any) -> Any:
    @wraps(read)
    def call(*arguments: Any) -> Any:
        here: Any = currentframe()
        if here.f_back.f_globals.get("__name__") != "logging":
            CLOCK_READ.add(read.__name__)
        return read(*arguments)

    return call


class Generators:
    """The random generators that the agent may use, as far as they can be found."""

    def __init__(self, agent: Any, module: Any) -> None:
        self.own: list[Any] = []
        self.arrays: list[Any] = []
        self.older: list[Any] = []
        known, near = self.known(), [agent, *[*vars(module).values()][:MAX_ITEMS]]
        held = [each for place in near for each in getattr(place, "__dict__", {}).values()]
        seen = {id(each): each for objects in (gc.get_objects(), near, held) for each in objects if type(each) in known}
        seen.pop(id(getattr(random.seed, "__self__", None)), None)  # seeded as the module is
        for each in seen.values():
            known[type(each)].append(each)
        secret = sys.modules.get("secrets", os.urandom)
        self.unseen = any(
            isinstance(each, random.SystemRandom) or each is secret or each is os.urandom
            for each in vars(module).values()
        )
        """Whether the agent may use random numbers that cannot be repeated."""

    def known(self) -> dict[type, list[Any]]:
        numpy: Any = sys.modules.get("numpy.random")
        more = {} if numpy is None else {numpy.Generator: self.arrays, numpy.RandomState: self.older}
        return {random.Random: self.own, **more}

    def watch(self, agent: Any) -> bool:
        """Add the generators of an object that was made later; return whether it has any."""
        known = self.known()
        reached, left, found = {id(agent)}, [agent], False
        while left and len(reached) < MAX_ITEMS:
            each = left.pop()
            if type(each) in known:
                found = True
                known[type(each)] += [] if any(one is each for one in known[type(each)]) else [each]
            near = [] if isinstance(each, (type, type(sys))) or callable(each) else gc.get_referents(each)
            left += [one for one in near if id(one) not in reached]
            reached.update(map(id, near))
        return found

    def state(self) -> dict[str, Any]:
        """Return the states of the generators, which change when a random number is drawn."""
        found: dict[str, Any] = {"own": [random.getstate(), *(each.getstate() for each in self.own)]}
        if "numpy.random" in sys.modules:
            older = [sys.modules["numpy.random"].get_state(), *(each.get_state() for each in self.older)]
            found["numpy"] = [[name, key.tobytes(), rest] for name, key, *rest in older]
            found["arrays"] = [repr(each.bit_generator.state) for each in self.arrays]
        torch: Any = sys.modules.get("torch")
        if hasattr(torch, "get_rng_state"):
            found["torch"] = torch.get_rng_state().numpy().tobytes()
        return found

    def seed(self, number: Any = None) -> None:
        """Seed all generators, so that the same numbers are drawn again; by default, with a seed from the system."""
        random.seed(number)
        for each in self.own:
            each.seed(number)
        if "numpy.random" in sys.modules:
            sys.modules["numpy.random"].seed(number)
        for each in self.older:
            each.seed(number)
        for each in self.arrays:
            each.bit_generator.state = type(each.bit_generator)(number).state
        torch: Any = sys.modules.get("torch")
        if hasattr(torch, "manual_seed"):
            if number is None:
                torch.seed()
            else:
                torch.manual_seed(number)


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
