"""What each move of a position leads to, and which moves decided a game."""
