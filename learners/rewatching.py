"""Facts about a training, found by repeating it: which games changed a number, and when something changed.

The games come from the seed and the checkpoints of a snapshot: between two checkpoints, the same kernels play them
again, and must come to the same memory.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from engine.game import BadText, Game, Move
from engine.stop import Stop, Stopped, never
from learners import revive
from learners.core.learner import PERSON, Learner
from learners.core.player import Player
from learners.core.snapshot import Snapshot
from learners.core.training import TrainingPlan, run
from learners.rewind import moments, rewind_to
from learners.tables.table_learner import GAME_KEYS, TableLearner

NOT_REPEATED: Final = "a person or an opponent that is gone played there, or it had another opponent or other settings"
"""Why some games cannot be played again."""
Tables = TableLearner[Any, Any, Any]
FindOpponent = Callable[[str, Game], Player | None]
"""Returns the opponent with a label; `None` for self-play. Raises `BadText` if there is none any more."""


@dataclass(frozen=True)
class CellChange:
    game: int
    """The number of the game, from 1; of a stretch of games that cannot be repeated, the last one."""
    change: int
    after: int
    moves: tuple[Move, ...]
    """Empty for a stretch of games that cannot be repeated: the change is that of all of them."""
    since: int = 0
    """The number of the game before the stretch."""


@dataclass(frozen=True)
class CellHistory:
    """The history of one number. `start` and all changes sum to `number`."""

    start: int
    """The number before the first game."""
    number: int
    changes: tuple[CellChange, ...]


def cell_history(snapshot: Snapshot, cell: int, find_opponent: FindOpponent, stop: Stop = never) -> CellHistory:
    """Return the history of the number of an edge, which is the `Learner.cell` of the moves that share it.

    Between two checkpoints where `NOT_REPEATED` holds, all games are one change. Raises `BadText` for a learner without
    such numbers, and `Stopped`.
    """
    start = number = int(_revive_tables(rewind_to(snapshot, 0)).memory[cell])
    changes = list[CellChange]()
    for since, learner, rounds in _stretches(snapshot, find_opponent):
        stretch_changes, last = list[CellChange](), number
        if _can_train(learner):
            for nth, after, moves in learner.games_that_change(cell, rounds - since):
                if stop():
                    raise Stopped
                stretch_changes.append(CellChange(since + nth, after - last, after, moves))
                last = after
        known_memory = _revive_tables(rewind_to(snapshot, rounds)).memory
        if not np.array_equal(learner.memory, known_memory):  # the games cannot be repeated
            last = int(known_memory[cell])
            stretch_changes = []
            if last != number:
                stretch_changes.append(CellChange(rounds, last - number, last, (), since))
        changes += stretch_changes
        number = last
    return CellHistory(start, number, tuple(changes))


def without_game(snapshot: Snapshot, left_out: int, find_opponent: FindOpponent) -> Tables:
    """Return the learner as it would be if it had not learned from one game.

    The game is played and counted, but changes no number; all later games go on with the draws that followed it. Raises
    `BadText` if there is no such game, for a learner without such numbers, and where `NOT_REPEATED` holds.
    """
    total = _revive_tables(snapshot).stats()["games"]
    if not 1 <= left_out <= total:
        raise BadText(f"there is no game {left_out:,}: it has learned from games 1 to {total:,}")
    changed: Tables | None = None
    for since, original, rounds in _stretches(snapshot, find_opponent):
        if not _can_train(original):
            if left_out > rounds:
                continue
            raise BadText(f"{games_text(since, rounds)} cannot be played again: {NOT_REPEATED}")
        if changed is not None:
            changed.set_opponent(find_opponent(original.opponent, original.game))
            changed.train(rounds - since)
        elif left_out <= rounds:
            original.train(left_out - 1 - since)
            changed = _revive_tables(original.snapshot())
            changed.set_opponent(find_opponent(original.opponent, original.game))
            original.train(1)
            changed.generator[:] = original.generator
            changed.tally[: len(GAME_KEYS)] = original.tally[: len(GAME_KEYS)]
            changed.train(rounds - left_out)
            original.train(rounds - left_out)
            _require_same(original, snapshot, since, rounds)
    if changed is None:
        raise BadText(f"game {left_out:,} was not part of a training")
    return changed


def _revive_tables(snapshot: Snapshot) -> Tables:
    """Return the learner of a snapshot. Raises `BadText` if its memory is no table that games change."""
    learner = revive(snapshot)
    if not isinstance(learner, TableLearner):
        name = learner.spec.name
        raise BadText(f"{name} keeps no numbers that single games change: choose a save of another learner")
    return learner


def _stretches(snapshot: Snapshot, find_opponent: FindOpponent) -> Iterator[tuple[int, Tables, int]]:
    """Yield the stretches between checkpoints, with the learner at the beginning of each and its opponent in it."""
    known = moments(snapshot)
    for since, rounds in pairwise(known):
        learner = _revive_tables(rewind_to(snapshot, since))
        later = snapshot.checkpoints.get(rounds)
        opponent = snapshot.opponent if later is None or rounds == known[-1] else later.opponent
        try:
            player = None if opponent == PERSON else find_opponent(opponent, learner.game)
        except BadText:  # nobody can repeat its games, as with those of a person
            opponent = PERSON
        if opponent == PERSON or learner.is_generator_unknown:
            learner.record_opponent(opponent)
        else:
            learner.set_opponent(player)
            learner.prepare_training()
        yield since, learner, rounds


def _require_same(learner: Tables, snapshot: Snapshot, since: int, rounds: int) -> None:
    """Raise `BadText` unless the learner has come to the memory that the snapshot had after `rounds`."""
    if not np.array_equal(learner.memory, rewind_to(snapshot, rounds).memory):
        raise BadText(f"{games_text(since, rounds)} cannot be played again: {NOT_REPEATED}")


def _can_train(learner: Tables) -> bool:
    return learner.opponent != PERSON and not learner.is_generator_unknown


def games_text(since: int, rounds: int) -> str:
    return f"game {rounds:,}" if rounds - since == 1 else f"games {since + 1:,} to {rounds:,}"


@dataclass(frozen=True)
class ChangeSpan:
    """The rounds between which a change happened: after `since`, and not later than `rounds`."""

    since: int
    """The last known number of rounds before the change."""
    rounds: int
    """The first known number of rounds after it."""
    learner: Learner | None = None
    """The learner after `rounds`, if it was trained again up to there."""

    @property
    def is_exact(self) -> bool:
        return self.rounds - self.since == 1


def locate_change(
    snapshot: Snapshot, since: int, rounds: int, has_changed: Callable[[Learner], bool], stop: Stop = never
) -> ChangeSpan:
    """Narrow a change between two checkpoints down to its round, by training again with bisection.

    If there were several changes, the result is one of them. Once `stop()` is true, the change is returned as far as it
    is narrowed down. Raises `BadText` for a learner that cannot be trained further from the first checkpoint.
    """
    span = ChangeSpan(since, rounds)
    if span.is_exact:
        return span
    learner = revive(rewind_to(snapshot, since))
    learner.prepare_training(stop)
    before = learner.snapshot()
    while not span.is_exact and not stop():
        middle = (span.since + span.rounds) // 2
        learner = revive(before)
        *_, last = run(learner, TrainingPlan(middle - span.since), stop)
        if learner.rounds < middle:
            break
        if has_changed(learner):
            span = ChangeSpan(span.since, middle, learner)
        else:
            before, span = last.snapshot, ChangeSpan(middle, span.rounds, span.learner)
    return span
