"""The names of saves, references to their checkpoints, and the labels of saves as players."""

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from engine.game import BadText, quoted

SAVE: Final = "save:"
"""The beginning of the label of a player that is a save: `save:mine`."""
SEPARATOR: Final = "@"
"""The separator between name and rounds in a reference to a checkpoint: `mine@50`."""
FILTER: Final = "~"
"""The sign in a label between a player and the save whose failures it does not repeat: `random~riechel`."""
MAX_NAME: Final = 60
"""The maximum number of characters of a name."""
SIGNS: Final = " -_.,+#'();"
"""The characters besides letters and digits that a name may contain, but not begin with."""
ROUNDS: Final = re.compile(r"[0-9][0-9,_]{0,20}")
CATEGORIES: Final = "LMN"
"""The first letters of the Unicode categories of letters, combining marks and digits."""
INVISIBLE: Final = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"
"""Letters and combining marks that are drawn as nothing."""


def parse_name(text: str) -> str:
    """Return `text` as a name: without surrounding spaces, in Unicode's composed form (NFC). Raises `BadText`."""
    name = unicodedata.normalize("NFC", text.strip(" "))
    if not name:
        raise BadText("a save needs a name")
    if len(name) > MAX_NAME:
        raise BadText(f"{quoted(name)}: a name has at most {MAX_NAME} characters, this one has {len(name):,}")
    for letter in name:
        if letter not in SIGNS and not _is_letter(letter):
            raise BadText(f"{quoted(name)}: {quoted(letter)} cannot be in a name; letters, digits and{SIGNS} can")
    if not _is_letter(name[0]) or unicodedata.combining(name[0]):
        raise BadText(f"{quoted(name)}: a name must begin with a letter or a digit")
    return name


@dataclass(frozen=True)
class SaveRef:
    """A reference to a save, `NAME`, or to a checkpoint of it, `NAME@ROUNDS`."""

    name: str
    rounds: int | None = None
    """The rounds of training at the checkpoint; `None` for the save as it is now."""

    def __str__(self) -> str:
        return self.name if self.rounds is None else f"{self.name}{SEPARATOR}{self.rounds}"

    @property
    def label(self) -> str:
        """The label of the save as a player: `save:NAME`, `save:NAME@ROUNDS`."""
        return f"{SAVE}{self}"


def parse_save(text: str) -> SaveRef:
    """Parse `NAME` or `NAME@ROUNDS`. Raises `BadText`."""
    name, at, rounds = text.partition(SEPARATOR)
    if not at:
        return SaveRef(parse_name(name))
    if not ROUNDS.fullmatch(rounds):
        raise BadText(
            f"{quoted(text)}: write a number of rounds after the {SEPARATOR}, as in {quoted(name)[1:-1]}{SEPARATOR}50"
        )
    return SaveRef(parse_name(name), int(re.sub("[,_]", "", rounds)))


def is_save(label: str) -> bool:
    """Return whether the label of a player names a save; the save need not exist."""
    return label.startswith(SAVE)


def save_of(label: str) -> SaveRef | None:
    """Return the save that the label of a player names; `None` for another player. Raises `BadText`."""
    return parse_save(label.removeprefix(SAVE)) if is_save(label) else None


def short_label(label: str) -> str:
    """Return the label of a player for sentences: a save is called by its name, `mine@50`."""
    return label.removeprefix(SAVE)


def without_checkpoint(label: str) -> str:
    """Return the label of the save itself, given that of one of its checkpoints; any other label unchanged."""
    return label.partition(SEPARATOR)[0]


def split_filter(label: str) -> tuple[str, str | None]:
    """Return the label of a player without its last filter, and the save that is the filter; `None` without one."""
    player, sign, name = label.rpartition(FILTER)
    return (player, name) if sign else (label, None)


def without_filter(label: str) -> str:
    return label.partition(FILTER)[0]


def with_filter(label: str, save: str) -> str:
    """Return the label of a player with a filter, given the name or the label of the save that is the filter."""
    return f"{label}{FILTER}{short_label(save)}"


def first_free_name(stem: str, taken: Collection[str]) -> str:
    """Return `stem`, or the first of `stem 2`, `stem 3` … that is not in `taken`, with `stem` cut so that it fits.

    Names that differ in capital letters alone count as one: they are hard to tell apart.
    """
    name, number, taken_folded = stem, 1, {each.casefold() for each in taken}
    while name.casefold() in taken_folded:
        number += 1
        name = f"{stem[: MAX_NAME - len(f' {number}')]} {number}"
    return name


def _is_letter(letter: str) -> bool:
    selector = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    return unicodedata.category(letter)[0] in CATEGORIES and letter not in INVISIBLE and not selector
