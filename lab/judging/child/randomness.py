"""What can make two answers differ: the random generators, and the clocks, that an agent uses."""

from __future__ import annotations

import gc
import os
import random
import sys
import time
from functools import wraps
from inspect import currentframe
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
