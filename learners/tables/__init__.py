"""What learners share whose memory is one table over positions and moves."""
