"""Saves that learn at the board. After a game, each save learns from it as the side that it played, and is stored."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeGuard

import numpy as np

from engine.evaluate import SAME, Policy
from engine.game import BadText, Side
from engine.match import Match, Record
from learners import revive
from learners.core.learner import PERSON, Learner
from learners.core.player import Player
from learners.core.save_ref import save_of, short_label
from learners.core.snapshot import ITSELF, Snapshot
from learners.core.training import record_moment
from learners.core.view import Change
from learners.players.plain import TEACHER
from saves import gallery
from saves.library.library import Library


@dataclass(frozen=True)
class Effect:
    """How likely a learner is to play the moves of a game, before and after it learned from this game."""

    match: Match
    ply: int | None
    """The move whose probability has changed most, if possible one of the learner's; `None` if none has changed."""
    before: float
    after: float
    """The probability of that move, and of all that share its number by symmetry, before and after the game."""
    again: tuple[float, float]
    """The probability that the learner would repeat all its moves of this game, before and after the game."""


def effect_of(learner: Learner, match: Match, sides: Collection[Side], before: Policy, after: Policy) -> Effect:
    """Return the effect of a game on a learner that played it as `sides`.

    `before` and `after` are the learner's policies before and after it learned from the game, shape (m,).
    """
    space, cell = learner.space, learner.cell
    edges = [space.edge(position, move) for position, move in zip(match.positions, match.moves, strict=False)]
    is_own = [int(space.side[space.source[edge]]) in sides for edge in edges]
    groups = [
        [each for each in space.edges(position) if cell[each] == cell[edge]]
        for position, edge in zip(match.positions, edges, strict=False)
    ]
    chances_before = [float(before[group].sum()) for group in groups]
    chances_after = [float(after[group].sum()) for group in groups]
    again = (_product(chances_before, is_own), _product(chances_after, is_own))
    growth = [abs(now - then) for then, now in zip(chances_before, chances_after, strict=True)]
    changed = [ply for ply in range(len(edges)) if growth[ply] > SAME]
    if not changed:
        return Effect(match, None, 0.0, 0.0, again)
    ply = max(changed, key=lambda ply: (is_own[ply], growth[ply]))
    return Effect(match, ply, chances_before[ply], chances_after[ply], again)


def _product(chances: Sequence[float], is_own: Sequence[bool]) -> float:
    """Return the probability that the learner makes all of its own moves."""
    return float(np.prod([chance for chance, own in zip(chances, is_own, strict=True) if own]))


@dataclass(frozen=True)
class Lesson:
    learner: Learner
    """The learner after the game."""
    changes: tuple[Change, ...]
    words: tuple[str, ...]
    gained: int
    """The total growth of the numbers of the learner's memory."""
    effect: Effect


def is_pupil(player: Player | None) -> TypeGuard[Learner]:
    """Return whether a player is a save of the user's own that learns; the gallery and checkpoints never change."""
    if not isinstance(player, Learner) or not player.spec.learns_records:
        return False
    save = save_of(player.label)
    return save is not None and save.rounds is None and save.name not in gallery.names()


BEGINNER_ROUNDS: Final = 20
"""The number of games after which a machine that learns is no longer a beginner."""


def is_beginner(player: Player | None) -> bool:
    """Return whether a save learns from games, but has had so few that it proves nothing to beat it."""
    return is_pupil(player) and player.rounds < BEGINNER_ROUNDS


def teach(library: Library, record: Record, label: str) -> Lesson:
    """Let a save, given by its label, learn from a finished game as the side that it played, and store the save.

    It is loaded again first, since it may have been trained after it took its seat. Raises `BadText`, `LibraryError`,
    `TooLarge`.
    """
    name = short_label(label)
    seats = [side for side in Side if record.players[side] == label]
    lessons: list[Lesson] = []

    def learn(snapshot: Snapshot) -> Snapshot:
        learner = revive(snapshot)
        learner.label = label
        sides = [side for side in seats if side in learner.sides]
        if not sides:
            raise BadText(f"{name} does not play {learner.game.mark(seats[0])}: it learns nothing there")
        before = learner.policy()
        try:
            changes = learner.learn_record(record, sides)
        except KeyError as error:
            raise BadText(f"{name} plays another game than {record.game.name}") from error
        learner.record_opponent(ITSELF if len(sides) == len(Side) else record.players[sides[0].other])
        record_moment(learner)
        words = tuple(learner.view.describe(change) for change in changes)
        effect = effect_of(learner, learner.replay(record), sides, before, learner.policy())
        lessons.append(Lesson(learner, changes, words, _total_gain(learner, changes), effect))
        return learner.snapshot()

    library.change(name, learn)
    return lessons[0]


def snapshot_to_train(learner: Learner) -> Snapshot:
    """Return the snapshot of a save, to be trained without a person: against itself, or against a perfect player."""
    snapshot = learner.snapshot()
    if snapshot.opponent != PERSON:
        return snapshot
    return replace(snapshot, opponent=ITSELF if len(learner.sides) == len(Side) else TEACHER)


def _total_gain(learner: Learner, changes: Sequence[Change]) -> int:
    before = np.array([change.before for change in changes], np.int64)
    after = np.array([change.after for change in changes], np.int64)
    shown = learner.view.shown_numbers
    return int((shown(after) - shown(before)).sum())
