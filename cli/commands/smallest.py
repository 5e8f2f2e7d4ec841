"""`noughts smallest`: the fewest answers that keep a player from losing, with a proof."""

import click

from cli.shared.common import SIDE_WORDS, Seconds, game_option, json_option, print_result
from cli.shared.progress import reporting_stop, waiting_bar
from engine.game import Game
from engine.games import GAMES
from engine.notation import parse_sides


@click.command()
@game_option
@click.option("--side", metavar="SIDE", default="both", help=f"The player's side: {SIDE_WORDS}.  [default: both]")
@click.option(
    "--counting",
    type=click.Choice(["decisions", "boards", "published"]),
    default="decisions",
    help="What counts as an entry; see above.  [default: decisions]",
)
@click.option("--no-symmetry", is_flag=True, help="An answer serves its own position only, not its mirror images.")
@click.option("--boxes", is_flag=True, help="Tell the answers as boxes of MENACE.")
@click.option("--seconds", type=Seconds(0.1, 86_400), default=120, help="The solver's time per side.  [default: 120]")
@json_option
def smallest(  # noqa: PLR0913  one parameter an option
    *, game: Game | None, side: str, counting: str, no_symmetry: bool, boxes: bool, seconds: float, as_json: bool
) -> None:
    """Find the fewest answers that keep a player from losing.

    How little must a player remember never to lose? An entry is a position with
    an answer, which holds for all positions that are symmetric to it. In every
    other position, the player may play any legal move. The opponent may play
    anything.

    A position that needs no answer is no entry, such as one with a single legal
    move. With --counting boards, the player has an answer for every position that
    it can meet, and each is an entry. With --counting published, so is each board
    that it can meet finished after its opponent's move, as in C. Lomont, "Minimal
    size tic tac toe trees", 2024.

    The integer program HiGHS finds and proves the minimum: pip install
    'noughts[exact]'. Without it, the results that come with the program are
    printed. If the time is too short for a proof, the bound is less than entries.

    \b
    Examples:
      noughts smallest
      noughts smallest --game misere --side second --json
      noughts smallest --side first --boxes
    """
    from engine.smallest.answers import Counting  # imports numpy
    from lab.exact.smallest_machine import machine_document, machine_lines, smallest_machine

    if boxes and (no_symmetry or counting != "decisions"):
        raise click.UsageError("--boxes needs --counting decisions, and no --no-symmetry: boxes are such entries")
    rules = game or GAMES[0]
    with waiting_bar("solving") as show:
        machine = smallest_machine(
            rules,
            parse_sides(rules, side),
            Counting(counting),
            symmetric=not no_symmetry,
            boxes=boxes,
            seconds=seconds,
            stop=reporting_stop(show),
        )
    print_result([rules.title, "", *machine_lines(machine)], machine_document(machine), as_json=as_json)
