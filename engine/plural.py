"""Counts with English nouns, lists of words, numbers with a sign, and the nearest of some names."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches

from engine.game import QUOTED


def plural(noun: str, count: int) -> str:
    """Return `noun` as it is written after a number: with an `s`, except after 1."""
    return noun if count == 1 else f"{noun}s"


def counted_noun(count: int, noun: str) -> str:
    """Return a count with its noun: `1 game`, `2,000 games`."""
    return f"{count:,} {plural(noun, count)}"


def listed(words: Sequence[str], conjunction: str) -> str:
    """Return words as a list: `a1`, `a1 or b2`, `a1, b2 or c3`."""
    *most, last = words
    return f"{', '.join(most)} {conjunction} {last}" if most else last


def ordinal_text(number: int) -> str:
    """Return an ordinal: `1st`, `12th`, `23rd`."""
    tens, ones = divmod(number, 10)
    return f"{number:,}{'th' if tens % 10 == 1 else {1: 'st', 2: 'nd', 3: 'rd'}.get(ones, 'th')}"


def own_moves(plies: int) -> int:
    """Return the moves of the side to move among the next `plies` moves, as chess counts a mate in N."""
    return (plies + 1) // 2


def in_moves(plies: int) -> str:
    """Return how long a win or a loss takes, in moves of the side to move: `at once` for 1, `in 3 moves`.

    `in the end` if `plies` is 0: not known.
    """
    if own_moves(plies) <= 1:
        return "at once" if plies else "in the end"
    return f"in {counted_noun(own_moves(plies), 'move')}"


def counted_label(count: int, label: str) -> str:
    """Return a count with a label whose first word is a plural: `1 game resigned`, `14 boxes refilled`."""
    noun, _, rest = label.partition(" ")
    one = noun.removesuffix("es") if noun.endswith(("xes", "ches")) else noun.removesuffix("s")
    return f"{count:,} {one if count == 1 else noun}{f' {rest}' if rest else ''}"


def signed_text(number: int) -> str:
    """Return a number with its sign: `+2`, `−1,200`, `0`."""
    return f"{number:+,}".replace("-", "−") if number else "0"


def nearest_text(text: str, known: Iterable[str]) -> str:
    """Return the words `: nearest NAME` for a message about an unknown name; empty if none is near.

    A mapping has names by the texts to compare.
    """
    names = {each.casefold(): known[each] if isinstance(known, Mapping) else each for each in known}
    near = get_close_matches(text.casefold()[:QUOTED], names, n=1)
    return f": nearest {names[near[0]]}" if near else ""
