"""SQLite: transactions, schema versions, checks for damage, and the pages of a file."""
