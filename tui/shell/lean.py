"""Textual 8.2.8 keeps, and makes, more than it needs for each line that it draws: here that is left out.

Importing this is enough, for the widgets and the lines are made by Textual itself.
"""

from collections.abc import Iterable
from functools import lru_cache, partial
from typing import Final

from rich.segment import Segment
from textual._styles_cache import StylesCache
from textual.cache import FIFOCache
from textual.strip import Strip

ENTRIES: Final = {
    "_divide_cache": 4,
    "_crop_cache": 16,
    "_style_cache": 16,
    "_filter_cache": 4,
    "_line_length_cache": 4,
    "_crop_extend_cache": 4,
    "_offsets_cache": 4,
}
"""The caches of a strip, and how many entries Textual gives each of them."""


def begin(self: Strip, segments: Iterable[Segment], cell_length: int | None = None) -> None:
    """Make a strip without its caches: most are never looked into."""
    self._segments = list(segments)
    self._cell_length = cell_length
    self._render_cache = self._link_ids = self._cell_count = None


def cache_of(self: Strip, name: str) -> FIFOCache[object, object]:
    """A cache of a strip that has not got it yet. Raises `AttributeError` for any other name."""
    if name not in ENTRIES:
        raise AttributeError(name=name, obj=self)
    cache: FIFOCache[object, object] = FIFOCache(ENTRIES[name])
    setattr(self, name, cache)
    return cache


Strip.__init__ = begin  # type: ignore[method-assign]
Strip.__getattr__ = cache_of  # type: ignore[attr-defined]
StylesCache.get_inner_outer = staticmethod(  # type: ignore[assignment, method-assign]
    lru_cache(1024)(partial(StylesCache.get_inner_outer.__wrapped__, StylesCache))
)
"""The colours of an edge are remembered by the widget as well, which keeps its lines when it is gone."""
