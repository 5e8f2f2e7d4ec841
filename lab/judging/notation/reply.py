"""The answer of an agent in a position: a move, or probabilities."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import partial
from itertools import islice
from math import inf, isfinite, isnan
from numbers import Integral, Real
from reprlib import Repr
from typing import Any, Final

from engine.game import BadText, Game, Move, Position, Side, quoted
from lab.judging.notation.written_moves import (
    flip_row_of_name,
    is_beyond,
    is_in_parts,
    list_sizes,
    move_to_square,
    read_move,
    swap_pair,
)

ANSWER_SECONDS: Final = 5.0
"""The default time limit for an answer."""
MAX_ANSWER_BYTES: Final = 10_000
TOLERANCE: Final = 1e-3
"""The largest deviation from 1 of the sum of the probabilities in a position; more if they are rounded."""
ROUNDED_DIGITS: Final = (2, 3)
"""If all are rounded to one of these numbers of digits, their sum may deviate by their rounding errors."""
MAX_NUMBERS: Final = 10_000
"""The maximum number of numbers in an answer; an agent's own list may be endless."""
SHORT_REPR: Final = Repr()
"""Writes any object briefly, without writing it out first."""
SHORT_REPR.maxstring = SHORT_REPR.maxother = SHORT_REPR.maxlong = 100
MOVE_KEYS: Final = frozenset({"move", "best_move", "bestmove", "index", "action", "square", "cell"})
"""The keys under which an answer with names may have the move."""
SCORE_KEYS: Final = frozenset({"score", "value", "eval", "evaluation", "utility", "depth", "reward"})
"""The keys of other things that an answer with names may have beside the move."""
PERSPECTIVES: Final = ("after-mover", "after-next", "after-first", "after-second")
"""For whom a value of a position, or of the move that leads there, holds: see `lab.judging.files.perspective`."""
MISSING_RULES: Final = ("loss", "random")
"""What is played in a position without an answer. Instead of them, a number is the value of each move without one."""
NEGLIGIBLE: Final = 1e-9
"""The largest probability that counts as 0: some agents never give a move exactly 0."""


class AgentFailed(BadText):
    """The agent crashed, was silent, or gave an answer that cannot be read: it cannot be judged."""


@dataclass(frozen=True)
class Reply:
    chances: Mapping[Move, float]
    """The probability of each legal move. Together with those of illegal moves, the probabilities sum to 1."""
    illegal: tuple[str, ...] = ()
    """The illegal moves of the answer, as the agent wrote them."""
    single: bool = False
    """Whether the answer is one move, which may be another the next time."""

    def __hash__(self) -> int:
        """Return a hash, so that equal answers can be counted."""
        return hash((frozenset(self.chances.items()), self.illegal, self.single))


class Numbers(Enum):
    """What the numbers mean that an agent gives for moves."""

    CHANCES = "chances"
    COUNTS = "counts"
    VALUES = "values"


@dataclass(frozen=True)
class Reading:
    numbers: Numbers = Numbers.CHANCES
    first_tie: bool = False
    """Whether the first of several moves with the highest value is played; otherwise all of them are equally likely."""
    first: int = 0
    """The number of the first square, row and column."""
    column_first: bool = False
    """Whether a pair has the column first, as in (x, y)."""
    from_top: bool = False
    """Whether the rows of names are counted from the top, as in a spreadsheet: A1 is the top left square."""
    scored: int | None = None
    """The place, 0 or 1, of the move in a pair with its score; `None` if there is no score."""
    perspective: str = PERSPECTIVES[0]
    """For whom the values of moves hold, one of `PERSPECTIVES`."""
    missing: str | float = MISSING_RULES[0]
    """What is played in a position that a file lacks: one of `MISSING_RULES`, or the value of each move without one."""


USUAL_READING: Final = Reading()


def parse_reading(*, values: bool, counts: bool, ties: str, missing: str = MISSING_RULES[0]) -> Reading:
    """Return the way to read an agent's answers that options describe. Raises `BadText`."""
    numbers = Numbers.CHANCES
    if values:
        numbers = Numbers.VALUES
    elif counts:
        numbers = Numbers.COUNTS
    try:
        rule = missing if missing in MISSING_RULES else read_number(missing)
    except BadText as error:
        raise BadText(f"--missing takes {', '.join(MISSING_RULES)} or a number: {error}") from error
    return Reading(numbers, first_tie=ties == "first", missing=rule)


def sign_of(perspective: str, mover: Side) -> int:
    """Return 1 if the side to move seeks a high value, −1 if it seeks a low one."""
    return {
        "after-mover": 1,
        "after-next": -1,
        "after-first": 1 if mover is Side.FIRST else -1,
        "after-second": 1 if mover is Side.SECOND else -1,
    }[perspective]


class PlacedSquare(int):
    """The number of the square on which an agent has placed its piece."""


def unpack_answer(packed: Any) -> Any:  # noqa: ANN401, PLR0911  any JSON; one for each kind
    """Return the answer that `child.answers` packed. Raises `TypeError`, `KeyError` or `ValueError`."""
    if isinstance(packed, list):
        return [unpack_answer(each) for each in packed]
    if not isinstance(packed, dict):
        return packed
    ((kind, content),) = packed.items()
    if kind == "square":
        return PlacedSquare(content)
    if kind == "set":
        return frozenset(_hashable(each) for each in content)
    if kind == "bytes":
        # a board as b"XO......." is read as the text is, and one as b"\\0\\1" as numbers
        return content if content.isprintable() else content.encode("latin-1")
    if kind == "array":
        import numpy as np  # few agents need it

        return np.array(content)
    return {_hashable(unpack_answer(key)): unpack_answer(value) for key, value in content}


def _hashable(written: Any) -> Any:  # noqa: ANN401
    return tuple(map(_hashable, written)) if isinstance(written, list) else written


def read_reply(  # noqa: PLR0911  one for each form
    answer: Any,  # noqa: ANN401
    game: Game,
    position: Position,
    reading: Reading = USUAL_READING,
) -> Reply | None:
    """Read a move, a set of moves, or numbers for moves; `None`, no answer, stays `None`. Raises `BadText`."""
    if answer is None:
        return None
    if reading.scored is not None:
        return read_reply(_strip_score(answer, reading.scored), game, position, replace(reading, scored=None))
    if isinstance(answer, Mapping) and answer.keys() <= MOVE_KEYS | SCORE_KEYS and len(answer.keys() & MOVE_KEYS) == 1:
        return read_reply(next(answer[key] for key in answer if key in MOVE_KEYS), game, position, reading)
    if reading.column_first:
        return read_reply(_rewrite_moves(answer, swap_pair), game, position, replace(reading, column_first=False))
    if reading.from_top:
        flip_row = partial(flip_row_of_name, game=game)
        return read_reply(_rewrite_moves(answer, flip_row), game, position, replace(reading, from_top=False))
    if isinstance(answer, Mapping):
        return reply_by_numbers(_take_bounded(answer.items()), game, position, reading)
    if isinstance(answer, (set, frozenset)):
        moves = sorted(_take_bounded(answer), key=str)
        chances = [(move, 1 / len(moves)) for move in moves]
        return reply_by_chances(chances, game, position, reading.first) if moves else None
    if hasattr(answer, "tolist"):  # an array or a number of numpy
        answer = answer.tolist()
    if isinstance(answer, (list, tuple)):
        return _read_list(answer, game, position, reading)
    return _read_one_move(answer, game, position, reading.first)


def _read_list(answer: Sequence[Any], game: Game, position: Position, reading: Reading) -> Reply | None:
    """Read a list: a move of several parts, a list with only a move, or a number for each square or move."""
    if _is_pair(answer) or is_in_parts(answer, game):
        return _read_one_move(answer, game, position, reading.first)
    if len(answer) == 1:
        (only,) = answer
        if isinstance(only, Integral) or (_is_pair(only) and 2 not in list_sizes(game)):
            return _read_one_move(only, game, position, reading.first)
    if answer and all(isinstance(row, (list, tuple)) for row in answer):
        numbers = _take_bounded(number for row in answer for number in row)
    else:
        numbers = _take_bounded(answer)
    check_list_size(numbers, game)
    return reply_by_numbers(list(enumerate(numbers)), game, position, replace(reading, first=0))


def _is_pair(written: Any) -> bool:  # noqa: ANN401
    if not isinstance(written, (list, tuple)) or len(written) != 2:
        return False
    return all(isinstance(number, Integral) for number in written)


def legal_reply(answer: Any, position: Position, game: Game, reading: Reading) -> Reply | None:  # noqa: ANN401
    """Return the legal answer to what `child.answers` packed, `None` if it is illegal."""
    try:
        reply = read_reply(unpack_answer(answer), game, position, reading)
    except (BadText, TypeError, KeyError, ValueError):
        return None
    return None if reply is None or reply.illegal else reply


def _strip_score(answer: Any, move_place: int) -> Any:  # noqa: ANN401
    """Return an answer without its score, which stands before or after the move, or the row and the column."""
    if not isinstance(answer, (list, tuple)) or len(answer) not in {2, 3}:
        return answer
    move = answer[:-1] if move_place == 0 else answer[1:]
    return move[0] if len(move) == 1 else move


def _rewrite_moves(answer: Any, rewrite: Callable[[Any], Any]) -> Any:  # noqa: ANN401
    if isinstance(answer, Mapping):
        return {rewrite(move): number for move, number in answer.items()}
    if isinstance(answer, (set, frozenset)):
        return {*map(rewrite, answer)}
    return rewrite(answer)


def reply_by_numbers(
    numbers: list[tuple[Any, Any]], game: Game, position: Position, reading: Reading, missing: float | None = None
) -> Reply | None:
    """Return the answer with these (move, number) pairs; see `reply_by_values` for `missing`. Raises `BadText`."""
    if reading.numbers is Numbers.VALUES:
        if sign_of(reading.perspective, game.side(position)) < 0:
            numbers = [(move, -read_number(value)) for move, value in numbers]
        return reply_by_values(numbers, game, position, reading.first, first_tie=reading.first_tie, missing=missing)
    if reading.numbers is Numbers.COUNTS:
        chances = counts_to_chances(numbers, game, position)
        return reply_by_chances(chances, game, position, reading.first) if chances else None
    try:
        return reply_by_chances(numbers, game, position, reading.first)
    except BadText as error:
        raise BadText(f"{error}\nIf the numbers are values of moves, add --values; if counts, --counts") from error


def counts_to_chances(written: list[tuple[Any, Any]], game: Game, position: Position) -> list[tuple[Any, float]]:
    """Return counts as probabilities; empty if all counts are 0. Raises `BadText` for a negative one."""
    counts = [(move, read_number(count)) for move, count in written]
    if any(count < 0 for _, count in counts):
        raise BadText(f"a count in {game.to_text(position)} is negative")
    total = sum(count for _, count in counts)
    if not isfinite(total):
        raise BadText(f"the counts in {game.to_text(position)} are too large to be added up")
    return [(move, count / total) for move, count in counts] if total else []


def check_list_size(numbers: Sequence[Any], game: Game) -> None:
    """Raise `BadText` unless a list has a number for each square or move: others would be read as wrong moves."""
    sizes = sorted(list_sizes(game))
    if len(numbers) in sizes:
        return
    if any(isinstance(number, str) for number in numbers):
        example = game.move_name(game.moves(game.start)[0])
        raise BadText(f"{quote_answer(numbers)} is no list of numbers: write a move of {game.title} as in {example}")
    needed = " or ".join(map(str, sizes))
    raise BadText(f"a list with a number for each move must have {needed} of them, not {len(numbers):,}")


def _take_bounded(numbers: Iterable[Any]) -> list[Any]:
    """Return the numbers of an answer, which may be endless. Raises `BadText` if there are too many."""
    taken = list(islice(numbers, MAX_NUMBERS + 1))
    if len(taken) > MAX_NUMBERS:
        raise BadText(f"these are more than {MAX_NUMBERS:,} numbers")
    return taken


def quote_answer(answer: Any) -> str:  # noqa: ANN401  whatever the agent returns
    """Return an answer in quotes for a message; if it cannot be written, only its type."""
    if isinstance(answer, str):
        return quoted(answer)
    try:
        return quoted(SHORT_REPR.repr(answer))
    except BaseException:  # noqa: BLE001  writing it may run code of the agent
        return quoted(type(answer).__name__)


def _read_one_move(answer: Any, game: Game, position: Position, first: int) -> Reply:  # noqa: ANN401
    if isinstance(answer, PlacedSquare):
        move, written = move_to_square(answer, game, position), str(int(answer))
    elif isinstance(answer, str) and len(answer) > MAX_ANSWER_BYTES:
        raise BadText(f"this is longer than {MAX_ANSWER_BYTES:,} characters")
    else:
        move, written = read_move(answer, game, position, first), str(answer)
    return Reply({}, (written,), single=True) if move is None else Reply({move: 1.0}, single=True)


def reply_by_chances(numbers: list[tuple[Any, Any]], game: Game, position: Position, first: int = 0) -> Reply:
    """Return the answer with these (move, probability) pairs. Raises `BadText` if they are not probabilities."""
    total = sum([read_probability(chance) for _, chance in numbers])
    if abs(total - 1) > max(TOLERANCE, _rounding_error(numbers)) + NEGLIGIBLE:
        raise BadText(f"the probabilities in {game.to_text(position)} sum to {total:.6g}, not to 1")
    chances, illegal = dict[Move, float](), list[str]()
    for written, chance in numbers:
        if chance <= NEGLIGIBLE:
            continue
        move = read_move(written, game, position, first)
        if move is None:
            illegal.append(str(written))
        elif move in chances:
            raise BadText(f"{game.move_name(move)} is given twice in {game.to_text(position)}")
        else:
            chances[move] = float(chance) / total
    return Reply(chances, tuple(illegal))


def _rounding_error(numbers: list[tuple[Any, Any]]) -> float:
    """Return by how much the sum of probabilities may deviate from 1 if all are rounded; 0 if they are not."""
    for digits in ROUNDED_DIGITS:
        if all(round(float(chance), digits) == float(chance) for _, chance in numbers):
            return len(numbers) * 0.5 / 10**digits
    return 0.0


def reply_by_values(  # noqa: PLR0913  each has a default
    numbers: list[tuple[Any, Any]],
    game: Game,
    position: Position,
    first: int = 0,
    *,
    first_tie: bool = False,
    missing: float | None = None,
) -> Reply | None:
    """Return the answer of an agent that plays the legal move with the highest value; `None` if none has a value.

    Moves that tie are equally likely; with `first_tie`, the first of them is played. `numbers` are (move, value) pairs;
    moves without a value are worth `missing`, or never played. Raises `BadText` for a value that is not a number.
    """
    values = dict[Move, float]()
    for written, value in numbers:
        move = read_move(written, game, position, first)
        if move is None:
            if is_beyond(written, game, first):
                raise BadText(f"{quote_answer(written)} is not a move of {game.title}")
        elif move in values:
            raise BadText(f"{game.move_name(move)} is given twice in {game.to_text(position)}")
        else:
            values[move] = read_number(value)
    if missing is not None:
        values = {move: values.get(move, missing) for move in game.moves(position)}
    return reply_with_highest(values, first_tie=first_tie) if values else None


def reply_with_highest(values: Mapping[Move, float], *, first_tie: bool) -> Reply:
    """Return the answer that plays the move with the highest value: see `reply_by_values`."""
    highest = max(values.values())
    best = [move for move, value in values.items() if value == highest]
    if first_tie:
        best = best[:1]
    return Reply({move: 1 / len(best) for move in best})


def read_number(written: Any) -> float:  # noqa: ANN401
    """Return a finite number. Raises `BadText`."""
    if type(written) not in (str, float, int) and (not isinstance(written, Real) or isinstance(written, bool)):
        raise BadText(f"{quote_answer(written)} is not a number")
    try:
        value = float(written)
    except OverflowError:  # a whole number of more than 308 digits
        value = inf
    except ValueError as error:
        raise BadText(f"{quote_answer(written)} is not a number") from error
    if isnan(value):
        raise BadText(f"{quote_answer(written)} is not a number (NaN)")
    if not isfinite(value):
        raise BadText(f"{quote_answer(written)} is infinite, not a finite number")
    return value


def read_probability(written: Any) -> float:  # noqa: ANN401
    """Return a probability. Raises `BadText`."""
    value = read_number(written)
    if not -TOLERANCE <= value <= 1 + TOLERANCE:
        raise BadText(f"{quote_answer(written)} is not a probability from 0 to 1")
    return value
