"""The progress bar of a training or a race, on standard error."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, TextColumn
from rich.progress import Progress as Bar

from tui.cli.telling import Going, Tell
from tui.figures import duration_text, rate_text, remaining_seconds, short_count


@contextmanager
def bar(rounds: int, noun: str) -> Iterator[Tell]:
    """Draws a bar while it is open; what it yields is called with how far the training has come."""
    told = TextColumn("{task.fields[told]}", markup=False)
    with Bar(BarColumn(), told, console=Console(stderr=True), transient=True, auto_refresh=False) as drawn:
        task = drawn.add_task("training", total=rounds, told="getting ready")
        drawn.refresh()

        def tell(progress: Going) -> None:
            done, total, rate = progress.done, progress.total, progress.per_second
            left = duration_text(remaining_seconds(done, total, rate))
            told = f"{short_count(done)} of {short_count(total)} {noun}s, {rate_text(rate)}, {left} left"
            drawn.update(task, completed=done, told=told, refresh=True)

        yield tell
