"""Temporal differences with n-tuple networks: what a position is worth is a sum of weights, one for each pattern."""
