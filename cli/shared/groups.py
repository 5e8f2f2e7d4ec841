"""Groups of commands: one imports a command only when it is used, one runs its command `list` by default."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

import click


class LazyGroup(click.Group):
    """Knows the one-line help of each command, and imports the command itself when it is called."""

    def __init__(self, *args: Any, lazy_commands: Mapping[str, tuple[str, str]], **options: Any) -> None:  # noqa: ANN401 -- click's own
        """`lazy_commands` maps the name of a command to its `module:attribute` and its one-line help."""
        super().__init__(*args, **options)
        self.lazy_commands = lazy_commands
        self.commands.update({name: click.Command(name, help=summary) for name, (_, summary) in lazy_commands.items()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return the command; see `click.Group`."""
        if cmd_name not in self.lazy_commands:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = self.lazy_commands[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them; see `click.Group`."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in self.lazy_commands.items()])


LIST: Final = "list"


class ListingGroup(click.Group):
    """Runs the command `list`, with its options, if no command is given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert `list` if no command is given; see `click.Group`."""
        named = any(word in self.commands or word in ctx.help_option_names for word in args)
        alone = not named and all(word.startswith("-") for word in args[:1])
        return super().parse_args(ctx, [LIST, *args] if alone else args)
