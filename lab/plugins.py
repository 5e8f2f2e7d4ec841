"""What the program says about plug-ins: the games, learners and players of other packages."""

from engine.plugins import Plugin
from lab.text.sanitise import plain
from learners import plugins


def left_out() -> list[str]:
    """Load all plug-ins; say in one line of each that was left out which one it is, and why."""
    return [f"plug-in {source_text(each)} is left out: {plain(each.problem)}" for each in plugins() if each.problem]


def source_text(plugin: Plugin) -> str:
    """Return a plug-in with its package: `game fourbyfour of boards 1.0`."""
    return plain(f"{plugin.kind} {plugin.name} of {plugin.package} {plugin.version}")


def left_out_message() -> str:
    """Return the same as one message: one plug-in with its reason, or how many there are; empty if there is none."""
    lines = left_out()
    return lines[0] if len(lines) == 1 else f"{len(lines)} plug-ins are left out: see noughts plugins" if lines else ""
