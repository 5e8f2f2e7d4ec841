"""The files of sweeps: the batches that are finished so far, and the finished table."""
