"""Searches that a person follows step by step."""
