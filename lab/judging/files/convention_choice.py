"""Choose the convention of a file: the only one that explains all rows, or the one that stands out."""

from itertools import filterfalse, islice
from typing import Final

from engine.game import BadText, Position
from engine.grid import Symmetry
from engine.solve import perfect_edges
from engine.spaces import space_of
from lab.judging.files.file_reading import LEAST_DECISIVE, LEAST_EXPLAINED, FileReading
from lab.judging.files.file_table import Row
from lab.judging.files.perspective import winning_moves
from lab.judging.notation.standing_out import ABLE, CLEAR, SURE, knows_its_wins, stands_out
from lab.text.numbers import percent_text

LEAST_IF_SMALL: Final = 0.5
"""The same in a table that is too small to tell."""
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
    possible, full = reached, [each for each in readings if each.reached == reached and each.explains_reached]
    if not full:
        possible = _explained_rows(readings, reached, least)
        full = [each for each in readings if each.explained == possible]
    if not full:
        one = max(readings, key=lambda each: len(each.explained))
        full = [each for each in readings if each.explained == one.explained]
        other = max((each for each in readings if each not in full), key=lambda each: len(each.explained))
        clear = len(one.explained) - len(other.explained) >= CLEAR * len(possible)
        if len(one.explained) < LEAST_EXPLAINED * len(possible) or not clear:
            raise _refusal("no convention explains all of its rows", one, other, possible)
    different = list[FileReading]()
    for each in [each for each in full if each.is_filled] or full:
        if not any(_is_same(each, other) for other in different):
            different.append(each)
    rivals = [*different, *(each for each in readings if each not in full and _is_near(each, reached))]
    chosen = rivals if len(rivals) == 1 else [each for each in rivals if each.is_met]
    if len(chosen) != 1:
        chosen = [one for one in different if all(_is_clear(one, other) for other in rivals if other is not one)]
    if len(chosen) != 1:
        share = "all" if full[0].explained == reached else "as many"
        what = f"two conventions explain {share}" if len(different) > 1 else "another convention explains nearly all"
        raise _refusal(f"{what} of its rows", rivals[0], rivals[1], possible)
    return chosen[0]


def _explained_rows(readings: list[FileReading], reached: frozenset[int], least: float) -> frozenset[int]:
    """Return the rows that some reading explains. Raises `BadText` if each explains too few of the reached rows."""
    most, game = max(len(each.explained) for each in readings), readings[0].game
    found = frozenset[int]().union(*(each.explained for each in readings))
    if not most:
        example = game.move_name(game.moves(game.start)[0])
        raise BadText(
            f"none of its moves is legal, however its squares are numbered: are they moves of {game.title}?\n"
            f"A move there is written as in {example}"
        )
    if most < least * len(reached) <= len(found):
        ways = sorted({each.convention.way for each in readings if len(each.explained) == most})
        raise BadText(
            f"no way to read it explains more than {most:,} of its {len(reached):,} rows: may either side begin?\n"
            f"Say whose pieces are whose: --as {' or --as '.join(ways)}"
        )
    if most < least * len(reached):
        single = any(row.pairs is None for row in readings[0].table.rows)
        values = "If its numbers are values of positions, add --values; else say" if single else "Say"
        raise BadText(
            f"only {most:,} of its {len(reached):,} rows have a legal move, however they are read\n"
            f"{values} how to read it, as in --as x-first"
        )
    return found


def _is_near(reading: FileReading, reached: frozenset[int]) -> bool:
    """Return whether a reading explains all but a few rows, which have illegal moves or mistaken positions."""
    most = int((1 - LEAST_EXPLAINED) * len(reached))
    if len(reached - reading.reached) > MAX_STRAY * len(reached):
        return False
    return next(islice(filterfalse(reading.explains, reached), most, None), None) is None


def _is_same(one: FileReading, other: FileReading) -> bool:
    """Return whether two readings are the same, perhaps up to a symmetry of the game."""
    return one.policy == other.policy or any(_is_image(one, other, each) for each in one.game.symmetries)


def _is_image(one: FileReading, other: FileReading, symmetry: Symmetry) -> bool:
    game = one.game
    if one.table.of_positions:
        mine, yours = ({position: [*map(id, rows)] for position, rows in each.rows.items()} for each in (one, other))
        return {game.transform(position, symmetry): rows for position, rows in mine.items()} == yours
    return len(one.policy) == len(other.policy) and all(
        other.policy.get(game.transform(position, symmetry))
        == [
            tuple(
                (game.transform_move(move, symmetry) if isinstance(move, int) else move, value) for move, value in row
            )
            for row in rows
        ]
        for position, rows in one.policy.items()
    )


def _is_clear(one: FileReading, other: FileReading) -> bool:
    rows = {row for row in one.entries.keys() & other.entries.keys() if one.entries[row] != other.entries[row]}
    if one.met is None and other.met is not None:
        return False
    if one.convention.way == other.convention.way:
        return stands_out(_perfect_shares(one, rows), _perfect_shares(other, rows), LEAST_DECISIVE)
    if knows_its_wins(
        _move_values(one, rows, wins=True), _move_values(other, rows, wins=True), _move_values(one, rows)
    ):
        return True
    if other.rank < one.rank and other.explained >= one.explained:
        return False  # an agent that takes the other side's pieces for its own would seem perfect
    quiet = {row for row in rows if not any(winning_moves(each.positions[row], each.game) for each in (one, other))}
    found, everywhere = (
        (_perfect_shares(one, quiet), _perfect_shares(other, quiet)),
        _perfect_shares(one, {*one.entries}),
    )
    if one.rank < other.rank and stands_out(*found, LEAST_QUIET, able=0):
        return True
    sure = min(everywhere, default=0) >= SURE
    return sum(everywhere) >= ABLE * len(everywhere) and stands_out(*found, LEAST_DECISIVE if sure else LEAST_QUIET)


def _refusal(problem: str, one: FileReading, other: FileReading, possible: frozenset[int]) -> BadText:
    shown, typed, game = [], [], one.game
    for each, rival in ((one, other), (other, one)):
        if each.explained >= rival.explained:
            differing = (here for here, moves in each.policy.items() if rival.policy.get(here) != moves)
            position = next(differing, None)
            if position is None:  # its policy is a part of the other one
                position = next(here for here in rival.policy if here not in each.policy)
                example = f"{rival.rows[position][0].where} does not fit"
            else:
                row = each.rows[position][0]
                example = f"{row.where} is {game.to_text(position)}{_example_move(each, position, row)}"
        else:
            missed = each.table.rows[min(possible - each.explained)].where
            example = f"{percent_text(len(each.explained) / len(possible))} of them, not {missed}"
        shown.append(f"'{each.convention.describe(game, numbered=True)}': {example}")
        words = each.convention.words - rival.convention.words
        typed += [f"--as {','.join(sorted(words))}"] if words else []
    return BadText(f"{problem}: {'; or '.join(shown)}\nSay which: {' or '.join(typed)}")


def _example_move(reading: FileReading, position: Position, row: Row) -> str:
    written = row.single if row.pairs is None else next((move for move, chance in row.pairs if chance), None)
    move = reading.move_of(written, position)
    return f" {reading.game.move_name(move)}" if move in reading.game.moves(position) else ""


def _perfect_shares(reading: FileReading, rows: set[int]) -> list[float]:
    """Return the chance that the highest move is perfect, by row, where at least half of the moves are not."""
    space, found = space_of(reading.game), list[float]()
    good = perfect_edges(space)
    for position, values in reading.running_entries(rows):
        edges = space.edges(position)
        perfect = {int(space.move[edge]) for edge in edges if good[edge]}
        if len(perfect) * 2 > len(edges) or not values:
            continue
        highest = max(value for _, value in values)
        best = [move for move, value in values if value == highest]
        found.append(sum(move in perfect for move in best) / len(best))
    return found


def _move_values(reading: FileReading, rows: set[int], *, wins: bool = False) -> list[float]:
    return [
        value
        for position, values in reading.running_entries(rows)
        for move, value in values
        if not wins or move in winning_moves(position, reading.game)
    ]
