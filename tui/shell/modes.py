"""The modes of the app: their titles in order, and the key of each."""

from collections.abc import Mapping
from typing import Final

TITLES: Final = {
    "play": "Play",
    "train": "Train",
    "library": "Library",
    "tree": "Tree",
    "race": "Race",
    "papers": "Papers",
}
"""The title of each mode, in the order of the mode bar."""
ABOUT: Final = {
    "play": "a board: you against a machine",
    "train": "a machine learns: watch it",
    "library": "your saves, and what they remember",
    "tree": "all positions, and searches",
    "race": "machines compared, as they learn",
    "papers": "the published figures, computed again",
}
"""What each mode is, in a clause."""


def first_free_letters(titles: Mapping[str, str]) -> dict[str, str]:
    """Return the key of each mode: the first letter of its title that no earlier mode uses."""
    keys: dict[str, str] = {}
    for mode, title in titles.items():
        keys[mode] = next(letter for letter in title.lower() if letter not in keys.values())
    return keys


KEYS: Final = first_free_letters(TITLES)
"""The key of each mode."""
