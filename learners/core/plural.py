"""Counts with English nouns."""


def plural(noun: str, count: int) -> str:
    """`noun` in the form that follows `count`: `noun` itself after 1, else with an `s`."""
    return noun if count == 1 else f"{noun}s"


def counted_noun(count: int, noun: str) -> str:
    """A count and its noun: `1 game`, `2,000 games`."""
    return f"{count:,} {plural(noun, count)}"
