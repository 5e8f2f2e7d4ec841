"""A race of learners as a job, and the sentences about it."""
