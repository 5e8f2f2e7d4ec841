"""The list of ready-made trainings."""

from typing import Final

from rich.style import Style
from rich.text import Text

from lab.training.setup import READY_MADE

READY_KEYS: Final = tuple((key, ready.title) for key, ready in enumerate(READY_MADE, 1))
"""The key and the title of each ready-made training."""


def ready_text(*, told: bool, packed: int = 0) -> Text:
    """Return the list of ready-made trainings with their keys; a click on one starts it.

    If there is room, each is `told` beside it; without room, they are `packed` into lines of so many columns.
    """
    width = max(len(ready.title) for ready in READY_MADE)
    text = Text("" if packed else "Or start at once:", "dim")
    for key, ready in enumerate(READY_MADE, 1):
        start, name = Style(meta={"@click": f"screen.ready_made({key})"}), f"{key} {ready.title}"
        line = text.plain.rpartition("\n")[2]
        fits = bool(packed) and len(line) + 2 + len(name) <= packed
        text.append("" if not text else "  " if fits else "\n")
        text.append(f"{key}", start + Style(bold=True)).append(f" {ready.title}", start)
        if told:
            text.append(f"{' ' * (width - len(ready.title) + 2)}{ready.summary}", "dim")
    return text
