"""The game at the board: who plays, what a person can do, and what happens."""
