"""Everything that a person can do, independent of any screen; and the sentences that both front ends use."""
