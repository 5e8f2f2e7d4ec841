"""Finished games: the list of games, and the debrief of one."""
