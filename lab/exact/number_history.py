"""The history of a number of a memory: the games that changed it, in words and as JSON."""

from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from engine.game import BadText, Game, Move, Position
from engine.plural import counted_noun, signed_text
from engine.stop import Stop, never
from lab.text.columns import columns, cut
from lab.text.numbers import count_text, percent_text, spark
from learners import revive
from learners.core.learner import Learner
from learners.core.player import Player
from learners.core.snapshot import Snapshot
from learners.menace.learner import Menace
from learners.rewatching import CellChange, CellHistory, FindOpponent, cell_history, games_text, without_game
from learners.values.learner import ValueLearner
from learners.values.view import worth_text
from saves.errors import NoSuchSave

STRIP_CHANGES: Final = 3
"""The number of changes that `history_strip` lists."""


@dataclass(frozen=True)
class WithoutGame:
    """The difference that one game made: the learner as it would be if it had not learned from that game."""

    game: int
    number: int
    policy: dict[str, float]
    """The probability of each move of the position without that game, by the name of the move."""


@dataclass(frozen=True, repr=False)
class NumberHistory:
    """The history of a number: its text is the answer in a few sentences, `to_dict` has all changes."""

    game: Game
    position: Position
    move: Move
    history: CellHistory
    policy: dict[str, float]
    """The present probability of each move of the position, by the name of the move."""
    without: WithoutGame | None = None
    counts_beads: bool = False
    """Whether it is a number of beads in a box, which can only grow from 0 if the box is refilled."""
    is_worth: bool = False
    """Whether it stands for what a move is worth: texts then say that, as all screens do; `to_dict` has the number."""

    def to_dict(self) -> dict[str, object]:
        """Return the number with all its changes, as `noughts why --json` prints them."""
        game, without = self.game, self.without
        changes = [
            {
                "game": each.game,
                "change": each.change,
                "after": each.after,
                "record": [game.move_name(move) for move in each.moves],
                **({} if each.moves else {"since": each.since}),
            }
            for each in self.history.changes
        ]
        return {
            "game": game.name,
            "position": game.to_text(self.position),
            "move": game.move_name(self.move),
            "start": self.history.start,
            "number": self.history.number,
            "policy": self.policy,
            "changes": changes,
            **({} if without is None else {"without": vars(without)}),
        }

    def __repr__(self) -> str:
        """Return the answer in a few sentences."""
        return "\n".join(answer_lines(self))


def number_history(  # noqa: PLR0913, PLR0917  each says what is asked for
    snapshot: Snapshot,
    position: Position,
    move: Move,
    find_opponent: FindOpponent,
    left_out: int | None = None,
    stop: Stop = never,
) -> NumberHistory:
    """Find the games that changed the number of a move; with `left_out`, also the number as it is without that game.

    Raises `BadText` for a save without such numbers, or if the game left out cannot be played again, and `Stopped`.
    """
    game = snapshot.game
    learner = revive(snapshot)
    cell = int(learner.cell[learner.space.edge(position, move)])

    def find(label: str, game: Game) -> Player | None:
        try:
            return find_opponent(label, game)
        except NoSuchSave as error:
            raise BadText(str(error)) from error

    history = cell_history(snapshot, cell, find, stop)
    without = None
    if left_out is not None:
        other = without_game(snapshot, left_out, find)
        without = WithoutGame(left_out, int(other.memory[cell]), _policy(other, position))
    return NumberHistory(
        game,
        position,
        move,
        history,
        _policy(learner, position),
        without,
        counts_beads=isinstance(learner, Menace),
        is_worth=isinstance(learner, ValueLearner),
    )


def _policy(learner: Learner, position: Position) -> dict[str, float]:
    policy, space = learner.policy(), learner.space
    return {
        learner.game.move_name(int(space.move[edge])): round(float(policy[edge]), 12) for edge in space.edges(position)
    }


def answer_lines(answer: NumberHistory) -> list[str]:
    """Return how the games changed the number, in a few sentences."""
    game, changes = answer.game, answer.history.changes
    lines = [_summary(answer, f"{game.move_name(answer.move)} in {game.to_text(answer.position)}")]
    if len(changes) > 1 and not answer.is_worth:
        gains = [change.change for change in changes if change.change > 0]
        losses = [-change.change for change in changes if change.change < 0]
        noun = _noun(answer)
        clauses = [
            f"{counted_noun(len(amounts), noun)} {verb} {count_text(sum(amounts))}"
            for verb, amounts in (("added", gains), ("took away", losses))
            if amounts
        ]
        lines.append(f"{' and '.join(clauses)}.")
    if changes:
        largest = max(changes, key=lambda change: abs(change.change))
        what = "largest change" if len(changes) > 1 else "change"
        lines.append(f"The {what} came with {_change_text(answer, largest)}")
    if answer.without is not None:
        now, then = _likeliest_text(answer.policy), _likeliest_text(answer.without.policy)
        number = _number_text(answer, answer.without.number)
        without = f"Without game {answer.without.game:,} the number would be {number}"
        lines.append(f"{without}, and it would play {then}; now it plays {now}")
    return lines


def change_lines(answer: NumberHistory) -> list[str]:
    """Return all changes as a table: game, change, the number after it, and the moves."""
    rows = [
        (_games_text(each), *_amounts(answer, each), _moves_text(answer.game, each)) for each in answer.history.changes
    ]
    return columns(rows, "<>><") if rows else []


def history_strip(answer: NumberHistory, width: int, height: int = 0) -> list[str]:
    """Return the history in `width` columns: a sentence, the number after several changes as bars, and the last ones.

    The moves of a game are cut at the end of a line unless all fits whole into `height` lines; then nothing is said of
    games that cannot be repeated.
    """
    changes = answer.history.changes
    numbers = [answer.history.start, *(each.after for each in changes)]
    lines = wrap(_summary(answer, answer.game.move_name(answer.move)), max(1, width))
    if len(changes) > 1:
        lowest = min(0, *numbers)
        lines.append(spark([each - lowest for each in numbers], max(numbers) - lowest, width))
    last_changes = changes[-STRIP_CHANGES:]
    texts = [_change_text(answer, change) for change in last_changes]
    whole = [line for text in texts for line in wrap(text, max(1, width))]
    if len(lines) + len(whole) <= height:
        return lines + whole
    for change, text in zip(last_changes, texts, strict=True):
        is_too_long = not change.moves and len(text) > width
        lines.append(cut(text.rpartition(", ")[0] if is_too_long else text, max(1, width)))
    return lines


def _summary(answer: NumberHistory, what: str) -> str:
    start, number = (_number_text(answer, each) for each in (answer.history.start, answer.history.number))
    if not answer.history.changes:
        return f"No game changed {what}: it is {number}, as at the start."
    noun = _noun(answer)
    changes = counted_noun(len(answer.history.changes), noun)
    changed_it = " changed it" if noun == "game" else ""
    return f"{what} began as {start} and is {number}: {changes}{changed_it}."


def _noun(answer: NumberHistory) -> str:
    """Return what changed the number: games, or changes, where some games cannot be repeated and count as one."""
    return "game" if all(each.moves for each in answer.history.changes) else "change"


def _change_text(answer: NumberHistory, change: CellChange) -> str:
    refilled = "box refilled, " if answer.counts_beads and change.after == change.change > 0 else ""
    amount = " ".join(_amounts(answer, change)) if answer.is_worth else signed_text(change.change)
    return f"{_games_text(change)}: {amount}, {refilled}{_moves_text(answer.game, change)}"


def _amounts(answer: NumberHistory, change: CellChange) -> tuple[str, str]:
    """Return a change and the number after it; where the number is a worth, the numbers before and after it."""
    if not answer.is_worth:
        return signed_text(change.change), f"= {change.after:,}"
    return _number_text(answer, change.after - change.change), f"→ {_number_text(answer, change.after)}"


def _number_text(answer: NumberHistory, number: int) -> str:
    if not answer.is_worth:
        return count_text(number)
    return worth_text(number) if number else "unknown"


def _games_text(change: CellChange) -> str:
    return games_text(change.game - 1 if change.moves else change.since, change.game)


def _moves_text(game: Game, change: CellChange) -> str:
    return " ".join(map(game.move_name, change.moves)) or "these games cannot be repeated"


def _likeliest_text(policy: dict[str, float]) -> str:
    highest = max(policy.values())
    if not highest:
        return "nothing: it resigns"
    names = [name for name, chance in policy.items() if highest - chance < 1e-9]
    each = " each" if len(names) > 1 else ""
    return f"{' or '.join(names)} ({percent_text(highest)}{each})"
