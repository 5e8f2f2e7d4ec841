"""Find out for whom values hold: the side that has moved, the side to move next, the first or the second side.

Of values of moves, moves that win at once show whether a side plays the highest or the lowest.

In a table with values of positions, the agent makes the move that leads to the position with the highest value. The
finished positions in the table tell whose values these are: whether those won by the first and by the second side have
the same value, and whether it is above or below that of the others. A table of positions after the moves of one side
alone holds values for that side: nearly all positions that it has won must have values above or below the others.
`--as` can also tell; its words apply to values of moves, too, as values of the positions after them:

    after-mover    for the side that has moved into the position        after-first     for the first side
    after-next     for the side that is to move in it                   after-second    for the second side
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import sqrt
from random import Random
from time import monotonic
from typing import Any, Final

import numpy as np

from engine.game import BadText, Game, Move, Outcome, Position, Side
from engine.known_positions import known_positions
from engine.space import RUNNING
from engine.spaces import space_of
from engine.tactics import wins
from lab.judging.files.file_boards import CACHED_BOARDS
from lab.judging.files.file_reading import LEAST_EXPLAINED, FileReading
from lab.judging.notation.reply import PERSPECTIVES, Reading, Reply, legal_reply, reply_with_highest, sign_of
from lab.judging.notation.standing_out import ENOUGH

PERSPECTIVE_WORDS: Final = {
    "after-mover": "the side that has moved",
    "after-next": "the side to move next",
    "after-first": "the first side",
    "after-second": "the second side",
}


def find_perspective(values: Mapping[Position, float], game: Game, wanted: set[str]) -> str:
    """Return for whom these values hold, one of `PERSPECTIVES`. Raises `BadText` if nothing tells."""
    for perspective in PERSPECTIVES:
        if perspective in wanted:
            return perspective
    ends: dict[Outcome | None, list[float]] = {}
    for position, value in values.items():
        ends.setdefault(game.outcome(position), []).append(value)
    first, second = ends.get(Outcome.FIRST_WINS, []), ends.get(Outcome.SECOND_WINS, [])
    others = [*ends.get(Outcome.DRAW, []), *ends.get(None, [])]
    perspective_by_ends = _perspective_by_ends(first, second, others)
    if perspective_by_ends is not None:
        return perspective_by_ends
    won = first or second
    if won and others and len({game.side(position) for position in values}) == 1:
        middle = sorted(others)[len(others) // 2]
        above = sum(value > middle for value in won) / len(won)
        if not 1 - LEAST_EXPLAINED < above < LEAST_EXPLAINED:
            return "after-mover" if above >= LEAST_EXPLAINED else "after-next"
    raise BadText(
        "its numbers are values of positions, and no finished positions tell whose values they are\n"
        f"Say it with --as: {', '.join(f'{word} for {who}' for word, who in PERSPECTIVE_WORDS.items())}"
    )


def _perspective_by_ends(first: Sequence[float], second: Sequence[float], others: Sequence[float]) -> str | None:
    """Return for whom values hold, by those of the positions that either side has won; `None` if they do not tell."""
    if not first or not second:
        return None
    if min(first) > max(second):
        return "after-first"
    if max(first) < min(second):
        return "after-second"
    if len({*first, *second}) == 1 and others:
        won = first[0]
        if won >= max(others) and won > min(others):
            return "after-mover"
        if won <= min(others) and won < max(others):
            return "after-next"
    return None


def replies_by_position_values(
    values: Mapping[Position, float], perspective: str, game: Game, *, first_tie: bool
) -> tuple[dict[Position, Reply], int]:
    """Return an answer for each position with a valued position after it, and the number of moves without a value."""
    replies, unknown, space = dict[Position, Reply](), 0, space_of(game)
    for position in space.position[space.outcome == RUNNING].tolist():
        successors, sign = [*game.successors(position)], sign_of(perspective, game.side(position))
        moves = {move: values[after] * sign for move, after, _ in successors if after in values}
        if moves:
            unknown += len(successors) - len(moves)
            replies[position] = reply_with_highest(moves, first_tie=first_tie)
    return replies, unknown


LEAST_LOW_SHARE: Final = 0.6
"""A side may play the lowest values if in this share of its positions the moves that win at once have lower ones."""
MAX_WINS: Final = 400
WINS_SECONDS: Final = 2.0
"""At most `MAX_WINS` positions in which a side can win at once are checked, in at most `WINS_SECONDS`."""


def check_perspective(reading: FileReading) -> None:
    """Raise `BadText` if a side of a file seems to play the lowest values of moves."""
    from statistics import fmean  # slow to import

    is_lower: dict[Side, list[bool]] = {side: [] for side in Side}
    for position, values in reading.running_entries({*reading.entries}):
        winning = winning_moves(position, reading.game)
        won = [value / len(values) for move, value in values if move in winning]  # the sum of huge ones would overflow
        others = [value / len(values) for move, value in values if move not in winning]
        if won and others and fmean(won) != fmean(others):
            is_lower[reading.game.side(position)].append(fmean(won) < fmean(others))
    _check_wins(is_lower, reading.game)


def _check_wins(is_lower: Mapping[Side, Sequence[bool]], game: Game) -> None:
    """Raise `BadText` if a side seems to play the lowest values of moves.

    `is_lower` has for each side, for positions in which it can win at once, whether such moves have lower values than
    others. The share of these must be `LEAST_LOW_SHARE`, and in few positions three standard deviations above a half,
    the share by chance.
    """
    sentences = dict[Side, str]()
    for side, flags in is_lower.items():
        if len(flags) >= ENOUGH and sum(flags) >= max(LEAST_LOW_SHARE, 0.5 + 1.5 / sqrt(len(flags))) * len(flags):
            mark, count = game.mark(side), sum(flags)
            sentences[side] = f"{mark} can win at once in {len(flags):,} positions, and in {count:,} of them"
    if not sentences:
        return
    word = "after-next"
    if len(sentences) == 1:
        word = "after-second" if Side.FIRST in sentences else "after-first"
    raise BadText(
        f"{min(sentences.values())} such moves have lower values than others: does it play the lowest?\n"
        f"Say it: --as {word}, or --as {PERSPECTIVES[0]} if each side plays the highest"
    )


def check_answered_values(
    ask: Callable[[Position], Mapping[str, Any]], game: Game, reading: Reading, sides: Sequence[Side]
) -> None:
    """Raise `BadText` if a side of an object seems to play the lowest values; `ask` returns messages of the child."""
    high, low = replace(reading, perspective="after-mover"), replace(reading, perspective="after-next")
    is_lower: dict[Side, list[bool]] = {side: [] for side in sides}
    for side in sides:
        deadline = monotonic() + WINS_SECONDS
        for position in _positions_to_win(game, side):
            answer = ask(position).get("answers", (None,))[0]
            best, worst = legal_reply(answer, position, game, high), legal_reply(answer, position, game, low)
            if best is None or worst is None or best.single or monotonic() > deadline:
                break
            winning = winning_moves(position, game)
            win_by_highest = sum(best.chances.get(move, 0.0) for move in winning)
            win_by_lowest = sum(worst.chances.get(move, 0.0) for move in winning)
            if win_by_lowest != win_by_highest:
                is_lower[side].append(win_by_lowest > win_by_highest)
    _check_wins(is_lower, game)


def _positions_to_win(game: Game, side: Side) -> list[Position]:
    """Return at most `MAX_WINS` positions in which a side can win at once."""
    if game.numbered:
        space = space_of(game)
        is_win = space.outcome[space.target] == Outcome.won_by(side)
        rows = np.unique(space.source[is_win & (space.side[space.source] == side)])
        positions = space.position[rows].tolist()
    else:
        known = [each.position for each in known_positions(game) if game.side(each.position) is side]
        positions = [position for position in known if winning_moves(position, game)]
    return Random(1).sample(positions, min(MAX_WINS, len(positions)))  # noqa: S311  positions, not secrets


@lru_cache(CACHED_BOARDS)
def winning_moves(position: Position | None, game: Game) -> frozenset[Move]:
    """Return the moves of a position that win at once; none if it is over, or `None`."""
    if position is None or game.outcome(position) is not None:
        return frozenset()
    return frozenset(wins(game, position))
