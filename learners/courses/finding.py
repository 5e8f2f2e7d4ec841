"""Find the shortest course for a machine: by an integer program if the machine strikes moves, else game by game."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
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
    shipped,
    teach_game,
)
from learners.courses.decisions import DRAWN, WON, Cell, Decisions, End, decisions_of
from learners.courses.draining import DrainingGames, best_plan, quick_plan
from learners.courses.honest import NeverTaught, games_with_luck
from learners.courses.striking import Strikes, StrikingGames, fewest_strikes, quick_strikes
from learners.failures.learner import Failures
from learners.menace.learner import Menace

SECONDS: Final = 60.0
"""The default time limit of the search for a course of one side, in seconds."""
LARGEST: Final = 500_000
"""The most edges of a game for which courses are searched."""
MOST_GAMES: Final = 20_000
"""The most games of a course that is found game by game."""
DRAWN_COURSES: Final = 30
"""The most courses that are drawn by lot, of which the shortest is taken."""
PLANS: Final = 8
"""The maximum number of plans that are played out, to take the one with the shortest course."""
Report = Callable[[int], None]
"""Takes the number of games that a course has so far."""
SOLVED: Final = (Failures, Menace)
"""Learners for which an integer program finds the course, if there is a solver."""


class CannotTeach(BadText):
    """The machine loses against best play, or cannot be taught."""


@dataclass(frozen=True)
class _Part:
    games: tuple[Moves, ...]
    bound: int
    aims: int = 0
    least_aims: int = 0


@dataclass
class _Clock:
    ends: float
    stop: Stop
    report: Report

    @property
    def left(self) -> float:
        return max(0.1, self.ends - monotonic())

    def ended(self) -> bool:
        return self.stop() or monotonic() > self.ends

    def check(self, games: int, *, timed: bool = False) -> None:
        """Report the number of games so far. Raises `Stopped`; with `timed`, `CannotTeach` once the time is over."""
        self.report(games)
        if self.stop():
            raise Stopped
        if timed and self.ended():
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
    begun, parts = monotonic(), dict[Side, _Part]()
    learner, wanted = teachable(kind, game, preset, settings, sides, stop)
    alone = len(wanted) == 1
    known = shipped().get(Pupil(kind.spec.name, preset, game, wanted[0])) if alone and not settings else None
    if known is not None and not has_solver():
        return known
    for side in wanted:
        clock = _Clock(monotonic() + seconds, stop, report)
        parts[side] = _part(learner, side, clock, alone=alone)
    bounds = [part.bound for part in parts.values()]
    found = Course(
        learner=kind.spec.name,
        preset=preset,
        settings=settings,
        game=game,
        games={side: part.games for side, part in parts.items()},
        bound=sum(bounds) if isinstance(learner, SOLVED) else max(bounds),  # others learn from both sides
        aims=failures_of(learner, parts)
        if isinstance(learner, Failures)
        else sum(part.aims for part in parts.values()),
        least_aims=sum(part.least_aims for part in parts.values()),
        seconds=monotonic() - begun,
    )
    if len(parts) > 1 and not isinstance(learner, SOLVED):
        _require_both(found, kind(game, preset, SEED, settings))
    return found if known is None or (found.length, -found.bound) < (known.length, -known.bound) else known


def _require_both(course: Course, pupil: Learner) -> None:
    """Raise `CannotTeach` if a course fails because what a machine learns as one side changes its play as the other."""
    try:
        list(play_course(pupil, course))
    except BadText as error:
        raise CannotTeach(
            f"each side has a course, but not both together: what {pupil.spec.name} learns as one side changes what it "
            "plays as the other\nName one side: first, or second"
        ) from error


def teachable(  # noqa: PLR0913, PLR0917  as for `find_course`
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
    if len(learner.space.move) > LARGEST:
        raise CannotTeach(f"{game.title} has more than {LARGEST:,} moves in its positions: too many to find a course")
    holding = [side for side in learner.sides if not decisions_as(learner, side, stop).hopeless]
    for side in sides or holding:
        if side not in learner.sides:
            raise CannotTeach(f"{kind.spec.label(preset)} does not play {game.mark(side)}")
        if side not in holding:
            raise CannotTeach(f"{game.mark(side)} loses against best play, whatever it remembers: no course helps")
    if not holding:
        raise CannotTeach(f"{kind.spec.label(preset)} loses against best play as every side that it plays")
    return learner, tuple(sides or holding)


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


def _part(learner: Learner, side: Side, clock: _Clock, *, alone: bool) -> _Part:
    if isinstance(learner, Failures):
        return _by_striking(learner, side, clock, lambda _cell: 1, alone=alone)
    if isinstance(learner, Menace) and learner.matchboxes.draws and learner.settings["least"] == 0:
        settings, begun = learner.settings, learner.matchboxes.begun
        win, draw, loss = (int(settings[key]) for key in ("win", "draw", "loss"))
        if settings["teaches"] == "last" and settings["empty"] == "resign" and loss < 0 <= min(win, draw):
            return _by_striking(learner, side, clock, lambda cell: -(-int(begun[cell]) // -loss))
        if settings["teaches"] == "all" and settings["empty"] != "keep" and loss == -1 and min(win, draw) >= 0:
            return _by_draining(learner, side, clock, {WON: win, DRAWN: draw})
    return _by_lot(learner, side, clock)


def _by_striking(
    learner: Learner, side: Side, clock: _Clock, cost: Callable[[Cell], int], *, alone: bool = True
) -> _Part:
    """Return the course of a machine that strikes the last move of a lost game, after `cost` such games."""
    decisions, reasons = decisions_as(learner, side, clock.stop), isinstance(learner, Failures)
    strikes = _cheapest(decisions, cost, clock)

    def struck(cell: Cell) -> bool:
        return bool(learner.memory[cell]) == reasons

    games, struck_now = list[Moves](), 0
    for moves in StrikingGames(decisions, strikes, struck, plays_on=reasons).games():
        clock.check(len(games))
        struck_now += own_changes(learner, (side,), teach_game(learner, side, forced_match(learner, side, moves)))
        games.append(moves)
    bound = strikes.bound
    if reasons:
        more = bool(learner.settings["walk_back"]) or not alone
        bound = _cheapest(decisions, _single(decisions, more=more), clock).bound
    return _Part(tuple(games), bound, struck_now, strikes.bound)


def _by_draining(learner: Menace, side: Side, clock: _Clock, gains: Mapping[End, int]) -> _Part:
    """Return the shortest course found for a machine whose lost games take a bead from every box that it opened.

    Equally good plans can need different numbers of games, so as many are tried as the time allows, at most `PLANS`.
    """
    decisions, begun = decisions_as(learner, side, clock.stop), learner.matchboxes.begun
    found, resigns = list[_Part](), learner.settings["empty"] == "resign"
    for seed in range(PLANS if has_solver() else 1):
        before, plan = monotonic(), quick_plan(decisions)
        with suppress(NoSolver):
            plan = best_plan(decisions, begun.__getitem__, clock.left / 2, clock.stop, seed=seed) or plan
        pupil = type(learner)(learner.game, learner.preset, SEED, learner.settings)
        lot = Random(seed)  # noqa: S311  reproducible draws, no secrets
        draining = DrainingGames(decisions, plan, _beads_of(pupil), gains, lot, resigns=resigns)
        found.append(_drained(pupil, side, clock, draining, plan.bound))
        if 2 * (monotonic() - before) > clock.left:
            break
    return replace(min(found, key=lambda part: len(part.games)), bound=max(part.bound for part in found))


def _beads_of(learner: Menace) -> Callable[[Cell], int]:
    return lambda cell: int(learner.memory[cell])


def _drained(learner: Menace, side: Side, clock: _Clock, draining: DrainingGames, bound: int) -> _Part:
    """Return the course that follows a plan, found game by game on a new learner."""
    games = list[Moves]()
    for moves in draining.games():
        clock.check(len(games))
        if len(games) >= bound and losing_game(learner.space, side, learner.policy()) is None:
            break  # sooner than planned: what is left to drain is not reached any more
        teach_game(learner, side, forced_match(learner, side, moves))
        games.append(moves)
    rest = _game_by_game(learner, side, clock)  # usually none; some if no further game drained anything
    return _Part((*games, *rest.games), bound)


def _cheapest(decisions: Decisions, cost: Callable[[Cell], int], clock: _Clock) -> Strikes:
    """Return the best strikes that can be found; the solver is left out if it is not installed or not needed."""
    quick = quick_strikes(decisions, cost)
    if sum(map(cost, unless_stopped(quick.reply, clock.stop))) == quick.bound:
        return quick
    try:
        return fewest_strikes(decisions, cost, clock.left / 2, clock.stop) or quick
    except NoSolver:
        return quick


def _single(decisions: Decisions, *, more: bool) -> Callable[[Cell], int]:
    """Return a function for the cost of a cell: 1 for cells of which no game strikes more than one, else 0.

    The rule for a lost game strikes one move of the loser. Every other move is struck on the way to a dead box; the
    last of these in a game counts as well, unless a game may strike `more` moves: earlier ones, by a walk back, or
    moves of the other side.
    """
    goes_on = dict[int, bool]()
    for box, here in decisions.boxes(last_first=True):
        after = {end for ends in here.values() for end in ends if end >= 0}
        goes_on[box] = any(goes_on[end] or not decisions.losing.isdisjoint(decisions.ways[end]) for end in after)

    def cost(cell: Cell) -> int:
        dead = decisions.lost & decisions.ends[cell]
        return int(not (dead if more else any(goes_on[box] for box in dead)))

    return cost


def _game_by_game(learner: Learner, side: Side, clock: _Clock) -> _Part:
    """Return a course in which each game is a shortest one that the machine can then lose, until it cannot lose any."""
    space, games = learner.space, list[Moves]()
    while (moves := losing_game(space, side, learner.policy())) is not None:
        clock.check(len(games), timed=True)
        if len(games) == MOST_GAMES:
            raise CannotTeach(f"{learner.spec.label(learner.preset)} still loses after {MOST_GAMES:,} lost games")
        teach_game(learner, side, forced_match(learner, side, moves))
        games.append(moves)
    return _Part(tuple(games), int(bool(games)))


def _by_lot(learner: Learner, side: Side, clock: _Clock) -> _Part:
    """Return the shortest of several courses: that of `_game_by_game`, and courses of teachers that exploit the memory.

    These teachers play what beats the memory most often, while the machine draws its moves. As many such courses are
    drawn as the time allows, at most `DRAWN_COURSES`.
    """

    def pupil() -> Learner:
        return type(learner)(learner.game, learner.preset, SEED, learner.settings)

    best = _game_by_game(pupil(), side, clock)
    with while_time_lasts(clock.stop):
        for seed in range(DRAWN_COURSES):
            lot, games = Random(seed), list[Moves]()  # noqa: S311  reproducible draws, no secrets
            with suppress(NeverTaught):
                for moves in islice(games_with_luck(pupil(), side, lot, clock.ended), len(best.games)):
                    clock.check(len(games))
                    games.append(moves)
                if len(games) < len(best.games):
                    best = replace(best, games=tuple(games))
    return best
