"""Counts with English nouns."""


def plural(noun: str, count: int) -> str:
    """Return `noun` as it is written after a number: with an `s`, except after 1."""
    return noun if count == 1 else f"{noun}s"


def counted_noun(count: int, noun: str) -> str:
    """Return a count with its noun: `1 game`, `2,000 games`."""
    return f"{count:,} {plural(noun, count)}"
