"""Policies in files of other programs: with moves, probabilities, counts, values of moves, or values of positions.

A file is read into rows (`lab.judging.files.tables`), and the meaning of its positions and squares is chosen for the
whole file (`lab.judging.files.conventions`). A file that could be read in two ways is refused, or the report says how
it was read. Whatever is left out is reported with a count and a reason.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from engine.game import BadText, Game, Move, Position, Side, quoted
from engine.plural import counted_noun
from engine.spaces import space_of
from lab.judging.asking.agent import Agent, Ask, agent_of
from lab.judging.files.convention_choice import MAX_STRAY
from lab.judging.files.conventions import FoundConvention, find_convention, place_rows
from lab.judging.files.file_boards import add_both_sides, replace_boards_by_moves
from lab.judging.files.file_reading import LEAST_DECISIVE, FileReading, met_positions
from lab.judging.files.file_table import FileTable, Row
from lab.judging.files.perspective import (
    PERSPECTIVE_WORDS,
    check_perspective,
    find_perspective,
    replies_by_position_values,
)
from lab.judging.files.tables import read_table
from lab.judging.notation.form_words import words_of
from lab.judging.notation.reply import (
    MISSING_RULES,
    PERSPECTIVES,
    TOLERANCE,
    USUAL_READING,
    Numbers,
    Reading,
    Reply,
    read_number,
    reply_by_numbers,
    reply_by_values,
    sign_of,
)
from lab.judging.notation.written_moves import read_move
from lab.text.numbers import percent_text
from saves.errors import LibraryError

LEAST_SYMMETRIC: Final = 20
"""A table of at least this many positions, no two of which are images of each other, may stand for the images, too."""
SURE_FACTOR: Final = 40
"""A table surely stands for the images, too, if the square of its size is this many times the number of positions for
each symmetry, as 166 are in tic-tac-toe: fewer than one random table in a hundred million is like that."""
MAX_NAMED: Final = 3
"""The maximum number of names in a note on what was left out."""
MAX_OUTCOME_VALUES: Final = 3
"""Whole numbers with at most this many different values may be values of moves: of a loss, a draw and a win."""

PolicyRead = tuple[dict[Position, Reply], str, list[str]]
"""The answers of a file by position, the kind of its numbers in words, and notes for a person."""


@dataclass(frozen=True)
class PolicyFile:
    replies: Mapping[Position, Reply]
    """The answer in each position of the file that is not over."""
    form: str
    """The kind of the numbers, in words."""
    convention: str
    """A sentence about what positions and squares mean, and about the share of the rows that this explains."""
    notes: tuple[str, ...]
    """Other remarks for a person on how the file was read, in sentences."""
    ask_elsewhere: Ask = lambda _: None
    """Returns the answer in a position that the file does not have."""

    def ask(self, position: Position) -> Reply | None:
        reply = self.replies.get(position)
        return self.ask_elsewhere(position) if reply is None else reply

    def agent(self, game: Game) -> Agent:
        """Return the file as an agent; it plays the sides for which the file has positions."""
        sides = tuple(side for side in Side if any(game.side(position) is side for position in self.replies))
        agent = agent_of(self.ask, self.form, is_certain=True)
        return replace(agent, sides=sides, convention=self.convention, notes=self.notes)


def read_policy(path: Path, game: Game, reading: Reading = USUAL_READING, form: str | None = None) -> PolicyFile:
    """Read a policy from a file, whose convention must have the words in `form`. Raises `BadText`, `LibraryError`."""
    return read_policy_table(path.name, partial(read_table, path, game), game, reading, form)


def read_policy_table(
    name: str, read: Callable[[], FileTable], game: Game, reading: Reading = USUAL_READING, form: str | None = None
) -> PolicyFile:
    """Read a policy from the table that `read` returns, as `read_policy` does."""
    try:
        table = _prepare_table(read(), game, reading)
        chosen = find_convention(table, game, form)
        words = {*words_of(form)}
        if table.has_position_values:
            replies, kind, notes = _read_position_values(chosen.reading, words, reading)
        else:
            replies, kind, notes = _read_moves(chosen.reading, words, reading)
        if "symmetric" in words or ("whole" not in words and _is_symmetric(replies, game)):
            replies = _add_images(replies, game)
            notes.append("Its positions stand for their mirror images and rotations")
    except BadText as error:
        raise BadText(f"{name}: {error}") from error
    except RecursionError as error:
        raise LibraryError(f"{name} is nested too deeply") from error
    if not replies:
        raise BadText(f"{name}: it has no position of {game.title} that is not over: is it a policy of another game?")
    notes += _omission_notes(table, chosen, game)
    if reading.missing != MISSING_RULES[0]:
        notes.append(f"Where it has no answer, it plays as --missing {reading.missing} says")
    share = "all" if chosen.share == 1 else percent_text(chosen.share)
    convention = chosen.reading.convention.describe(game, numbered=chosen.has_numbers)
    convention = f"{kind}; {convention}: this explains {share} of its rows"
    return PolicyFile(replies, kind, convention, tuple(notes), partial(_missing_reply, chosen.reading, reading))


def _prepare_table(table: FileTable, game: Game, reading: Reading) -> FileTable:
    """Return a table ready for its convention: whether it has values of positions is known, and it has no other boards.

    Raises `BadText` if its numbers are none of the kind that they should be.
    """
    table = add_both_sides(table, game)
    singles = [row for row in table.rows if row.pairs is None]
    has_values = reading.numbers is Numbers.VALUES or table.kind is Numbers.VALUES
    table.has_position_values = has_values and len(singles) == len(table.rows)
    if table.has_position_values:
        _check_values(singles)
        return table
    table = replace_boards_by_moves(table, game)
    _check_fractions(singles)
    return table


def _missing_reply(file: FileReading, reading: Reading, position: Position) -> Reply | None:
    """Return the answer in a position that the file does not have; `None` if it loses there."""
    if reading.missing == MISSING_RULES[0]:
        return None
    value = _missing_value(file, reading, position)
    if value is None:
        return reply_by_values([], file.game, position, missing=0.0)
    return reply_by_values([], file.game, position, first_tie=reading.first_tie, missing=value)


def _missing_value(file: FileReading, reading: Reading, position: Position) -> float | None:
    """Return the value of moves without one in the file, for the side to move; `None` if they are never played."""
    if isinstance(reading.missing, str):
        return None
    return reading.missing * sign_of(file.perspective, file.game.side(position))


def _check_values(singles: list[Row]) -> None:
    """Raise `BadText` if a value of a position is no number."""
    for row in singles:
        try:
            read_number(row.single)
        except BadText as error:
            raise BadText(f"{row.where}: {error}") from error


def _check_fractions(singles: list[Row]) -> None:
    """Raise `BadText` if entries read as moves are fractions, and so rather values of positions."""
    if any(isinstance(row.single, float) and not row.single.is_integer() for row in singles):
        raise BadText(
            "its numbers are fractions, one for each position: if they are values of positions, add --values\n"
            "Else give a move for each position, or a number for each move"
        )


def _omission_notes(table: FileTable, chosen: FoundConvention, game: Game) -> list[str]:
    """Return a sentence for each kind of rows and things that were left out."""
    over = sum(
        len(rows) for position, rows in chosen.reading.rows_by_position.items() if game.outcome(position) is not None
    )
    names = [*map(quoted, islice(table.other_names, MAX_NAMED))]
    if len(table.other_names) > MAX_NAMED:
        names.append("…")
    omissions = (
        (chosen.unreachable, "position", "that play cannot reach"),
        (0 if table.has_position_values else over, "position", "in which the game is over"),
        (len(table.unvisited_rows), "board", "whose numbers are all equal, as if never visited"),
        (len(table.other_names), "thing", f"beside positions, moves and their numbers ({', '.join(names)})"),
    )
    return [
        f"{counted_noun(count, noun)} {reason} {'was' if count == 1 else 'were'} left out"
        for count, noun, reason in omissions
        if count
    ]


def _read_position_values(file: FileReading, words: set[str], reading: Reading) -> PolicyRead:
    """Return the policy of a file with values of positions. Raises `BadText`."""
    if file.convention.way in ("mine", "yours"):
        raise BadText("its positions show the pieces of the side to move, so its values cannot be those after a move")
    if not isinstance(reading.missing, str):
        raise BadText("--missing takes a number for values of moves only: these are values of positions")
    values = dict[Position, float]()
    for position, rows in file.rows_by_position.items():
        if len(rows) > 1:
            raise BadText(f"{file.game.to_text(position)} is given twice")
        values[position] = read_number(rows[0].single)
    perspective = find_perspective(values, file.game, words)
    replies, unvalued = replies_by_position_values(values, perspective, file.game, first_tie=reading.first_tie)
    kind = f"values of positions after the move, for {PERSPECTIVE_WORDS[perspective]}"
    return replies, kind, _unvalued_notes(unvalued)


def _unvalued_notes(count: int) -> list[str]:
    are = "is" if count == 1 else "are"
    return [f"{counted_noun(count, 'move')} without a value {are} never played"] if count else []


def _read_moves(file: FileReading, words: set[str], reading: Reading) -> PolicyRead:
    """Return the policy of a file with moves, or with numbers of moves. Raises `BadText`."""
    pairs, singles = dict[Position, list[Row]](), dict[Position, list[Row]]()
    for position, rows in file.rows_by_position.items():
        if file.game.outcome(position) is None:
            rows_of_kind = singles if rows[0].pairs is None else pairs
            rows_of_kind[position] = rows
    numbers = _kind_of(file.table, pairs, reading)
    perspective = next((word for word in PERSPECTIVES if word in words), None)
    notes = list[str]()
    if numbers is Numbers.VALUES:
        if perspective is None:
            check_perspective(file)
        notes += _add_unvisited(pairs, file)
        if isinstance(reading.missing, str):
            notes += _unvalued_notes(_count_unvalued(pairs, file.game))
    elif perspective is not None or not isinstance(reading.missing, str):
        option = perspective or "--missing with a number"
        raise BadText(f"{option} is for values: if its numbers are values of moves, add --values")
    replies = _replies_by_numbers(pairs, file, replace(reading, numbers=numbers))
    if numbers is Numbers.COUNTS:
        _check_counted_moves(replies)
    if singles:
        replies |= _replies_by_moves(singles, file)
        if any(len(rows) > 1 for rows in singles.values()):
            notes.append("Where a position has several rows, each move is played as often as it stands there")
    return replies, _kind_text(numbers, perspective, reading) if pairs else "moves", notes


def _replies_by_numbers(
    pairs: Mapping[Position, list[Row]], file: FileReading, reading: Reading
) -> dict[Position, Reply]:
    """Return the answers in the positions that have numbers of moves; without any number, there is none."""
    replies, reading = dict[Position, Reply](), replace(reading, first=file.convention.first)
    for position, (row, *more) in pairs.items():
        if more:
            raise BadText(f"{row.where} and {more[0].where} are the same position, which is given twice")
        written = file.pairs_for_mover(row, position)
        if written:
            missing = _missing_value(file, reading, position)
            reply = reply_by_numbers(written, file.game, position, reading, missing)
            if reply is not None:
                replies[position] = reply
    return replies


def _kind_text(numbers: Numbers, perspective: str | None, reading: Reading) -> str:
    """Return the kind of the numbers of moves, in words."""
    if numbers is Numbers.CHANCES:
        return "probabilities"
    if numbers is Numbers.COUNTS:
        return "counts of moves, played in proportion"
    whose = "" if perspective is None else f", for {PERSPECTIVE_WORDS[perspective]}"
    ties = "the first of equal ones is played" if reading.first_tie else "equal ones are equally likely"
    return f"values of moves{whose}, {ties}"


def _add_unvisited(pairs: dict[Position, list[Row]], file: FileReading) -> list[str]:
    """Add to `pairs` the rows of an array that were never visited; return a note about them, if there are any."""
    if not file.table.unvisited_rows:
        return []
    for position, row in place_rows(file.table.unvisited_rows, file.convention, file.game):
        pairs[position] = [row]
    file.table.unvisited_rows.clear()
    return ["Where all its values are equal, as where it was never trained, they count as any others"]


def _count_unvalued(pairs: Mapping[Position, list[Row]], game: Game) -> int:
    """Return the number of moves that have no number in their position."""
    return sum(max(len(game.moves(position)) - len(rows[0].pairs or ()), 0) for position, rows in pairs.items())


def _check_counted_moves(replies: Mapping[Position, Reply]) -> None:
    """Raise `BadText` if moves that cannot be played have counts, so that the numbers are not those of moves."""
    wrong = sum(bool(reply.illegal) for reply in replies.values())
    if wrong > max(MAX_STRAY * len(replies), LEAST_DECISIVE):
        raise BadText(
            f"in {wrong:,} of {len(replies):,} positions, it counts moves that cannot be played\n"
            "If its lists are those of squares, as of beads, write the number of each square instead"
        )


def _kind_of(table: FileTable, pairs: Mapping[Position, list[Row]], reading: Reading) -> Numbers:
    """Return the kind of the numbers for moves. Raises `BadText` if there are two possibilities."""
    if reading.numbers is not Numbers.CHANCES:
        return reading.numbers
    if table.kind in (Numbers.COUNTS, Numbers.CHANCES):
        return table.kind
    numbers = [_numbers_of(row) for rows in pairs.values() for row in rows]
    if table.kind is Numbers.VALUES:
        _check_sums(numbers)
        return Numbers.VALUES
    are_whole = all(number >= 0 and number.is_integer() for row in numbers for number in row)
    if not are_whole or all(abs(sum(row) - 1) <= TOLERANCE or sum(row) <= 0 for row in numbers):
        return Numbers.CHANCES  # whole numbers that sum to 1, or 0, in each position may be such
    _check_counts(numbers)
    return Numbers.COUNTS


def _numbers_of(row: Row) -> list[float]:
    try:
        return [read_number(each) for _, each in row.pairs or ()]
    except BadText as error:
        raise BadText(f"{row.where}: {error}") from error


def _check_sums(numbers: list[list[float]]) -> None:
    """Raise `BadText` if numbers named values may be probabilities, so that other moves than the highest are played."""
    if len(numbers) < LEAST_DECISIVE or not _has_different_numbers(numbers):
        return
    if all(min(row, default=0.0) >= 0 and abs(sum(row) - 1) <= TOLERANCE for row in numbers):
        raise BadText(
            "its values sum to 1 in each position, as probabilities do\nIf they are values, add --values; if "
            "probabilities, give them in columns named p, or as an object of moves for each position"
        )


def _check_counts(numbers: list[list[float]]) -> None:
    """Raise `BadText` if whole numbers may be values of moves, and playing only the highest would make a difference."""
    values = {0.0}.union(*numbers)
    if len(numbers) >= LEAST_DECISIVE and len(values) <= MAX_OUTCOME_VALUES and _has_different_numbers(numbers):
        raise BadText(
            f"its numbers are {', '.join(f'{value:g}' for value in sorted(values))}: they may be counts, "
            "or values of moves, such as of a loss, a draw and a win\nSay which: --values or --counts"
        )


def _has_different_numbers(numbers: list[list[float]]) -> bool:
    """Return whether a position has moves with different numbers, not counting 0."""
    return any(len({*row} - {0}) > 1 for row in numbers)


def _replies_by_moves(singles: Mapping[Position, list[Row]], file: FileReading) -> dict[Position, Reply]:
    """Return the answers in the positions that have moves without numbers. Raises `BadText`."""
    replies, game, uncounted = dict[Position, Reply](), file.game, file.table.unused_column
    for position, rows in singles.items():
        if len(rows) > 1 and uncounted:
            raise BadText(
                f"{game.to_text(position)} has several rows, and {uncounted!r} may count them\n"
                "Call the column with the numbers 'probability', 'count' or 'value', or remove it"
            )
        chances, illegal = dict[Move, float](), dict[str, None]()
        for row in rows:
            move = read_move(row.single, game, position, file.convention.first)
            if move is None:
                illegal[str(row.single)] = None
            else:
                chances[move] = chances.get(move, 0) + 1
        replies[position] = Reply({move: count / len(rows) for move, count in chances.items()}, tuple(illegal))
    return replies


def _is_symmetric(replies: Mapping[Position, Reply], game: Game) -> bool:
    """Return whether each position stands for its images, as a box of MENACE does: no two are images of each other.

    Raises `BadText` if that may be an accident: the positions are few, and not all that the agent can meet as a side.
    """
    if len(replies) < LEAST_SYMMETRIC or len(game.symmetries) == 1:
        return False
    for position in replies:
        images = (game.transform(position, symmetry) for symmetry in game.symmetries)
        if any(image != position and image in replies for image in images):
            return False
    if len(replies) ** 2 * len(game.symmetries) >= SURE_FACTOR * len(space_of(game).position):
        return True
    played = {position: reply.chances.keys() for position, reply in _add_images(replies, game).items()}
    if all(met_positions(side, played, game) <= played.keys() for side in {*map(game.side, replies)}):
        return True
    raise BadText(
        f"none of its {len(replies)} positions is the mirror image or rotation of another one: "
        "may they stand for these as well?\nSay it: --as symmetric or --as whole"
    )


def _add_images(replies: Mapping[Position, Reply], game: Game) -> dict[Position, Reply]:
    """Return answers together with their images in the positions that have none."""
    images = dict[Position, Reply]()
    for position, reply in replies.items():
        for symmetry in game.symmetries:
            chances = {game.transform_move(move, symmetry): chance for move, chance in reply.chances.items()}
            images.setdefault(game.transform(position, symmetry), replace(reply, chances=chances))
    return {**images, **replies}
