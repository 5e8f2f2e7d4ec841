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
from engine.game import BadText, Game, Position, Side
from engine.match import Record
from engine.result_caches import cached_with_spaces
from engine.space import Int32
from learners.core.boxes import Boxes, boxes_of
from learners.core.learner import BOTH, PERSON, require_possible
from learners.core.player import Choice, Player, Thought
from learners.core.settings import Setting
from learners.core.snapshot import ITSELF, Snapshot
from learners.core.spec import LearnerSpec, Statistic
from learners.core.view import Change
from learners.menace.kernel_tables import HEADER, MOVE_COUNT, PAIR, Cells, DrawnPath, MenaceRules, MenaceTables
from learners.menace.matchboxes import Matchboxes
from learners.menace.rules import PRESET_ROUNDS, PRESETS, SETTINGS
from learners.menace.tables import Tables, self_play_tables, tables_for
from learners.menace.view import MenaceView
from learners.players.opponents import OpposedLearner
from learners.players.plain import TEACHER, RandomPlayer
from learners.players.registry import is_player, parse_player

PLAYS: Final = {"first": (Side.FIRST,), "second": (Side.SECOND,), "both": BOTH}
MAX_BEADS: Final = 2**31 - 1
"""The maximum number of beads in one box: a draw of 32 bits multiplied by this stays below 2^63."""
TALLY: Final = (
    "first_wins",
    "second_wins",
    "draws",
    "plies",
    "resigned",
    "refilled",
    "gained_first",
    "gained_second",
    "beads",
)
"""The statistics that the kernel counts, in its order."""


def _kernels() -> tuple[ModuleType, ModuleType]:
    """Return the kernels for games and for the layout. They import numba, so they are imported only when needed."""
    from learners.menace import kernel, layout_kernel

    return kernel, layout_kernel


class Menace(OpposedLearner):
    """A matchbox machine."""

    spec = LearnerSpec(
        name="menace",
        title="MENACE",
        summary="draws its moves as beads from matchboxes; wins and losses add and remove beads",
        presets=PRESETS,
        preset_games={"her": ("hexapawn",)},
        preset_rounds=PRESET_ROUNDS,
        quick_start_preset="steady",
        quick_start_opponents=(PERSON, RandomPlayer.label, ITSELF),
        settings=SETTINGS,
        usual_grid=("win", "empty"),
        statistics=(
            Statistic("resigned", "games resigned"),
            Statistic("refilled", "boxes refilled"),
            Statistic("beads", "beads"),
            Statistic("boxes", "boxes"),
            Statistic("gained_first", signed=True),
            Statistic("gained_second", signed=True),
        ),
        size_statistic="beads",
        remedy="train a new one with the setting empty=refill",
        counts_choices=True,
    )
    view_type = MenaceView

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        """As in `Learner`."""
        super().__init__(game, preset, seed, settings)
        self.sides: tuple[Side, ...] = PLAYS[str(self.settings["plays"])]
        self.boxes: Boxes = boxes_of(
            game, self.sides, merge=bool(self.settings["merge"]), singles=bool(self.settings["singles"])
        )
        self.most = MAX_BEADS // self.boxes.width
        """The maximum number of beads of one move."""
        first_beads = self._first_beads()
        self.memory[self.boxes.cells] = first_beads[self.boxes.cell_box]
        self._matchboxes = Matchboxes(
            self.boxes,
            self.memory,
            first_beads,
            draws=self.settings["pick"] == "drawn",
            refills=self.settings["empty"] == "refill",
        )
        self._tally = np.zeros(len(TALLY), np.int64)
        self._tables: Tables | None = None
        """The tables of the games with the opponent; `None` until they are made."""
        self._memory_tables: MenaceTables | None = None
        """The tables of the memory; `None` until made, and after any change of the memory other than by training."""
        self._uncounted = 0
        """How many games were played since the tables, which count draws in 32 bits, were copied to the memory."""
        self.record_opponent(ITSELF if self.sides == BOTH else TEACHER)

    def _first_beads(self) -> Int32:
        """Return how many beads of each move every box begins with, shape (boxes,)."""
        beads = [max(int(count), int(self.settings["least"])) for count in str(self.settings["beads"]).split(",")]
        move_number = self.space.ply[self.boxes.position] // 2 + 1
        first: Int32 = np.array(beads, np.int32)[np.minimum(move_number, len(beads)) - 1]
        return first

    @property
    def has_learned(self) -> bool:
        """As in `Learner`."""
        return not np.array_equal(self.memory[self.boxes.cells], self._matchboxes.first_beads[self.boxes.cell_box])

    @property
    def cell(self) -> NDArray[np.int32]:
        """As in `Learner`."""
        return self.boxes.cell

    def policy(self) -> Policy:
        """As in `Player`."""
        self._catch_up()
        return self._matchboxes.policy()

    def choose(self, position: Position, random: Random) -> Choice:
        """As in `Player`."""
        self._catch_up()
        return self._matchboxes.choose(position, random)

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        """As in `Player`."""
        self._catch_up()
        return self._matchboxes.thoughts(position)

    def record_opponent(self, opponent: str) -> None:
        """As in `Learner`. Raises `BadText` for self-play of a machine for one side."""
        if opponent == ITSELF and self.sides != BOTH:
            who = self.game.mark(self.sides[0])
            raise BadText(f"{self.preset} plays {who} only: train it against somebody else, or set plays=both")
        super().record_opponent(opponent)
        self._tables = None

    def _tables_against(self, opponent: Player | None) -> Tables:
        if opponent is None:
            return self_play_tables(self.boxes)
        if is_player(opponent.label):
            return _tables_against_player(self.boxes, self.training_sides, opponent.label)
        return tables_for(self.boxes, self.training_sides, opponent.policy())

    def drop_tables(self) -> None:
        """As in `Learner`."""
        self._catch_up()
        self._memory_tables = None

    def train(self, games: int) -> None:
        """Play games against the opponent."""
        if self._uncounted + games > MAX_BEADS:
            self._catch_up()
        made = self._tables = self._tables or self._tables_against(self.opposing())
        tables = self._memory_tables = self._memory_tables or self._kernel_tables(made)
        plies = _kernels()[0].play_games(games, self._rules(self.training_sides), tables, self.generator)
        if games:
            self._behind = True
            self._uncounted += games
            self.last_game = made.moves(tables.path.drawn[:plies].tolist())

    def _kernel_tables(self, made: Tables) -> MenaceTables:
        """Return the tables of the memory for the kernel."""
        arena, longest = made.arena.copy(), int(self.space.ply[-1])
        _kernels()[1].put_beads(made.cells, self.memory, self._matchboxes.first_beads, arena)
        self._tally[-1] = self.memory.sum()
        return MenaceTables(arena, self._tally, DrawnPath(np.zeros(longest, np.int32), np.zeros(longest, np.int32)))

    def copy_back(self) -> None:
        """As in `Learner`."""
        if self._tables is not None and self._memory_tables is not None:
            _kernels()[1].take_back(self._tables.cells, self._memory_tables.arena, self._memory, self._times)
        self._uncounted = 0

    def _rules(self, sides: Collection[Side]) -> MenaceRules:
        """Return the rules for games in which the machine plays `sides`."""
        settings = self.settings
        win, draw, loss = (int(settings[key]) for key in ("win", "draw", "loss"))
        lost = win if settings["credit"] == "winner" and set(sides) == set(BOTH) else loss
        reward = np.array([[win, lost, draw], [lost, win, draw]], np.int64)
        reward[[side not in sides for side in Side]] = 0
        return MenaceRules(
            reward=reward,
            fullest=int(not self._matchboxes.draws),
            refill=int(settings["empty"] == "refill"),
            keep=int(settings["empty"] == "keep"),
            last_only=int(settings["teaches"] == "last"),
            least=int(settings["least"]),
            most=self.most,
        )

    def learn_record(self, record: Record, sides: Collection[Side] = BOTH) -> tuple[Change, ...]:
        """As in `Learner`."""
        match, boxes = self.replay(record), self.boxes
        plies, (kernel, layout) = len(match.moves), _kernels()
        path = DrawnPath(np.full(plies, -1, np.int32), np.zeros(plies, np.int32))
        opened = dict[int, int]()
        """The number of each box that was opened, by box."""
        for ply, (position, move) in enumerate(zip(match.positions, match.moves, strict=False)):
            box = int(boxes.box[self.space.row(position)])
            if box >= 0 and self.game.side(position) in sides:
                path.opened[ply] = opened.setdefault(box, len(opened))
                path.drawn[ply] = np.searchsorted(boxes.cells_of(box), boxes.cell[self.space.edge(position, move)])
        moves = np.array([len(boxes.cells_of(box)) for box in opened], np.int32)
        bowl = np.append(np.int32(0), np.cumsum(HEADER + PAIR * moves, dtype=np.int32))
        path.opened[:] = np.where(path.opened < 0, path.opened, bowl[path.opened])
        arena = np.zeros(bowl[-1], np.int32)
        arena[bowl[:-1] + MOVE_COUNT] = moves
        spans = [np.arange(*boxes.span(box)) for box in opened]
        index = np.concatenate(spans) if spans else np.zeros(0, np.int64)
        number = np.repeat(np.arange(len(opened), dtype=np.int32), moves)
        cells = Cells(boxes.cells[index], number, boxes.cell_number[index], bowl)
        edges = np.sort(cells.edge)
        before = self.memory[edges]
        layout.put_beads(cells, self.memory, self._matchboxes.first_beads[list(opened)], arena)
        self._tally[record.outcome] += 1
        self._tally[kernel.PLIES] += plies
        self._tally[kernel.RESIGNED] += match.resigned
        rules = self._rules([side for side in self.sides if side in sides])
        kernel.teach(plies, int(record.outcome), rules, MenaceTables(arena, self._tally, path))
        layout.take_back(cells, arena, self.memory, self.times)
        self.drop_tables()
        self.last_game = record.moves
        pairs = zip(edges.tolist(), before.tolist(), self.memory[edges].tolist(), strict=True)
        return tuple(Change(*each) for each in pairs if each[1] != each[2])

    def stats(self) -> dict[str, int]:
        """As in `Learner`."""
        first, second, draws, plies, resigned, refilled, *gained, beads = (int(count) for count in self._tally)
        if self._memory_tables is None:
            beads = int(self.memory.sum())
        own = (resigned, refilled, beads, len(self.boxes.position), *gained)
        common = (first + second + draws, plies, first, second, draws)
        return dict(zip(self.spec.stat_keys, (*common, *own), strict=True))

    def restore_memory(self, snapshot: Snapshot) -> None:
        """As in `Learner`."""
        cells, least = self.boxes.cells, int(self.settings["least"])
        elsewhere = snapshot.memory.copy()
        elsewhere[cells] = 0
        if elsewhere.any():
            raise BadText("there are beads where the machine has no box")
        beads = snapshot.memory[cells]
        if len(beads) and not least <= int(beads.min()) <= int(beads.max()) <= self.most:
            raise BadText(f"a move has from {least:,} to {self.most:,} beads")
        stats = snapshot.stats
        if (stats["beads"], stats["boxes"]) != (int(beads.sum()), len(self.boxes.position)):
            raise BadText(
                f"the statistics count {stats['beads']} beads in {stats['boxes']} boxes, the memory has "
                f"{int(beads.sum())} in {len(self.boxes.position)}"
            )
        games, plies = stats["games"], stats["games"] * int(self.space.ply[-1])
        gain = games * max(abs(int(self.settings[key])) for key in ("win", "draw", "loss"))
        most = {"plies": plies, "resigned": games, "gained_first": gain, "gained_second": gain}
        require_possible(stats, {**most, "refilled": 2 * plies + games})
        if snapshot.times is not None and snapshot.times.max() > games:
            raise BadText(f"a move was chosen {games:,} times at most, once a game, not {snapshot.times.max():,}")
        self.memory[:] = snapshot.memory
        if snapshot.times is not None:
            self.times[:] = snapshot.times
        self._tally[:] = [stats[key] for key in TALLY]


@cached_with_spaces(2)
def _tables_against_player(boxes: Boxes, sides: tuple[Side, ...], label: str) -> Tables:
    """Return the tables of games with a player that needs no training. All machines with these boxes share them."""
    return tables_for(boxes, sides, parse_player(label, boxes.space.game).policy())
