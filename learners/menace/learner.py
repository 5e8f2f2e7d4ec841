"""MENACE: matchboxes full of beads that learn from wins and losses (D. Michie, 1961 and 1963).

There is a box of beads for every position that the machine decides, up to symmetry. It plays by drawing a bead.
After the game, beads are added to the boxes that were opened, or taken out of them. The number of a cell is how many
beads the box holds for that move; all other numbers of the memory are 0.
"""

from collections.abc import Collection, Mapping
from random import Random
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy
from engine.game import SIDES, BadText, Game, Move, Position, Side
from engine.match import Record
from engine.smallest.shipped import shipped_answers
from engine.space import Int32
from learners.core.boxes import Boxes, boxes_of
from learners.core.kernel_tables import Watched
from learners.core.learner import BOTH, PERSON, require_possible
from learners.core.player import Choice, Thought
from learners.core.settings import Setting
from learners.core.snapshot import ITSELF, Memory, Snapshot
from learners.core.spec import LearnerSpec, Statistic
from learners.core.view import Change, Presentation
from learners.menace.kernel_tables import (
    CHANGE,
    DRAWN,
    HEADER,
    MOVE_COUNT,
    OPENED,
    PAIR,
    Cells,
    MenaceRules,
    MenaceTables,
)
from learners.menace.layout import MenaceLayout, lay_out
from learners.menace.matchboxes import Matchboxes
from learners.menace.rules import PRESET_ROUNDS, PRESET_WORDS, PRESETS, SETTINGS
from learners.menace.view import MenaceView
from learners.players.plain import TEACHER, RandomPlayer
from learners.tables.table_learner import GAME_KEYS, TableLearner

MAX_BEADS: Final = 2**31 - 1
"""The maximum number of beads in one box: a draw of 32 bits multiplied by this stays below 2^63."""


def _kernels() -> tuple[ModuleType, ModuleType]:
    """Return the kernels for games and for the layout. They import numba, so they are imported only when needed."""
    from learners.menace import kernel, layout_kernel

    return kernel, layout_kernel


def _fewest_positions(game: Game, sides: tuple[Side, ...]) -> tuple[Position, ...]:
    """Return the fewest positions in which fixed answers suffice. Raises `BadText` if none come with the program."""
    positions = list[Position]()
    for side in sides:
        answers = shipped_answers(game, side)
        if answers is None:
            raise BadText(f"no smallest set of boxes for {game.name} comes with the program, or one side always loses")
        positions += answers.moves
    return tuple(positions)


class Menace(TableLearner[Boxes, MenaceLayout, MenaceTables]):
    spec = LearnerSpec(
        name="menace",
        title="MENACE",
        summary="draws its moves as beads from matchboxes; wins and losses add and remove beads",
        presets=PRESETS,
        preset_games={"her": ("hexapawn",)},
        preset_rounds=PRESET_ROUNDS,
        settings=SETTINGS,
        statistics=(
            Statistic("resigned", "games resigned"),
            Statistic("refilled", "boxes refilled"),
            Statistic("beads", "beads"),
            Statistic("boxes", "boxes"),
            Statistic("gained_first", signed=True),
            Statistic("gained_second", signed=True),
        ),
        counts_choices=True,
    )
    shown = Presentation(
        preset_words=PRESET_WORDS,
        quick_start_preset="steady",
        quick_start_opponents=(PERSON, RandomPlayer.label, ITSELF),
        usual_grid=("win", "empty"),
        size_statistic="beads",
        remedy="train a new one with the setting empty=refill",
    )
    view_type = MenaceView
    tally_keys = (*GAME_KEYS, "resigned", "refilled", "gained_first", "gained_second", "beads", "boxes")

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        super().__init__(game, preset, seed, settings)
        self.sides: tuple[Side, ...] = SIDES[str(self.settings["plays"])]
        self.boxes: Boxes = boxes_of(
            game,
            self.sides,
            merge=bool(self.settings["merge"]),
            singles=bool(self.settings["singles"]),
            positions=_fewest_positions(game, self.sides) if self.settings["boxes"] == "smallest" else None,
        )
        self.max_beads = MAX_BEADS // self.boxes.width
        """The maximum number of beads of one move."""
        first_beads = self._first_beads()
        self.memory[self.boxes.cells] = first_beads[self.boxes.cell_box]
        self.matchboxes = Matchboxes(
            self.boxes,
            self.memory,
            first_beads,
            draws=self.settings["pick"] == "drawn",
            refills=self.settings["empty"] == "refill",
        )
        self.tally[-2:] = self.memory.sum(), len(self.boxes.position)
        self.record_opponent(ITSELF if self.sides == BOTH else TEACHER)

    def _first_beads(self) -> Int32:
        """Return the initial number of beads of each move in every box, shape (boxes,)."""
        beads = [max(int(count), int(self.settings["least"])) for count in str(self.settings["beads"]).split(",")]
        move_number = self.space.ply[self.boxes.position] // 2 + 1
        first: Int32 = np.array(beads, np.int32)[np.minimum(move_number, len(beads)) - 1]
        return first

    @property
    def has_learned(self) -> bool:
        return not np.array_equal(self.memory[self.boxes.cells], self.matchboxes.first_beads[self.boxes.cell_box])

    @property
    def cell(self) -> NDArray[np.int32]:
        return self.boxes.cell

    def policy(self) -> Policy:
        self.catch_up()
        return self.matchboxes.policy()

    def choose(self, position: Position, random: Random) -> Choice:
        self.catch_up()
        return self.matchboxes.choose(position, random)

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        self.catch_up()
        return self.matchboxes.thoughts(position)

    def record_opponent(self, opponent: str) -> None:
        """Set the label of the opponent, as in `Learner`. Raises `BadText` for self-play of a machine for one side."""
        if opponent == ITSELF and self.sides != BOTH:
            who = self.game.mark(self.sides[0])
            raise BadText(f"{self.preset} plays {who} only: train it against somebody else, or set plays=both")
        super().record_opponent(opponent)

    @property
    def parts(self) -> Boxes:
        return self.boxes

    @classmethod
    def lay_out(cls, game: Game, parts: Boxes, sides: Collection[Side], opponent: Policy | None) -> MenaceLayout:  # noqa: ARG003
        return lay_out(parts, sides, opponent)

    def make_tables(self) -> MenaceTables:
        layout, longest = self.layout(), int(self.space.ply[-1])
        arena = layout.arena.copy()
        _kernels()[1].put_beads(layout.cells, self.memory, self.matchboxes.first_beads, arena)
        return MenaceTables(arena, self.tally, np.zeros((3, longest), np.int32))

    def play_games(self, games: int) -> tuple[Move, ...]:
        layout, tables = self.layout(), self.tables()
        plies = _kernels()[0].play_games(games, self._rules(self.training_sides), tables, self.generator)
        self.last_gains = tuple(tables.path[CHANGE, :plies].tolist())
        return layout.moves(tables.path[DRAWN, :plies].tolist())

    def watch(self, cell: int, games: int, watched: Watched) -> tuple[int, int]:
        """Watch a number as in `TableLearner`. It never changes if its edge has no box, or one that no game opens."""
        cells = self.layout().cells
        index = np.flatnonzero(cells.edge == cell)
        bowl = int(cells.bowl[cells.box[index[0]]]) if len(index) else -1
        if bowl < 0:
            self.play_games(games)
            return games, 0
        place = bowl + HEADER + PAIR * int(cells.number[index[0]])
        rules, tables = self._rules(self.training_sides), self.tables()
        games_played, noted = _kernels()[0].watch(games, place, rules, tables, self.generator, watched)
        return games_played, noted

    def watched_moves(self, path: list[int]) -> tuple[Move, ...]:
        return self.layout().moves(path)

    def copy_back(self, memory: Memory, times: Memory) -> None:
        _kernels()[1].take_back(self.layout().cells, self.tables().arena, memory, times)

    def _rules(self, sides: Collection[Side]) -> MenaceRules:
        settings = self.settings
        win, draw, loss = (int(settings[key]) for key in ("win", "draw", "loss"))
        lost = win if settings["credit"] == "winner" and set(sides) == set(BOTH) else loss
        reward = np.array([[win, lost, draw], [lost, win, draw]], np.int64)
        reward[[side not in sides for side in Side]] = 0
        return MenaceRules(
            reward=reward,
            fullest=int(not self.matchboxes.draws),
            refill=int(settings["empty"] == "refill"),
            keep=int(settings["empty"] == "keep"),
            last_only=int(settings["teaches"] == "last"),
            least=int(settings["least"]),
            most=self.max_beads,
        )

    def learn_record(self, record: Record, sides: Collection[Side] = BOTH) -> tuple[Change, ...]:
        match, boxes = self.replay(record), self.boxes
        plies, (kernel, layout) = len(match.moves), _kernels()
        path = np.full((3, plies), -1, np.int32)
        opened, played = dict[int, int](), list[int]()
        for ply, (position, move) in enumerate(zip(match.positions, match.moves, strict=False)):
            box, edge = int(boxes.box[self.space.row(position)]), self.space.edge(position, move)
            played.append(int(self.cell[edge]))
            if box >= 0 and self.game.side(position) in sides:
                path[OPENED, ply] = opened.setdefault(box, len(opened))
                path[DRAWN, ply] = np.searchsorted(boxes.cells_of(box), boxes.cell[edge])
        moves = np.array([len(boxes.cells_of(box)) for box in opened], np.int32)
        bowl = np.append(np.int32(0), np.cumsum(HEADER + PAIR * moves, dtype=np.int32))
        path[OPENED] = np.where(path[OPENED] < 0, -1, bowl[path[OPENED]])
        arena = np.zeros(bowl[-1], np.int32)
        arena[bowl[:-1] + MOVE_COUNT] = moves
        spans = [np.arange(*boxes.span(box)) for box in opened]
        index = np.concatenate(spans) if spans else np.zeros(0, np.int64)
        number = np.repeat(np.arange(len(opened), dtype=np.int32), moves)
        cells = Cells(boxes.cells[index], number, boxes.cell_number[index], bowl)
        edges = np.sort(cells.edge)
        before = self.memory[edges]
        layout.put_beads(cells, self.memory, self.matchboxes.first_beads[list(opened)], arena)
        self.count_game(record)
        self.tally[kernel.RESIGNED] += match.resigned
        rules = self._rules([side for side in self.sides if side in sides])
        kernel.teach(plies, int(record.outcome), rules, MenaceTables(arena, self.tally, path))
        layout.take_back(cells, arena, self.memory, self.times)
        self.drop_tables()
        pairs = zip(edges.tolist(), before.tolist(), self.memory[edges].tolist(), strict=True)
        changes = tuple(Change(*each) for each in pairs if each[1] != each[2])
        gains = {change.edge: change.after - change.before for change in changes}
        self.last_gains = tuple(gains.get(cell, 0) for cell in played)
        return changes

    def restore_memory(self, snapshot: Snapshot) -> None:
        cells = self.boxes.cells
        elsewhere = snapshot.memory.copy()
        elsewhere[cells] = 0
        if elsewhere.any():
            raise BadText("there are beads where the machine has no box")
        beads = snapshot.memory[cells]
        if len(beads) and not 0 <= int(beads.min()) <= int(beads.max()) <= self.max_beads:
            raise BadText(f"a move has from 0 to {self.max_beads:,} beads")
        stats = snapshot.stats
        if (stats["beads"], stats["boxes"]) != (int(beads.sum()), len(self.boxes.position)):
            raise BadText(
                f"the statistics count {stats['beads']} beads in {stats['boxes']} boxes, the memory has "
                f"{int(beads.sum())} in {len(self.boxes.position)}"
            )
        games, plies = stats["games"], stats["games"] * int(self.space.ply[-1])
        # the settings may have changed during the training: any of their values is possible for the past
        gain = games * max(abs(int(value)) for key in ("win", "draw", "loss") for value in SETTINGS[key].samples)
        limits = {"resigned": games, "refilled": 2 * plies + games, "gained_first": gain, "gained_second": gain}
        require_possible(stats, limits)
        super().restore_memory(snapshot)
