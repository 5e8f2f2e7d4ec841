"""Find out for whom values of moves hold: moves that win at once show whether a side plays the highest or lowest."""

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
from engine.spaces import space_of
from engine.tactics import wins
from lab.judging.files.file_boards import BOARDS
from lab.judging.files.file_reading import FileReading
from lab.judging.notation.reply import PERSPECTIVES, Reading, legal_reply
from lab.judging.notation.standing_out import ENOUGH

LOW: Final = 0.6
"""A side may play the lowest values if this share of the moves that win at once have lower values than others."""
WINS: Final = 400
WINS_SECONDS: Final = 2.0
"""How many positions in which a side can win at once are checked, if this time allows."""


def check_perspective(reading: FileReading, given: str | None) -> None:
    """Raise `BadText` if a side of a file may play the lowest values, unless `given` says for whom the values hold."""
    if given is not None:
        return
    from statistics import fmean  # slow to import

    lower: dict[Side, list[bool]] = {side: [] for side in Side}
    for position, values in reading.running({*reading.entries}):
        winning = winning_moves(position, reading.game)
        won = [value for move, value in values if move in winning]
        others = [value for move, value in values if move not in winning]
        if won and others and fmean(won) != fmean(others):
            lower[reading.game.side(position)].append(fmean(won) < fmean(others))
    _check_wins(lower, reading.game)


def _check_wins(lower: Mapping[Side, Sequence[bool]], game: Game) -> None:
    """Raise `BadText` if a side seems to play the lowest values of moves.

    `lower` has for each side, for positions in which it can win at once, whether such moves have lower values than
    others. The share of these must be `LOW`, and in few positions three standard deviations above a half, the share by
    chance.
    """
    low = {
        side: f"{game.mark(side)} can win at once in {len(each):,} positions, and in {sum(each):,}"
        for side, each in lower.items()
        if len(each) >= ENOUGH and sum(each) >= max(LOW, 0.5 + 1.5 / sqrt(len(each))) * len(each)
    }
    if low:
        word = PERSPECTIVES[1] if len(low) > 1 else PERSPECTIVES[3 - min(low)]
        raise BadText(
            f"{min(low.values())} of them such moves have lower values than others: does it play the lowest?\n"
            f"Say it: --as {word}, or --as {PERSPECTIVES[0]} if each side plays the highest"
        )


def check_values(
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
    return Random(1).sample(chosen, min(WINS, len(chosen)))  # noqa: S311  positions, not secrets


@lru_cache(BOARDS)
def winning_moves(position: Position | None, game: Game) -> frozenset[Move]:
    """Return the moves of a position that win at once; none if it is over, or `None`."""
    return frozenset(wins(game, position) if position is not None and game.outcome(position) is None else ())
