"""`noughts play`: a game in the app or line by line. Heavy imports are inside the command, to keep `--help` quick."""

import secrets
import sys
from functools import partial
from random import Random
from typing import Final

import click

from cli.commands.app import open_app
from cli.shared.common import filter_option, game_option_of, library_option, number_option
from cli.shared.completion import complete_player
from engine.game import BadText, Game

MAX_LINE: Final = 1000
"""The maximum number of characters of a line, so that endless input without a line end does not fill the memory."""
SIDES: Final = ("fixed", "alternate", "random")
MAX_GAMES: Final = 10_000
NEEDS_PLAIN: Final = "needs --plain; in the app, press o to choose it"


def parse_seed(text: str) -> int:
    from cli.shared import arguments  # imports numpy

    return arguments.parse_seed(text)


@click.command()
@game_option_of("a save")
@click.option(
    "--first",
    metavar="P",
    shell_complete=complete_player,
    help="Who moves first: human (you), save:NAME, or a player that noughts players lists.",
)
@click.option("--second", metavar="P", shell_complete=complete_player, help="Who moves second.")
@filter_option
@click.option("--learn", is_flag=True, help="Let a save of your own learn from each game.")
@click.option("--plain", is_flag=True, help="Line by line, for pipes and screen readers, instead of in the app.")
@number_option("--games", MAX_GAMES, "With --plain: a series of N games.")
@click.option("--sides", type=click.Choice(SIDES), help="With --plain: how the sides change from game to game.")
@click.option("--seed", type=parse_seed, metavar="N", help="The seed of the machines' random choices.")
@library_option
def play(  # noqa: PLR0913  one parameter an option
    game: Game | None,
    first: str | None,
    second: str | None,
    *,
    failures: str | None,
    learn: bool,
    plain: bool,
    games: int | None,
    sides: str | None,
    seed: int | None,
) -> int:
    """Play a game, in the app or line by line.

    You play the side that you name no player for. If you name neither, the
    app opens with the players that you left. With --plain or --game, you then
    play the side that can always win, or else first. Your opponent, also if
    you name only yourself (human), is the failure-based reasoner that comes
    with the program in tic-tac-toe, a perfect player in other small games,
    and alphabeta:4 in large ones.

    \b
    Examples:
      noughts play --second perfect
      noughts play --plain --game hexapawn --first random
    """
    for option, value in (("--games", games), ("--sides", sides)):
        if value is not None and not plain:
            raise click.UsageError(f"{option} {NEEDS_PLAIN}")
    if failures is not None and not {first, second} - {None, "human"}:
        raise click.UsageError("--filter needs a machine: name it with --first or --second")
    if not plain and not learn and first is None and second is None:
        return open_app(game=game, seed=seed)
    from cli.plain.commands import player_for
    from cli.plain.dialogue import Dialogue
    from cli.plain.presenter import Presenter
    from cli.shared.arguments import chosen_game, chosen_library, full_label, with_failures_of
    from cli.shared.spaces import keep_large_spaces
    from lab.board.event_sentences import why_nobody_learns
    from lab.board.seating import Sides, seating_for
    from lab.board.session import Session
    from lab.board.table import Table
    from lab.board.teaching import is_pupil

    library = chosen_library()
    first, second = (label and with_failures_of(full_label(label, library), failures) for label in (first, second))
    rules = chosen_game(game, library, (first, second))
    seating = seating_for(rules, first, second)
    seats = player_for(seating.first, rules, library), player_for(seating.second, rules, library)
    if learn and not any(map(is_pupil, seats)):
        advice = "nobody at the board can learn: name a save of your own, as in --second save:NAME"
        raise BadText(why_nobody_learns(seats, advice))
    if not plain:
        return open_app(game=rules, first=seating.first, second=seating.second, seed=seed, learning=learn)
    random = Random(secrets.randbits(64) if seed is None else seed)  # noqa: S311  a game, not a secret
    session = Session(rules, seats, random, Sides(sides or Sides.FIXED), games or 0)
    lines = iter(partial(sys.stdin.readline, MAX_LINE), "")
    with keep_large_spaces():
        Dialogue(Presenter(Table(session, library, learning=learn), click.echo)).run(lines)
    return 0
