"""The parts that the learners of values share: they learn how much each move is worth."""
