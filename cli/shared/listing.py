"""A group of commands that lists what it is about when it is called alone."""

from typing import Final

import click

LIST: Final = "list"


class ListingGroup(click.Group):
    """Takes the command `list` where none is given, with the options of that one."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        named = any(word in self.commands or word in ctx.help_option_names for word in args)
        alone = not named and all(word.startswith("-") for word in args[:1])
        return super().parse_args(ctx, [LIST, *args] if alone else args)
