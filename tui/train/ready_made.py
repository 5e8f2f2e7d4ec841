"""The list of ready-made trainings, all of the usual game."""

from math import ceil
from typing import Final

from rich.style import Style
from rich.text import Text

from engine.games import GAMES
from lab.training.setup import READY_MADE

READY_KEYS: Final = tuple((key, ready.title) for key, ready in enumerate(READY_MADE, 1))
"""The key and the title of each ready-made training."""


def ready_text(width: int, *, with_summaries: bool) -> Text:
    """Return the list of ready-made trainings with their keys; a click on one starts it.

    Without summaries they stand in two columns if `width` has room for these.
    """
    longest = max(len(ready.title) for ready in READY_MADE)
    columns = 1 if with_summaries or width < 2 * (longest + 4) else 2
    rows = ceil(len(READY_MADE) / columns)
    lines = [Text() for _ in range(rows)]
    for number, ready in enumerate(READY_MADE):
        line, link = lines[number % rows], Style(meta={"@click": f"screen.ready_made({number + 1})"})
        line.pad_right((longest + 4) * (number // rows) - line.cell_len)
        line.append(f"{number + 1}", link + Style(bold=True)).append(f" {ready.title}", link)
        if with_summaries:
            line.append(f"{' ' * (longest - len(ready.title) + 2)}{ready.summary}", "dim")
    return Text("\n", "dim").join([Text(f"Or start at once, in {GAMES[0].title.lower()}:"), *lines])
