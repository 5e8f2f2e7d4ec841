"""What every learner and player is built from."""
