"""Widgets that two modes or more use: small, with their own styles, and without rules of games or learning."""
