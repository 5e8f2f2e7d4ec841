"""The exact score of every position of a game with gravity, by search: for boards that are too large for a `Space`."""
