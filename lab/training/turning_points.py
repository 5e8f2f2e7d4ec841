"""The turning points of a training: what changed, and after which round, each in one sentence.

They are computed from two things only, at each known point of the training: the learner's policy, and its exact
results. A change between two points is traced to its exact round by repeating the training between them, if the learner
can be revived at the earlier point.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise
from typing import Final

import numpy as np

from engine.evaluate import SAME
from engine.game import BadText, Game, Move, Side
from engine.stop import Stop, never
from lab.results.exact_results import TimelinePoint, exact_of
from lab.results.score_lines import IN_SENTENCES
from lab.text.numbers import count_text, percent_text
from learners.core.learner import Learner
from learners.core.snapshot import Snapshot
from learners.rewatching import ChangeSpan, locate_change

MAX_ROUNDS: Final = 2_000_000
"""The longest interval that is trained again to find one change, in rounds."""


def trace_if_possible(
    snapshot: Snapshot, since: int, rounds: int, has_changed: Callable[[Learner], bool], stop: Stop = never
) -> ChangeSpan:
    """Trace a change as `locate_change` does; return the whole interval if tracing takes too long or is impossible."""
    if rounds - since > MAX_ROUNDS:
        return ChangeSpan(since, rounds)
    try:
        return locate_change(snapshot, since, rounds, has_changed, stop)
    except BadText:  # the opponent or the state of the generator is not stored
        return ChangeSpan(since, rounds)


FAVOURITE, SETTLED = 0.5, 0.9
"""The minimum probability of an opening that a learner prefers, and of one on which it has settled."""
GAMES_PER_LOSS: Final = (2, 10, 100)
"""To lose fewer than one game in each of these numbers is a turning point."""


@dataclass(frozen=True)
class Condition:
    """A property of a learner. It is a turning point when it begins to hold."""

    holds: Callable[[TimelinePoint], bool]
    describe: Callable[[TimelinePoint], str]
    undoes: bool = False
    """Whether it ends a state that was a turning point itself; then it is told only if that state had lasted."""
    rarer: tuple[Side, str] | None = None
    """The side, and the key of the opponent, for which losses are rarer from now on."""
    opening: tuple[Move, ...] = ()
    """The moves with which the learner begins more often from now on."""
    ends_losses: bool = False
    """Whether the condition says that there are no more losses."""
    stays: Callable[[TimelinePoint], bool] | None = None
    """What must hold at all later points for the sentence to be true; `None` if it speaks of its own moment only."""


@dataclass(frozen=True)
class TurningPoint:
    """A change, and the number of rounds after which it first holds."""

    rounds: int
    sentence: str
    condition: Condition


def find_turning_points(snapshot: Snapshot, points: Sequence[TimelinePoint], stop: Stop = never) -> list[TurningPoint]:
    """Find the changes between these points of a training, ascending by rounds.

    A change that is undone and then happens again appears twice. Once `stop()` is true, the result has only the changes
    found so far, in any order.
    """
    changes: list[TurningPoint] = []
    for before, after in pairwise(points):
        for condition in conditions_for(after.learner):
            if stop():
                return changes
            if condition.holds(after) and not condition.holds(before):
                changes.append(_trace_turning_point(snapshot, before, after, condition, stop))
    return sorted(changes, key=lambda point: point.rounds)


def lasting_changes(
    changes: Sequence[TurningPoint], points: Sequence[TimelinePoint], *, ended: bool = True
) -> list[TurningPoint]:
    """Return the turning points to tell a person: of the changes between `points`, those that last.

    A change that is undone before the next point, or that must stay and does not, is left out; so is one that undoes a
    change that had not lasted. Unless the training has `ended`, a change after the last but one point waits until the
    next point shows whether it lasts.
    """
    return [change for change in changes if _lasts(change, points, ended=ended)]


def _lasts(change: TurningPoint, points: Sequence[TimelinePoint], *, ended: bool) -> bool:
    condition = change.condition
    at = next(place for place, point in enumerate(points) if point.rounds >= change.rounds)
    later = points[at + 1 :]
    if not (condition.holds(later[0]) if later else ended):
        return False
    if condition.stays is not None and not all(map(condition.stays, later)):
        return False
    undoes_passing_state = condition.undoes and at > 1 and condition.holds(points[at - 2])
    return not undoes_passing_state


def merge_by_round(points: Sequence[TurningPoint], game: Game) -> list[TurningPoint]:
    """Merge the turning points of each round into one, with one sentence about all that changed in that round."""
    return [_merge([*group], game) for _, group in groupby(points, lambda point: point.rounds)]


def _merge(points: Sequence[TurningPoint], game: Game) -> TurningPoint:
    if len(points) == 1:
        return points[0]
    beaten_no_longer: dict[Side, list[str]] = {}
    others: dict[object, str] = {}
    for point in points:
        condition = point.condition
        if condition.rarer is not None and condition.ends_losses:
            side, opponent = condition.rarer
            beaten_no_longer.setdefault(side, []).append(opponent)
        else:
            # the last of several limits is the strictest
            others[condition.rarer or condition.opening or point.sentence] = point.sentence
    marks: dict[tuple[str, ...], list[str]] = {}
    for side, opponents in beaten_no_longer.items():
        marks.setdefault(tuple(opponents), []).append(game.mark(side))
    sentences = [
        f"No longer loses to {_opponents_text(opponents)} as {' or '.join(sides)}."
        for opponents, sides in marks.items()
    ]
    first, *more = (sentence.removesuffix(".") for sentence in (*sentences, *others.values()))
    clauses = [first, *(f"{sentence[0].lower()}{sentence[1:]}" for sentence in more)]
    return replace(points[0], sentence=f"{'; '.join(clauses)}.")


def _opponents_text(opponents: Sequence[str]) -> str:
    """Name the opponents to whom a learner no longer loses: `anybody` if there are several, with the best responder."""
    if len(opponents) > 1 and "best_responder" in opponents:
        return "anybody"
    return " or ".join(IN_SENTENCES[opponent] for opponent in opponents)


def conditions_for(learner: Learner) -> Iterator[Condition]:
    """Yield every condition that can become a turning point of this learner: none without exact results."""
    if not learner.game.learnable:
        return
    for side in learner.sides:
        for opponent in IN_SENTENCES:
            yield _loses_no_longer(side, opponent)
            yield _loses_again(side, opponent)
            yield from (_loses_rarely(side, opponent, games) for games in GAMES_PER_LOSS)
    every_number_counts = learner.settings.get("pick") != "fullest"
    if learner.spec.plays_games and not learner.spec.explores and every_number_counts:
        yield Condition(lambda point: _first_given_up(point.learner) is not None, _describe_given_up)
    if Side.FIRST in learner.sides:
        for moves in openings(learner.game):
            yield from (_opens_with(moves, share) for share in (FAVOURITE, SETTLED))
            yield _gives_up(moves)


def openings(game: Game) -> list[tuple[Move, ...]]:
    """Return the first moves of a game, those that are the same by symmetry in one group each."""
    unchanged = [symmetry for symmetry in game.symmetries if game.transform(game.start, symmetry) == game.start]
    groups = {
        tuple(sorted({game.transform_move(move, symmetry) for symmetry in unchanged}))
        for move in game.moves(game.start)
    }
    return sorted(groups)


def opening_probability(learner: Learner, moves: Sequence[Move]) -> float:
    """Return the probability that the learner begins the game with one of these moves."""
    space = learner.space
    first = slice(int(space.first_edge[0]), int(space.first_edge[1]))
    chosen = np.isin(space.move[first], moves)
    return float(learner.policy()[first][chosen].sum())


def _first_given_up(learner: Learner) -> int | None:
    """Return the first edge that the learner does not choose any more; `None` if it may choose every move."""
    closed_edges = np.flatnonzero(~learner.view.open_edges())
    return int(closed_edges[0]) if len(closed_edges) else None


def _describe_given_up(point: TimelinePoint) -> str:
    learner = point.learner
    edge, space = _first_given_up(learner) or 0, learner.space
    row = int(space.source[edge])
    move = f"{learner.game.mark(Side(space.side[row]))} {learner.game.move_name(int(space.move[edge]))}"
    return f"Gives up a move for the first time: {move} as move {int(space.ply[row]) + 1}."


def _names(point: TimelinePoint, moves: Sequence[Move], last: str) -> str:
    *others, final = (point.learner.game.move_name(move) for move in moves)
    return f"{', '.join(others)} {last} {final}" if others else final


def _loss(point: TimelinePoint, side: Side, opponent: str) -> float:
    return point.exact[side.name.lower()].against[opponent].loss


def _loses_no_longer(side: Side, opponent: str) -> Condition:
    def holds(point: TimelinePoint) -> bool:
        return _loss(point, side, opponent) <= 0

    def describe(point: TimelinePoint) -> str:
        return f"No longer loses to {IN_SENTENCES[opponent]} as {point.learner.game.mark(side)}."

    return Condition(holds, describe, rarer=(side, opponent), ends_losses=True, stays=holds)


def _loses_again(side: Side, opponent: str) -> Condition:
    def describe(point: TimelinePoint) -> str:
        share = percent_text(_loss(point, side, opponent))
        return f"Loses to {IN_SENTENCES[opponent]} as {point.learner.game.mark(side)} again: {share}."

    return Condition(lambda point: _loss(point, side, opponent) > 0, describe, undoes=True)


def _loses_rarely(side: Side, opponent: str, games: int) -> Condition:
    def describe(point: TimelinePoint) -> str:
        return f"Loses under {percent_text(1 / games)} to {IN_SENTENCES[opponent]} as {point.learner.game.mark(side)}."

    return Condition(
        lambda point: 0 < _loss(point, side, opponent) < 1 / games,
        describe,
        rarer=(side, opponent),
        stays=lambda point: _loss(point, side, opponent) < 1 / games,
    )


def _opens_with(moves: tuple[Move, ...], share: float) -> Condition:
    def holds(point: TimelinePoint) -> bool:
        return opening_probability(point.learner, moves) >= share

    def describe(point: TimelinePoint) -> str:
        return f"Opens with {_names(point, moves, 'or')} in at least {percent_text(share)} of games."

    return Condition(holds, describe, opening=moves, stays=holds)


def _gives_up(moves: tuple[Move, ...]) -> Condition:
    def holds(point: TimelinePoint) -> bool:
        return opening_probability(point.learner, moves) <= SAME

    return Condition(holds, lambda point: f"Gives up the opening {_names(point, moves, 'and')}.", stays=holds)


def _trace_turning_point(
    snapshot: Snapshot, before: TimelinePoint, after: TimelinePoint, condition: Condition, stop: Stop
) -> TurningPoint:
    """Return a turning point with its exact round if that can be found, else with the round of the later checkpoint."""

    def holds(learner: Learner) -> bool:
        return condition.holds(TimelinePoint(learner.rounds, learner, exact_of(learner)))

    without_bulk = replace(snapshot, bulk=b"")
    change = trace_if_possible(without_bulk, before.rounds, after.rounds, holds, stop)
    point = after
    if change.learner is not None:
        point = TimelinePoint(change.rounds, change.learner, exact_of(change.learner))
    return TurningPoint(point.rounds, condition.describe(point), condition)


def sentence_with_rounds(point: TurningPoint, noun: str) -> str:
    """Return a turning point as a line of a list: `Game 4,100: no longer …`."""
    first = f"{noun.capitalize()} {count_text(point.rounds)}"
    return f"{first}: {point.sentence[0].lower()}{point.sentence[1:]}"
