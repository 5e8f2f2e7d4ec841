"""Wait in tests for a state, never for a time. A test that fails here reports what it waited for."""

import inspect
from asyncio import sleep as sleep_async
from collections.abc import Callable, Iterator
from time import monotonic, sleep

LIMIT = 120.0
"""Seconds after which a wait fails, on a machine however busy: generous, since a passing test never waits so long."""
STEP = 0.005
"""Seconds between two looks at a condition."""


def wait_until(
    condition: Callable[[], object], what: str = "", state: Callable[[], object] | None = None, *, step: float = STEP
) -> None:
    """Block until `condition()` is true.

    `what` names the awaited state (by default the source code of the condition); `state` describes the current state.
    Both appear in the AssertionError that is raised after LIMIT seconds.
    """
    for _ in _tries(condition, what, state):
        sleep(step)


async def wait_until_async(
    condition: Callable[[], object], what: str = "", state: Callable[[], object] | None = None, *, step: float = STEP
) -> None:
    """Let other tasks run until `condition()` is true; otherwise like `wait_until`."""
    for _ in _tries(condition, what, state):
        await sleep_async(step)


def _tries(condition: Callable[[], object], what: str, state: Callable[[], object] | None) -> Iterator[None]:
    """Yield while the condition is false; raise when LIMIT has passed."""
    deadline = monotonic() + LIMIT
    while not (found := condition()):
        if monotonic() > deadline:
            last = found if state is None else state()
            raise AssertionError(f"not within {LIMIT:.0f} s: {what or _source(condition)}\nlast state: {last}")
        yield


def _source(condition: Callable[[], object]) -> str:
    """The source lines of a condition, or its name where there are none."""
    try:
        return inspect.getsource(condition).strip()
    except (OSError, TypeError):
        return repr(condition)
