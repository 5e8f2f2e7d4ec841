"""What a table has for a position: a move, a number for each move, or a list of beads."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.game import Game
from lab.judging.files.column_names import coordinate_columns
from lab.judging.files.file_table import FileTable, Row, name_place
from lab.judging.notation.reply import MOVE_KEYS, SCORE_KEYS, Numbers, check_list_size
from lab.judging.notation.written_moves import is_in_parts, list_sizes, move_text


def add_answers(table: FileTable, places: Sequence[tuple[Any, Any, str]], answers: Iterable[Any], game: Game) -> None:
    """Add rows with moves, or numbers for each move; `places` has the board, the side and the place in the file."""
    answers = [*map(extract_move, answers)]
    if all(is_in_parts(answer, game) for answer in answers):
        answers = [*map(move_text, answers)]
    beads = are_beads(answers, game)
    if beads:
        table.kind = Numbers.COUNTS
    for (board, side, where), answer in zip(places, answers, strict=True):
        with name_place(where):
            pairs = [*Counter(answer).items()] if beads else _pairs_in(answer, game)
        table.has_lists = table.has_lists or (not beads and _is_number_list(answer))
        table.rows.append(Row(board, side, pairs, answer if pairs is None else None, where))


def extract_move(answer: Any) -> Any:  # noqa: ANN401
    """Return the move of an object with a move and perhaps a score, or with a row and a column; others as they are."""
    if not isinstance(answer, Mapping):
        return answer
    if len(answer) == 2:
        coordinates = coordinate_columns([*map(str, answer)])
        if coordinates:
            return [answer[name] for name in coordinates]
    moves = answer.keys() & MOVE_KEYS
    return answer[min(moves)] if len(moves) == 1 and answer.keys() <= MOVE_KEYS | SCORE_KEYS else answer


def _pairs_in(answer: Any, game: Game) -> list[tuple[Any, Any]] | None:  # noqa: ANN401
    """Return the (move, number) pairs of an answer; `None` if it is a move. Raises `BadText`."""
    if isinstance(answer, Mapping):
        return [*answer.items()]
    if _is_scored_list(answer):
        return [(move, number) for move, number in answer]
    return numbers_in_list(answer, game) if _is_number_list(answer) else None


def numbers_in_list(listed: Any, game: Game) -> list[tuple[Any, Any]]:  # noqa: ANN401
    """Return the (move, number) pairs of an object, or of a list with a number or `None` for each square."""
    if isinstance(listed, Mapping):
        return [*listed.items()]
    if listed and all(isinstance(row, (list, tuple)) for row in listed):
        listed = [number for row in listed for number in row]
    check_list_size(listed, game)
    return [(square, number) for square, number in enumerate(listed) if number is not None]


def _is_scored_list(answer: Any) -> bool:  # noqa: ANN401
    """Return whether an answer is a list of moves, each with its number."""
    return isinstance(answer, (list, tuple)) and len(answer) > 0 and all(map(_is_scored, answer))


def _is_scored(each: Any) -> bool:  # noqa: ANN401
    return isinstance(each, (list, tuple)) and len(each) == 2 and isinstance(each[1], (int, float))


def _is_number_list(answer: Any) -> bool:  # noqa: ANN401
    """Return whether an answer is a list with a number for each move."""
    if not isinstance(answer, (list, tuple)) or _is_scored_list(answer):
        return False
    return not (len(answer) == 2 and {*map(type, answer)} in ({int}, {str}))  # else it is a row and a column


def are_beads(answers: Iterable[Any], game: Game) -> bool:
    """Return whether all answers are lists of squares, in which each square occurs once for each of its beads."""
    lists, sizes = [*answers], list_sizes(game)
    for beads in lists:
        if not isinstance(beads, (list, tuple)):
            return False
        if not all(type(square) is int and 0 <= square <= game.board.grid.size for square in beads):
            return False
    longest = max(map(len, lists), default=0)
    return longest > len(("row", "column")) and any(len(beads) not in sizes for beads in lists)
