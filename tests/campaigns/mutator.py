"""Mutations of text and bytes: small damage, pieces of other inputs, tokens of a format, changes of a JSON tree."""

import json
import re
from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

Piece = TypeVar("Piece", str, bytes)
"""The input: a text or the bytes of a file."""

MAX_LENGTH = 2**17
"""The largest result of a mutation, in characters or bytes."""
LENGTHS = (0, 1, 1, 1, 2, 3, 4, 8, 16, 64, 400)
TIMES = (2, 2, 2, 3, 9, 100, 5000)
NUMBERS = (
    *("0", "-0", "00", "1", "2", "-1", "7", "8", "100", "255", "256", "65535", "1000000", "2147483647", "2147483648"),
    *("4294967295", "4294967296", "1000000000000", "1000000000001", "1000000000000001", "9223372036854775807"),
    *("9223372036854775808", "-9223372036854775808", "18446744073709551616", "9" * 400, "1.5", "1e3", "1e999", "NaN"),
    *("Infinity", "1_000", "0x10", "\uff11", "\u00b2", "", "null", "true", "false"),
)
SIGNS = (
    *"\0\t\n\r\x0b\x1b\x7f\x85\xa0\xad ,:;./\\-_+|()[]{}'\"@#",
    *"\u0130\u00df\u0149\u00e9\u0301\u200b\u200d\u2028\u202e\u2066\u3000\ufeff\uffff\U0001f600\ud800\udfff",
)
"""Characters that parsers may treat differently; some change their length in upper case."""
NUMBER = re.compile(r"-?[0-9]+")


def mutated_text(random: Random, text: str, other: str, words: Sequence[str]) -> str:
    """A text with one to four edits, pieces of another text, and tokens of the format."""
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        kind = random.randrange(10)
        if kind == 0:
            text = _renumbered(random, text)
        elif kind <= 2:
            text = _relined(random, text, other)
        elif kind <= 4:
            sign = random.choice(SIGNS) if random.random() < 0.5 else chr(random.randrange(32, 127))
            text = put(random, text, sign)
        else:
            text = edited(random, text, other, words)
    return text[:MAX_LENGTH]


def mutated_bytes(random: Random, data: bytes, other: bytes, words: Sequence[bytes]) -> bytes:
    """A file with one to four edits of its bytes."""
    for _ in range(random.choice((1, 1, 1, 2, 2, 3, 4))):
        kind = random.randrange(4)
        if kind == 0 and data:
            place = random.randrange(len(data))
            data = data[:place] + bytes([data[place] ^ 1 << random.randrange(8)]) + data[place + 1 :]
        elif kind == 1:
            data = put(random, data, random.randbytes(random.choice((1, 1, 2, 4, 8))))
        elif kind == 2:
            width, number = random.choice((1, 2, 4, 8)), random.choice((0, 1, 2, 127, 128, 255, 256, 2**15, 2**31 - 1))
            data = put(random, data, (random.choice((number, -number)) % 256**width).to_bytes(width))
        else:
            data = edited(random, data, other, words)
    return data[:MAX_LENGTH]


def put(random: Random, data: Piece, piece: Piece) -> Piece:
    """Insert a piece, or overwrite data of the same length with it."""
    start = random.randint(0, len(data))
    return data[:start] + piece + data[start + random.choice((0, len(piece))) :]


def edited(random: Random, data: Piece, other: Piece, words: Sequence[Piece]) -> Piece:
    """One edit of a range: delete, repeat, replace by a token or a piece of another input, or move."""
    start, begin, target = random.randint(0, len(data)), random.randint(0, len(other)), random.randint(0, len(data))
    end = start + random.choice(LENGTHS)
    times = min(random.choice(TIMES), MAX_LENGTH // (end - start + 1))
    empty = data[:0]
    head, piece, after = random.choice(
        (
            (data[:start], empty, data[end:]),
            (data[:start], data[start:end] * times, data[end:]),
            (data[:start], random.choice(words), data[end:]),
            (data[:start], random.choice(words), data[start:]),
            (data[:start], other[begin:], empty),
            (data[:start], other[begin : begin + end - start], data[random.choice((start, end)) :]),
            (data[:start], empty, empty),
            (data[start:], empty, data[:start]),
            (data[:target], data[start:end], data[target:]),
        )
    )
    return head + piece + after


def _renumbered(random: Random, text: str) -> str:
    found = NUMBER.search(text, random.randint(0, len(text)))
    if not found:
        return text
    number = random.choice(NUMBERS)
    if random.random() < 0.5 and len(found[0]) < 20:
        number = str(int(found[0]) + random.choice((-1, 1, 2, 10)))
    return text[: found.start()] + number + text[found.end() :]


def _relined(random: Random, text: str, other: str) -> str:
    """Lines deleted, repeated, exchanged, or taken from another text."""
    lines = text.split("\n")
    here, there = random.randrange(len(lines)), random.randrange(len(lines))
    kind = random.randrange(5)
    if kind == 0:
        del lines[here : here + random.choice((1, 1, 2, 10))]
    elif kind == 1:
        lines.insert(there, lines[here])
    elif kind == 2:
        lines[here], lines[there] = lines[there], lines[here]
    elif kind == 3:
        lines[here] = random.choice(other.split("\n"))
    else:
        lines[here:here] = other.split("\n")[: random.choice((1, 2, 5, 40))]
    return random.choice(("\n", "\n", "\n", "\r\n", "\r")).join(lines)


class Members(list):
    """The members of a JSON object, each a list [key, value]: a key may occur twice."""


JUNK: tuple[Callable[[Random], object], ...] = (
    lambda random: random.choice((None, True, False, 0, 1, -1, 7, 2**31, 2**63 - 1, 2**63, -(2**63), 2**64, 1e15)),
    lambda random: random.choice((1.5, float("nan"), float("inf"), 10**400, "", "0", "1", "\ud800", "\ufeff", "a\0b")),
    lambda random: random.choice(("\x1b[31m", "\u202e", "x" * 5000, "self", "save:a", "save:[red]", "human", "random")),
    lambda random: [[], Members(), [[]], [Members([["", []]])], [0] * 3000, [Members() for _ in range(1000)]][
        random.randrange(6)
    ],
    lambda random: _nested(random, 0, random.choice((3, 7, 8, 9, 900))),
)


def mutated_tree(random: Random, text: str, other: str, words: Sequence[str]) -> str:
    """A JSON text with members or items deleted, repeated, exchanged or of another type; else, a text with edits."""
    try:
        tree = json.loads(text, object_pairs_hook=lambda pairs: Members(map(list, pairs)))
        foreign = json.loads(other, object_pairs_hook=lambda pairs: Members(map(list, pairs)))
    except (ValueError, RecursionError):
        return mutated_text(random, text, other, words)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        places = list(_places(tree))
        if not places:
            break
        _change(random, places, list(_places(foreign)), words)
    if random.random() < 0.1:
        tree = _nested(random, tree, random.choice((1, 2, 8, 1000)))
    return _written(random, tree)


Place = tuple[list, int]
"""A container and the number of a child in it."""


def _places(tree: object) -> list[Place]:
    """The places of a tree, the outer ones first; stops soon after 3,000."""
    found: list[Place] = []
    waiting = [tree]
    for node in waiting:  # grows while it is iterated
        if isinstance(node, list):
            found += [(node, number) for number in range(len(node))]
            waiting += [child[1] for child in node] if isinstance(node, Members) else node
        if len(found) > 3000:
            break
    return found


def _change(random: Random, places: list[Place], foreign: list[Place], words: Sequence[str]) -> None:
    """Make one change at a place of a tree; half of the changes are at one of the 20 outermost places."""
    container, number = random.choice(places[:20] if random.random() < 0.5 else places)
    if number >= len(container):
        return
    value = _at(container, number)
    kind = random.randrange(10)
    if kind <= 4:
        _rearrange(random, container, number, foreign, words)
    elif kind == 5:
        _put(container, number, random.choice(words))
    elif kind == 6:
        _put(container, number, _nested(random, value, random.choice((1, 1, 2, 8))))
    elif kind <= 8 and isinstance(value, int):
        _put(container, number, int(value) + random.choice((-1, 1, 1, 2, 10, -value, 2**31, 2**62)))
    else:
        _put(container, number, random.choice(JUNK)(random))


def _rearrange(random: Random, container: list, number: int, foreign: list[Place], words: Sequence[str]) -> None:
    """Delete, repeat or rename a child, reorder the children, or insert a child from another input."""
    of_object = isinstance(container, Members)
    kind = random.randrange(5)
    if kind == 0:
        del container[number]
    elif kind == 1:
        again = container[number]
        container.insert(random.randint(0, len(container)), list(again) if of_object else again)
    elif kind == 2:
        random.shuffle(container)
    elif kind == 3 and of_object:
        key = random.choice(container)[0]
        container[number][0] = random.choice((random.choice(words), random.choice(NUMBERS), key))
    elif foreign:
        given, at = random.choice(foreign)
        if isinstance(given, Members) == of_object:
            container.insert(number, given[at])


def _at(container: list, number: int) -> object:
    return container[number][1] if isinstance(container, Members) else container[number]


def _put(container: list, number: int, value: object) -> None:
    if isinstance(container, Members):
        container[number] = [container[number][0], value]
    else:
        container[number] = value


def _nested(random: Random, value: object, depth: int) -> object:
    for _ in range(depth):
        value = [value] if random.random() < 0.5 else Members([["a", value]])
    return value


def _written(random: Random, tree: object) -> str:
    """The text of a tree, with each field on its own line, as the program writes it, or in another spelling of JSON."""
    comma, colon = random.choice(((", ", ": "), (", ", ": "), (",", ":"), (" ,\n", "\t:\r\n")))
    ascii_only = random.random() < 0.7

    def text(node: object, depth: int) -> str:
        if depth > 100:  # deeper values are left out: only their brackets matter
            return "[" * 1000 + "]" * 1000
        if isinstance(node, Members):
            keys = (json.dumps(key, ensure_ascii=ascii_only) for key, _ in node)
            inner = (f"{key}{colon}{text(value, depth + 1)}" for key, (_, value) in zip(keys, node, strict=True))
            return "{" + (",\n  " if depth == 0 else comma).join(inner) + "}"
        if isinstance(node, list):
            return "[" + comma.join(text(item, depth + 1) for item in node) + "]"
        return json.dumps(node, ensure_ascii=ascii_only)

    return random.choice(("", "", "", "", "\ufeff", "\n", " ")) + text(tree, 0)
