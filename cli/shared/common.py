"""Options and output that all commands share. Imports only small modules."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from importlib import import_module
from math import isnan
from pathlib import Path
from typing import Any, Final, TypeVar

import click
from click.shell_completion import CompletionItem

from engine.game import BadText, Game
from engine.games import GAMES, game_names, known_games, parse_game
from lab.text.sanitise import parse_whole, plain, without_controls

FC = TypeVar("FC", bound=Callable[..., Any])
LIBRARY: Final = "cli.shared.common.library"
"""The key of the path of the library in click's context."""


def _remember_library(context: click.Context, _: click.Parameter, path: Path | None) -> None:
    if path == Path("-"):
        raise click.BadParameter("a library is a file: it cannot be standard input or output")
    if path is not None:
        context.meta[LIBRARY] = path


library_option = click.option(
    "--library",
    type=click.Path(path_type=Path),
    metavar="PATH",
    expose_value=False,
    callback=_remember_library,
    help="Use the library at PATH, not $NOUGHTS_LIBRARY or the default one.",
)
SIDE_WORDS: Final = "first, second, both, or its mark"
"""The words for sides that `parse_sides` reads, for help texts."""
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
filter_option = click.option(
    "--filter",
    "failures",
    metavar="SAVE",
    help="Remove the moves that the failures of SAVE record, unless all are: the same as P~SAVE.",
)
path_option = partial(click.option, type=click.Path(path_type=Path), metavar="FILE")
replace_option = click.option("--replace", is_flag=True, help="Replace an existing file or save with that name.")


def library_and_json(command: FC) -> FC:
    return library_option(json_option(command))


class GameName(click.ParamType):  # type: ignore[type-arg]  # not generic in click 8.1
    """A game by its name, also one in a family."""

    name = "game"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        try:
            return parse_game(value)
        except BadText as error:
            self.fail(str(error), param, ctx)

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return [CompletionItem(game.name) for game in known_games() if game.name.startswith(incomplete)]

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # click 8.1 gives no `ctx`
        """List all games, only when help is printed, since this loads plug-ins; see `click.ParamType`."""
        return f"[{'|'.join(game_names())}]"


def game_option_of(what: str) -> Callable[[FC], FC]:
    """Return the option --game; without it, the game is that of `what`."""
    return click.option("--game", type=GameName(), help=f"The game.  [default: that of {what}, else {GAMES[0].name}]")


game_option = click.option("--game", type=GameName(), help=f"The game.  [default: {GAMES[0].name}]")


def parse_number(text: str, lowest: int, highest: int) -> int:
    try:
        return parse_whole(text, lowest, highest)
    except BadText as error:
        raise click.BadParameter(str(error)) from error


def number_option(name: str, maximum: int, help_text: str, metavar: str = "N") -> Callable[[FC], FC]:
    def parse(text: str) -> int:
        return parse_number(text, 1, maximum)

    return click.option(name, type=parse, metavar=metavar, help=help_text)


class Seconds(click.FloatRange):
    """A time in seconds: a finite number in a range."""

    name = "number of seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401
        """Refuse NaN, which no comparison finds out of range; see `click.ParamType`."""
        seconds: float = super().convert(value, param, ctx)
        if isnan(seconds):
            self.fail(f"{value!r} is not a time in seconds", param, ctx)
        return seconds


def chosen_library_path() -> Path:
    """Return the path of the library: from the command's option or that of `noughts`, else from `library_path`."""
    from saves.paths import library_path  # not needed to print help

    chosen: Path | None = click.get_current_context().meta.get(LIBRARY)
    return library_path(chosen)


def print_result(lines: Iterable[str], document: Mapping[str, object], *, as_json: bool) -> None:
    click.echo(json.dumps(document) if as_json else "\n".join(map(without_controls, lines)))


def print_error(message: str) -> None:
    """Print an error message of at most two lines on standard error; its control characters are escaped."""
    from saves.paths import escape_controls  # not needed to print help

    lines = (message or "something went wrong").split("\n")[:2]
    click.echo("noughts: " + "\n".join(plain(escape_controls(line), 400) for line in lines), err=True)


class LazyGroup(click.Group):
    """A group that knows the one-line help of each command, and imports a command only when it is called."""

    def __init__(self, *args: Any, lazy_commands: Mapping[str, tuple[str, str]], **options: Any) -> None:  # noqa: ANN401 -- click's own
        """Take for each command, by name, its `module:attribute` and its one-line help."""
        super().__init__(*args, **options)
        self.lazy_commands = lazy_commands
        self.commands.update({name: click.Command(name, help=summary) for name, (_, summary) in lazy_commands.items()})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.lazy_commands:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = self.lazy_commands[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, summary) for name, (_, summary) in self.lazy_commands.items()])


LIST: Final = "list"


class ListingGroup(click.Group):
    """Runs the command `list`, with its options, if no command is given."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        names_command = any(word in self.commands or word in ctx.help_option_names for word in args)
        has_only_options = not args or args[0].startswith("-")
        if has_only_options and not names_command:
            args = [LIST, *args]
        return super().parse_args(ctx, args)
