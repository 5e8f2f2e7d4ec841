"""The library: its saves and finished games, and its file."""
