"""Recovery of damaged libraries."""
