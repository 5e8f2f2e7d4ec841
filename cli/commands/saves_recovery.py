"""`noughts saves backup`, `restore` and `recover`: copy the library, go back to a copy, and recover a damaged one."""

from pathlib import Path
from tempfile import TemporaryDirectory

import click

from cli.shared.arguments import chosen_library
from cli.shared.common import library_and_json, print_error, print_result, replace_option
from cli.shared.signals import collect_signals
from cli.shared.streams import file_name, is_stream, require_one_document, write_output
from engine.stop import Stopped
from lab.recovery import backup_documents, backup_lines, recovery_document, recovery_lines
from lab.signals import SIGNAL_EXIT
from saves.library.recovery import recover as recover_library
from saves.library.recovery import restore as restore_library


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@replace_option
@library_and_json
def backup(file: Path, *, replace: bool, as_json: bool) -> None:
    """Copy the library to FILE, even while the app runs; to standard output if FILE is -.

    Use the copy with --library FILE, or go back to it with
    noughts saves restore FILE.

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
        [f"Copied the library to {file_name(file)}: {size / 1024:,.0f} KiB"],
        {"library": str(library.path), "file": str(file), "bytes": size},
        as_json=as_json,
    )


@click.command()
@click.argument("backup", required=False)
@library_and_json
def restore(backup: str | None, *, as_json: bool) -> None:
    """List the backups of the library, or go back to BACKUP.

    A backup is made once a day of use, and before anything risky. BACKUP is a
    name from the list or its beginning, `newest`, or a file that noughts saves
    backup has written. The present library stays beside the restored one.

    \b
    Examples:
      noughts saves restore
      noughts saves restore newest
      noughts saves restore 2026-01-31
    """
    library = chosen_library()
    if backup is None:
        entries = library.backups.entries()
        print_result(backup_lines(entries), {"backups": backup_documents(entries)}, as_json=as_json)
        return
    file = Path(backup)
    if not file.is_file():
        file = library.backups.find(backup).path
    replaced = restore_library(library.path, file)
    lines = [f"Restored the library from {file_name(file)}."]
    if replaced is not None:
        lines.append(f"The library before is at {file_name(replaced)}.")
    document = {"library": str(library.path), "backup": str(file), "aside": None if replaced is None else str(replaced)}
    print_result(lines, document, as_json=as_json)


@click.command()
@library_and_json
def recover(*, as_json: bool) -> int:
    """Recover a damaged library: its newest backup, and what can still be read.

    The damaged library stays beside the new one. Ctrl+C stops; nothing is
    changed then.

    \b
    Example:
      noughts saves recover --library damaged.sqlite
    """
    with collect_signals() as received:
        try:
            recovery = recover_library(chosen_library().path, lambda: bool(received))
        except Stopped:
            print_error("stopped: nothing was changed")
            return SIGNAL_EXIT + received[0]
    print_result(recovery_lines(recovery), recovery_document(recovery), as_json=as_json)
    return 0
