"""Agents as files: tables of moves, values or counts, in whatever convention."""
