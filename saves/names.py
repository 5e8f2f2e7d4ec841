"""What a save may be called."""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from engine.game import BadText, quoted

SAVE: Final = "save:"
"""Begins the label of a player that is a save."""
AT: Final = "@"
"""Stands between the name of a save and the rounds of one of its moments: `mine@50`."""
LONGEST: Final = 60
SIGNS: Final = " -_.,+#'();"
ROUNDS: Final = re.compile(r"[0-9][0-9,_]{0,20}")
KINDS: Final = "LMN"
"""The Unicode categories of letters, the marks that some scripts write with them, and digits."""
UNSEEN: Final = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
"""Letters and marks that nevertheless draw nothing."""


def parse_name(text: str) -> str:
    """The name that `text` means, stripped and in Unicode's composed form. Raises `BadText` saying what is wrong."""
    name = unicodedata.normalize("NFC", text.strip(" "))
    if not name:
        raise BadText("a save needs a name")
    if len(name) > LONGEST:
        raise BadText(f"{quoted(name)}: a name has at most {LONGEST} characters, this one has {len(name):,}")
    for letter in name:
        if letter not in SIGNS and not _is_letter(letter):
            raise BadText(f"{quoted(name)}: {quoted(letter)} cannot be in a name; letters, digits and{SIGNS} can")
    if not _is_letter(name[0]) or unicodedata.combining(name[0]):
        raise BadText(f"{quoted(name)}: a name begins with a letter or a digit")
    return name


@dataclass(frozen=True)
class Moment:
    """A save, or it as it was after some rounds of its training."""

    name: str
    rounds: int | None = None
    """`None` for today."""

    def __str__(self) -> str:
        return self.name if self.rounds is None else f"{self.name}{AT}{self.rounds}"


def parse_moment(text: str) -> Moment:
    """The moment that `NAME` or `NAME@ROUNDS` means. Raises `BadText`."""
    name, at, rounds = text.partition(AT)
    if not at:
        return Moment(parse_name(name))
    if not ROUNDS.fullmatch(rounds):
        raise BadText(f"{quoted(text)}: write a number of rounds behind the {AT}, as in {quoted(name)[1:-1]}{AT}50")
    return Moment(parse_name(name), int(re.sub("[,_]", "", rounds)))


def numbered(stem: str, taken: Collection[str]) -> str:
    """`stem`, or the first of `stem 2`, `stem 3` … that is not taken."""
    name, number = stem, 1
    while name in taken:
        number += 1
        name = f"{stem[: LONGEST - len(f' {number}')]} {number}"
    return name


def _is_letter(letter: str) -> bool:
    selector = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return unicodedata.category(letter)[0] in KINDS and letter not in UNSEEN and not selector
