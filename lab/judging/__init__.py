"""Judge outside agents: read their policies, ask them for moves, and compute their exact results."""
