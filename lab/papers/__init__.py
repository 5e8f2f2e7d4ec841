"""The papers as jobs, and their reports."""
