"""Temporal differences with n-tuple networks: the worth of a position is a sum of weights, one for each pattern."""
