"""The spaces of this process. Each is built once, or loaded from a store that keeps large ones.

Small spaces stay in memory. Of the large ones, those used last stay, up to `MAX_KEPT` positions together. The memory of
the others is freed once nothing refers to them, and they are loaded or built again when they are needed.
"""

from dataclasses import dataclass, field
from threading import Lock
from time import monotonic
from typing import Final, Protocol

from engine.game import Game
from engine.result_caches import clear_result_caches
from engine.space import Space, TooLittleMemory
from engine.space_building import build_space
from engine.stop import Stop, Stopped, is_ending


class SpaceStore(Protocol):
    """A store of spaces that take long to build, from one start of the program to the next."""

    def load(self, game: Game) -> Space | None:
        """Return the space of a game; `None` unless the store has all of it."""

    def available_memory(self) -> int | None:
        """Return the memory that this process can still take, in bytes; `None` if that is not known."""

    def save(self, space: Space, stop: Stop) -> None:
        """Keep a space, if that is possible. Raises `Stopped` once `stop()` is true."""


BYTES_PER_POSITION: Final = 24
BYTES_PER_EDGE: Final = 18
"""The memory that it takes to build a space, as measured: a third more than the space itself has."""
MAX_KEPT: Final = 12_000_000
"""The maximum number of positions of all large spaces in memory; the space used last stays even if it has more."""


@dataclass
class _Spaces:
    built: dict[Game, Space] = field(default_factory=dict)
    last_used: dict[Game, float] = field(default_factory=dict)
    """When the space of each large game was last asked for."""
    so_far: int | None = None
    """The number of positions found so far; `None` while no space is being built."""
    stops: int = 0
    """How often `stop_building` was called."""
    store: SpaceStore | None = None
    lock: Lock = field(default_factory=Lock)
    """Held by the thread that builds a space: two at once would need the memory of both."""


_SPACES: Final = _Spaces()


def keep_spaces_in(store: SpaceStore | None) -> None:
    """Keep spaces that take long to build in this store from now on; with `None`, do not keep them."""
    _SPACES.store = store


def positions_so_far() -> int | None:
    """Return the number of positions found so far, while some thread builds a space; `None` while no thread does."""
    return _SPACES.so_far


def stop_building() -> None:
    """Make every thread that builds a space, or waits for one, raise `Stopped` within 0.2 s."""
    _SPACES.stops += 1


def space_of(game: Game) -> Space:
    """Return the space of a small game, built once for each game, or loaded from the store.

    Raises `TooLarge` for a game that is not numbered or has too many positions, `TooLittleMemory`, `Endless` if a
    position can come back, and `Stopped` as `stop_building` and `end_all_work` say.
    """
    space = _SPACES.built.get(game)
    if space is None:
        stops = _SPACES.stops

        def stop() -> bool:
            return stops != _SPACES.stops or is_ending()

        with _SPACES.lock:
            if stop():
                raise Stopped
            space = _SPACES.built.get(game) or _load_or_build(game, stop)
            _SPACES.built[game] = space
            _drop_spaces(game)
    if game.is_large:
        _SPACES.last_used[game] = monotonic()
    return space


def _drop_spaces(newest: Game) -> None:
    large = [game for game in _SPACES.built if game.is_large and game is not newest]
    room = MAX_KEPT - len(_SPACES.built[newest].position) if newest.is_large else MAX_KEPT
    is_any_dropped = False
    for game in sorted(large, key=lambda each: _SPACES.last_used.get(each, 0.0), reverse=True):
        room -= len(_SPACES.built[game].position)
        if room < 0:
            del _SPACES.built[game]
            is_any_dropped = True
    if is_any_dropped:
        clear_result_caches()


def _require_memory(game: Game, available: int | None) -> None:
    """Raise `TooLittleMemory` for a game whose space is known to take more memory than is available."""
    size = game.space_size
    if size is None or available is None:
        return
    needed = BYTES_PER_POSITION * size.positions + BYTES_PER_EDGE * size.edges
    if needed > available:
        raise TooLittleMemory(
            f"{game.title} has {size.positions:,} positions, which take {needed / 10**9:.1f} GB of memory; "
            f"{available / 10**9:.1f} GB are free. Close other programs, or choose a smaller game"
        )


def _load_or_build(game: Game, stop: Stop) -> Space:
    store = _SPACES.store if game.is_large else None
    space = store.load(game) if store is not None else None
    if space is None:
        if store is not None:  # one that is loaded stays on the disk
            _require_memory(game, store.available_memory())
        try:
            space = build_space(game, stop, _note_count)
        finally:
            _SPACES.so_far = None
        if store is not None:
            store.save(space, stop)
    return space


def _note_count(positions: int) -> None:
    _SPACES.so_far = positions
