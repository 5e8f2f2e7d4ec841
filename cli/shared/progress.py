"""The progress bar of the command line, on standard error."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar

from cli.shared.progress_report import Look, T, Tell
from lab.words.columns import cut

BAR: Final = 20
"""The columns of a bar."""


@contextmanager
def bar(title: str, look: Look[T]) -> Iterator[Tell[T]]:
    """Draws a bar while it is open; what it yields is called with how far the work has come."""
    told, console = TextColumn("{task.fields[told]}", markup=False), Console(stderr=True)

    def line(words: str) -> str:
        return cut(f"{title}: {words}" if title else words, console.width - BAR - 4)

    with Bar(BarColumn(BAR), told, console=console, transient=True, auto_refresh=False) as drawn:
        task = drawn.add_task("", total=1.0, told=line("getting ready"))
        drawn.refresh()

        def tell(progress: T) -> None:
            share, words = look(progress)
            drawn.update(task, completed=share, told=line(words), refresh=True)

        yield tell
