"""Failure-based reasoning: never repeat a move that once lost (J. A. Riechel, 2007).

The memory is a database of failures: (position, move) pairs that led to a loss. Both sides share it, and both
sides of a game are learned from, whoever played them. A player picks among the moves that are not recorded. Two rules
record a move (section 2.1): rule 1, the loser's last move; rule 2, when a side finds all its moves recorded, its
previous move. Every recorded move truly loses, by induction.

The number of an edge is 0 while the move is open, else k for the k-th failure recorded. So the memory also tells the
order of recording.
"""

from collections.abc import Collection, Mapping
from random import Random
from types import ModuleType
from typing import Final

import numpy as np

from engine.evaluate import Policy, uniform_policy
from engine.game import BadText, Game, Move, Outcome, Position, Side
from engine.match import Record
from engine.plural import counted_noun, plural
from engine.spaces import space_of
from learners.core.kernel_tables import Counts, Watched, space_tables
from learners.core.learner import BOTH, changes, require_possible
from learners.core.player import Choice, Depiction, Thought
from learners.core.settings import OneOf, Setting
from learners.core.snapshot import Memory, Snapshot
from learners.core.spec import LearnerSpec, Statistic
from learners.core.view import Change, Presentation
from learners.failures.kernel_tables import Database, FailureRules, FailureTables, WalkPath
from learners.failures.view import FAILURE, OPEN, FailuresView
from learners.tables.table_learner import GAME_KEYS, TableLearner, draw_bounds

OPEN_MOVE: Final = 0


def _kernel() -> ModuleType:
    """Return the kernel. It imports numba, so it is imported only when something is to be learned."""
    from learners.failures import kernel as failures

    return failures


class Failures(TableLearner[None, Counts, FailureTables]):
    spec = LearnerSpec(
        name="failures",
        title="Failure-based reasoner",
        summary="remembers every move that lost, and avoids it",
        presets={
            "literal": {"pick": "uniform", "walk_back": False},
            "riechel-2007": {"pick": "rounded", "walk_back": True},
        },
        settings={
            "pick": OneOf(
                ("uniform", "rounded"),
                "how to pick one of the open moves: uniform, all are equally likely; rounded, the first and the last "
                "are half as likely as the others",
                title="choice",
            ),
            "walk_back": OneOf(
                (False, True),
                "when a side finds all its moves recorded: record only its previous move, or go back further while "
                "that holds",
                title="goes back further",
            ),
        },
        statistics=(Statistic("avoided", "failures avoided"), Statistic("entries", "failures recorded")),
        stores_memories=False,
    )
    shown = Presentation(
        preset_words={
            "literal": "each move that lost is avoided, the rule in its simplest form",
            "riechel-2007": "as in J. A. Riechel's program of 2007, which picks and walks back in its own way",
        },
        size_statistic="entries",
        remedy="play against it with learning switched on: a person leads it where its own games do not go",
    )
    view_type = FailuresView
    tally_keys = (*GAME_KEYS, "avoided", "entries")

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        super().__init__(game, preset, seed, settings)
        self._path = WalkPath(*(np.zeros(int(self.space.ply[-1]), np.int32) for _ in WalkPath._fields))

    @property
    def _rules(self) -> FailureRules:
        return FailureRules(int(self.settings["pick"] == "rounded"), int(self.settings["walk_back"]))

    @property
    def parts(self) -> None: ...

    @classmethod
    def lay_out(cls, game: Game, parts: None, sides: Collection[Side], opponent: Policy | None) -> Counts:  # noqa: ARG003
        """Return the bounds by which a draw chooses the opponent's moves (`draw_bounds`); empty in self-play."""
        return np.zeros(0, np.int64) if opponent is None else draw_bounds(space_of(game), sides, opponent)

    def make_tables(self) -> FailureTables:
        """Make the tables as in `TableLearner`. The kernel changes the memory itself."""
        tables: FailureTables = _kernel().tables_of(
            space_tables(self.space), Database(self.memory, self.tally, self._path)
        )
        return tables

    def play_games(self, games: int) -> tuple[Move, ...]:
        """Play games as in `TableLearner`. Both sides are learned from, whoever plays them."""
        plies = _kernel().play_games(games, self._rules, self.layout(), self.tables(), self.generator)
        return tuple(self.space.move[self._path.edge[:plies]].tolist())

    def watch(self, cell: int, games: int, watched: Watched) -> tuple[int, int]:
        played, noted = _kernel().watch(games, cell, self._rules, self.layout(), self.tables(), self.generator, watched)
        return played, noted

    def watched_moves(self, path: list[int]) -> tuple[Move, ...]:
        return tuple(self.space.move[path].tolist())

    def learn_record(self, record: Record, sides: Collection[Side] = BOTH) -> tuple[Change, ...]:
        """Learn from a game as in `Learner`: from both sides, whichever the learner played."""
        match = self.replay(record)
        before = self.memory.copy()
        tables, head = self.tables(), 0
        for ply, (position, move) in enumerate(zip(match.positions, match.moves, strict=False)):
            row, edge = head + 1, self.space.edge(position, move)
            while tables.edge[row] != edge:
                row += 1
            self._path.head[ply], self._path.row[ply] = head, row
            head = int(tables.walk[row])
        # After a resignation or an agreed draw, the last move is no failure: the other side could not win at once.
        ended = Outcome.DRAW if match.resigned else record.outcome
        self.count_game(record)
        _kernel().learn_game(len(match.moves), int(ended), self._rules.walk_back, tables)
        return changes(before, self.memory)

    def restore_memory(self, snapshot: Snapshot) -> None:
        stats = snapshot.stats
        order = np.sort(snapshot.memory[snapshot.memory != OPEN_MOVE])
        if not np.array_equal(order, np.arange(1, len(order) + 1)):
            raise BadText("the failures are not numbered 1, 2, 3 … in the order of recording")
        if stats["entries"] != len(order):
            raise BadText(f"the statistics count {stats['entries']} failures, the memory has {len(order)}")
        plies = stats["games"] * int(self.space.ply[-1])
        require_possible(stats, {"avoided": plies * int(np.diff(self.space.first_edge).max())})
        super().restore_memory(snapshot)

    @classmethod
    def memory_at(cls, memory: Memory, stats: Mapping[str, int]) -> Memory:
        """Return an earlier memory, as in `Learner`: the failures that were recorded first."""
        return np.where(memory <= stats["entries"], memory, OPEN_MOVE)

    def _candidates(self, position: Position) -> tuple[list[int], bool]:
        """Return the edges to pick from, and whether every move is recorded, so that these are all edges."""
        edges = self.space.edges(position)
        open_edges = [edge for edge in edges if self.memory[edge] == OPEN_MOVE]
        return open_edges or list(edges), not open_edges

    def choose(self, position: Position, random: Random) -> Choice:
        candidates, is_dead = self._candidates(position)
        count, draw = len(candidates), random.random()
        pick = int(draw * (count - 1) + 0.5) if self._rules.rounded else int(draw * count)
        move = int(self.space.move[candidates[pick]])
        name, total = self.game.move_name(move), len(self.space.edges(position))
        if is_dead:
            return Choice(move, f"every move here is a recorded failure: it plays {name} at random")
        if count == total:
            return Choice(move, f"no failure is recorded here: {name} is one of {counted_noun(total, 'open move')}")
        failures = total - count
        verb = "is a" if failures == 1 else "are"
        recorded = f"{failures} of {total} moves {verb} recorded {plural('failure', failures)}"
        choice = "the only open move" if count == 1 else f"one of {count} still open"
        return Choice(move, f"{recorded}: {name} is {choice}")

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        candidates, _ = self._candidates(position)
        chances = dict(zip(candidates, pick_chances(len(candidates), rounded=bool(self._rules.rounded)), strict=True))
        recorded, thoughts = max(1, self.stats()["entries"]), []
        for edge in self.space.edges(position):
            move, number = int(self.space.move[edge]), int(self.memory[edge])
            chance, level = chances.get(edge, 0.0), number / recorded
            if number == OPEN_MOVE:
                thoughts.append(Thought(move, chance, OPEN, "open", level=level))
            else:
                thoughts.append(
                    Thought(
                        move,
                        chance,
                        FAILURE,
                        f"failure {number:,}",
                        excluded=True,
                        drawing=Depiction.STRUCK,
                        level=level,
                    )
                )
        return tuple(thoughts)

    def policy(self) -> Policy:
        space = self.space
        candidate = self.memory == OPEN_MOVE
        candidate |= (space.edges_among(candidate) == 0)[space.source]
        if not self._rules.rounded:
            return uniform_policy(space, candidate)
        count = space.edges_among(candidate)[space.source]
        passed = np.concatenate(([0], np.cumsum(candidate)))
        rank = passed[1:] - passed[space.first_edge[space.source]]
        at_end = (rank == 1) | (rank == count)
        chance = np.where(at_end, 0.5, 1.0) / np.maximum(count - 1, 0.5)
        policy: Policy = np.where(candidate, chance, 0.0)
        return policy


def pick_chances(count: int, *, rounded: bool) -> list[float]:
    """Return the probability with which each of `count` candidates is picked."""
    if not rounded or count == 1:
        return [1 / count] * count
    return [0.5 / (count - 1), *[1 / (count - 1)] * (count - 2), 0.5 / (count - 1)]
