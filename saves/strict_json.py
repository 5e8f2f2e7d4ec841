"""A strict JSON reader: it rejects texts that are ambiguous, and texts that take too much time or memory to read."""

import json
import re
from collections import Counter
from itertools import accumulate
from math import isfinite
from typing import Any, Final, NoReturn

from engine.game import BadText, quoted

MAX_DEPTH: Final = 8
"""The maximum number of nested brackets. The program's own files need five."""
MAX_SIGNS: Final = 400_000
"""The maximum number of brackets and commas: 1.5 times as many as the largest memory has with all its checkpoints."""
MAX_IN_A_ROW: Final = 10_000
"""The maximum number of commas without a bracket between them. The program's own files have a few dozen."""
SIGNS: Final = {
    "brackets and commas": ("[]{},", MAX_SIGNS),
    "quotation marks": ('"', 2 * MAX_SIGNS),  # two for each string, which has a comma or bracket beside it
    "backslashes": ("\\", MAX_SIGNS),
}
"""The characters that take time to read, by name, and the maximum number of them in a text."""
MAX_DIGITS: Final = 19
"""The digits of the largest number, 2^63 − 1."""
LONG: Final = re.compile(rf"[0-9]{{{MAX_DIGITS + 1}}}")
"""Digits of a number that is too large; or of two numbers that became one when the string between them was removed."""

STEP: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1, ord(","): 0}
"""The change of the nesting depth at each bracket or comma."""
OTHERS: Final = bytes(set(range(256)) - set(STEP))
"""All bytes except brackets and commas."""
TOO_MANY: Final = b"," * (MAX_IN_A_ROW + 1)
LONG_KEY: Final = 1000
"""A length in characters that no key in a file of this program has."""
MAX_COLUMN: Final = 2**20
"""The size limit of a JSON text in a column of a library, in characters. The program's own have some hundred."""
Json = Any
"""A value that JSON can express."""


def parse_json(text: str, *, fractions: bool = False, room: int = 1) -> Json:
    """Parse a JSON text with objects, arrays, strings, whole numbers, true, false, null. Raises `BadText`.

    With `fractions`, numbers may also have a fraction or an exponent, if they are finite. `room` multiplies the limits
    for the number of values, since a table of another program may be larger than a file of this one. To check numbers
    and strings one by one is slow, so this is done only if the text may have one that is not allowed.
    """
    for name, (signs, most) in SIGNS.items():
        if sum(map(text.count, signs)) > most * room:
            raise BadText(f"more than {most * room:,} {name}, too many for a file of Noughts")
    bare = _without_strings(text)
    _check_nesting(bare, room)
    try:
        return json.loads(
            text,
            object_pairs_hook=_object if text.isascii() and "\\u" not in text else _object_without_surrogates,
            parse_int=_whole if LONG.search(bare) else int,
            parse_float=_finite if fractions else _refuse_number,
            parse_constant=_refuse_constant,
        )
    except json.JSONDecodeError as error:
        if not text.strip():
            raise BadText("it is empty") from error
        raise BadText(f"{place(text, error.pos)}: {error.msg}") from error
    except _DuplicateKeyError as error:
        key = str(error)
        raise BadText(f"{line_of(text, key)}{quoted(key)} is given twice") from error


def _check_nesting(bare: str, room: int) -> None:
    """Raise `BadText` for a text with too many nested brackets, or values in a row."""
    signs = bare.encode("ascii", "replace").translate(None, OTHERS)
    if max(accumulate(map(STEP.__getitem__, signs)), default=0) > MAX_DEPTH:
        raise BadText(f"more than {MAX_DEPTH} nested brackets, too many for a file of Noughts")
    if TOO_MANY * room in signs:
        raise BadText(f"more than {MAX_IN_A_ROW * room:,} values in a row, too many for a file of Noughts")


def _without_strings(text: str) -> str:
    """Return a JSON text without its strings; wrong if a backslash is outside of them, which is refused anyway."""
    parts = text.replace("\\\\", "").replace('\\"', "").split('"')
    return "".join(parts[::2])


def parse_object(text: str) -> dict[str, Json]:
    """Parse a text in a column that must be one JSON object; return its members. Raises `BadText`."""
    value = parse_json(_require_column(text))
    if not isinstance(value, dict):
        raise BadText(f"{quoted(text)} is not a JSON object")
    return value


def parse_array(text: str) -> list[Json]:
    """Parse a text in a column that must be one JSON array; return its items. Raises `BadText`."""
    value = parse_json(_require_column(text))
    if not isinstance(value, list):
        raise BadText(f"{quoted(text)} is not a JSON array")
    return value


def _require_column(text: str) -> str:
    if len(text) > MAX_COLUMN:
        raise BadText(f"a JSON text of {len(text):,} characters, too large for a library")
    return text


def place(text: str, offset: int) -> str:
    """Return an offset in a text for a message: `line 3, column 14`."""
    return f"line {text.count(chr(10), 0, offset) + 1}, column {offset - text.rfind(chr(10), 0, offset)}"


def _key_text(key: str) -> str:
    """Return a key as it is written in a file; of a key longer than any in use, only its beginning."""
    if len(key) < LONG_KEY:
        return json.dumps(key, ensure_ascii=False)
    return json.dumps(key[:LONG_KEY], ensure_ascii=False).removesuffix('"')


def line_of(text: str, key: str, *inner: str) -> str:
    """Return the line of a key for a message: `line 3: `; empty if the key is not found.

    If the key occurs several times, the last of its outermost occurrences counts. Each of the `inner` keys is nested in
    the one before; the line is that of the last key.
    """
    key_text = _key_text(key)
    spans = [match.span() for match in re.finditer(rf"^[ \t]*{re.escape(key_text)}", text, re.MULTILINE)]
    if spans:
        offset, _ = max(spans, key=lambda span: (span[0] - span[1], span[0]))
    else:
        offset = text.rfind(key_text)
    for inner_key in inner:
        if offset >= 0:
            offset = text.find(_key_text(inner_key), offset)
    return f"line {text.count(chr(10), 0, offset) + 1}: " if offset >= 0 else ""


class _DuplicateKeyError(Exception):
    """An object has the same key twice. The argument is the key."""


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise _DuplicateKeyError(Counter(key for key, _ in pairs).most_common(1)[0][0])
    return members


def _object_without_surrogates(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = _object(pairs)
    for text in (*members, *members.values()):
        if isinstance(text, str) and not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            raise BadText(f"{quoted(text)} contains half a character (a lone surrogate)")
    return members


def _whole(digits: str) -> int:
    if len(digits.removeprefix("-")) > MAX_DIGITS:
        _refuse_number(digits)
    return int(digits)


def _finite(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise BadText(f"{quoted(text)} is larger than any number that can be read")
    return value


def _refuse_constant(text: str) -> NoReturn:
    what = "not a number" if text == "NaN" else "infinite"
    raise BadText(f"{quoted(text)} is {what}: write a finite number or null")


def _refuse_number(text: str) -> NoReturn:
    raise BadText(f"{quoted(text)}: numbers must be whole and below 2^63")
