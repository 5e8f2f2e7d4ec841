"""What an agent wants: the forms in which it could be asked."""

from __future__ import annotations

from typing import Any, Callable, NamedTuple

O_FIRST = "o-first"
"""The last word of a form for an agent in whose games the other side moves first: it is shown an O for each X."""
MAX_ITEMS = 10000


class AskForm(NamedTuple):
    """A form, and a function that returns the answer to a question."""

    name: str
    call: Callable[[dict[str, Any]], Any]
    begin: Callable[[dict[str, Any]], Any] | None = None
    """Shows the agent the moves before the position, if it wants them."""
    make: Callable[[dict[str, Any]], Any] | None = None
    """Returns the object that is asked, if it is made by its side or by a game."""


class Known(NamedTuple):
    """How an object can be asked."""

    forms: list[AskForm]
    """The forms in which it could be asked, the likeliest first."""
    by_history: bool = False
    """Whether it must be shown the moves before a position."""
    replays: bool = False
    """Whether it must be begun anew, and shown its own earlier decisions."""
    promised: int | None = None
    """The form whose parameters it has by name."""
    sides: tuple[int, ...] = (1, 2)
    """The sides that it plays."""
    note: str = ""
    """What else a person should know, in a sentence."""


class CannotAsk(Exception):
    """The object cannot be asked: the message says why."""
