"""What a save may be called."""

import unicodedata
from typing import Final

from engine.game import BadText, quoted

SAVE: Final = "save:"
"""Begins the label of a player that is a save."""
LONGEST: Final = 60
SIGNS: Final = " -_.,+#'();"
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


def _is_letter(letter: str) -> bool:
    selector = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return unicodedata.category(letter)[0] in KINDS and letter not in UNSEEN and not selector
