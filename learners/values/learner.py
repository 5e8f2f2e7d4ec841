"""The base of the learners that learn how much each move is worth, and play the best one.

A number of the memory is the expected result of a move, from 1 for a loss to 2^30 − 1 for a win; a draw is 2^29. It is
0 while nothing was learned of the move, whose value is then the setting `start`, or the result of a game that it ends,
if `endings` are given. With `ahead=own`, 2^30 × the value of the position for the other side is added. `slots_for` of
each learner says which moves share a value.
"""

from abc import abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy, uniform_policy
from engine.game import BadText, Game, Move, Outcome, Position, Side
from engine.match import Record
from engine.result_caches import cached_with_spaces
from engine.space import RUNNING, Int32
from engine.spaces import space_of
from learners.core.boxes import boxes_of
from learners.core.kernel_tables import DRAWS, Watched, space_tables
from learners.core.learner import BOTH, changes
from learners.core.player import Depiction, Thought
from learners.core.settings import OneOf, Rate, Setting, SettingKind, Whole
from learners.core.snapshot import Memory, Snapshot
from learners.core.spec import Statistic
from learners.core.view import Change, Presentation
from learners.tables.table_learner import GAME_KEYS, TableLearner, draw_bounds
from learners.values.kernel_tables import (
    BEST,
    CHOSEN,
    DRAW,
    GREEDY,
    LOSS,
    MAX_SEEN,
    OWN_TABLE,
    REPLY,
    REPLY_UNIT,
    SCALE,
    TURN,
    WIN,
    WORTH,
    ValuePath,
    ValueRules,
    ValueTables,
    Walk,
    WalkPlan,
)
from learners.values.view import ValuesView, worth_text, worth_words

AHEAD: Final = {"reply": REPLY, "turn": TURN, "own": OWN_TABLE}
TOWARD: Final = {"best": BEST, "chosen": CHOSEN, "greedy": GREEDY}
STATISTICS: Final = (Statistic("values", "values learned"),)
SETTINGS: Final[Mapping[str, SettingKind]] = {
    "explore": Rate(
        "epsilon, the chance to play any move instead of the best one, in the first game", title="exploration at first"
    ),
    "explore_end": Rate("that chance at the end", title="exploration at the end"),
    "explore_games": Whole(
        0,
        10**9,
        "over how many games that chance changes from its first value to its last",
        title="games of exploration",
    ),
    "rate": Rate("alpha, the part of the difference by which a value changes", title="learning rate"),
    "average": OneOf(
        (False, True),
        "average the first values of a move, until each counts less than the learning rate",
        title="first values averaged",
    ),
    "trace": Rate(
        "lambda, the weight of values after the next one; 0 uses the next value only", title="weight of later values"
    ),
    "ahead": OneOf(
        ("reply", "turn"),
        "the next value is that of the opponent's reply, reversed, or of the learner's own next turn",
        title="next value",
    ),
    "start": Rate(
        "the value of a move that was never tried: 0 is a loss, 0.5 a draw, 1 a win", title="value of an untried move"
    ),
    "endings": OneOf(
        ("learned", "given"),
        "the value of a move that ends the game is learned as others are, or known from the start",
        title="value of an ending",
    ),
    "ties": OneOf(
        ("first", "random"),
        "training plays the first of the best moves, or any; a game at the board is played by any",
        title="equal moves",
    ),
    "merge": OneOf((True, False), "symmetric moves share their value", title="symmetric moves share"),
}
"""The settings of all learners of values, but for `toward`."""
EXACT_SETTINGS: Final[Mapping[str, Setting]] = {
    "explore": "1.0",
    "explore_end": "0.1",
    "explore_games": 40_000,
    "rate": "0.5",
    "average": False,
    "trace": "0.8",
    "ahead": "reply",
    "start": "0.5",
    "endings": "learned",
    "ties": "first",
    "merge": True,
}
"""The settings of the presets `exact`, but for `toward`."""
PUBLISHED_SETTINGS: Final[Mapping[str, Setting]] = {
    **EXACT_SETTINGS,
    "explore_games": 0,
    "rate": "0.1",
    "trace": "0.0",
    "ahead": "turn",
    "merge": False,
}
"""What published settings have in common: one step, no symmetry, and a chance to explore that stays the same."""


def _kernels() -> tuple[ModuleType, ModuleType]:
    """Return the kernels for games and for the layout. They import numba, so they are imported only when needed."""
    from learners.values import kernel, layout_kernel

    return kernel, layout_kernel


@dataclass(frozen=True, eq=False)
class Slots:
    """The slots of a space with m edges: which moves share a value, and where the memory holds it."""

    of_edge: Int32
    """The slot of each edge, shape (m,)."""
    cell: Int32
    """The edge that holds the number of each edge, shape (m,)."""
    cells: Int32
    """All edges that hold a number, ascending, shape (c,)."""
    first: Int32
    """The first of `cells` of each slot, shape (slots,)."""


def slots_of(cell: NDArray[np.int32], group: NDArray[np.int32]) -> Slots:
    """Return the slots of all edges, given arrays of shape (m,): edges with the same `group` share a slot.

    `cell` has the edge that holds the number of each edge in the memory.
    """
    cells = np.flatnonzero(cell == np.arange(len(cell))).astype(np.int32)
    _, first, slot = np.unique(group[cells], return_index=True, return_inverse=True)
    of_cell = np.zeros(len(cell), np.int32)
    of_cell[cells] = slot
    return Slots(of_cell[cell], cell, cells, cells[first])


@cached_with_spaces()
def shared_cell(game: Game, *, merge: bool) -> NDArray[np.int32]:
    """Return the edge that holds the number of each edge, shape (m,)."""
    boxes = boxes_of(game, BOTH, merge=True, singles=True)
    return boxes.cell if merge else np.arange(len(boxes.cell), dtype=np.int32)


class ValueLearner(TableLearner[Slots, Walk, ValueTables]):
    """A learner of values. A subclass defines `spec`, with `toward` among the settings, and `slots_for`."""

    shown = Presentation(
        preset_words={"exact": "never loses after training: it begins at random and explores less and less"},
        quick_start_preset="exact",
        size_statistic="values",
        remedy="train a new one that explores more, or for more games",
    )
    view_type = ValuesView
    tally_keys = (*GAME_KEYS, "values")

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        super().__init__(game, preset, seed, settings)
        self.slots = self.slots_for(game, merge=bool(self.settings["merge"]))
        self._start = min(max(round(float(self.settings["start"]) * (WIN + LOSS)), LOSS), WIN)

    @classmethod
    @abstractmethod
    def slots_for(cls, game: Game, *, merge: bool) -> Slots:
        """Return which moves share a value; with `merge`, symmetric moves do."""

    @property
    def cell(self) -> NDArray[np.int32]:
        return self.slots.cell

    # How it plays.

    @cached_property
    def given(self) -> Int32:
        """The value of each move that ends the game, if `endings` are given; 0 for all other moves, shape (m,)."""
        space = self.space
        if self.settings["endings"] == "learned":
            return np.broadcast_to(np.int32(0), space.move.shape)
        outcome = space.outcome[space.target]
        result = np.where(outcome == Outcome.DRAW, DRAW, np.where(outcome == space.side[space.source], WIN, LOSS))
        return np.where(outcome == RUNNING, 0, result).astype(np.int32)

    def policy(self) -> Policy:
        """Return the policy: the moves with the best value, all equally likely."""
        space = self.space
        number = self.memory[self.cell] % REPLY_UNIT
        known = np.where(number > 0, number, self.given)
        worth = np.where(known > 0, known, self._start)
        best = np.zeros(len(space.position), np.int64)
        np.maximum.at(best, space.source, worth)
        return uniform_policy(space, worth == best[space.source])

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        numbers = self._numbers(position)
        best = self.best_among(position, numbers)
        return tuple(
            Thought(
                move=move,
                chance=1 / len(best) if move in best else 0.0,
                symbol=worth_text(number),
                words=worth_words(number),
                excluded=move not in best,
                drawing=Depiction.VALUE,
                level=number / WIN if number else None,
            )
            for move, number in numbers.items()
        )

    def best_among(self, position: Position, moves: Collection[Move]) -> Collection[Move]:
        worth = {move: number or self._start for move, number in self._numbers(position).items() if move in moves}
        best = max(worth.values())
        return [move for move, value in worth.items() if value == best]

    def _numbers(self, position: Position) -> dict[Move, int]:
        """Return the value of each move; 0 if it is not known."""
        numbers = {}
        for edge in self.space.edges(position):
            learned = int(self.memory[self.cell[edge]]) % REPLY_UNIT
            numbers[int(self.space.move[edge])] = learned or int(self.given[edge])
        return numbers

    # How it learns.

    @property
    def parts(self) -> Slots:
        return self.slots

    @classmethod
    def lay_out(cls, game: Game, parts: Slots, sides: Collection[Side], opponent: Policy | None) -> Walk:
        """Return where moves lead.

        Of the moves that share a slot, the learner plays the first: they lead to symmetric positions. The policy of an
        opponent may play such moves with different probabilities, so an opponent has a row for each move.
        """
        space = space_of(game)
        theirs, bound = np.zeros(len(space.side), np.int8), np.zeros(0, np.int64)
        if opponent is not None:
            theirs = ((space.outcome == RUNNING) & ~np.isin(space.side, list(sides))).astype(np.int8)
            bound = draw_bounds(space, sides, opponent)
        plan = WalkPlan(space_tables(space), parts.of_edge, theirs, bound)
        walk: Walk = _kernels()[1].lay_out(plan, int(space.ply[-1]))
        return walk

    def make_tables(self) -> ValueTables:
        return self._tables_with(len(self.layout().edge), self._empty_path())

    def play_games(self, games: int) -> tuple[Move, ...]:
        walk, tables = self.layout(), self.tables()
        plies = _kernels()[0].play_games(games, walk, self._rules(), tables, self.generator)
        return tuple(self.space.move[walk.edge[tables.path.row[:plies]]].tolist())

    def watch(self, cell: int, games: int, watched: Watched) -> tuple[int, int]:
        slot, walk = int(self.slots.of_edge[cell]), self.layout()
        played, noted = _kernels()[0].watch(games, slot, walk, self._rules(), self.tables(), self.generator, watched)
        return played, noted

    def watched_moves(self, path: list[int]) -> tuple[Move, ...]:
        return tuple(self.space.move[self.layout().edge[path]].tolist())

    def copy_back(self, memory: Memory, times: Memory) -> None:
        layout, tables, slots = _kernels()[1], self.tables(), self.slots
        layout.copy_values(tables, slots.of_edge, slots.cells, memory)
        layout.add_times(self.layout(), slots.cell, tables.times, times)

    def learn_record(self, record: Record, sides: Collection[Side] = BOTH) -> tuple[Change, ...]:
        """Learn from a game as in `Learner`. Unless `ahead` is `turn`, learn from both sides, whoever played them."""
        match, path, before = self.replay(record), self._empty_path(), self.memory.copy()
        turns = list(zip(match.positions, match.moves, strict=False))
        tables = self._tables_with(len(turns), path)
        taught_sides = sides if self.settings["ahead"] == "turn" else BOTH
        edges, slots = np.zeros(len(turns), np.int32), self.slots.of_edge
        for ply, (position, move) in enumerate(turns):
            edges[ply] = self.space.edge(position, move)
            path.row[ply] = ply
            path.slot[ply] = slots[edges[ply]] if self.game.side(position) in taught_sides else -1
            path.best[ply] = max(int(tables.value[slots[edge], WORTH]) for edge in self.space.edges(position))
        kernel, layout = _kernels()
        teach = kernel.teach_own_tables if self.settings["ahead"] == "own" else kernel.teach
        teach(len(turns), int(record.outcome), self._rules(), tables)
        self.count_game(record)
        layout.copy_values(tables, self.slots.of_edge, self.slots.cells, self.memory)
        np.add.at(self.times, self.cell[edges], tables.times)
        self.drop_tables()
        game_cells = set(self.cell[edges].tolist())
        return tuple(change for change in changes(before, self.memory) if change.edge in game_cells)

    def _empty_path(self) -> ValuePath:
        return ValuePath(*(np.zeros(int(self.space.ply[-1]), np.int32) for _ in ValuePath._fields))

    def _rules(self) -> ValueRules:
        settings = self.settings
        explore, explore_end = (round(float(settings[key]) * DRAWS) for key in ("explore", "explore_end"))
        rate, trace = (round(float(settings[key]) * SCALE) for key in ("rate", "trace"))
        return ValueRules(
            explore=explore,
            explore_end=explore_end,
            explore_games=int(settings["explore_games"]),
            rate=rate,
            average=int(bool(settings["average"])),
            trace=trace,
            toward=TOWARD[str(settings["toward"])],
            ahead=AHEAD[str(settings["ahead"])],
            ties=int(settings["ties"] == "random"),
        )

    def _tables_with(self, rows: int, path: ValuePath) -> ValueTables:
        number, given = self.memory[self.slots.first], self.given[self.slots.first]
        known, start = np.where(number > 0, number % REPLY_UNIT, given), self._start
        reply = np.zeros(0, np.int64)
        if self.settings["ahead"] == "own":
            unknown = np.where(given > 0, WIN + LOSS - given, start)
            reply = np.where(number > 0, number // REPLY_UNIT, unknown)
        seen = np.minimum(self._visits(self.times), MAX_SEEN // 2 + 1) * 2 + (number > 0)
        value = np.stack([np.where(known > 0, known, start), seen], axis=1).astype(np.int32)
        return ValueTables(value, reply.astype(np.int32), np.zeros(rows, np.int32), self.tally, path)

    def _visits(self, times: Memory) -> Memory:
        """Return how often the moves of each slot were made, given `times`, shape (m,)."""
        cells, slots = self.slots.cells, self.slots
        visits: Memory = np.zeros(len(slots.first), np.int64)
        np.add.at(visits, slots.of_edge[cells], times[cells])
        return visits

    # How it is stored.

    def restore_memory(self, snapshot: Snapshot) -> None:
        memory, stats = snapshot.memory, snapshot.stats
        times = np.zeros_like(memory) if snapshot.times is None else snapshot.times
        reply, worth = np.divmod(memory[memory > 0], REPLY_UNIT)
        if self.settings["ahead"] != "own" and reply.any():
            raise BadText(f"a move is worth {int(memory.max()):,}, more than {WIN:,}, a win")
        if self.settings["ahead"] == "own" and not (worth.all() and reply.all() and (reply <= WIN).all()):
            raise BadText(f"a move, or the reply to it, is not worth from {LOSS} to {WIN:,}")
        if not np.array_equal(memory[self.cell], memory[self.slots.first][self.slots.of_edge]):
            raise BadText("moves that share their value have different numbers")
        if (memory[self.slots.first] > 0)[self._visits(times) == 0].any():
            raise BadText("a move that was never made has a value")
        learned = int(np.count_nonzero(memory[self.slots.first]))
        if stats["values"] != learned:
            raise BadText(f"the statistics count {stats['values']} values, the memory has {learned}")
        super().restore_memory(snapshot)
