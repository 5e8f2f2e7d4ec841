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
CLOCKS_READ: set[str] = set()
"""The functions of the module time that the agent called, except for the times in a log."""


def watch_clocks() -> None:
    for name in CLOCKS.split():
        setattr(time, name, watch_clock(getattr(time, name)))


def watch_clock(read: Any) -> Any:
    @wraps(read)
    def read_and_record(*arguments: Any) -> Any:
        frame: Any = currentframe()
        if frame.f_back.f_globals.get("__name__") != "logging":
            CLOCKS_READ.add(read.__name__)
        return read(*arguments)

    return read_and_record


class Generators:
    """The random generators that the agent may use, as far as they can be found."""

    def __init__(self, agent: Any, module: Any) -> None:
        self.python: list[Any] = []
        """Objects of `random.Random`, but for that of the module."""
        self.numpy: list[Any] = []
        """Objects of `numpy.random.Generator`."""
        self.old_numpy: list[Any] = []
        """Objects of `numpy.random.RandomState`, but for that of the module."""
        module_values = [*vars(module).values()]
        lists, nearby = self.lists_by_type(), [agent, *module_values[:MAX_ITEMS]]
        attributes = [value for each in nearby for value in getattr(each, "__dict__", {}).values()]
        generators = {id(each): each for each in [*gc.get_objects(), *nearby, *attributes] if type(each) in lists}
        generators.pop(id(getattr(random.seed, "__self__", None)), None)  # that of the module
        for each in generators.values():
            lists[type(each)].append(each)
        unrepeatable = (os.urandom, sys.modules.get("secrets", os.urandom))
        self.has_unrepeatable = any(
            isinstance(value, random.SystemRandom) or any(value is each for each in unrepeatable)
            for value in module_values
        )
        """Whether the agent may use random numbers that no seed repeats."""

    def lists_by_type(self) -> dict[type, list[Any]]:
        numpy_random: Any = sys.modules.get("numpy.random")
        if numpy_random is None:
            return {random.Random: self.python}
        return {
            random.Random: self.python,
            numpy_random.Generator: self.numpy,
            numpy_random.RandomState: self.old_numpy,
        }

    def add_those_of(self, agent: Any) -> bool:
        """Add the generators of an object that was made later; return whether it has any."""
        lists = self.lists_by_type()
        stack, reached, has_any = [agent], {id(agent)}, False
        while stack and len(reached) < MAX_ITEMS:
            thing = stack.pop()
            if type(thing) in lists:
                has_any = True
                if not any(each is thing for each in lists[type(thing)]):
                    lists[type(thing)].append(thing)
            if isinstance(thing, (type, ModuleType)) or callable(thing):
                continue
            referents = gc.get_referents(thing)
            stack += [each for each in referents if id(each) not in reached]
            reached.update(map(id, referents))
        return has_any

    def state(self) -> dict[str, Any]:
        """Return the states of the generators, which change when a random number is drawn."""
        states: dict[str, Any] = {"python": [random.getstate(), *(each.getstate() for each in self.python)]}
        if "numpy.random" in sys.modules:
            old_states = [sys.modules["numpy.random"].get_state(), *(each.get_state() for each in self.old_numpy)]
            states["old numpy"] = [[name, key.tobytes(), rest] for name, key, *rest in old_states]
            states["numpy"] = [repr(each.bit_generator.state) for each in self.numpy]
        torch: Any = sys.modules.get("torch")
        if hasattr(torch, "get_rng_state"):
            states["torch"] = torch.get_rng_state().numpy().tobytes()
        return states

    def seed(self, number: int | None = None) -> None:
        """Seed all generators, so that the same numbers are drawn again; by default, with a seed from the system."""
        random.seed(number)
        if "numpy.random" in sys.modules:
            sys.modules["numpy.random"].seed(number)
        for each in [*self.python, *self.old_numpy]:
            each.seed(number)
        for each in self.numpy:
            each.bit_generator.state = type(each.bit_generator)(number).state
        torch: Any = sys.modules.get("torch")
        if hasattr(torch, "manual_seed"):
            if number is None:
                torch.seed()
            else:
                torch.manual_seed(number)


MAX_VALUES = 200000
"""The maximum number of values that are looked at; of an agent that keeps more, no change is known."""
PLAIN_TYPES = (type(None), bool, int, float, complex, str, bytes)


def kept_state(agent: Any, module: Any) -> dict[Any, Any] | None:
    """Return the values that an agent and its module keep, by place; `None` if there are too many.

    A place is a path of names, keys and indices: `("player", 0, "past", 3)`.
    """
    values: dict[Any, Any] = {}
    stack: list[Any] = [((name,), thing) for name, thing in vars(module).items() if name[:2] != "__"]
    stack.append((("it",), agent))
    seen: set[int] = set()
    own_module = getattr(module, "__name__", "")
    while stack:
        place, thing = stack.pop()
        if len(values) > MAX_VALUES or len(stack) > MAX_VALUES:
            return None
        if isinstance(thing, PLAIN_TYPES):
            values[place] = thing
        elif id(thing) not in seen and not isinstance(thing, ModuleType):
            seen.add(id(thing))
            number = size_or_hash(thing)
            if number is not None:
                values[place] = number
            stack += parts_of(place, thing, own_module)
    return values


def size_or_hash(thing: Any) -> int | None:
    """Return a number by which a change is noticed: the size of a list, the hash of an array; `None` for others."""
    if is_array(thing):
        return hash(thing.tobytes())
    return len(thing) if isinstance(thing, (list, tuple)) else None


def is_array(thing: Any) -> bool:
    return type(thing).__module__ == "numpy" and hasattr(thing, "tobytes")


def parts_of(place: Any, thing: Any, own_module: str) -> list[Any]:
    """Return pairs of a place and a part that a thing holds; of classes, only those of the agent's own module."""
    if is_array(thing):
        return []
    if isinstance(thing, Mapping):
        return [((*place, comparable_key(key)), part) for key, part in [*thing.items()]]
    if isinstance(thing, (list, tuple)):
        return [((*place, index), part) for index, part in enumerate(thing)]
    parts: list[Any] = []
    is_foreign_class = isinstance(thing, type) and thing.__module__ != own_module
    attributes = getattr(thing, "__dict__", {})
    if isinstance(attributes, Mapping) and not is_foreign_class:
        parts += attributes.items()
    parts += [("cell", getattr(cell, "cell_contents", None)) for cell in getattr(thing, "__closure__", None) or ()]
    parts += [("default", default) for default in getattr(thing, "__defaults__", None) or ()]
    if hasattr(thing, "__func__"):
        parts.append(("self", getattr(thing, "__self__", None)))
    return [((*place, index, name), part) for index, (name, part) in enumerate(parts) if str(name)[:2] != "__"]


def comparable_key(key: Any) -> Any:
    return key if isinstance(key, (*PLAIN_TYPES, tuple)) else id(key)


def find_change(before: Any, after: Any) -> str | None:
    """Return the name of a value that has changed between two results of `kept_state`; `None` if nothing has.

    Return an empty text if something was only added, if the changed value has no name, or if the state is too large.
    """
    if before is None or after is None:
        return ""
    if before == after:
        return None
    for place, value in before.items():
        if place not in after or after[place] != value:
            names = [each for each in reversed(place) if isinstance(each, str) and each.isidentifier()]
            return str(names[0]) if names else ""
    return ""
