"""What learners share that learn how much their moves are worth."""
