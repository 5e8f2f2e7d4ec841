"""Policies in files of other programs: with moves, probabilities, counts, values of moves, or values of positions.

A file is read into rows (`lab.judging.files.tables`), and the meaning of its positions and squares is found for the
whole file (`lab.judging.files.conventions`). A file that could be read in two ways is refused, or the report says how
it was read. Whatever is left out is reported with a count and a reason.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from engine.game import BadText, Game, Position, Side, quoted
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
    elsewhere: Ask = lambda _: None
    """Returns the answer in a position that the file does not have."""

    def ask(self, position: Position) -> Reply | None:
        reply = self.replies.get(position)
        return self.elsewhere(position) if reply is None else reply

    def agent(self, game: Game) -> Agent:
        """Return the file as an agent; it plays the sides for which the file has positions."""
        sides = tuple(each for each in Side if any(game.side(position) is each for position in self.replies))
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
        table = add_both_sides(read(), game)
        singles = [row for row in table.rows if row.pairs is None]
        by_value = reading.numbers is Numbers.VALUES or table.kind is Numbers.VALUES
        table.of_positions = by_value and len(singles) == len(table.rows)
        if table.of_positions:
            _check_values(singles)
        else:
            table = replace_boards_by_moves(table, game)
        _check_fractions(singles, table)
        found = find_convention(table, game, form)
        words = {*words_of(form)}
        if table.of_positions:
            replies, what, notes = _read_position_values(found, game, words, reading)
        else:
            replies, what, notes = _read_move_numbers(table, found, game, words, reading)
        if "symmetric" in words or ("whole" not in words and _is_symmetric(replies, game)):
            replies = _add_images(replies, game)
            notes.append("Its positions stand for their mirror images and rotations")
    except BadText as error:
        raise BadText(f"{name}: {error}") from error
    except RecursionError as error:
        raise LibraryError(f"{name} is nested too deeply") from error
    if not replies:
        raise BadText(f"{name}: it has no position of {game.title} that is not over: is it a policy of another game?")
    convention = found.reading.convention.describe(game, numbered=found.numbered)
    share = "all" if found.share == 1 else percent_text(found.share)
    notes += _omission_notes(table, found, game)
    if reading.missing != MISSING_RULES[0]:
        notes.append(f"Where it has no answer, it plays as --missing {reading.missing} says")
    convention = f"{what}; {convention}: this explains {share} of its rows"
    return PolicyFile(replies, what, convention, tuple(notes), partial(_missing_reply, found.reading, reading))


def _missing_reply(read: FileReading, reading: Reading, position: Position) -> Reply | None:
    if reading.missing == MISSING_RULES[0]:
        return None
    worth = _missing_value(read, reading, position)
    first_tie = reading.first_tie and worth is not None
    return reply_by_values([], read.game, position, first_tie=first_tie, missing=worth or 0.0)


def _missing_value(read: FileReading, reading: Reading, position: Position) -> float | None:
    """Return the value of moves without one in the file, for the side to move; `None` if they are never played."""
    missing = reading.missing
    return None if isinstance(missing, str) else missing * sign_of(read.perspective, read.game.side(position))


def _check_values(singles: list[Row]) -> None:
    for row in singles:
        try:
            read_number(row.single)
        except BadText as error:
            raise BadText(f"{row.where}: {error}") from error


def _check_fractions(singles: list[Row], table: FileTable) -> None:
    """Raise `BadText` if entries read as moves are fractions, and so rather values of positions."""
    if not table.of_positions and any(isinstance(row.single, float) and not row.single.is_integer() for row in singles):
        raise BadText(
            "its numbers are fractions, one for each position: if they are values of positions, add --values\n"
            "Else give a move for each position, or a number for each move"
        )


def _omission_notes(table: FileTable, found: FoundConvention, game: Game) -> list[str]:
    over = sum(len(rows) for position, rows in found.reading.rows.items() if game.outcome(position) is not None)
    names = ", ".join(
        [*map(quoted, islice(table.beside, MAX_NAMED)), *(["…"] if len(table.beside) > MAX_NAMED else [])]
    )
    parts = (
        (found.unreachable, "position", "that play cannot reach"),
        (0 if table.of_positions else over, "position", "in which the game is over"),
        (len(table.unvisited), "board", "whose numbers are all equal, as if never visited"),
        (len(table.beside), "thing", f"beside positions, moves and their numbers ({names})"),
    )
    return [
        f"{counted_noun(count, what)} {why} {'was' if count == 1 else 'were'} left out"
        for count, what, why in parts
        if count
    ]


def _read_position_values(
    found: FoundConvention, game: Game, words: set[str], reading: Reading
) -> tuple[dict[Position, Reply], str, list[str]]:
    if found.reading.convention.way in ("mine", "yours"):
        raise BadText("its positions show the pieces of the side to move, so its values cannot be those after a move")
    if not isinstance(reading.missing, str):
        raise BadText("--missing takes a number for values of moves only: these are values of positions")
    values = dict[Position, float]()
    for position, rows in found.reading.rows.items():
        if len(rows) > 1:
            raise BadText(f"{game.to_text(position)} is given twice")
        values[position] = read_number(rows[0].single)
    perspective = find_perspective(values, game, words)
    replies, unknown = replies_by_position_values(values, perspective, game, first_tie=reading.first_tie)
    return (
        replies,
        f"values of positions after the move, for {PERSPECTIVE_WORDS[perspective]}",
        _unvalued_notes(unknown),
    )


def _unvalued_notes(unknown: int) -> list[str]:
    are = "is" if unknown == 1 else "are"
    return [f"{counted_noun(unknown, 'move')} without a value {are} never played"] if unknown else []


def _read_move_numbers(
    table: FileTable, found: FoundConvention, game: Game, words: set[str], reading: Reading
) -> tuple[dict[Position, Reply], str, list[str]]:
    rows = {each: rows for each, rows in found.reading.rows.items() if game.outcome(each) is None}
    pairs = {position: each for position, each in rows.items() if each[0].pairs is not None}
    singles = {position: each for position, each in rows.items() if each[0].pairs is None}
    kind, given = _kind_of(table, pairs, reading), next((each for each in PERSPECTIVES if each in words), None)
    valued = [given] if given else ["--missing with a number"] if not isinstance(reading.missing, str) else []
    if kind is not Numbers.VALUES and valued:
        raise BadText(f"{valued[0]} is for values: if its numbers are values of moves, add --values")
    notes = _add_unvisited(pairs, table, found, given, reading) if kind is Numbers.VALUES else []
    replies, read_as = dict[Position, Reply](), replace(reading, numbers=kind, first=found.reading.convention.first)
    for position, (row, *more) in pairs.items():
        if more:
            raise BadText(f"{row.where} and {more[0].where} are the same position, which is given twice")
        written, worth = found.reading.pairs_for_mover(row, position), _missing_value(found.reading, reading, position)
        if written and (reply := reply_by_numbers(written, game, position, read_as, worth)) is not None:
            replies[position] = reply
    _check_counted_moves(kind, replies)
    if singles:
        replies |= _replies_by_moves(singles, table, found.reading, game)
        if any(len(each) > 1 for each in singles.values()):
            notes.append("Where a position has several rows, each move is played as often as it stands there")
    names = {
        Numbers.VALUES: "values of moves" if given is None else f"values of moves, for {PERSPECTIVE_WORDS[given]}",
        Numbers.COUNTS: "counts of moves, played in proportion",
        Numbers.CHANCES: "probabilities",
    }
    what = "moves" if not pairs else names[kind]
    if pairs and kind is Numbers.VALUES:
        what += ", the first of equal ones is played" if reading.first_tie else ", equal ones are equally likely"
    return replies, what, notes


def _add_unvisited(
    pairs: dict[Position, list[Row]], table: FileTable, found: FoundConvention, given: str | None, reading: Reading
) -> list[str]:
    """Check the values of moves, and add the rows that were never visited; return notes about what is left open."""
    check_perspective(found.reading, given)
    game, notes = found.reading.game, list[str]()
    if table.unvisited:
        pairs |= {position: [row] for position, row in place_rows(table.unvisited, found.reading.convention, game)}
        table.unvisited.clear()
        notes.append("Where all its values are equal, as where it was never trained, they count as any others")
    if isinstance(reading.missing, str):
        notes += _unvalued_notes(
            sum(max(len(game.moves(it)) - len(row.pairs or ()), 0) for it, (row, *_) in pairs.items())
        )
    return notes


def _check_counted_moves(kind: Numbers, replies: Mapping[Position, Reply]) -> None:
    """Raise `BadText` if moves that cannot be played have counts, so that the numbers are not those of moves."""
    wrong = sum(bool(each.illegal) for each in replies.values())
    if kind is Numbers.COUNTS and wrong > max(MAX_STRAY * len(replies), LEAST_DECISIVE):
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
    whole_ones = all(each >= 0 and each.is_integer() for row in numbers for each in row)
    if not whole_ones or all(abs(sum(row) - 1) <= TOLERANCE or sum(row) <= 0 for row in numbers):
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
    differ = len(numbers) >= LEAST_DECISIVE and any(len({*row} - {0}) > 1 for row in numbers)
    if differ and all(min(row, default=0.0) >= 0 and abs(sum(row) - 1) <= TOLERANCE for row in numbers):
        raise BadText(
            "its values sum to 1 in each position, as probabilities do\nIf they are values, add --values; if "
            "probabilities, give them in columns named p, or as an object of moves for each position"
        )


def _check_counts(numbers: list[list[float]]) -> None:
    """Raise `BadText` if whole numbers may be values of moves, and playing only the highest would make a difference."""
    known, differ = {0.0}.union(*numbers), any(len({*row} - {0}) > 1 for row in numbers)
    if len(numbers) >= LEAST_DECISIVE and len(known) <= MAX_OUTCOME_VALUES and differ:
        raise BadText(
            f"its numbers are {', '.join(f'{each:g}' for each in sorted(known))}: they may be counts, "
            "or values of moves, such as of a loss, a draw and a win\nSay which: --values or --counts"
        )


def _replies_by_moves(
    singles: Mapping[Position, list[Row]], table: FileTable, reading: FileReading, game: Game
) -> dict[Position, Reply]:
    """Return the answers of a file that has moves without numbers."""
    replies, first = dict[Position, Reply](), reading.convention.first
    for position, rows in singles.items():
        if len(rows) > 1 and table.uncounted:
            raise BadText(
                f"{game.to_text(position)} has several rows, and {table.uncounted!r} may count them\n"
                "Call the column with the numbers 'probability', 'count' or 'value', or remove it"
            )
        moves = [read_move(row.single, game, position, first) for row in rows]
        if len(moves) == 1 and moves[0] is not None:  # the usual case
            replies[position] = Reply({moves[0]: 1.0})
            continue
        legal = [move for move in moves if move is not None]
        wrong = dict.fromkeys(str(row.single) for row, move in zip(rows, moves, strict=True) if move is None)
        replies[position] = Reply({move: legal.count(move) / len(rows) for move in legal}, tuple(wrong))
    return replies


def _is_symmetric(replies: Mapping[Position, Reply], game: Game) -> bool:
    """Return whether each position stands for its images, as a box of MENACE does: no two are images of each other.

    Raises `BadText` if that may be an accident: the positions are few, and not all that the agent can meet as a side.
    """
    if len(replies) < LEAST_SYMMETRIC or len(game.symmetries) == 1:
        return False
    for position in replies:
        if any((image := game.transform(position, each)) != position and image in replies for each in game.symmetries):
            return False
    everywhere = _add_images(replies, game)
    sure = len(replies) ** 2 * len(game.symmetries) >= SURE_FACTOR * len(space_of(game).position)
    played = {position: reply.chances.keys() for position, reply in everywhere.items()}
    if sure or all(met_positions(side, played, game) <= played.keys() for side in {*map(game.side, replies)}):
        return True
    raise BadText(
        f"none of its {len(replies)} positions is the mirror image or rotation of another one: "
        "may they stand for these as well?\nSay it: --as symmetric or --as whole"
    )


def _add_images(replies: Mapping[Position, Reply], game: Game) -> dict[Position, Reply]:
    found = dict[Position, Reply]()
    for position, reply in replies.items():
        for symmetry in game.symmetries:
            image = game.transform(position, symmetry)
            moved = {game.transform_move(move, symmetry): chance for move, chance in reply.chances.items()}
            found.setdefault(image, replace(reply, chances=moved))
    return {**found, **replies}
