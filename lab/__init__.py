"""Everything that a person can do, without a screen, and the sentences that both front ends say."""
