"""The history of a number of a memory: the games that changed it, in words and as JSON."""

from dataclasses import dataclass
from textwrap import wrap
from typing import Final

from engine.game import Game, Move, Position
from engine.plural import counted_noun
from engine.stop import Stop, never
from lab.text.columns import columns, cut
from lab.text.numbers import count_text, percent_text, signed_text, spark
from learners import revive
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.rewatching import CellHistory, FindOpponent, cell_history, without_game

STRIP: Final = 3
"""The number of changes that `history_strip` lists."""
SHOWN: Final = 20
"""The number of changes that are shown as text."""


@dataclass(frozen=True)
class WithoutGame:
    """The difference that one game made: the learner as it would be if it had not learned from that game."""

    game: int
    number: int
    policy: dict[str, float]
    """The probability of each move of the position without that game, by the name of the move."""


@dataclass(frozen=True)
class NumberHistory:
    game: Game
    position: Position
    move: Move
    history: CellHistory
    policy: dict[str, float]
    """The present probability of each move of the position, by the name of the move."""
    without: WithoutGame | None = None


def number_history(  # noqa: PLR0913, PLR0917  each says what is asked for
    snapshot: Snapshot,
    position: Position,
    move: Move,
    find_opponent: FindOpponent,
    left_out: int | None = None,
    stop: Stop = never,
) -> NumberHistory:
    """Find the games that changed the number of a move; with `left_out`, also the number as it is without that game.

    Raises `BadText` for a save whose games cannot be played again, and `Stopped`.
    """
    game = snapshot.game
    learner = revive(snapshot)
    cell = int(learner.cell[learner.space.edge(position, move)])
    history = cell_history(snapshot, cell, find_opponent, stop)
    without = None
    if left_out is not None:
        other = without_game(snapshot, left_out, find_opponent)
        without = WithoutGame(left_out, int(other.memory[cell]), _policy(other, position))
    return NumberHistory(game, position, move, history, _policy(learner, position), without)


def _policy(learner: Learner, position: Position) -> dict[str, float]:
    policy, space = learner.policy(), learner.space
    return {
        learner.game.move_name(int(space.move[edge])): round(float(policy[edge]), 12) for edge in space.edges(position)
    }


def history_document(found: NumberHistory) -> dict[str, object]:
    game = found.game
    changes = [
        {
            "game": each.game,
            "change": each.change,
            "after": each.after,
            "record": [game.move_name(move) for move in each.moves],
        }
        for each in found.history.changes
    ]
    without = found.without
    return {
        "game": game.name,
        "position": game.to_text(found.position),
        "move": game.move_name(found.move),
        "start": found.history.start,
        "number": found.history.number,
        "policy": found.policy,
        "changes": changes,
        **({} if without is None else {"without": vars(without)}),
    }


def history_lines(found: NumberHistory) -> list[str]:
    """Return the history as lines of text, with the first and the last changes if there are many."""
    game, changes = found.game, found.history.changes
    where = f"{game.move_name(found.move)} in {game.to_text(found.position)}"
    times = counted_noun(len(changes), "game")
    lines = [
        f"The number of {where} is {count_text(found.history.number)}; it began as {count_text(found.history.start)},",
        f"and {times} changed it",
        "",
    ]
    shown = changes if len(changes) <= SHOWN else (*changes[: SHOWN // 2], None, *changes[-SHOWN // 2 :])
    rows = [
        ("…", "", "", "")
        if each is None
        else (
            f"game {each.game:,}",
            signed_text(each.change),
            f"= {each.after:,}",
            " ".join(map(game.move_name, each.moves)),
        )
        for each in shown
    ]
    lines += columns(rows, "<>><") if rows else []
    if found.without is not None:
        now, then = (_likely(policy) for policy in (found.policy, found.without.policy))
        number = f"Without game {found.without.game:,} the number would be {count_text(found.without.number)}"
        lines += ["", f"{number}, and it would play {then}; now it plays {now}"]
    return lines


def history_strip(found: NumberHistory, width: int) -> list[str]:
    """Return the history in `width` columns: a sentence, the number after each change as bars, and the last changes."""
    game, changes = found.game, found.history.changes
    numbers = [found.history.start, *(each.after for each in changes)]
    told = f"{game.move_name(found.move)} began as {count_text(numbers[0])} and is {count_text(numbers[-1])}: "
    told += f"{counted_noun(len(changes), 'game')} changed it."
    if not changes:
        told = f"No game changed {game.move_name(found.move)}: it is {count_text(numbers[0])}, as at the start."
        return wrap(told, max(1, width))
    lowest = min(0, *numbers)
    lines = [*wrap(told, max(1, width)), spark([each - lowest for each in numbers], max(numbers) - lowest, width)]
    for each in changes[-STRIP:]:
        moves = " ".join(map(game.move_name, each.moves))
        lines.append(cut(f"game {each.game:,}: {signed_text(each.change)}, {moves}", max(1, width)))
    return lines


def _likely(policy: dict[str, float]) -> str:
    most = max(policy.values())
    names = [name for name, chance in policy.items() if most - chance < 1e-9]
    return (
        f"{' or '.join(names)} ({percent_text(most)}{' each' if len(names) > 1 else ''})"
        if most
        else "nothing: it resigns"
    )
