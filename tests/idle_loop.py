"""An event loop that tells when every task waits for time, for a thread or for input."""

from asyncio import Future, SelectorEventLoop, get_running_loop
from collections.abc import Callable
from concurrent.futures import Executor
from selectors import DefaultSelector, SelectorKey
from typing import Any


class IdleSelector(DefaultSelector):
    """A selector that knows when its event loop has nothing left to do.

    An event loop asks its selector once in each round; with a timeout of 0 as long as a task or a timer is due.
    """

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[Future[bool]] = []
        self.busy = False
        """Whether something was left to do since `waiting` was empty."""

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        self.busy = bool(self.waiting) and (self.busy or timeout == 0)
        if timeout == 0 or not self.waiting:
            return super().select(timeout)
        for future in self.waiting:
            if not future.done():
                future.set_result(self.busy)
        self.waiting.clear()
        self.busy = False
        return super().select(0)


class IdleLoop(SelectorEventLoop):
    """The event loop of all tests."""

    def __init__(self) -> None:
        self.selector = IdleSelector()
        self.in_threads: set[Future[Any]] = set()
        """The calls that threads have not finished, or that the loop has not heard of yet."""
        super().__init__(self.selector)

    def run_in_executor(self, executor: Executor | None, func: Callable[..., Any], *args: object) -> Future[Any]:
        future = super().run_in_executor(executor, func, *args)
        self.in_threads.add(future)
        future.add_done_callback(self.in_threads.discard)
        return future


async def idle() -> bool:
    """Wait until all other tasks of the event loop of a test wait; return whether one had something to do."""
    loop = get_running_loop()
    assert isinstance(loop, IdleLoop), "a test runs in an IdleLoop: see tests/conftest.py"
    future: Future[bool] = loop.create_future()
    loop.selector.waiting.append(future)
    return await future
