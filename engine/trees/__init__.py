"""Game trees, that is every way to play a small game: counting them, walking them, and all nodes as arrays."""
