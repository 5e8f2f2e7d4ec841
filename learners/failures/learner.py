"""Failure-based reasoning: never repeat a move that once lost (J. A. Riechel, 2007).

The memory is a database of failures, (position, move) pairs that led to a loss; both sides share it. A player picks
among the moves that are not recorded. Two rules record (section 2.1): the loser's last move of a lost game; and, when a
side finds all its moves recorded, its own move before that. Every recorded move truly loses, by induction.

The number at an edge is 0 while the move is open, else k for the k-th failure recorded: the memory holds its own order.
"""

from collections.abc import Collection, Mapping
from random import Random
from types import ModuleType
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy
from engine.game import BadText, Game, Outcome, Position, Side
from engine.match import Record
from learners.core.cards import Card, Words
from learners.core.learner import BOTH, COMMON_STATS, Change, Learner, changes, require_possible
from learners.core.player import Choice, Thought
from learners.core.plural import counted_noun, plural
from learners.core.settings import OneOf, Setting, SettingKind
from learners.core.snapshot import Memory, Snapshot

FAILURE: Final = "!"
OPEN: Final = "·"
OPEN_MOVE: Final = 0


def _kernel() -> ModuleType:
    from learners.failures import kernel as failures  # imports numba, so only when something is to be learned

    return failures


class Failures(Learner):
    name = "failures"
    title = "Failure-based reasoner"
    summary = "remembers every move that lost and never plays it again"
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "literal": {"pick": "uniform", "walk_back": False},
        "riechel-2007": {"pick": "rounded", "walk_back": True},
    }
    setting_kinds: ClassVar[Mapping[str, SettingKind]] = {
        "pick": OneOf(
            ("uniform", "rounded"),
            "how one of n open moves is picked: evenly, or by rounding u × (n − 1), which halves both ends",
        ),
        "walk_back": OneOf(
            (False, True),
            "when a side finds all its moves recorded: record its move before, or go on back while that holds",
        ),
    }
    own_stats: ClassVar[Mapping[str, str]] = {"avoided": "failures avoided", "entries": "failures recorded"}
    size_stat = "entries"
    keeps_memories = False
    words = Words(
        noun="failure",
        newest="Newest failures",
        none="No failure recorded yet",
        legend={FAILURE: "failure", OPEN: "open"},
    )
    growth_title = "Failures"

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        super().__init__(game, preset, seed, settings)
        self._tally = np.zeros(len(Outcome) + 3, np.int64)
        self._path = np.zeros(int(self.space.ply[-1]), np.int32)

    @property
    def _rounded(self) -> bool:
        return self.settings["pick"] == "rounded"

    def train(self, games: int) -> None:
        plies = _kernel().play_games(
            games,
            int(self._rounded),
            int(self.settings["walk_back"]),
            *self._tables,
            self.memory,
            self.generator,
            self._tally,
            self._path,
        )
        if games:
            self.last_game = tuple(self.space.move[self._path[:plies]].tolist())

    @property
    def _tables(self) -> tuple[NDArray[np.int32] | NDArray[np.int8], ...]:
        return self.space.first_edge, self.space.source, self.space.target, self.space.outcome

    def learn_record(self, record: Record, sides: Collection[Side] = BOTH) -> tuple[Change, ...]:
        match = self.match_of(record)
        before = self.memory.copy()
        edges = [self.space.edge(position, move) for position, move in zip(match.positions, match.moves, strict=False)]
        path = np.array(edges, np.int32)
        kernel = _kernel()
        node, options = kernel.prepare(self.space.first_edge, self.space.target, self.space.outcome, self.memory)
        walk_back = int(self.settings["walk_back"])
        # a move is no failure because its player gave up: only what the other side could win at once is
        ended = Outcome.DRAW if match.resigned else record.outcome
        self._tally[record.outcome] += 1
        self._tally[kernel.PLIES] += len(path)
        kernel.learn_game(
            path, len(path), int(ended), walk_back, node, options, *self._tables[:3], self.memory, self._tally
        )
        self.last_game = record.moves
        return changes(before, self.memory)

    def tell(self, change: Change) -> str:
        game, source = self.game, int(self.space.source[change.edge])
        position, move = int(self.space.position[source]), int(self.space.move[change.edge])
        where = f"{game.mark(game.side(position))} {game.move_name(move)} in {game.to_text(position)}"
        return f"failure {change.after:,}: {where}"

    def stats(self) -> dict[str, int]:
        first, second, draws, plies, avoided, entries = (int(count) for count in self._tally)
        common = (first + second + draws, plies, first, second, draws)
        return {**dict(zip(COMMON_STATS, common, strict=True)), "avoided": avoided, "entries": entries}

    def growth(self, stats: Mapping[str, int]) -> dict[str, int]:
        return {"recorded": stats["entries"]}

    def cards(self) -> NDArray[np.int32]:
        edges = np.flatnonzero(self.memory).astype(np.int32)
        return edges[np.argsort(self.memory[edges])]

    def card(self, edge: int) -> Card:
        game, number = self.game, int(self.memory[edge])
        position, move = int(self.space.position[self.space.source[edge]]), int(self.space.move[edge])
        thought = Thought(move, 0.0, FAILURE, f"failure {number:,}", shut=True)
        return Card(position, (thought,), f"{number:,} {game.mark(game.side(position))} {game.move_name(move)}")

    def newest(self, count: int) -> list[int]:
        count = min(count, int(np.count_nonzero(self.memory)))
        last = np.argpartition(self.memory, -count)[len(self.memory) - count :]
        return [int(edge) for edge in last[np.argsort(self.memory[last])][::-1]]

    def _take(self, snapshot: Snapshot) -> None:
        stats = snapshot.stats
        order = np.sort(snapshot.memory[snapshot.memory != OPEN_MOVE])
        if not np.array_equal(order, np.arange(1, len(order) + 1)):
            raise BadText("the failures are not numbered 1, 2, 3 … in the order of recording")
        if stats["entries"] != len(order):
            raise BadText(f"the statistics tell of {stats['entries']} failures, the memory holds {len(order)}")
        plies = stats["games"] * int(self.space.ply[-1])
        require_possible(stats, {"plies": plies, "avoided": plies * int(np.diff(self.space.first_edge).max())})
        self.memory[:] = snapshot.memory
        keys = ("first_wins", "second_wins", "draws", "plies", "avoided", "entries")
        self._tally[:] = [stats[key] for key in keys]

    @classmethod
    def earlier(cls, memory: Memory, stats: Mapping[str, int]) -> Memory:
        return np.where(memory <= stats["entries"], memory, OPEN_MOVE)

    def amount(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        recorded: NDArray[np.int64] = (numbers != OPEN_MOVE).astype(np.int64)
        return recorded

    def _candidates(self, position: Position) -> tuple[list[int], bool]:
        """The edges it picks among, and whether that is because every move is recorded."""
        edges = self.space.edges(position)
        open_edges = [edge for edge in edges if self.memory[edge] == OPEN_MOVE]
        return open_edges or list(edges), not open_edges

    def choose(self, position: Position, random: Random) -> Choice:
        candidates, dead = self._candidates(position)
        count = len(candidates)
        pick = int(random.random() * (count - 1) + 0.5) if self._rounded else int(random.random() * count)
        move = int(self.space.move[candidates[pick]])
        name, total = self.game.move_name(move), len(self.space.edges(position))
        if dead:
            return Choice(move, f"every move here is a recorded failure: {name} is a shot in the dark")
        if count == total:
            return Choice(move, f"no failure is recorded here: {name} is one of {counted_noun(total, 'open move')}")
        shut = f"{total - count} of {total} moves {'is a' if total - count == 1 else 'are'} recorded"
        shut += f" {plural('failure', total - count)}"
        return Choice(move, f"{shut}: {name} is {'the only open move' if count == 1 else f'one of {count} still open'}")

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        candidates, _ = self._candidates(position)
        chances = dict(zip(candidates, pick_chances(len(candidates), rounded=self._rounded), strict=True))
        return tuple(
            Thought(
                move=int(self.space.move[edge]),
                chance=chances.get(edge, 0.0),
                symbol=FAILURE if self.memory[edge] else OPEN,
                words=f"failure {self.memory[edge]:,}" if self.memory[edge] else "open",
                shut=bool(self.memory[edge]),
            )
            for edge in self.space.edges(position)
        )

    def details(self, position: Position) -> tuple[str, ...]:
        """What becomes of a position in which every move is recorded (section 2.2)."""
        if not self._candidates(position)[1]:
            return ()
        return ("Every move here is a recorded failure: it plays any of them, and has recorded the move before.",)

    def policy(self) -> Policy:
        space = self.space
        is_open = self.memory == OPEN_MOVE
        dead = np.bincount(space.source, is_open, len(space.position)) == 0
        candidate = is_open | dead[space.source]
        count = np.bincount(space.source, candidate, len(space.position))[space.source]
        if not self._rounded:
            even: Policy = np.divide(candidate, count)
            return even
        passed = np.concatenate(([0], np.cumsum(candidate)))
        rank = passed[1:] - passed[space.first_edge[space.source]]
        at_end = (rank == 1) | (rank == count)
        chance = np.where(at_end, 0.5, 1.0) / np.maximum(count - 1, 0.5)
        policy: Policy = np.where(candidate, chance, 0.0)
        return policy


def pick_chances(count: int, *, rounded: bool) -> list[float]:
    """How likely each of `count` candidates is picked."""
    if not rounded or count == 1:
        return [1 / count] * count
    return [0.5 / (count - 1), *[1 / (count - 1)] * (count - 2), 0.5 / (count - 1)]
