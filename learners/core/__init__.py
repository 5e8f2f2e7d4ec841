"""The parts that every learner and player is made of."""
