"""Find the shortest course for a machine: by an integer program if the machine strikes moves, else game by game."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from math import ceil
from random import Random
from time import monotonic
from typing import Final, TypeGuard

import numpy as np

from engine.evaluate import losing_game
from engine.game import BadText, Game, Side
from engine.plural import counted_noun
from engine.smallest.integer_program import NoSolver, has_solver
from engine.space import RUNNING
from engine.stop import Stop, Stopped, never, unless_stopped, while_time_lasts
from learners.core.learner import Learner
from learners.core.settings import Setting
from learners.courses.course import (
    SEED,
    Course,
    Moves,
    Pupil,
    forced_match,
    own_changes,
    play_course,
    shipped_courses,
    teach_game,
)
from learners.courses.decisions import DRAWN, WON, Box, Cell, Decisions, End, decisions_of
from learners.courses.draining import DrainingGames, best_plan, quick_plan
from learners.courses.honest import NeverTaught, games_with_luck
from learners.courses.striking import Strikes, StrikingGames, fewest_strikes, quick_strikes
from learners.failures.learner import Failures
from learners.menace.learner import Menace

SECONDS: Final = 60.0
"""The default time limit of the search for a course of one side, in seconds."""
MAX_EDGES: Final = 500_000
"""The most edges of a game for which courses are searched."""
MAX_GAMES: Final = 20_000
"""The most games of a course that is found game by game."""
MAX_DRAWN_COURSES: Final = 30
"""The most courses that are drawn by lot, of which the shortest is taken."""
MAX_PLANS: Final = 8
"""The maximum number of plans that are played out, to take the one with the shortest course."""
Report = Callable[[int], None]
"""Takes the number of games that a course has so far."""
SOLVED_LEARNERS: Final = (Failures, Menace)
"""Learners for which an integer program finds the course, if there is a solver."""


class CannotTeach(BadText):
    """The machine loses against best play, or cannot be taught."""


@dataclass(frozen=True)
class _Part:
    games: tuple[Moves, ...]
    bound: int
    strikes: int = 0
    least_strikes: int = 0


@dataclass
class _Clock:
    deadline: float
    stop: Stop
    report: Report

    @property
    def seconds_left(self) -> float:
        return max(0.1, self.deadline - monotonic())

    def is_over(self) -> bool:
        return self.stop() or monotonic() > self.deadline

    def check(self, games: int, *, timed: bool = False) -> None:
        """Report the number of games so far. Raises `Stopped`; with `timed`, `CannotTeach` once the time is over."""
        self.report(games)
        if self.stop():
            raise Stopped
        if timed and self.is_over():
            raise CannotTeach(
                f"no course was found: after {counted_noun(games, 'lost game')} it can still lose; "
                "--seconds gives it more time"
            )


def find_course(  # noqa: PLR0913  each says what is asked for
    kind: type[Learner],
    game: Game,
    preset: str,
    settings: Mapping[str, Setting],
    sides: Collection[Side] = (),
    *,
    seconds: float = SECONDS,
    stop: Stop = never,
    report: Report = lambda _games: None,
) -> Course:
    """Find a course that teaches a new learner never to lose as these sides, by default as all that can hold.

    Each side has `seconds`. If a course of one side comes with the program, it is returned unless a shorter one is
    found; without the solver, at once. Raises `BadText`, above all `CannotTeach`; and `Stopped`.
    """
    start, parts = monotonic(), dict[Side, _Part]()
    learner, wanted = prepare_teaching(kind, game, preset, settings, sides, stop)
    is_alone = len(wanted) == 1
    shipped = None
    if is_alone and not settings:
        shipped = shipped_courses().get(Pupil(kind.spec.name, preset, game, wanted[0]))
    if shipped is not None and not has_solver():
        return shipped
    for side in wanted:
        clock = _Clock(monotonic() + seconds, stop, report)
        parts[side] = _find_part(learner, side, clock, is_alone=is_alone)
    is_solved = isinstance(learner, SOLVED_LEARNERS)
    bounds = [part.bound for part in parts.values()]
    strikes = sum(part.strikes for part in parts.values())
    if isinstance(learner, Failures):
        strikes = failures_of(learner, parts)
    course = Course(
        learner=kind.spec.name,
        preset=preset,
        settings=settings,
        game=game,
        games={side: part.games for side, part in parts.items()},
        bound=sum(bounds) if is_solved else max(bounds),  # others learn from both sides
        strikes=strikes,
        least_strikes=sum(part.least_strikes for part in parts.values()),
        seconds=monotonic() - start,
    )
    if len(parts) > 1 and not is_solved:
        _require_both(course, kind(game, preset, SEED, settings))
    if shipped is not None and (shipped.length, -shipped.bound) <= (course.length, -course.bound):
        return shipped
    return course


def _require_both(course: Course, pupil: Learner) -> None:
    """Raise `CannotTeach` if a course fails because what a machine learns as one side changes its play as the other."""
    try:
        list(play_course(pupil, course))
    except BadText as error:
        raise CannotTeach(
            f"each side has a course, but not both together: what {pupil.spec.name} learns as one side changes what it "
            "plays as the other\nName one side: first, or second"
        ) from error


def prepare_teaching(  # noqa: PLR0913, PLR0917  as for `find_course`
    kind: type[Learner],
    game: Game,
    preset: str,
    settings: Mapping[str, Setting],
    sides: Collection[Side] = (),
    stop: Stop = never,
) -> tuple[Learner, tuple[Side, ...]]:
    """Return a new learner, and the sides to teach: those given, or by default all that can hold.

    Raises `BadText`, above all `CannotTeach`; and `Stopped`.
    """
    if not kind.spec.learns_records:
        raise CannotTeach(f"{kind.spec.name} learns from many games at once, not from one: no course teaches it")
    learner = kind(game, preset, SEED, settings)
    if len(learner.space.move) > MAX_EDGES:
        raise CannotTeach(f"{game.title} has more than {MAX_EDGES:,} moves in its positions: too many to find a course")
    possible_sides = [side for side in learner.sides if not decisions_as(learner, side, stop).is_hopeless]
    for side in sides or possible_sides:
        if side not in learner.sides:
            raise CannotTeach(f"{kind.spec.label(preset)} does not play {game.mark(side)}")
        if side not in possible_sides:
            raise CannotTeach(f"{game.mark(side)} loses against best play, whatever it remembers: no course helps")
    if not possible_sides:
        raise CannotTeach(f"{kind.spec.label(preset)} loses against best play as every side that it plays")
    return learner, tuple(sides or possible_sides)


def decisions_as(learner: Learner, side: Side, stop: Stop = never) -> Decisions:
    """Return a learner's decisions as one side. Only in a matchbox machine, positions share boxes. Raises `Stopped`."""
    space = learner.space
    if isinstance(learner, Menace):
        return decisions_of(space, side, learner.boxes.box, learner.cell, stop)
    own = (space.side == side) & (space.outcome == RUNNING)
    rows = np.arange(len(space.position), dtype=np.int32)
    return decisions_of(space, side, np.where(own, rows, np.int32(-1)), learner.cell, stop)


def strikes_one_bead(learner: Learner) -> TypeGuard[Menace]:
    """Return whether a learner is a matchbox machine like HER, with one bead a move, and a lost game takes one bead."""
    if not isinstance(learner, Menace) or not learner.matchboxes.draws:
        return False
    wanted = {"beads": "1", "teaches": "last", "empty": "resign", "least": 0, "win": 0, "draw": 0, "singles": True}
    return int(learner.settings["loss"]) < 0 and wanted.items() <= learner.settings.items()


def failures_of(learner: Learner, sides: Collection[Side]) -> int:
    own = np.isin(learner.space.side[learner.space.source], list(sides))
    return int(np.count_nonzero(learner.memory[own]))


def _find_part(learner: Learner, side: Side, clock: _Clock, *, is_alone: bool) -> _Part:
    if isinstance(learner, Failures):
        return _find_by_striking(learner, side, clock, lambda _cell: 1, is_alone=is_alone)
    if isinstance(learner, Menace) and learner.matchboxes.draws and learner.settings["least"] == 0:
        settings, beads = learner.settings, learner.matchboxes.initial_beads
        win, draw, loss = (int(settings[key]) for key in ("win", "draw", "loss"))
        if settings["teaches"] == "last" and settings["empty"] == "resign" and loss < 0 <= min(win, draw):
            return _find_by_striking(learner, side, clock, lambda cell: ceil(int(beads[cell]) / -loss))
        if settings["teaches"] == "all" and settings["empty"] != "keep" and loss == -1 and min(win, draw) >= 0:
            return _find_by_draining(learner, side, clock, {WON: win, DRAWN: draw})
    return _find_by_lot(learner, side, clock)


def _find_by_striking(
    learner: Learner, side: Side, clock: _Clock, cost: Callable[[Cell], int], *, is_alone: bool = True
) -> _Part:
    """Return the course of a machine that strikes the last move of a lost game, after `cost` such games."""
    decisions, is_reasoner = decisions_as(learner, side, clock.stop), isinstance(learner, Failures)
    strikes = _cheapest_strikes(decisions, cost, clock)

    def is_struck(cell: Cell) -> bool:
        return bool(learner.memory[cell]) == is_reasoner

    games, struck_count = list[Moves](), 0
    for moves in StrikingGames(decisions, strikes, is_struck, plays_on=is_reasoner).games():
        clock.check(len(games))
        changes = teach_game(learner, side, forced_match(learner, side, moves))
        struck_count += own_changes(learner, (side,), changes)
        games.append(moves)
    bound = strikes.bound
    if is_reasoner:
        strikes_more = bool(learner.settings["walk_back"]) or not is_alone
        bound = _cheapest_strikes(decisions, _single_strike_cost(decisions, strikes_more=strikes_more), clock).bound
    return _Part(tuple(games), bound, struck_count, strikes.bound)


def _find_by_draining(learner: Menace, side: Side, clock: _Clock, gains: Mapping[End, int]) -> _Part:
    """Return the shortest course found for a machine whose lost games take a bead from every box that it opened.

    Equally good plans can need different numbers of games, so as many are tried as the time allows, at most
    `MAX_PLANS`.
    """
    decisions, beads = decisions_as(learner, side, clock.stop), learner.matchboxes.initial_beads
    parts, resigns = list[_Part](), learner.settings["empty"] == "resign"
    for seed in range(MAX_PLANS if has_solver() else 1):
        before, plan = monotonic(), quick_plan(decisions)
        with suppress(NoSolver):
            plan = best_plan(decisions, beads.__getitem__, clock.seconds_left / 2, clock.stop, seed=seed) or plan
        pupil = type(learner)(learner.game, learner.preset, SEED, learner.settings)
        lot = Random(seed)  # noqa: S311  reproducible draws, no secrets
        draining = DrainingGames(decisions, plan, _beads_of(pupil), gains, lot, resigns=resigns)
        parts.append(_follow_plan(pupil, side, clock, draining, plan.bound))
        if 2 * (monotonic() - before) > clock.seconds_left:
            break
    shortest = min(parts, key=lambda part: len(part.games))
    return replace(shortest, bound=max(part.bound for part in parts))


def _beads_of(learner: Menace) -> Callable[[Cell], int]:
    return lambda cell: int(learner.memory[cell])


def _follow_plan(learner: Menace, side: Side, clock: _Clock, draining: DrainingGames, bound: int) -> _Part:
    """Return the course that follows a plan, found game by game on a new learner."""
    games = list[Moves]()
    for moves in draining.games():
        clock.check(len(games))
        if len(games) >= bound and losing_game(learner.space, side, learner.policy()) is None:
            break  # sooner than planned: what is left to drain is not reached any more
        teach_game(learner, side, forced_match(learner, side, moves))
        games.append(moves)
    rest = _find_game_by_game(learner, side, clock)  # usually none; some if no further game drained anything
    return _Part((*games, *rest.games), bound)


def _cheapest_strikes(decisions: Decisions, cost: Callable[[Cell], int], clock: _Clock) -> Strikes:
    """Return the cheapest strikes that can be found: without the solver, if it is not installed or not needed."""
    quick = quick_strikes(decisions, cost)
    if sum(map(cost, unless_stopped(quick.reply, clock.stop))) == quick.bound:
        return quick
    try:
        return fewest_strikes(decisions, cost, clock.seconds_left / 2, clock.stop) or quick
    except NoSolver:
        return quick


def _single_strike_cost(decisions: Decisions, *, strikes_more: bool) -> Callable[[Cell], int]:
    """Return a function for the cost of a cell: 1 for cells of which no game strikes more than one, else 0.

    The rule for a lost game strikes one move of the loser. Every other move is struck on the way to a dead box; the
    last of these in a game counts as well, unless a game strikes more moves: earlier ones, by a walk back, or moves of
    the other side.
    """
    has_later_strike = dict[Box, bool]()
    """For each box whether play can come from it to a box with a losing move."""
    for box, cells in decisions.boxes(last_first=True):
        later_boxes = {end for ends in cells.values() for end in ends if end >= 0}
        has_later_strike[box] = any(
            has_later_strike[each] or not decisions.losing.isdisjoint(decisions.ways[each]) for each in later_boxes
        )

    def cost(cell: Cell) -> int:
        dead_boxes = decisions.lost & decisions.ends[cell]
        if strikes_more:
            return int(not dead_boxes)
        return int(not any(has_later_strike[box] for box in dead_boxes))

    return cost


def _find_game_by_game(learner: Learner, side: Side, clock: _Clock) -> _Part:
    """Return a course in which each game is a shortest one that the machine can then lose, until it cannot lose any."""
    games = list[Moves]()
    while True:
        moves = losing_game(learner.space, side, learner.policy())
        if moves is None:
            return _Part(tuple(games), int(bool(games)))
        clock.check(len(games), timed=True)
        if len(games) == MAX_GAMES:
            raise CannotTeach(f"{learner.spec.label(learner.preset)} still loses after {MAX_GAMES:,} lost games")
        teach_game(learner, side, forced_match(learner, side, moves))
        games.append(moves)


def _find_by_lot(learner: Learner, side: Side, clock: _Clock) -> _Part:
    """Return the shortest of several courses: that of `_find_game_by_game`, and those of teachers that use the memory.

    These teachers play what beats the memory most often, while the machine draws its moves. As many such courses are
    drawn as the time allows, at most `MAX_DRAWN_COURSES`.
    """

    def pupil() -> Learner:
        return type(learner)(learner.game, learner.preset, SEED, learner.settings)

    best = _find_game_by_game(pupil(), side, clock)
    with while_time_lasts(clock.stop):
        for seed in range(MAX_DRAWN_COURSES):
            lot, games = Random(seed), list[Moves]()  # noqa: S311  reproducible draws, no secrets
            with suppress(NeverTaught):
                for moves in islice(games_with_luck(pupil(), side, lot, clock.is_over), len(best.games)):
                    clock.check(len(games))
                    games.append(moves)
                if len(games) < len(best.games):
                    best = replace(best, games=tuple(games))
    return best
