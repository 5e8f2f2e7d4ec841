"""The library of saves, and every other file that Noughts reads or writes. No other package touches the disk."""
