"""`noughts picture` and `noughts film`: a save or a game as a file to keep."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from cli.commands.games import load_game
from cli.shared.arguments import chosen_library
from cli.shared.common import library_option, path_option, replace_option
from cli.shared.completion import SaveName
from cli.shared.streams import is_stream, require_writable, write_and_report

if TYPE_CHECKING:
    from lab.pictures.drawing import Picture
    from lab.training.training_story import TrainingStory

GAME: Final = "game:"
"""The prefix of a finished game: `game:3`."""
WALL, CURVE, BOARD = "wall", "curve", "board"
look_option = click.option(
    "--look",
    type=click.Choice(("light", "dark", "auto")),
    default="light",
    help="The colours; auto follows the browser.  [default: light]",
)


@click.command()
@click.argument("name", metavar="SAVE", type=SaveName())
@click.option("--what", type=click.Choice((WALL, CURVE, BOARD)), help="What is drawn of a save.  [default: wall]")
@click.option("--position", metavar="TEXT", help="The position of a board.  [default: the start]")
@path_option("--out", help="An .svg, a .png, or the numbers as .csv; - is an SVG on standard output.", required=True)
@look_option
@replace_option
@library_option
def picture(  # noqa: PLR0913  one parameter an option
    name: str, what: str | None, position: str | None, out: Path, look: str, *, replace: bool
) -> None:
    """Draw a save or a game: SVG, PNG, or its numbers as CSV.

    SAVE is a save, also at a checkpoint as in mine@50, or a game as in game:3:
    noughts games lists their numbers. The wall has every card of the memory, the
    curve its losses over the training with the turning points, the board how
    likely each move is in one position.

    \b
    Examples:
      noughts picture scroggs --out wall.svg
      noughts picture scroggs --what curve --out curve.png
      noughts picture scroggs --what board --position 'X../.O./... X' --out board.csv
      noughts picture game:3 --out game.svg
    """
    from lab.pictures.drawing import SVG, picture_suffix  # imports numpy

    if name.startswith(GAME) and (what or position):
        raise click.UsageError("--what and --position are for saves: a game is drawn move by move")
    if position is not None and what != BOARD:
        raise click.UsageError("--position needs --what board")
    suffix = SVG if is_stream(out) else picture_suffix(out)
    require_writable(out, replace=replace)
    write_and_report(out, draw(name, what or WALL, position).content(suffix, look), replace=replace)


def draw(name: str, what: str, position: str | None) -> "Picture":
    from lab.judging.notation.written_boards import read_position
    from lab.pictures.game_pictures import game_picture
    from lab.pictures.save_pictures import curve_picture, position_picture, telling_points, wall_picture
    from lab.results.exact_results import Timeline

    if name.startswith(GAME):
        return game_picture(load_game(name.removeprefix(GAME)))
    if what == CURVE:
        story = find_story(name)
        return curve_picture(name, story.points, telling_points(story.turning_points, story.points[-1]))
    timeline = Timeline(chosen_library().load(name))
    point = timeline.at(timeline.now)
    if what == WALL:
        return wall_picture(name, point)
    game = point.learner.game
    return position_picture(name, point.learner, game.start if position is None else read_position(position, game))


def find_story(name: str) -> "TrainingStory":
    from lab.training.training_story import TrainingStory

    story = TrainingStory()
    story.update(chosen_library().load(name))
    return story


@click.command()
@click.argument("name", metavar="SAVE", type=SaveName())
@path_option("--out", help="An .svg; - is standard output.", required=True)
@look_option
@replace_option
@library_option
def film(name: str, out: Path, look: str, *, replace: bool) -> None:
    """Draw a training or a game as an SVG that moves.

    It plays in every browser, without a script, and pauses at the turning points
    of a training, and at the mistakes of a game. A game is written game:3:
    noughts games lists the numbers.

    \b
    Examples:
      noughts film scroggs --out scroggs.svg
      noughts film game:3 --out game.svg --look dark
    """
    from lab.pictures.drawing import SVG, picture_suffix  # imports numpy
    from lab.pictures.films import game_film, training_film
    from lab.pictures.save_pictures import telling_points

    if not is_stream(out):
        picture_suffix(out, (SVG,))
    require_writable(out, replace=replace)
    if name.startswith(GAME):
        animation = game_film(load_game(name.removeprefix(GAME)))
    else:
        story = find_story(name)
        animation = training_film(name, story.points, telling_points(story.turning_points, story.points[-1]))
    write_and_report(out, animation.svg(look), replace=replace)
