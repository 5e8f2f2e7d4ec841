"""A group of commands that runs its command `list` if no command is given."""

from typing import Final

import click

LIST: Final = "list"


class ListingGroup(click.Group):
    """Runs the command `list`, with its options, if no command is given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Insert `list` if no command is given; see `click.Group`."""
        named = any(word in self.commands or word in ctx.help_option_names for word in args)
        alone = not named and all(word.startswith("-") for word in args[:1])
        return super().parse_args(ctx, [LIST, *args] if alone else args)
