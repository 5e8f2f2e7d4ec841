"""Trainings, races and papers as jobs, and their exact results."""
