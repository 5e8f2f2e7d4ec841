"""Pictures to keep: walls of cards, curves, boards and films as SVG or PNG, with their numbers as CSV."""
