"""Choose the convention of a file: the only one that explains all rows, or the one that stands out."""

from typing import Final

from engine.game import BadText, Game, Position
from engine.grid import Symmetry
from engine.solve import perfect_edges
from engine.spaces import space_of
from lab.judging.files.file_reading import LEAST_DECISIVE, LEAST_EXPLAINED, FileReading, NumberedMoves
from lab.judging.files.file_table import Row
from lab.judging.files.perspective import winning_moves
from lab.judging.notation.standing_out import ABLE, CLEAR, SURE, knows_its_wins, stands_out
from lab.text.numbers import percent_text

LEAST_IF_SMALL: Final = 0.5
"""The same as `LEAST_EXPLAINED`, for a table that is too small to tell."""
MAX_STRAY: Final = 0.01
"""The largest share of the positions that a program may have written by mistake."""
LEAST_QUIET: Final = 100
"""The least number of positions that decide whether each side has the other's pieces, if the agent errs.

Then only positions in which no side can win at once count: there an agent that blocks before it wins does not play
better if it is misread."""


def choose_reading(readings: list[FileReading], reached: frozenset[int], least: float) -> FileReading:
    """Return the reading by the convention that explains all rows, or stands out among those that do. Raises `BadText`.

    A row that no convention explains has an illegal move, which is a mistake of the agent, and tells nothing. `least`
    is the share of the rows with `reached` positions that must be explained.
    """
    possible, full = reached, [each for each in readings if each.reached_rows == reached and each.explains_all_reached]
    if not full:
        possible = _explained_rows(readings, reached, least)
        full = [each for each in readings if each.explained_rows == possible]
    if not full:
        full = _best_readings(readings, possible)
    different = list[FileReading]()
    for each in [each for each in full if each.is_filled] or full:
        if not any(_is_same(each, other) for other in different):
            different.append(each)
    rivals = [*different, *(each for each in readings if each not in full and _is_near(each, reached))]
    if len(rivals) == 1:
        return rivals[0]
    met = [each for each in rivals if each.is_met]
    if len(met) == 1:
        return met[0]
    clear = [each for each in different if all(_is_clear(each, rival) for rival in rivals if rival is not each)]
    if len(clear) == 1:
        return clear[0]
    share = "all" if full[0].explained_rows == reached else "as many"
    problem = f"two conventions explain {share}" if len(different) > 1 else "another convention explains nearly all"
    raise _ambiguity_error(f"{problem} of its rows", rivals[0], rivals[1], possible)


def _best_readings(readings: list[FileReading], possible: frozenset[int]) -> list[FileReading]:
    """Return the readings that explain the most rows. Raises `BadText` unless they explain far more than the others."""
    best = max(readings, key=lambda each: len(each.explained_rows))
    best_readings = [each for each in readings if each.explained_rows == best.explained_rows]
    second = max((each for each in readings if each not in best_readings), key=lambda each: len(each.explained_rows))
    is_clear = len(best.explained_rows) - len(second.explained_rows) >= CLEAR * len(possible)
    if len(best.explained_rows) < LEAST_EXPLAINED * len(possible) or not is_clear:
        raise _ambiguity_error("no convention explains all of its rows", best, second, possible)
    return best_readings


def _explained_rows(readings: list[FileReading], reached: frozenset[int], least: float) -> frozenset[int]:
    """Return the rows that some reading explains. Raises `BadText` if each explains too few of the reached rows."""
    most, game = max(len(each.explained_rows) for each in readings), readings[0].game
    explained = frozenset[int]().union(*(each.explained_rows for each in readings))
    if not most:
        example = game.move_name(game.moves(game.start)[0])
        raise BadText(
            f"none of its moves is legal, however its squares are numbered: are they moves of {game.title}?\n"
            f"A move there is written as in {example}"
        )
    needed = least * len(reached)
    if most >= needed:
        return explained
    if len(explained) >= needed:
        ways = sorted({each.convention.way for each in readings if len(each.explained_rows) == most})
        raise BadText(
            f"no way to read it explains more than {most:,} of its {len(reached):,} rows: may either side begin?\n"
            f"Say whose pieces are whose: --as {' or --as '.join(ways)}"
        )
    has_single_values = any(row.pairs is None for row in readings[0].table.rows)
    advice = "If its numbers are values of positions, add --values; else say" if has_single_values else "Say"
    raise BadText(
        f"only {most:,} of its {len(reached):,} rows have a legal move, however they are read\n"
        f"{advice} how to read it, as in --as x-first"
    )


def _is_near(reading: FileReading, reached: frozenset[int]) -> bool:
    """Return whether a reading explains all but a few rows, which have illegal moves or mistaken positions."""
    if len(reached - reading.reached_rows) > MAX_STRAY * len(reached):
        return False
    unexplained, limit = 0, int((1 - LEAST_EXPLAINED) * len(reached))
    for row in reached:
        if not reading.explains(row):
            unexplained += 1
            if unexplained > limit:
                return False
    return True


def _is_same(one: FileReading, other: FileReading) -> bool:
    """Return whether two readings are the same, perhaps up to a symmetry of the game."""
    return one.policy == other.policy or any(_is_image(one, other, each) for each in one.game.symmetries)


def _is_image(one: FileReading, other: FileReading, symmetry: Symmetry) -> bool:
    """Return whether a symmetry maps one reading to another."""
    game = one.game
    if one.table.has_position_values:
        mine, yours = one.rows_by_position.items(), other.rows_by_position.items()
        image = {game.transform(position, symmetry): [*map(id, rows)] for position, rows in mine}
        return image == {position: [*map(id, rows)] for position, rows in yours}
    if len(one.policy) != len(other.policy):
        return False
    for position, rows in one.policy.items():
        images = [_transform_moves(row, symmetry, game) for row in rows]
        if other.policy.get(game.transform(position, symmetry)) != images:
            return False
    return True


def _transform_moves(row: NumberedMoves, symmetry: Symmetry, game: Game) -> NumberedMoves:
    """Return the images of the moves of a row; what is not a move stays as it is."""
    return tuple(
        (game.transform_move(move, symmetry) if isinstance(move, int) else move, number) for move, number in row
    )


def _is_clear(one: FileReading, other: FileReading) -> bool:
    """Return whether one reading stands out against another: by it the agent plays well, by the other badly."""
    if one.positions_met is None and other.positions_met is not None:
        return False
    rows = {row for row in one.entries.keys() & other.entries.keys() if one.entries[row] != other.entries[row]}
    if one.convention.way == other.convention.way:
        return stands_out(_perfect_shares(one, rows), _perfect_shares(other, rows), LEAST_DECISIVE)
    if knows_its_wins(_winning_values(one, rows), _winning_values(other, rows), _move_values(one, rows)):
        return True
    if other.rank < one.rank and other.explained_rows >= one.explained_rows:
        return False  # an agent that takes the other side's pieces for its own would seem perfect
    quiet = {row for row in rows if not any(winning_moves(each.positions[row], each.game) for each in (one, other))}
    mine, yours = _perfect_shares(one, quiet), _perfect_shares(other, quiet)
    if one.rank < other.rank and stands_out(mine, yours, LEAST_QUIET, able=0):
        return True
    everywhere = _perfect_shares(one, {*one.entries})
    is_able, is_sure = sum(everywhere) >= ABLE * len(everywhere), min(everywhere, default=0) >= SURE
    return is_able and stands_out(mine, yours, LEAST_DECISIVE if is_sure else LEAST_QUIET)


def _ambiguity_error(problem: str, one: FileReading, other: FileReading, possible: frozenset[int]) -> BadText:
    """Return the error for two conventions, with an example and the words for each of them."""
    examples, choices = list[str](), list[str]()
    for reading, rival in ((one, other), (other, one)):
        convention = reading.convention.describe(one.game, numbered=True)
        examples.append(f"'{convention}': {_example_row(reading, rival, possible)}")
        words = reading.convention.words - rival.convention.words
        if words:
            choices.append(f"--as {','.join(sorted(words))}")
    return BadText(f"{problem}: {'; or '.join(examples)}\nSay which: {' or '.join(choices)}")


def _example_row(reading: FileReading, rival: FileReading, possible: frozenset[int]) -> str:
    """Return a row that a reading reads differently from its rival, or which of them does not fit."""
    if not reading.explained_rows >= rival.explained_rows:
        missed = reading.table.rows[min(possible - reading.explained_rows)].where
        return f"{percent_text(len(reading.explained_rows) / len(possible))} of them, not {missed}"
    position = next((place for place, moves in reading.policy.items() if rival.policy.get(place) != moves), None)
    if position is None:  # its policy is a part of the other one
        position = next(place for place in rival.policy if place not in reading.policy)
        return f"{rival.rows_by_position[position][0].where} does not fit"
    row = reading.rows_by_position[position][0]
    return f"{row.where} is {reading.game.to_text(position)}{_example_move(reading, position, row)}"


def _example_move(reading: FileReading, position: Position, row: Row) -> str:
    """Return the first move of a row with a number that is not 0, after a space; empty if it is not legal."""
    written = row.single if row.pairs is None else next((move for move, number in row.pairs if number), None)
    move = reading.move_of(written, position)
    return f" {reading.game.move_name(move)}" if move in reading.game.moves(position) else ""


def _perfect_shares(reading: FileReading, rows: set[int]) -> list[float]:
    """Return the chance that the highest move is perfect, by row, where at least half of the moves are not."""
    space, shares = space_of(reading.game), list[float]()
    is_perfect = perfect_edges(space)
    for position, values in reading.running_entries(rows):
        edges = space.edges(position)
        perfect = {int(space.move[edge]) for edge in edges if is_perfect[edge]}
        if len(perfect) * 2 <= len(edges) and values:
            highest = max(value for _, value in values)
            best = [move for move, value in values if value == highest]
            shares.append(sum(move in perfect for move in best) / len(best))
    return shares


def _move_values(reading: FileReading, rows: set[int]) -> list[float]:
    return [value for _, values in reading.running_entries(rows) for _, value in values]


def _winning_values(reading: FileReading, rows: set[int]) -> list[float]:
    """Return the values of the moves that win at once."""
    return [
        value
        for position, values in reading.running_entries(rows)
        for move, value in values
        if move in winning_moves(position, reading.game)
    ]
