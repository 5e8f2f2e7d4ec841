"""Widgets that two or more modes use: small, with their own styles, and without rules of games or learning."""
