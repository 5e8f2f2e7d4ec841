"""A game, in the app or line by line."""

import secrets
import sys
from functools import partial
from random import Random

import click

from engine.game import BadText, Game
from learners.player import Player
from saves.library import SAVE, Library
from tui.cli.chosen import chosen_game, chosen_library, chosen_player, seed_number
from tui.cli.common import game_option, library_option, open_app
from tui.cli.dialogue import Dialogue
from tui.lessons import learns, teach, why_nobody_learns
from tui.session import HUMAN, Session, seating_for

LONGEST_LINE = 1000
"""A longer line is read in pieces: endless input without a line's end fills no memory."""


@click.command()
@game_option
@click.option("--first", metavar="P", help="Who moves first: human, random, perfect, or save:NAME.")
@click.option("--second", metavar="P", help="Who moves second.")
@click.option("--learn", is_flag=True, help="A save of your own learns from each game, and is kept.")
@click.option("--plain", is_flag=True, help="Line by line, for pipes and screen readers, instead of in the app.")
@click.option("--seed", type=seed_number, metavar="N", help="Repeat the machines' choices.")
@library_option
def play(  # noqa: PLR0913  one parameter an option
    game: str | None, first: str | None, second: str | None, *, learn: bool, plain: bool, seed: int | None
) -> int:
    """Play a game, in the app or line by line.

    Whom you do not name is you; if you name nobody, you play first, against the reasoner that comes with the program
    or, in other games, a perfect player.
    """
    if not plain and not learn and first is None and second is None:
        return open_app(game=game, seed=seed)
    library = chosen_library()
    rules = chosen_game(game, library, (first, second))
    seating = seating_for(rules, first, second)
    seats = seated(seating.first, rules, library), seated(seating.second, rules, library)
    if learn and not any(map(learns, seats)):
        advice = f"nobody at the board can learn: name a save of your own, as in --second {SAVE}NAME"
        raise BadText(why_nobody_learns(seats, advice))
    if not plain:
        return open_app(game=rules.name, first=seating.first, second=seating.second, seed=seed, learning=learn)
    random = Random(secrets.randbits(64) if seed is None else seed)  # noqa: S311  a game, not a secret
    lines = iter(partial(sys.stdin.readline, LONGEST_LINE), "")
    lesson = partial(teach, library) if learn else None
    Dialogue(Session(rules, seats, random), click.echo, library.keep_game, lesson).hold(lines)
    return 0


def seated(label: str, game: Game, library: Library) -> Player | None:
    """Who sits there: nobody for a person."""
    return None if label == HUMAN else chosen_player(label, game, library)
