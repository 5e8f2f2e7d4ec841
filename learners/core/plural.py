"""The plural of English nouns."""


def plural(noun: str, count: int) -> str:
    """`noun` as it stands after a number: with an `s` unless there is one of it."""
    return noun if count == 1 else f"{noun}s"
