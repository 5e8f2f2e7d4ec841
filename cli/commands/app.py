"""Open the app: the only place where the command line imports `tui`."""

import os
import sys
from typing import TYPE_CHECKING, Final

import click

from cli.shared.common import chosen_library_path
from engine.game import Game

if TYPE_CHECKING:  # imports numpy, which `--help` does not need
    from lab.board.session import GameReview

BROWSER: Final = "web_driver"
"""Part of the name of the Textual driver that draws in a browser."""


def open_app(  # noqa: PLR0913  one parameter an option of the command line
    *,
    game: Game | None = None,
    first: str | None = None,
    second: str | None = None,
    seed: int | None = None,
    learning: bool = False,
    review: "GameReview | None" = None,
) -> int:
    """Open the app; return the exit code.

    It opens with a game and players, if they are given, and with the debrief of `review`. Raises click's error if there
    is neither a terminal nor a browser to draw in.
    """
    if not (sys.stdin.isatty() and sys.stderr.isatty()) and BROWSER not in os.environ.get("TEXTUAL_DRIVER", ""):
        raise click.ClickException("the app needs a terminal; to play line by line: noughts play --plain")
    from tui.app import run_app  # imports textual

    return run_app(chosen_library_path(), game, first, second, seed, learning=learning, review=review)
