"""The memory of a save: its cards, and its checkpoints."""
