"""A parser whose innermost branch random input almost never reaches."""

WORD = b"maze"


def accepts(data: bytes) -> bool:
    if data[:1] != WORD[:1]:
        return False
    if data[1:2] != WORD[1:2]:
        return False
    if data[2:3] != WORD[2:3]:
        return False
    return data == WORD
