"""A race of learners as a job, and its sentences."""
