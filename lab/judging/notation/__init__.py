"""How people write positions, moves and answers."""
