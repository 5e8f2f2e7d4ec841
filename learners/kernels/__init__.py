"""Compiled training loops, one file a learner. Importing one imports numba, so that happens when training starts.

The loops are ordinary Python: with `NUMBA_DISABLE_JIT=1` in the environment the same code runs uncompiled and makes the
same games. They are iterative (a compiled function that calls itself breaks when it is loaded from the cache) and work
on ints below 2^63, or keep the low bits of a product only, so that both ways agree to the bit.

The compiler's cache looks at the file of a kernel only: after a change to a function that kernels share, such as the
generator's step, remove `learners/kernels/__pycache__`.
"""
