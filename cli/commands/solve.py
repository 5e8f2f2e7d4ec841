"""`noughts solve`: exact scores of the positions in a file, one a line."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import click

from cli.shared.common import GameName, json_option, number_option, print_error
from cli.shared.streams import STANDARD_STREAM
from engine.connect_solver.games import shape_of
from engine.game import BadText, Game, IllegalMove, Move, Position, quoted
from engine.games import find_game
from engine.notation import column_of, is_columns, parse_game_text
from lab.judging.notation.written_boards import read_position

USUAL_GAME: Final = "connectfour"
COMMENT: Final = "#"
"""The beginning of a line that is left out."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path), default=STANDARD_STREAM)
@click.option("--game", type=GameName(), default=USUAL_GAME, help=f"The game.  [default: {USUAL_GAME}]")
@click.option("--columns", is_flag=True, help="Print the score of every column as well, - for a full one.")
@click.option("--moves", is_flag=True, help="Print the score of every legal move as well, with its name.")
@click.option("--weak", is_flag=True, help="Print 1 for a win, 0 for a draw and -1 for a loss: this takes less time.")
@click.option("--no-book", is_flag=True, help="Search every position, even one that is known by heart.")
@number_option("--memory", 65_536, "The memory of the search.  [default: 128]", metavar="MB")
@json_option
def solve(  # noqa: PLR0913  one parameter an option
    *, file: Path, game: Game, columns: bool, moves: bool, weak: bool, no_book: bool, memory: int | None, as_json: bool
) -> int:
    """Print the exact scores of the positions in FILE.

    FILE has one position a line; - is standard input. A position is written as
    the columns played so far, counted from the left, as in 4453, or in any
    notation that the program reads. A line that begins with # is left out.

    The score is for the side to move: 0 is a draw, 1 a win with the last piece
    of the winner, 2 with the one before it, and so on; a loss is negative. On
    the usual board it is 22 minus the number of the winner's pieces. A wrong
    line is named, and the rest goes on; the exit code is then 1.

    With --json, nodes and seconds are those of the score, without the columns.

    In m,n,k-games without gravity, the score only says who wins: 1, 0 or -1;
    --moves prints that of every move, as in a1=0.

    \b
    Examples:
      echo 4453 | noughts solve -
      noughts solve positions.txt --columns
      noughts solve positions.txt --game mnk:6,5,4+gravity --weak --json
      echo '...../...../...../...../..... X' | noughts solve - --game mnk:5,5,4
    """
    from engine.analysis.solvers import solver_for  # imports numba

    falls, is_wrong = shape_of(game) is not None, False
    with_columns = columns or (as_json and falls)
    solver = solver_for(game, memory, with_book=not no_book)
    if columns and not falls:
        raise BadText(f"pieces do not fall in {game.title}: --moves prints the score of every move there")
    if as_json:
        solver.load()
    with _print_elements(as_json=as_json) as show:
        for number, text in _lines(file):
            try:
                position = _parse_position(game, text)
            except (BadText, IllegalMove) as error:
                is_wrong = True
                print_error(f"line {number}: {error}")
                continue
            start = time.perf_counter()
            solved = solver.solve(position, weak=weak)
            seconds = time.perf_counter() - start
            column_scores, move_scores = list[int | None](), dict[str, int]()
            if moves or with_columns:
                solved_moves = solver.analyse(position, weak=weak)
                scores = {move: solved_moves[move].score for move in sorted(solved_moves)}
                if with_columns:
                    column_scores = _column_scores(game, position, scores)
                if moves:
                    move_scores = {game.move_name(move): score for move, score in scores.items()}
            if as_json:
                document: dict[str, object] = {"moves": text, "score": solved.score, "columns": column_scores}
                if moves:
                    document["by_move"] = move_scores
                show(json.dumps({**document, "nodes": solved.nodes, "seconds": seconds}))
            else:
                column_texts = ["-" if score is None else str(score) for score in column_scores]
                move_texts = [f"{name}={score}" for name, score in move_scores.items()]
                show(" ".join([text, str(solved.score), *column_texts, *move_texts]))
    return int(is_wrong)


def _column_scores(game: Game, position: Position, scores: Mapping[Move, int]) -> list[int | None]:
    """Return the score of each column; `None` for a full one."""
    by_column = {column_of(game, position, move): score for move, score in scores.items()}
    return [by_column.get(column) for column in range(game.board.columns)]


def _lines(file: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither empty nor comments, with their numbers, as soon as each is there.

    Raises `OSError`.
    """
    with click.open_file(str(file), encoding="utf-8-sig", errors="replace") as stream:
        for number, line in enumerate(stream, 1):
            text = line.strip()
            if text and not text.startswith(COMMENT):
                yield number, text


def _parse_position(game: Game, text: str) -> Position:
    """Return the position that a line describes. Raises `BadText`, also if the game is over."""
    if _is_board(game, text):
        position = read_position(text, game)
    else:
        match = parse_game_text(text, find_game, game)
        if match.game is not game:
            raise BadText(f"{quoted(text)} is a position of {match.game.title}, not of {game.title}")
        position = match.position
    if game.outcome(position) is not None:
        raise BadText(f"the game is over after {quoted(text)}")
    return position


def _is_board(game: Game, text: str) -> bool:
    """Return whether a line is the squares of a board as other programs write them, rather than moves."""
    if len(text) < game.board.grid.size or text.startswith(game.name) or "/" in text:
        return False
    words = text.replace(",", " ").split()
    return "0" in text or not all(is_columns(game, word) or game.is_move_name(word.lower()) for word in words)


@contextmanager
def _print_elements(*, as_json: bool) -> Iterator[Callable[[str], None]]:
    """Yield a function that prints a result at once.

    With JSON, the results are the elements of one array, which is closed even after an interruption.
    """
    if not as_json:
        yield click.echo
        return
    separator = ""

    def show(element: str) -> None:
        nonlocal separator
        click.echo(separator + element, nl=False)
        separator = ",\n"

    click.echo("[", nl=False)
    try:
        yield show
    finally:
        click.echo("]")
