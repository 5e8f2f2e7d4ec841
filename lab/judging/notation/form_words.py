"""The words of `--as`: they choose the form of an object or a table, and how its moves are written."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Final

from engine.game import BadText
from lab.judging.child.forms import O_FIRST
from lab.judging.notation.reply import PERSPECTIVES, Reading

X_FIRST: Final = "x-first"
"""The word for all forms except those for agents in whose games O moves first."""
READING_WORDS: Final[dict[str, tuple[str, int | str | bool | None]]] = {
    "from-0": ("first", 0),
    "from-1": ("first", 1),
    "y-x": ("column_first", False),
    "x-y": ("column_first", True),
    "from-bottom": ("from_top", False),
    "from-top": ("from_top", True),
    "move-alone": ("scored", None),
    "move-score": ("scored", 0),
    "score-move": ("scored", 1),
    **{word: ("perspective", word) for word in PERSPECTIVES},
}
"""The words for how an answer is written, as fields of `Reading`."""


def replace_options(message: str, options: Mapping[str, str]) -> str:
    """Return a message of the judge in which other words replace options of `noughts judge`, one after the other."""
    for option, words in options.items():
        message = message.replace(option, words)
    return message


def words_of(form: str | None) -> list[str]:
    """Return the words in the name of a form, or in a person's choice of one."""
    return re.sub("[,()]", " ", (form or "").lower()).split()


def form_name(form: str, reading: Reading) -> str:
    """Return the name of a form, including how moves are written."""
    usual = Reading()
    words = [
        word for word, (name, value) in READING_WORDS.items() if getattr(reading, name) == value != getattr(usual, name)
    ]
    return ", ".join([form, *words])


def choosing_words(form: str, reading: Reading, other: Reading) -> str:
    """Return the words for `--as` that choose a form and `reading`, and not the reading `other`."""
    words = [each for each in form.partition("), ")[2].split(", ") if not each.endswith(")")]
    words += [] if O_FIRST in words else [X_FIRST]
    for word, (name, value) in READING_WORDS.items():
        chosen, rivals = getattr(reading, name), (getattr(other, name), getattr(Reading(), name))
        words += [word] if value == chosen and any(chosen != each for each in rivals) else []
    return ", ".join(words)


def possible_readings(reading: Reading, wanted: str | None) -> list[Reading]:
    """Return the possible ways to read moves, the usual one first; `wanted` may restrict them."""
    told = dict(READING_WORDS[word] for word in words_of(wanted) if word in READING_WORDS)
    ways: dict[str, Any] = {
        "scored": (None, 0, 1),
        "column_first": (False, True),
        "from_top": (False, True),
        "first": (0, 1),
        "perspective": (told.get("perspective", reading.perspective),),
    }
    each_way = (dict(zip(ways, chosen, strict=True)) for chosen in product(*ways.values()))
    return [
        replace(reading, **way)
        for way in each_way
        if way.items() >= told.items() and not (way["column_first"] and way["from_top"])
    ]


def find_forms(forms: Sequence[str], wanted: str | None) -> list[int]:
    """Return the indices of the forms whose names have all words in `wanted`. Raises `BadText` if there are none."""
    words = [word for word in words_of(wanted) if word not in READING_WORDS]
    found = [
        index
        for index, form in enumerate(forms)
        if all(O_FIRST not in words_of(form) if word == X_FIRST else word in words_of(form) for word in words)
    ]
    if not found:
        some = "; ".join(forms[:3])
        raise BadText(f"it cannot be asked as {wanted!r}\nIts forms are: {some}{'; …' if len(forms) > 3 else ''}")
    return found
