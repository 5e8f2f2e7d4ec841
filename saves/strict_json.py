"""JSON read strictly: nothing that another reader might take otherwise, and nothing that could choke this one."""

import json
import re
from itertools import accumulate, islice
from typing import Any, Final, NoReturn

from engine.game import BadText, quoted

DEEPEST: Final = 8
"""How many brackets may stand open at once; the program's own files need four."""
MOST_SIGNS: Final = 400_000
"""How many brackets and commas there may be: half as many again as of the largest memory with all its checkpoints."""
MOST_IN_A_ROW: Final = 10_000
"""How many commas may stand between two brackets; in the program's own files there are a few dozen."""
SIGNS: Final = {
    "brackets and commas": ("[]{},", MOST_SIGNS),
    "quotation marks": ('"', 2 * MOST_SIGNS),  # of a string two, and a comma or bracket beside it
    "backslashes": ("\\", MOST_SIGNS),
}
"""What takes time to go over, and how much of it there may be."""
MOST_DIGITS: Final = 19
"""Digits of the largest whole number, 2^63−1."""
LONG: Final = re.compile(rf"[0-9]{{{MOST_DIGITS + 1}}}")
"""Digits of a number that is larger, or of two that a string parts."""

STEP: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1, ord(","): 0}
"""How many more brackets are open after a sign."""
OTHERS: Final = bytes(set(range(256)) - set(STEP))
"""All that is no such sign, to be left out."""
TOO_MANY: Final = b"," * (MOST_IN_A_ROW + 1)
SIGN: Final = re.compile(r'(?:[^][{},"]++|"(?:[^"\\]++|\\.)*+"?)*+([][{},]?)', re.DOTALL)
"""All up to the next sign that is in no string. Possessive, so that a long text costs no more than its length."""

Json = Any
"""What JSON can hold."""


def parse_json(text: str) -> Json:
    """The value of a JSON text: objects, arrays, strings, whole numbers, true, false, null. Raises `BadText`.

    What is odd nowhere in a text is not looked for in each of its members: that takes as long as all the rest.
    """
    for name, (signs, most) in SIGNS.items():
        if sum(map(text.count, signs)) > most:
            raise BadText(f"more than {most:,} {name}: no file of Noughts has so many")
    bare = _bare(text)
    _refuse_tangle(text, bare.encode("ascii", "replace").translate(None, OTHERS))
    try:
        return json.loads(
            text,
            object_pairs_hook=_object if text.isascii() and "\\u" not in text else _object_of_whole_characters,
            parse_int=_whole if LONG.search(bare) else int,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except json.JSONDecodeError as error:
        raise BadText(f"{place(text, error.pos)}: {error.msg}") from error
    except _TwiceError as error:
        key = str(error)
        raise BadText(f"{line_of(text, key)}{quoted(key)} is given twice") from error


def _refuse_tangle(text: str, signs: bytes) -> None:
    """Raise `BadText` for brackets or values that nobody would write: `signs` are the brackets and commas."""
    depths = list(accumulate(map(STEP.__getitem__, signs)))
    if max(depths, default=0) > DEEPEST:
        where = _place_of(text, depths.index(DEEPEST + 1))
        raise BadText(f"{where}: more than {DEEPEST} brackets are open")
    if (row := signs.find(TOO_MANY)) >= 0:
        where = _place_of(text, max(row - 1, 0))
        raise BadText(f"{where}: more than {MOST_IN_A_ROW:,} values in a row: no file of Noughts has so many")


def _bare(text: str) -> str:
    """What is in no string; wrong after a backslash that is in none, from where no text can be read anyway."""
    parts = text.replace("\\\\", "").replace('\\"', "").split('"')
    return "".join(parts[::2])


def _place_of(text: str, number: int) -> str:
    """Where the sign of that number is, from 0."""
    found = next(islice(SIGN.finditer(text), number, None), None)
    return place(text, found.start(1) if found else len(text))


def parse_object(text: str) -> dict[str, Json]:
    """The members of a text that is one JSON object. Raises `BadText`."""
    value = parse_json(text)
    if not isinstance(value, dict):
        raise BadText(f"{quoted(text)} is no JSON object")
    return value


def parse_array(text: str) -> list[Json]:
    """The items of a text that is one JSON array. Raises `BadText`."""
    value = parse_json(text)
    if not isinstance(value, list):
        raise BadText(f"{quoted(text)} is no JSON array")
    return value


def place(text: str, offset: int) -> str:
    """Where in a text: `line 3, column 14`."""
    return f"line {text.count(chr(10), 0, offset) + 1}, column {offset - text.rfind(chr(10), 0, offset)}"


def line_of(text: str, key: str, *inner: str) -> str:
    """`line 3: ` for the line that a key stands on, the last of those least indented; nothing without one.

    Each of the `inner` keys stands in what the one before it names, and the line is that of the last of them.
    """
    written = json.dumps(key, ensure_ascii=False)
    begins = (found.span() for found in re.finditer(rf"^[ \t]*{re.escape(written)}", text, re.MULTILINE))
    _, offset = max(((begin - end, begin) for begin, end in begins), default=(0, text.rfind(written)))
    for within in inner:
        offset = text.find(json.dumps(within, ensure_ascii=False), offset) if offset >= 0 else offset
    return f"line {text.count(chr(10), 0, offset) + 1}: " if offset >= 0 else ""


class _TwiceError(Exception):
    """A key that an object has twice."""


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _TwiceError(key)
            seen.add(key)
    return members


def _object_of_whole_characters(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = _object(pairs)
    for text in (*members, *members.values()):
        if isinstance(text, str) and not text.isascii() and any("\ud800" <= letter <= "\udfff" for letter in text):
            raise BadText(f"{quoted(text)} has half a character")
    return members


def _whole(digits: str) -> int:
    if len(digits.removeprefix("-")) > MOST_DIGITS:
        _no_number(digits)
    return int(digits)


def _no_number(text: str) -> NoReturn:
    raise BadText(f"{quoted(text)}: numbers here are whole and below 2^63")
