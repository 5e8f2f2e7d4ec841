"""Messages about plug-ins: the games, learners and players of other packages."""

from lab.text.sanitise import plain
from learners import plugins


def left_out() -> list[str]:
    """Load all plug-ins; return a line for each one that was left out, with its name and the reason."""
    return [f"plug-in {plain(str(each))} is left out: {plain(each.problem)}" for each in plugins() if each.problem]


def left_out_message() -> str:
    """Return a message about the plug-ins left out: the reason for one, the number of several; empty without any."""
    lines = left_out()
    return lines[0] if len(lines) == 1 else f"{len(lines)} plug-ins are left out: see noughts plugins" if lines else ""
