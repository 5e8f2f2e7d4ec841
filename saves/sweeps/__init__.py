"""The files of sweeps: the finished batches of an unfinished sweep, and the finished table."""
