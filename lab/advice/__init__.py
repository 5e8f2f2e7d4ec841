"""Advice at the board: hints, the X-ray, the evaluation bar, and the sentences for each."""
