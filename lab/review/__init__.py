"""A finished game looked at again: the list of games and the debrief."""
