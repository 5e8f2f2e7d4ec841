"""Fetch a word of an array into the caches of the processor before it is needed.

A search that looks up positions in a large table waits for main memory more than half of its time, unless it says
early what it is about to read.
"""

from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir
from numba.extending import intrinsic
from numpy import int64
from numpy.typing import NDArray

_READ, _KEEP, _DATA = 0, 3, 1
"""The arguments of the instruction: to read, to keep in all caches, and data rather than code."""


def prefetch(array: NDArray[int64], place: int) -> None:
    """Begin to load a place of an array; nothing depends on it. Without the compiler, do nothing."""


def _prefetch(_context: object, array: Any, place: Any) -> tuple[Any, Callable[..., Any]]:  # noqa: ANN401  numba's types
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # noqa: ANN401  the same
        data = context.make_array(signature.args[0])(context, builder, values[0]).data
        number, address = ir.IntType(32), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [address, number, number, number])
        function = builder.module.declare_intrinsic("llvm.prefetch", (address,), kind)
        pointer = builder.bitcast(builder.gep(data, [values[1]]), address)
        builder.call(function, [pointer, *(ir.Constant(number, each) for each in (_READ, _KEEP, _DATA))])
        return context.get_dummy_value()

    return numba.types.void(array, place), generate


if not numba.config.DISABLE_JIT:  # type: ignore[attr-defined]  # numba sets its options when it is imported
    prefetch = intrinsic(_prefetch)  # type: ignore[assignment]  # the same arguments, for kernels only
