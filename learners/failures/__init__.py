"""The failure-based reasoner."""
