"""What the program says about plug-ins: the games, learners and players of other packages."""

from lab.text.sanitise import plain
from learners import plugins


def left_out() -> list[str]:
    """Load all plug-ins; return a line for each that was left out: which one it is, and why."""
    return [f"plug-in {plain(str(each))} is left out: {plain(each.problem)}" for each in plugins() if each.problem]


def left_out_message() -> str:
    """Return one message about all that are left out: the one with its reason, or how many; empty if there is none."""
    lines = left_out()
    return lines[0] if len(lines) == 1 else f"{len(lines)} plug-ins are left out: see noughts plugins" if lines else ""
