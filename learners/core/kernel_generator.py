"""The generator for kernels: one compiled step of xoroshiro64**."""

from engine.compiling.compiler import compiled
from learners.core.kernel_step import next_state

step = compiled(next_state)
