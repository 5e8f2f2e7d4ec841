"""Agents as programs and objects of Python, in the form that is recognised."""
