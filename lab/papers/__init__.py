"""The papers as a job, and the report of each."""
