"""Judging outside agents: reading their policies, asking them for moves, and computing their exact results."""
