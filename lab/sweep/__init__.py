"""Sweeps while they run, on the processes of this machine or on a cluster."""
