"""What every command may need: common options, the ways to report, the way into the app. Imports next to nothing."""

import json
import os
import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import click

from engine.game import quoted
from engine.games import GAMES
from lab.words.sanitise import plain, showing

LIBRARY: Final = "cli.shared.common.library"
"""Where click's context keeps the path of the library, when one is given."""

SIGNAL_EXIT: Final = 128
"""Added to a signal's number it is the exit code of a program that the signal ended."""
BROWSER: Final = "web_driver"
"""Part of the name of what Textual draws with where a browser shows it."""
NUMBER: Final = re.compile(r"[0-9]{1,30}|[0-9]{1,3}(?:,[0-9]{3}){1,9}|[0-9]{1,3}(?:_[0-9]{3}){1,9}")


def _remember_library(context: click.Context, _: click.Parameter, path: Path | None) -> None:
    if path is not None:
        context.meta[LIBRARY] = path


library_option = click.option(
    "--library",
    type=click.Path(path_type=Path),
    metavar="PATH",
    expose_value=False,
    callback=_remember_library,
    help="The library; else $NOUGHTS_LIBRARY, else the usual place.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document and nothing else.")
replace_option = click.option("--replace", is_flag=True, help="Replace what is there under that name.")
game_option = click.option("--game", type=click.Choice([game.name for game in GAMES]), help="The game to play.")


def whole_number(text: str, lowest: int, highest: int) -> int:
    """A number as people write it: `100000`, `100_000` or `100,000`. Raises click's error for any other text."""
    number = int(re.sub("[,_]", "", text)) if NUMBER.fullmatch(text) else -1
    if not lowest <= number <= highest:
        raise click.BadParameter(f"{quoted(text)} is not a whole number from {lowest} to {highest:,}")
    return number


def chosen_library_path() -> Path:
    """Where the library lies: as told to the command, else to `noughts` before it, else the usual place."""
    from saves.paths import library_path  # the help of a command needs no places

    given: Path | None = click.get_current_context().meta.get(LIBRARY)
    return library_path(given)


def open_app(
    *,
    game: str | None = None,
    first: str | None = None,
    second: str | None = None,
    seed: int | None = None,
    learning: bool = False,
) -> int:
    """Open the app with the game and the players chosen, if any; returns the exit code."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()) and BROWSER not in os.environ.get("TEXTUAL_DRIVER", ""):
        raise click.ClickException("the app needs a terminal; to play line by line: noughts play --plain")
    from tui.app import run_app  # imports textual
    from tui.shell.terminal import outlive_terminal

    outlive_terminal()
    return run_app(chosen_library_path(), game, first, second, seed, learning=learning)


def report(lines: Iterable[str], document: Mapping[str, object], *, as_json: bool) -> None:
    """Print a result for a person or, as one line of JSON, for a program."""
    click.echo(json.dumps(document) if as_json else "\n".join(map(showing, lines)))


def complain(message: str) -> None:
    """Say what went wrong, in two lines at most, on standard error."""
    first, *more = [plain(line, 400) for line in message.splitlines()] or ["something went wrong"]
    click.echo("\n".join([f"noughts: {first}", *more[:1]]), err=True)
