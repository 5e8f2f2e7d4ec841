"""A parser whose last branch is hardly ever reached by chance."""

WORD = b"maze"


def through(data: bytes) -> bool:
    if data[:1] != WORD[:1]:
        return False
    if data[1:2] != WORD[1:2]:
        return False
    if data[2:3] != WORD[2:3]:
        return False
    return data == WORD
