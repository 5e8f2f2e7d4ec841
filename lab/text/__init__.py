"""How numbers, columns, charts and foreign text are written."""
