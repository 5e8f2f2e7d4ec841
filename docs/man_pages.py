"""Man pages, made from the help of the commands: `python -m docs.man_pages FOLDER` writes them, `make dist` packs them.

The class is a build hook of hatchling: it adds the pages to the wheel if they were written before.
"""

import sys
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if TYPE_CHECKING:  # the hook does without it
    import click

FOLDER = "man"


class ManPages(BuildHookInterface[Any]):
    """Adds the man pages to the data of the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """As in `BuildHookInterface`."""
        for page in (Path(self.root) / FOLDER).glob("*.1"):
            build_data["shared_data"][str(page)] = f"share/man/man1/{page.name}"


def write_pages(folder: Path) -> None:
    """Write a page for each command."""
    import click
    from click_man.core import write_man_pages

    from cli.__main__ import noughts

    context = click.Context(noughts, info_name="noughts")
    for name in noughts.list_commands(context):
        command = noughts.get_command(context, name)  # the whole command, not only its short help
        if command is not None:
            noughts.commands[name] = command
    _summarise(noughts)
    folder.mkdir(exist_ok=True)
    write_man_pages("noughts", noughts, version=version("noughts"), target_dir=str(folder))


def _summarise(command: "click.Command") -> None:
    """Give a command, and those below it, the whole first sentence of its help as its name line: click cuts it."""
    command.short_help = " ".join((command.help or "").partition("\n\n")[0].split())
    for each in getattr(command, "commands", {}).values():
        _summarise(each)


if __name__ == "__main__":
    write_pages(Path(sys.argv[1]))
