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

PERSPECTIVE_WORDS = {
    "after-mover": "the side that has moved",
    "after-next": "the side to move next",
    "after-first": "the first side",
    "after-second": "the second side",
}


def find_perspective(  # noqa: C901  each way to tell, in turn
    values: Mapping[Position, float], game: Game, wanted: set[str]
) -> str:
    """Return for whom these values hold, one of `PERSPECTIVES`. Raises `BadText` if nothing tells."""
    given = [each for each in PERSPECTIVES if each in wanted]
    if given:
        return given[0]
    ends: dict[Outcome | None, list[float]] = {}
    for position, value in values.items():
        ends.setdefault(game.outcome(position), []).append(value)
    first, second = ends.get(Outcome.FIRST_WINS, []), ends.get(Outcome.SECOND_WINS, [])
    others = [value for outcome in (Outcome.DRAW, None) for value in ends.get(outcome, [])]
    if first and second:
        if min(first) > max(second):
            return "after-first"
        if max(first) < min(second):
            return "after-second"
        if others and min(first) == max(first) == min(second) == max(second):
            if min(first) >= max(others) and min(first) > min(others):
                return "after-mover"
            if max(first) <= min(others) and max(first) < max(others):
                return "after-next"
    if len({game.side(position) for position in values}) == 1 and (won := first or second) and others:
        middle = sorted(others)[len(others) // 2]
        above = sum(value > middle for value in won) / len(won)
        if not 1 - LEAST_EXPLAINED < above < LEAST_EXPLAINED:
            return "after-mover" if above >= LEAST_EXPLAINED else "after-next"
    raise BadText(
        "its numbers are values of positions, and no finished positions tell whose values they are\n"
        f"Say it with --as: {', '.join(f'{word} for {who}' for word, who in PERSPECTIVE_WORDS.items())}"
    )


def replies_by_position_values(
    values: Mapping[Position, float], perspective: str, game: Game, *, first_tie: bool
) -> tuple[dict[Position, Reply], int]:
    """Return an answer for each position with a valued position after it, and the number of moves without a value."""
    replies, unknown, space = dict[Position, Reply](), 0, space_of(game)
    for position in space.position[space.outcome == RUNNING].tolist():
        after, sign = [*game.successors(position)], sign_of(perspective, game.side(position))
        moves = {move: values[reached] * sign for move, reached, _ in after if reached in values}
        if moves:
            unknown += len(after) - len(moves)
            replies[position] = reply_with_highest(moves, first_tie=first_tie)
    return replies, unknown


LEAST_LOW_SHARE: Final = 0.6
"""A side may play the lowest values if this share of the moves that win at once have lower values than others."""
MAX_WINS: Final = 400
WINS_SECONDS: Final = 2.0
"""How many positions in which a side can win at once are checked, if this time allows."""


def check_perspective(reading: FileReading, given: str | None) -> None:
    """Raise `BadText` if a side of a file may play the lowest values, unless `given` says for whom the values hold."""
    if given is not None:
        return
    from statistics import fmean  # slow to import

    lower: dict[Side, list[bool]] = {side: [] for side in Side}
    for position, values in reading.running_entries({*reading.entries}):
        winning = winning_moves(position, reading.game)
        won = [value / len(values) for move, value in values if move in winning]  # the sum of huge ones would overflow
        others = [value / len(values) for move, value in values if move not in winning]
        if won and others and fmean(won) != fmean(others):
            lower[reading.game.side(position)].append(fmean(won) < fmean(others))
    _check_wins(lower, reading.game)


def _check_wins(lower: Mapping[Side, Sequence[bool]], game: Game) -> None:
    """Raise `BadText` if a side seems to play the lowest values of moves.

    `lower` has for each side, for positions in which it can win at once, whether such moves have lower values than
    others. The share of these must be `LEAST_LOW_SHARE`, and in few positions three standard deviations above a half, the share by
    chance.
    """
    low = {
        side: f"{game.mark(side)} can win at once in {len(each):,} positions, and in {sum(each):,}"
        for side, each in lower.items()
        if len(each) >= ENOUGH and sum(each) >= max(LEAST_LOW_SHARE, 0.5 + 1.5 / sqrt(len(each))) * len(each)
    }
    if low:
        word = PERSPECTIVES[1] if len(low) > 1 else PERSPECTIVES[3 - min(low)]
        raise BadText(
            f"{min(low.values())} of them such moves have lower values than others: does it play the lowest?\n"
            f"Say it: --as {word}, or --as {PERSPECTIVES[0]} if each side plays the highest"
        )


def check_answered_values(
    ask: Callable[[Position], Mapping[str, Any]], game: Game, reading: Reading, sides: Sequence[Side]
) -> None:
    """Raise `BadText` if a side of an object seems to play the lowest values; `ask` returns messages of the child."""
    high, low = (replace(reading, perspective=word) for word in PERSPECTIVES[:2])
    lower: dict[Side, list[bool]] = {side: [] for side in sides}
    for side in sides:
        until = monotonic() + WINS_SECONDS
        for position in _won_at_once(game, side):
            answers = ask(position).get("answers", (None,))
            best, worst = (legal_reply(answers[0], position, game, way) for way in (high, low))
            if best is None or worst is None or best.single or monotonic() > until:
                break
            winning = winning_moves(position, game)
            highest, lowest = (sum(each.chances.get(move, 0.0) for move in winning) for each in (best, worst))
            lower[side] += [lowest > highest] if lowest != highest else []
    _check_wins(lower, game)


def _won_at_once(game: Game, side: Side) -> list[Position]:
    if game.numbered:
        space = space_of(game)
        winning = space.outcome[space.target] == Outcome.won_by(side)
        rows = np.unique(space.source[winning & (space.side[space.source] == side)])
        known = space.position[rows].tolist()
    else:
        known = [each.position for each in known_positions(game) if game.side(each.position) is side]
    chosen = [each for each in known if game.numbered or winning_moves(each, game)]
    return Random(1).sample(chosen, min(MAX_WINS, len(chosen)))  # noqa: S311  positions, not secrets


@lru_cache(CACHED_BOARDS)
def winning_moves(position: Position | None, game: Game) -> frozenset[Move]:
    """Return the moves of a position that win at once; none if it is over, or `None`."""
    return frozenset(wins(game, position) if position is not None and game.outcome(position) is None else ())
