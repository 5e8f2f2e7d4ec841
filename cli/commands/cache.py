"""`noughts cache`: the caches of large spaces and of compiled kernels."""

from typing import Final

import click

from cli.shared.common import chosen_library_path, library_and_json, print_result
from engine.compiling.code_cache import cached_kernels, clear_kernels, size_of
from engine.plural import counted_noun
from lab.text.columns import columns
from lab.text.numbers import count_text
from saves.paths import path_text
from saves.space_cache import SpaceCache

MEGABYTE: Final = 1_000_000


@click.command()
@click.option("--clear", is_flag=True, help="Delete all files of the cache.")
@library_and_json
def cache(*, clear: bool, as_json: bool) -> None:
    """Show or clear the cache: large games, and compiled kernels.

    The positions of a game with more than about 250,000 of them are kept in files
    beside the library, so that they need not be computed again. The kernels that
    train are kept too, so that they need not be compiled again. All of this can be
    deleted at any time.

    \b
    Examples:
      noughts cache
      noughts cache --clear
    """
    spaces = SpaceCache(chosen_library_path())
    entries, kernels = spaces.entries(), cached_kernels()
    document: dict[str, object] = {
        "folder": path_text(spaces.folder),
        "spaces": [{"game": entry.game, "positions": entry.positions, "bytes": entry.size} for entry in entries],
        "kernels": [{"folder": path_text(folder), "bytes": size_of(folder)} for folder in kernels],
        "cleared": clear,
    }
    if clear:
        deleted = spaces.clear()
        lines = [f"Deleted {counted_noun(deleted, 'file')} in {path_text(spaces.folder)}"]
        lines += [f"Deleted the compiled kernels in {path_text(folder)}" for folder in clear_kernels()]
        print_result(lines, document, as_json=as_json)
        return
    rows = [
        (entry.game or entry.path.name, f"{count_text(entry.positions)} positions", _megabytes(entry.size))
        for entry in entries
    ]
    lines = [path_text(spaces.folder), ""]
    if rows:
        lines += columns(rows, "<>>")
    else:
        lines.append("The cache is empty: no large game has been computed.")
    if kernels:
        lines.append("")
        lines += [f"Compiled kernels, {_megabytes(size_of(folder))}: {path_text(folder)}" for folder in kernels]
    print_result(lines, document, as_json=as_json)


def _megabytes(size: int) -> str:
    return f"{count_text(size / MEGABYTE)} MB"
