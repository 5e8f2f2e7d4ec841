"""The mean number of games that a teacher needs if the machine draws its own moves; a lost game strikes one move.

    struck   the set of cells without beads; a lost game adds one, and nothing ever takes one away
    worth    the expected number of games from a set on, if the teacher replies as well as possible

A game either strikes a cell, or teaches nothing, and the set stays. So the worth of a set follows from those of larger
sets by policy iteration: the best replies for a guessed worth of the set give a better guess, until it no longer
changes.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Final

import numpy as np

from engine.evaluate import Policy, best_replies, losing_game
from engine.game import BadText, Outcome, Side
from engine.match import Match
from engine.stop import Stop, Stopped, never
from learners.core.learner import PERSON, Learner
from learners.courses.course import Moves, teach_game
from learners.courses.decisions import LOST, Box, Cell, Decisions, End

Struck = frozenset[Cell]
MAX_SETS: Final = 30_000
"""The most sets that are examined."""
UNREACHED_GAMES: Final = 1e9
"""A number of games that no set needs."""
ROUNDING_ERROR: Final = 1e-9


@dataclass(frozen=True)
class _Line:
    """The rest of a game: its worth is `games` + `again` × the worth of the set in which it is played."""

    games: float
    again: float

    def at(self, worth: float) -> float:
        """Return the worth of the line, given the worth of the set."""
        return self.games + self.again * worth


TEACHING_NOTHING: Final = _Line(0.0, 1.0)
"""The end of a game that teaches nothing."""


@dataclass(eq=False)
class HonestTeacher:
    """The best teacher of a machine whose boxes hold one bead for each cell."""

    decisions: Decisions
    stop: Stop = never
    worth: dict[Struck, float] = field(default_factory=dict)
    after: dict[tuple[Struck, Cell], Struck] = field(default_factory=dict)
    """The set after each strike."""

    def expected_games(self) -> float:
        """Return how many games a machine needs on average. Raises `BadText` for too many sets, and `Stopped`."""
        waiting: list[Struck] = [frozenset()]
        while waiting:
            struck = waiting[-1]
            if self.stop():
                raise Stopped
            if struck in self.worth:
                waiting.pop()
                continue
            missing = [each for each in self._next_sets(struck) if each not in self.worth]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            self.worth[struck] = self._solve(struck)
            if len(self.worth) > MAX_SETS:
                raise BadText(f"honest luck: more than {MAX_SETS:,} memories are too many for an exact answer")
        return self.worth[frozenset()]

    def holds(self, struck: Struck) -> bool:
        """Return whether the machine never loses with this set of cells struck."""
        return not self._next_sets(struck)

    def _open_cells(self, box: Box, struck: Struck) -> list[Cell]:
        return [cell for cell in self.decisions.ways[box] if cell not in struck]

    def _next_sets(self, struck: Struck) -> list[Struck]:
        reached, strikable = set(self.decisions.begins), set[Cell]()
        for box in self.decisions.ways:
            if box in reached:
                for cell in self._open_cells(box, struck):
                    ends = self.decisions.ends[cell]
                    reached |= ends
                    if any(self._strikes(end, struck) for end in ends):
                        strikable.add(cell)
        return [self._add_strike(struck, cell) for cell in strikable]

    def _add_strike(self, struck: Struck, cell: Cell) -> Struck:
        """Add a cell to the set, and drop the cells of boxes that play can no longer reach."""
        if (struck, cell) not in self.after:
            larger, reached = struck | {cell}, set(self.decisions.begins)
            for box in self.decisions.ways:
                if box in reached:
                    for each in self._open_cells(box, larger):
                        reached |= self.decisions.ends[each]
            self.after[struck, cell] = frozenset(each for each in larger if self.decisions.box_of[each] in reached)
        return self.after[struck, cell]

    def _strikes(self, end: End, struck: Struck) -> bool:
        """Return whether the machine loses at this end: it has lost, or has no bead to draw."""
        return end == LOST or (end >= 0 and not self._open_cells(end, struck))

    def _solve(self, struck: Struck) -> float:
        if self.holds(struck):
            return 0.0
        worth = UNREACHED_GAMES
        while True:
            line = self._best_replies(struck, worth)[None][1]
            better = (1 + line.games) / (1 - line.again)
            if better > worth - ROUNDING_ERROR:
                return better
            worth = better

    def _best_replies(self, struck: Struck, worth: float) -> dict[Cell | None, tuple[End, _Line]]:
        """Return the best reply to each cell, and to the start under `None`, given the worth of the set."""
        best, boxes = dict[Cell | None, tuple[End, _Line]](), dict[Box, _Line]()
        for box in reversed(list(self.decisions.ways)):
            cells = self._open_cells(box, struck)
            for cell in cells:
                best[cell] = min(
                    (self._line_after(cell, end, struck, boxes) for end in sorted(self.decisions.ends[cell])),
                    key=lambda reply: reply[1].at(worth),
                )
            if cells:
                lines = [best[cell][1] for cell in cells]
                games, again = sum(line.games for line in lines), sum(line.again for line in lines)
                boxes[box] = _Line(games / len(lines), again / len(lines))
        begins = ((end, boxes.get(end, TEACHING_NOTHING)) for end in sorted(self.decisions.begins))
        best[None] = min(begins, key=lambda reply: reply[1].at(worth))
        return best

    def _line_after(self, cell: Cell, end: End, struck: Struck, boxes: dict[Box, _Line]) -> tuple[End, _Line]:
        if self._strikes(end, struck):
            games = self.worth.get(
                self._add_strike(struck, cell), UNREACHED_GAMES
            )  # unknown where play cannot come to the box
            return end, _Line(games, 0.0)
        return end, boxes.get(end, TEACHING_NOTHING)

    def draw_games(self, random: Random) -> Iterator[tuple[list[Cell], End]]:
        """Yield games in which the machine draws its cells and the teacher replies as well as possible, to the end."""
        struck: Struck = frozenset()
        self.expected_games()
        while not self.holds(struck):
            best = self._best_replies(struck, self.worth[struck])
            cells, end = list[Cell](), best[None][0]
            while end >= 0:
                open_cells = self._open_cells(end, struck)
                if not open_cells:
                    break
                cells.append(random.choice(open_cells))
                end = best[cells[-1]][0]
            yield cells, end
            if self._strikes(end, struck):
                struck = self._add_strike(struck, cells[-1])


MAX_UNCHANGED_GAMES: Final = 100
"""The number of games in a row that teach nothing after which no game will: a machine may resign for ever."""


class NeverTaught(Exception):
    """The machine can still lose, but has nothing more to learn."""


def games_with_luck(learner: Learner, side: Side, random: Random, stop: Stop = never) -> Iterator[Moves]:
    """Teach a learner until it never loses as `side`, and yield the moves of each game.

    The learner draws its moves by its policy. The teacher draws among the moves that make the present memory lose most
    often; another teacher may be quicker. Raises `NeverTaught`, and `Stopped`.
    """
    learner.record_opponent(PERSON)
    space, lost, unchanged, outcome = learner.space, Outcome.won_by(side.other), 0, None
    while True:
        policy = learner.policy()
        if outcome is not lost and losing_game(space, side, policy) is None:
            return
        if stop():
            raise Stopped
        match = _random_match(learner, side, policy, best_replies(space, side, policy), random)
        changes = teach_game(learner, side, match)
        unchanged = 0 if changes else unchanged + 1
        if unchanged == MAX_UNCHANGED_GAMES:
            raise NeverTaught
        outcome = match.outcome
        yield tuple(match.moves)


def _random_match(learner: Learner, side: Side, policy: Policy, replies: Policy, random: Random) -> Match:
    """Return a match with moves drawn from two policies; the learner resigns where its policy has no move."""
    space, match = learner.space, Match(learner.game)
    while match.outcome is None:
        row = space.row(match.position)
        edges = slice(int(space.first_edge[row]), int(space.first_edge[row + 1]))
        chances = np.cumsum((policy if match.side is side else replies)[edges])
        if chances[-1] <= 0:
            match.resign()
            break
        draw = int(np.searchsorted(chances, random.random() * chances[-1], "right"))
        match.play(int(space.move[edges.start + min(draw, len(chances) - 1)]))
    return match
