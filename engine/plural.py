"""Counts with English nouns."""


def plural(noun: str, count: int) -> str:
    """Return `noun` as it is written after a number: with an `s`, except after 1."""
    return noun if count == 1 else f"{noun}s"


def counted_noun(count: int, noun: str) -> str:
    """Return a count with its noun: `1 game`, `2,000 games`."""
    return f"{count:,} {plural(noun, count)}"


def counted_label(count: int, label: str) -> str:
    """Return a count with a label whose first word is a plural: `1 game resigned`, `14 boxes refilled`."""
    noun, _, rest = label.partition(" ")
    one = noun.removesuffix("es") if noun.endswith(("xes", "ches")) else noun.removesuffix("s")
    return f"{count:,} {one if count == 1 else noun}{' ' * bool(rest)}{rest}"
