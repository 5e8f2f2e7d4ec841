"""`noughts why`: which games made a number of a memory what it is."""

import click

from cli.shared.arguments import chosen_library
from cli.shared.common import library_and_json, number_option, print_result
from cli.shared.completion import SaveName
from learners.core.snapshot import MAX_LEARNER_ROUNDS


@click.command()
@click.argument("save", metavar="SAVE", type=SaveName())
@click.argument("position", metavar="POSITION")
@click.argument("move", metavar="MOVE")
@number_option(
    "--without", MAX_LEARNER_ROUNDS, "What it would know and play if it had not learned from this game.", metavar="GAME"
)
@click.option("--history", is_flag=True, help="List all games that changed the number, each with its moves.")
@library_and_json
def why(  # noqa: PLR0913  one parameter an option
    *, save: str, position: str, move: str, without: int | None, history: bool, as_json: bool
) -> None:
    """Tell which games made the number of MOVE in POSITION what it is.

    The games of the training are played again from its seed and its checkpoints,
    so the changes are exact: with the number at the start, they sum to the number
    now. Games against a person, under the settings before a branch, or against a
    save that was changed or deleted since are not played again: all of them
    between two checkpoints are one change.

    With --without, the training is played again as well, but nothing is learned
    from that game. All other games go on with the draws that followed it. Games
    that cannot be played again are refused.

    \b
    Examples:
      noughts why mine "XO./.X./... O" c1
      noughts why mine "XO./.X./... O" c1 --history
      noughts why mine "XO./.X./... O" c1 --without 103 --json
    """
    from lab.exact.number_history import answer_lines, change_lines, number_history
    from lab.judging.notation.written_boards import read_position
    from learners.core.save_ref import parse_save

    library = chosen_library()
    snapshot = library.load(str(parse_save(save)))
    game = snapshot.game
    parsed_position = read_position(position, game)
    parsed_move = game.parse_move(parsed_position, move)
    answer = number_history(snapshot, parsed_position, parsed_move, library.opponent, without)
    lines = answer_lines(answer)
    if history and answer.history.changes:
        lines += ["", *change_lines(answer)]
    print_result(lines, {"save": save, **answer.to_dict()}, as_json=as_json)
