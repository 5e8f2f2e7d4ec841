"""The genetic algorithm."""
