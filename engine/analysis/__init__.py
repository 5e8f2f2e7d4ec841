"""The value of each move of a position, and the moves that decided a game."""
