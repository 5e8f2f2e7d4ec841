"""The library of learned states, and every file that Noughts reads or writes: nothing else touches the disk."""
