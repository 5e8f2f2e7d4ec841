"""Game trees: every way to play a small game, counted, walked, and as arrays."""
