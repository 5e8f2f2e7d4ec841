"""`noughts locate`: the paths of the library and the settings."""

import click

from cli.shared.common import chosen_library_path, library_and_json, print_result
from lab.text.columns import columns
from lab.text.sanitise import PATH_WIDTH, plain
from saves.paths import path_text, settings_path


@click.command()
@library_and_json
def locate(*, as_json: bool) -> None:
    """Print the paths of the library and the settings.

    \b
    Examples:
      noughts locate
      noughts locate --json
    """
    places = {"library": chosen_library_path(), "settings": settings_path()}
    document = {name: {"path": str(path), "exists": path.exists()} for name, path in places.items()}
    rows = [
        (name, plain(path_text(path), PATH_WIDTH), "" if path.exists() else "(does not exist yet)")
        for name, path in places.items()
    ]
    print_result(columns(rows, "<<<"), document, as_json=as_json)
