"""The spaces of large games: keep them in the cache beside the library, and show progress while one is built."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

from cli.shared.common import chosen_library_path
from cli.shared.progress import progress_bar
from engine.space_building import MAX_BY_PLY
from engine.spaces import keep_spaces_in, positions_so_far
from lab.text.numbers import count_text
from saves.space_cache import SpaceCache

INTERVAL: Final = 0.2
"""Seconds between two updates of the progress."""


def _describe_count(count: int) -> tuple[float, str]:
    return count / MAX_BY_PLY, f"{count_text(count)} positions"


@contextmanager
def keep_large_spaces() -> Iterator[None]:
    """Cache the spaces of large games, and show how many positions have been found while one is built."""
    keep_spaces_in(SpaceCache(chosen_library_path()))
    has_ended = Event()

    def watch() -> None:
        while not has_ended.wait(INTERVAL):
            if positions_so_far() is not None:
                watch_building()

    def watch_building() -> None:
        with progress_bar("preparing the game", _describe_count) as show:
            count = positions_so_far()
            while count is not None and not has_ended.wait(INTERVAL):
                show(count)
                count = positions_so_far()

    watcher = Thread(target=watch, name="progress of spaces", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        has_ended.set()
        watcher.join()
        keep_spaces_in(None)
