"""The generator for kernels: one compiled step of xoroshiro64**, and what a draw chooses."""

from engine.compiling.compiler import compiled
from learners.core.kernel_step import next_state

step = compiled(next_state)


@compiled
def pick(draw: int, count: int) -> int:
    """Return number floor(u × `count`) of `count` things, for the draw u × 2^32: each is as likely."""
    return draw * count >> 32
