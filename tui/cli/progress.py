"""The progress bar of a training, on standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar

from learners.training import Progress
from tui.figures import count_text, duration_text, rate_text, remaining_seconds


@contextmanager
def bar(title: str, games: int) -> Iterator[Callable[[Progress], None]]:
    """Draws a bar while it is open; what it yields is called with how far the training has come."""
    shown = TextColumn("{task.fields[told]}", markup=False)
    console = Console(stderr=True)
    with Bar(
        TextColumn(title, markup=False), BarColumn(), shown, console=console, transient=True, auto_refresh=False
    ) as drawn:
        task = drawn.add_task(title, total=games, told="getting ready")
        drawn.refresh()

        def tell(progress: Progress) -> None:
            done, total, rate = progress.done, progress.total, progress.games_per_second
            left = duration_text(remaining_seconds(done, total, rate))
            told = f"{count_text(done)} of {count_text(total)} games  {rate_text(rate)}  {left} left"
            drawn.update(task, completed=done, told=told, refresh=True)

        yield tell
