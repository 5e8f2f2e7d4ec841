"""`noughts saves backup` and `recover`: copy the library, and recover a damaged one."""

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from cli.shared.arguments import chosen_library
from cli.shared.common import json_option, library_option, print_error, print_result, replace_option
from cli.shared.progress import progress_bar
from cli.shared.signals import collected_signals
from cli.shared.streams import is_stream, require_one_document, write_output
from engine.stop import Stopped
from lab.recovery import recovery_document, recovery_lines
from lab.signals import SIGNAL_EXIT
from lab.text.numbers import duration_text, remaining_seconds
from lab.text.sanitise import PATH_WIDTH, plain
from saves.paths import shown
from saves.recovery.file_work import FileProgress
from saves.recovery.recovery import recover as recover_library


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@replace_option
@library_option
@json_option
def backup(file: Path, *, replace: bool, as_json: bool) -> None:
    """Copy the library to FILE, even while the app runs; to standard output if FILE is -.

    Use the copy with --library FILE. To restore it, close Noughts, remove the
    library with its -wal and -shm files, and put the copy in its place.

    \b
    Example:
      noughts saves backup monday.sqlite
    """
    library = chosen_library()
    require_one_document(file, as_json=as_json)
    if is_stream(file):
        with TemporaryDirectory() as folder:
            copy = Path(folder) / "copy.sqlite"
            library.back_up(copy)
            write_output(copy.read_bytes())
        return
    size = library.back_up(file, replace=replace)
    print_result(
        [f"Copied the library to {plain(shown(file), PATH_WIDTH)}: {size / 1024:,.0f} KiB"],
        {"library": str(library.path), "file": str(file), "bytes": size},
        as_json=as_json,
    )


@click.command()
@library_option
@json_option
def recover(*, as_json: bool) -> int:
    """Recover what can be read of a damaged library.

    The damaged library is copied first, and stays beside the new one. Ctrl+C
    stops; nothing is changed then.

    \b
    Example:
      noughts saves recover --library damaged.sqlite
    """
    with collected_signals() as received:
        try:
            with progress_bar("recovering", file_progress) as show_progress:
                recovery = recover_library(chosen_library().path, lambda: bool(received), show_progress)
        except Stopped:
            print_error("stopped: nothing was changed")
            return SIGNAL_EXIT + received[0]
    print_result(recovery_lines(recovery), recovery_document(recovery), as_json=as_json)
    return 0


def file_progress(progress: FileProgress) -> tuple[float, str]:
    """The progress of work on a file, as a fraction from 0 to 1, and in words."""
    left = duration_text(remaining_seconds(progress.done, progress.total, progress.per_second))
    rate = f"{progress.per_second / 1e6:,.0f} MB/s"
    return (
        progress.done / progress.total,
        f"{progress.done / 1e6:,.0f} of {progress.total / 1e6:,.0f} MB, {rate}, {left} left",
    )
