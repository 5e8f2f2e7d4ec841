"""Players that need no training, and how strong players are."""
