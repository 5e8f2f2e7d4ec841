"""The forms in which an agent could be asked."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

O_FIRST = "o-first"
"""The last word of a form for an agent in whose games the other side moves first: X and O are exchanged for it."""
MAX_ITEMS = 10000
"""The maximum number of items in an answer, and of objects of a module that are looked at."""


class AskForm(NamedTuple):
    """A form: its name, and a function that returns the answer to a question."""

    name: str
    call: Callable[[dict[str, Any]], Any]
    begin: Callable[[dict[str, Any]], Any] | None = None
    """Shows the agent the moves before the position, for an agent that needs them."""
    make: Callable[[dict[str, Any]], Any] | None = None
    """Returns the object to ask, if it is made for a side or for a game."""


class AgentProfile(NamedTuple):
    """How an object can be asked."""

    forms: list[Any]
    """Each `AskForm` in which the object could be asked, the likeliest first; in the parent process, their names."""
    by_history: bool = False
    """Whether the object must be shown the moves before a position."""
    replays: bool = False
    """Whether the object must begin a new game for each question, and be shown its own earlier decisions."""
    promised: int | None = None
    """The index of the form that the names of the object's parameters promise."""
    sides: tuple[int, ...] = (1, 2)
    """The sides that the object can play, as far as is known."""
    note: str = ""
    """Remarks for a person, separated by semicolons."""


class CannotAsk(Exception):
    """The object cannot be asked: the message says why."""
