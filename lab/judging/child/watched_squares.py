"""Squares that record what an agent compares them with."""

from __future__ import annotations

from typing import Any

WATCHED = ("lists", "list", "tuples", "tuple", "ten")
"""The shapes of boards whose squares are objects of Python, so that they can record what they are compared with."""
COMPARED: list[bool] = []
"""For each comparison of a watched square, whether the other value can stand on the board."""


def watched(cells: Any, mine: Any, other: Any) -> Any:
    """Return the values on squares, and those of both sides, as values that record what they are compared with.

    An agent that misreads the board looks for pieces that cannot stand there, as for a 2 among 1 and −1.
    """
    kinds: Any = {}

    def value(here: Any, empty: Any) -> Any:
        kind: Any = type(here)
        known = [each for each in (empty, mine, other) if each is not None]

        def equal(one: Any, two: Any) -> bool:
            if type(two) in (int, str, float):
                COMPARED.append(two in known)
            return kind.__eq__(one, two) is True

        if kind not in (int, str):
            return here
        if (kind, *known) not in kinds:
            more = {"__eq__": equal, "__ne__": lambda one, two: not equal(one, two), "__hash__": kind.__hash__}
            kinds[(kind, *known)] = type(kind.__name__, (kind,), more)
        return kinds[(kind, *known)](here)

    empties = {each for each in cells if each not in (mine, other)}
    usual = empties.pop() if len(empties) == 1 else None  # each has its number
    found = [value(each, usual if each in (mine, other) else each) for each in cells]
    return found, value(mine, usual), value(other, usual)
