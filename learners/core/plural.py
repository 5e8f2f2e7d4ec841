"""The plural of English nouns."""


def plural(noun: str, count: int) -> str:
    """Return `noun` as it is written after a number: with an `s`, except after 1."""
    return noun if count == 1 else f"{noun}s"
