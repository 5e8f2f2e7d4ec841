"""The rules of style, read once: Textual 8.2.8 reads those of every widget anew for each screen that opens."""

from typing import Final

from textual.cache import LRUCache
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

Sources = LRUCache[tuple[object, ...], list[RuleSet]]
"""The rules of each source."""
MOST_SOURCES: Final = 1024
MOST_THEMES: Final = 3
"""A person who goes through all themes needs the rules of the last few."""
READ: Final[LRUCache[frozenset[tuple[str, str]], Sources]] = LRUCache(MOST_THEMES)
"""What has been read so far, by the variables that stood for the colours."""


def _read(variables: dict[str, str]) -> Sources:
    key = frozenset(variables.items())
    if key not in READ:
        READ[key] = LRUCache(MOST_SOURCES)
    return READ[key]


class ReadOnce(Stylesheet):
    """A style sheet that shares what it reads with its copies, and with those of later apps."""

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._parse_cache = _read(self._variables)

    def copy(self) -> Stylesheet:
        copied = ReadOnce(variables=self._variables.copy())
        copied.source = self.source.copy()
        return copied

    def set_variables(self, variables: dict[str, str]) -> None:
        self._parse_cache = LRUCache(1)  # it is cleared, and others go on with what has been read
        super().set_variables(variables)
        self._parse_cache = _read(variables)

    def reparse(self) -> None:
        """Take what has been read under the variables of today; where something is wrong, all stays as it was."""
        self.parse()
