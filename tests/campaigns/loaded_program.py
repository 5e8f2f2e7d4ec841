"""Imported by the server that forks programs with all of the program loaded."""

from tests.campaigns.terminal_sessions import load_everything

load_everything()
