"""What an agent answers in a position: a move, or probabilities."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from numbers import Integral, Real
from typing import Any, Final

from engine.game import BadText, Game, Move, Position, quoted
from lab.judging.notation import read_move

MAX_BYTES: Final = 10_000
"""The size limit of a written answer, in bytes."""
TOLERANCE: Final = 1e-3
"""How far the sum of the probabilities in a position may be from 1. They are then scaled to sum to 1."""
NEGLIGIBLE: Final = 1e-9
"""The largest probability that counts as 0: some agents never give a move exactly 0."""


class AgentFailed(BadText):
    """The agent crashed, was silent, or gave an answer that cannot be read: it cannot be judged."""


@dataclass(frozen=True)
class Reply:
    """What an agent answers in a position."""

    chances: Mapping[Move, float]
    """The probability of each legal move that it plays. Together with those of illegal moves, they sum to 1."""
    illegal: tuple[str, ...] = ()
    """The illegal moves that it plays, as it wrote them."""
    single: bool = False
    """Whether it answered with one move, which may differ the next time."""


def read_reply(answer: Any, game: Game, position: Position) -> Reply | None:  # noqa: ANN401  whatever the agent returns
    """Return what an agent answers: a move, a mapping from moves to probabilities, or a probability for each move.

    `None` means no answer, and is returned as it is. Raises `BadText` for anything else.
    """
    if answer is None:
        return None
    if isinstance(answer, Mapping):
        return weighted(list(answer.items()), game, position)
    listed = answer.tolist() if hasattr(answer, "tolist") else answer  # an array or a number of numpy
    if isinstance(listed, (list, tuple)):
        if len(listed) == 2 and all(isinstance(each, Integral) for each in listed):
            return _one(listed, game, position)
        return weighted(list(enumerate(listed)), game, position)
    return _one(listed, game, position)


def _one(answer: Any, game: Game, position: Position) -> Reply:  # noqa: ANN401
    move = read_move(answer, game, position)
    return Reply({}, (str(answer),), single=True) if move is None else Reply({move: 1.0}, single=True)


def weighted(numbers: list[tuple[Any, Any]], game: Game, position: Position, first: int = 0) -> Reply:
    """Return the answer that (move, probability) pairs give. Raises `BadText` if they are not probabilities."""
    chances: dict[Move, float] = {}
    illegal = list[str]()
    total = sum(probability(chance) for _, chance in numbers)
    if abs(total - 1) > TOLERANCE:
        raise BadText(f"the probabilities in {game.to_text(position)} sum to {total:.6g}, not to 1")
    for written, chance in numbers:
        if chance <= NEGLIGIBLE:
            continue
        move = read_move(written, game, position, first)
        if move is None:
            illegal.append(str(written))
        else:
            chances[move] = chances.get(move, 0.0) + float(chance) / total
    return Reply(chances, tuple(illegal))


def greedy(numbers: list[tuple[Any, Any]], game: Game, position: Position, first: int = 0) -> Reply | None:
    """Return the answer of an agent that plays a legal move with the highest value; ties are equally likely.

    `numbers` are (move, value) pairs. `None` if no legal move has a value. Raises `BadText` for a value that is not a
    number.
    """
    values: dict[Move, float] = {}
    for written, value in numbers:
        move = read_move(written, game, position, first)
        if move is not None:
            values[move] = number(value)
    if not values:
        return None
    best = [move for move, value in values.items() if value == max(values.values())]
    return Reply({move: 1 / len(best) for move in best})


def number(written: Any) -> float:  # noqa: ANN401
    """Return a finite number. Raises `BadText`."""
    if isinstance(written, (Real, str)) and not isinstance(written, bool):
        try:
            value = float(written)
        except ValueError:
            value = float("nan")
        if isfinite(value):
            return value
    raise BadText(f"{quoted(str(written))} is not a number")


def probability(written: Any) -> float:  # noqa: ANN401
    """Return a probability. Raises `BadText`."""
    value = number(written)
    if not -TOLERANCE <= value <= 1 + TOLERANCE:
        raise BadText(f"{quoted(str(written))} is not a probability from 0 to 1")
    return value
