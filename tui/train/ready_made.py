"""The list of ready-made trainings."""

from typing import Final

from rich.style import Style
from rich.text import Text

from lab.training.setup import READY_MADE

READY_KEYS: Final = tuple((key, ready.title) for key, ready in enumerate(READY_MADE, 1))
"""The key and the title of each ready-made training."""


def ready_text(width: int, *, told: bool) -> Text:
    """Return the list of ready-made trainings with their keys; a click on one starts it.

    If there is room, each is `told` beside it; otherwise as many as fit share a line of `width` columns.
    """
    longest = max(len(ready.title) for ready in READY_MADE)
    text = Text("Or start at once:", "dim")
    for key, ready in enumerate(READY_MADE, 1):
        start, name = Style(meta={"@click": f"screen.ready_made({key})"}), f"{key} {ready.title}"
        line = text.plain.rpartition("\n")[2]
        shared = not told and key > 1 and len(line) + 2 + len(name) <= width
        text.append("  " if shared else "\n")
        text.append(f"{key}", start + Style(bold=True)).append(f" {ready.title}", start)
        if told:
            text.append(f"{' ' * (longest - len(ready.title) + 2)}{ready.summary}", "dim")
    return text
