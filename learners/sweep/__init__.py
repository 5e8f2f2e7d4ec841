"""Sweeps: experiments over grids of settings, with many machines at each point."""
