"""The compiler of kernels, which are functions that numba compiles, and the folder where compiled code is stored."""
