"""Races between learners, judged exactly."""
