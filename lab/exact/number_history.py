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

STRIP: Final = 3
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
    policy, kinds = _policy(learner, position), (isinstance(learner, Menace), isinstance(learner, ValueLearner))
    return NumberHistory(game, position, move, history, policy, without, *kinds)


def _policy(learner: Learner, position: Position) -> dict[str, float]:
    policy, space = learner.policy(), learner.space
    return {
        learner.game.move_name(int(space.move[edge])): round(float(policy[edge]), 12) for edge in space.edges(position)
    }


def answer_lines(found: NumberHistory) -> list[str]:
    """Return what the games have made of the number, in a few sentences."""
    game, changes = found.game, found.history.changes
    lines = [_summary(found, f"{game.move_name(found.move)} in {game.to_text(found.position)}")]
    if len(changes) > 1 and not found.is_worth:
        amounts = [each.change for each in changes]
        parts = (
            ("added", [each for each in amounts if each > 0]),
            ("took away", [-each for each in amounts if each < 0]),
        )
        noun = _noun(found)
        told = [f"{counted_noun(len(each), noun)} {verb} {count_text(sum(each))}" for verb, each in parts if each]
        lines.append(f"{' and '.join(told)}.")
    if changes:
        most = max(changes, key=lambda each: abs(each.change))
        lines.append(f"The {'largest change' if len(changes) > 1 else 'change'} came with {_change_text(found, most)}")
    if found.without is not None:
        now, then = (_likely(policy) for policy in (found.policy, found.without.policy))
        number = f"Without game {found.without.game:,} the number would be {_number_text(found, found.without.number)}"
        lines.append(f"{number}, and it would play {then}; now it plays {now}")
    return lines


def change_lines(found: NumberHistory) -> list[str]:
    """Return all changes as a table: game, change, the number after it, and the moves."""
    rows = [
        (_games_text(each), *_amounts(found, each), _moves_text(found.game, each)) for each in found.history.changes
    ]
    return columns(rows, "<>><") if rows else []


def history_strip(found: NumberHistory, width: int, height: int = 0) -> list[str]:
    """Return the history in `width` columns: a sentence, the number after several changes as bars, and the last ones.

    The moves of a game are cut at the end of a line unless all fits whole into `height` lines; then nothing is said of
    games that cannot be repeated.
    """
    changes = found.history.changes
    numbers = [found.history.start, *(each.after for each in changes)]
    lines = wrap(_summary(found, found.game.move_name(found.move)), max(1, width))
    if len(changes) > 1:
        lowest = min(0, *numbers)
        lines.append(spark([each - lowest for each in numbers], max(numbers) - lowest, width))
    told = [(each, _change_text(found, each)) for each in changes[-STRIP:]]
    whole = [line for _, text in told for line in wrap(text, max(1, width))]
    if len(lines) + len(whole) <= height:
        return lines + whole
    kept = [text if each.moves or len(text) <= width else text.rpartition(", ")[0] for each, text in told]
    return lines + [cut(text, max(1, width)) for text in kept]


def _summary(found: NumberHistory, what: str) -> str:
    start, number = (_number_text(found, each) for each in (found.history.start, found.history.number))
    if not found.history.changes:
        return f"No game changed {what}: it is {number}, as at the start."
    noun = _noun(found)
    counted = f"{counted_noun(len(found.history.changes), noun)}{' changed it' if noun == 'game' else ''}"
    return f"{what} began as {start} and is {number}: {counted}."


def _noun(found: NumberHistory) -> str:
    """Return what changed the number: games, or changes, where some games cannot be repeated and count as one."""
    return "game" if all(each.moves for each in found.history.changes) else "change"


def _change_text(found: NumberHistory, change: CellChange) -> str:
    refilled = "box refilled, " if found.counts_beads and change.after == change.change > 0 else ""
    amount = " ".join(_amounts(found, change)) if found.is_worth else signed_text(change.change)
    return f"{_games_text(change)}: {amount}, {refilled}{_moves_text(found.game, change)}"


def _amounts(found: NumberHistory, change: CellChange) -> tuple[str, str]:
    """Return the change, or of what a move is worth the number before it, and the number after it."""
    if not found.is_worth:
        return signed_text(change.change), f"= {change.after:,}"
    return _number_text(found, change.after - change.change), f"→ {_number_text(found, change.after)}"


def _number_text(found: NumberHistory, number: int) -> str:
    if not found.is_worth:
        return count_text(number)
    return worth_text(number) if number else "unknown"


def _games_text(change: CellChange) -> str:
    return games_text(change.game - 1 if change.moves else change.since, change.game)


def _moves_text(game: Game, change: CellChange) -> str:
    return " ".join(map(game.move_name, change.moves)) or "these games cannot be repeated"


def _likely(policy: dict[str, float]) -> str:
    most = max(policy.values())
    names = [name for name, chance in policy.items() if most - chance < 1e-9]
    return (
        f"{' or '.join(names)} ({percent_text(most)}{' each' if len(names) > 1 else ''})"
        if most
        else "nothing: it resigns"
    )
