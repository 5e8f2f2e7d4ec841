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
"""The time between two updates of the progress, in seconds."""


def _described(count: int) -> tuple[float, str]:
    return count / MAX_BY_PLY, f"{count_text(count)} positions"


@contextmanager
def large_games() -> Iterator[None]:
    """Cache the spaces of large games, and show how many positions have been found while one is built."""
    keep_spaces_in(SpaceCache(chosen_library_path()))
    over = Event()

    def watch() -> None:
        while not over.wait(INTERVAL):
            if positions_so_far() is not None:
                with progress_bar("preparing the game", _described) as show:
                    while (count := positions_so_far()) is not None and not over.wait(INTERVAL):
                        show(count)

    watcher = Thread(target=watch, name="progress of spaces", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
        keep_spaces_in(None)
