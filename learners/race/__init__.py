"""Races between learners, and the measures that compare them."""
