"""Who wins m,n,k-games without gravity that are too large for a space."""
