"""Conversion between snapshots and their stored forms, and checks of snapshots."""
