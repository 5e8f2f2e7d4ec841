"""Exact answers beside the result of a game: the smallest machine, the history of a number, the shortest course."""
