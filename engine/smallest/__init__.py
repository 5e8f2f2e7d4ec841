"""The fewest answers that keep a player from losing: an exact minimum, by an integer program."""
