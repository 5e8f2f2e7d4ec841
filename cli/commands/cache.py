"""`noughts cache`: the cache of large spaces."""

import click

from cli.shared.common import chosen_library_path, json_option, library_option, print_result
from lab.words.columns import columns
from lab.words.numbers import count_text
from learners.core.plural import counted_noun
from saves.paths import shown
from saves.space_cache import SpaceCache

MEGABYTE = 1_000_000


@click.command()
@click.option("--clear", is_flag=True, help="Delete all files of the cache.")
@library_option
@json_option
def cache(*, clear: bool, as_json: bool) -> None:
    """Show or clear the cache of large games.

    The positions of a game with more than about 250,000 of them are kept in files
    beside the library, so that they need not be computed again. The files can be
    deleted at any time.

    \b
    Examples:
      noughts cache
      noughts cache --clear
    """
    spaces = SpaceCache(chosen_library_path())
    entries = spaces.entries()
    document: dict[str, object] = {
        "folder": shown(spaces.folder),
        "spaces": [{"game": each.game, "positions": each.positions, "bytes": each.size} for each in entries],
        "cleared": clear,
    }
    if clear:
        deleted = spaces.clear()
        print_result([f"Deleted {counted_noun(deleted, 'file')} in {shown(spaces.folder)}"], document, as_json=as_json)
        return
    rows = [
        (
            each.game or each.path.name,
            f"{count_text(each.positions)} positions",
            f"{count_text(each.size / MEGABYTE)} MB",
        )
        for each in entries
    ]
    lines = columns(rows, "<>>") if rows else ["The cache is empty: no large game has been computed."]
    print_result([shown(spaces.folder), "", *lines], document, as_json=as_json)
