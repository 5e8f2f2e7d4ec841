"""The words of `--as`: they choose the form of an object or a table, and how its moves are written."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Final

from engine.game import BadText
from lab.judging.child.forms import O_FIRST
from lab.judging.notation.reply import PERSPECTIVES, USUAL_READING, Reading

X_FIRST: Final = "x-first"
"""The word for all forms but those for agents in whose games O moves first."""
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
    """Return the name of a form, including how moves are written, if not as usual."""
    return ", ".join([form, *_words_apart(reading, [USUAL_READING])])


def choosing_words(form: str, reading: Reading, other: Reading) -> str:
    """Return the words for `--as` that choose a form and `reading`, and not the reading `other`."""
    words = [word for word in form.partition("), ")[2].split(", ") if not word.endswith(")")]
    if O_FIRST not in words:
        words.append(X_FIRST)
    return ", ".join([*words, *_words_apart(reading, [other, USUAL_READING])])


def _words_apart(reading: Reading, others: Sequence[Reading]) -> list[str]:
    """Return the words for all in which a reading differs from one of some others."""
    return [
        word
        for word, (name, value) in READING_WORDS.items()
        if value == getattr(reading, name) and any(value != getattr(other, name) for other in others)
    ]


def possible_readings(reading: Reading, wanted: str | None) -> list[Reading]:
    """Return the possible ways to read moves, the usual one first; the words in `wanted` restrict them."""
    given = dict(READING_WORDS[word] for word in words_of(wanted) if word in READING_WORDS)
    values: dict[str, Sequence[Any]] = {
        "scored": (None, 0, 1),
        "column_first": (False, True),
        "from_top": (False, True),
        "first": (0, 1),
        "perspective": (reading.perspective,),
    }
    values |= {name: (value,) for name, value in given.items()}
    readings = [replace(reading, **dict(zip(values, way, strict=True))) for way in product(*values.values())]
    return [each for each in readings if not (each.column_first and each.from_top)]


def find_forms(forms: Sequence[str], wanted: str | None) -> list[int]:
    """Return the indices of the forms whose names have all words in `wanted`. Raises `BadText` if there are none."""
    words = [word for word in words_of(wanted) if word not in READING_WORDS]
    indices = [index for index, form in enumerate(forms) if all(_has_word(form, word) for word in words)]
    if not indices:
        known = dict.fromkeys(word for form in forms for word in words_of(form.partition("), ")[2] or form))
        listed = ", ".join([*known, X_FIRST, *READING_WORDS])
        raise BadText(f"it cannot be asked as {wanted!r}\nIts forms have these words, not all together: {listed}")
    return indices


def _has_word(form: str, word: str) -> bool:
    return O_FIRST not in words_of(form) if word == X_FIRST else word in words_of(form)
