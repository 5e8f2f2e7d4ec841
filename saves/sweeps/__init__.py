"""The files of sweeps: what came in so far, and the finished table."""
