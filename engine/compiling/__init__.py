"""The compiler: kernels, functions that numba compiles, and the folder where compiled code is stored."""
