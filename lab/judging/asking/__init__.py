"""Agents are asked in every position, and their answers kept."""
