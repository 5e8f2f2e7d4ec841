"""How kernels are compiled, and loaded from where compiled code is stored.

Importing this module imports numba, so only kernels do it, and they are imported when they are needed, for example
when training starts. Kernels are ordinary Python: with `NUMBA_DISABLE_JIT=1` in the environment the same code runs
uncompiled and plays the same games. They are iterative, since numba fails to reload a cached function that calls
itself.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, TypeVar, cast

import numba
import numpy as np
from numba.extending import typeof_impl

from engine.compiling.code_cache import cache_folder, write_checksums
from engine.compiling.compile_thread import compiling_begins, run_in_thread
from engine.stop import stop_at_end

Function = TypeVar("Function", bound=Callable[..., object])

_FOLDER: Final = cache_folder()
if _FOLDER is not None:
    numba.config.CACHE_DIR = str(_FOLDER)  # type: ignore[attr-defined]  # numba sets its options when it is imported

_UNCOMPILED: Final[bool] = numba.config.DISABLE_JIT  # type: ignore[attr-defined]

_KERNELS: Final[list["Kernel"]] = []


class Kernel:
    """A function that is compiled, or loaded from the cache, on its first call, and runs without the interpreter lock.

    Other kernels call the compiled function directly. `py_func` is the function as Python.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.py_func = function
        self.is_cached = _FOLDER is not None
        self._ready = set[tuple[object, ...]]()
        """The keys of the types of arguments for which the function is compiled: see `_type_key`."""
        try:
            self.dispatcher = numba.njit(cache=self.is_cached, nogil=True)(function)
        except (OSError, RuntimeError):  # the folder is no longer there
            self.forget_cache()
        _KERNELS.append(self)

    def __call__(self, *arguments: object) -> object:
        """Call the function. Raises `Stopped` if the program ends, or this thread is stopped while it is compiled."""
        stop_at_end()
        key = _type_key(arguments)
        if key not in self._ready:
            before = _misses()
            run_in_thread(
                lambda: self._compile(tuple(map(numba.typeof, arguments))),
                lambda: compiling_begins() if _misses() > before else None,
            )
            self._ready.add(key)
        return self.dispatcher(*arguments)

    def _compile(self, types: tuple[Any, ...]) -> None:
        """Compile the function, even if the cache fails: the error may come from numba's access to it.

        After such an error, no kernel of this process uses the cache any more, since the next one would fail in turn.
        """
        before, cached = _misses(), self.is_cached
        try:
            self.dispatcher.compile(types)
        except Exception:
            if not cached:
                raise
            for each in _KERNELS:
                if each.is_cached:
                    each.forget_cache()
            self.dispatcher.compile(types)
        if self.is_cached and _FOLDER is not None and _misses() != before:
            with suppress(OSError):  # then the new files count as damaged, and the next process compiles again
                write_checksums(_FOLDER)

    def forget_cache(self) -> None:
        """Stop using the cache: compile again what was loaded from it, and store nothing."""
        self.dispatcher, self.is_cached = numba.njit(nogil=True)(self.py_func), False
        self._ready.clear()


def _type_key(values: tuple[Any, ...]) -> tuple[object, ...]:
    """Return a key that differs where the types of numba do, which take half a millisecond to find.

    Those of an array depend on its dtype, its number of axes, and whether it is contiguous, aligned and writeable.
    """
    key: list[object] = [type(values)]
    for value in values:
        if type(value) is np.ndarray:
            key += (value.dtype, value.ndim, value.flags.num)
        elif isinstance(value, tuple):
            key.append(_type_key(value))
        else:
            key.append(type(value))
    return tuple(key)


def _misses() -> int:
    """Return how many kernels this process has compiled because the cache did not have them."""
    return sum(each.dispatcher.stats.cache_misses.total() for each in _KERNELS)


@typeof_impl.register(Kernel)
def _type_of(kernel: Kernel, _context: object) -> object:
    """Let kernels call others: numba sees the compiled function."""
    return numba.typeof(kernel.dispatcher)  # type: ignore[no-untyped-call]


def compiled(function: Function) -> Function:
    """Compile a kernel on its first call. It runs without the interpreter lock.

    Compiled code is stored for the next start of the program, unless no folder can be written.
    """
    return cast("Function", function if _UNCOMPILED else Kernel(function))
