"""The parts shared by the learners of values, which learn how much each move is worth."""
