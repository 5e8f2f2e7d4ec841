"""Exact results of players, in the form that screens and commands show."""
