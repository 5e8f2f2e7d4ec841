"""MENACE: matchboxes full of beads that learn from wins and losses (D. Michie, 1961 and 1963).

There is a box of beads for every position that the machine decides, up to symmetry. It plays by drawing a bead; after
the game beads are added to the boxes that were opened, or taken away. The number of a cell is how many beads the box
holds for that move; all other numbers of the memory are 0.
"""

from collections.abc import Collection, Mapping
from functools import lru_cache
from random import Random
from types import ModuleType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy
from engine.game import BadText, Game, Move, Outcome, Position, Side
from engine.match import Record
from learners.core.boxes import Boxes, boxes_of
from learners.core.learner import BOTH, PERSON, Learner, changes, require_possible
from learners.core.player import Choice, Player, Thought
from learners.core.settings import Setting
from learners.core.snapshot import ITSELF, Memory, Snapshot
from learners.core.spec import LearnerSpec, Statistic
from learners.core.view import Change
from learners.menace.kernel_tables import MenaceTables, Path, Rules
from learners.menace.matchboxes import Matchboxes
from learners.menace.rules import PRESET_ROUNDS, PRESETS, SETTINGS
from learners.menace.tables import Tables, self_play_tables, tables_for
from learners.menace.view import MenaceView
from learners.players.opponents import recorded_opponent, require_opponent
from learners.players.plain import PerfectPlayer, RandomPlayer
from learners.players.registry import is_player, parse_player

PLAYS: Final = {"first": (Side.FIRST,), "second": (Side.SECOND,), "both": BOTH}
MOST_BEADS: Final = 2**31 - 1
"""The most beads in one box: a draw of 32 bits multiplied by this stays below 2^63."""
TALLY: Final = (
    "first_wins",
    "second_wins",
    "draws",
    "plies",
    "resigned",
    "refilled",
    "gained_first",
    "gained_second",
)
"""The statistics that the kernel counts, in its order."""


def _kernel() -> ModuleType:
    """Return the kernel. It imports numba, so it is imported only when something is to be learned."""
    from learners.menace import kernel as menace

    return menace


class Menace(Learner):
    """A matchbox machine."""

    spec = LearnerSpec(
        name="menace",
        title="MENACE",
        summary="draws its moves as beads from matchboxes, and wins and losses move beads",
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
        self.most = MOST_BEADS // self.boxes.width
        """The most beads of one move."""
        self._put_first_beads()
        self._matchboxes = Matchboxes(
            self.boxes,
            self.memory,
            draws=self.settings["pick"] == "drawn",
            refills=self.settings["empty"] == "refill",
        )
        self._tally = np.zeros(len(Outcome) + 5, np.int64)
        self._tables: Tables | None = None
        """The tables of the games with the opponent; `None` until they are made."""
        self._memory_tables: MenaceTables | None = None
        """The tables of the memory; `None` until made, and after any change of the memory other than by training."""
        self.record_opponent(ITSELF if self.sides == BOTH else PerfectPlayer.label)

    def _put_first_beads(self) -> None:
        beads = [max(int(count), int(self.settings["least"])) for count in str(self.settings["beads"]).split(",")]
        boxes = self.boxes
        own_move = np.array([boxes.own_move(box) for box in range(len(boxes.position))], np.int64)
        begun = np.array(beads)[np.minimum(own_move, len(beads)) - 1]
        self.memory[boxes.cells] = begun[boxes.cell_box]

    @property
    def has_learned(self) -> bool:
        """As in `Learner`."""
        return not np.array_equal(self.memory, self._matchboxes.begun)

    @property
    def cell(self) -> NDArray[np.int32]:
        """As in `Learner`."""
        return self.boxes.cell

    def policy(self) -> Policy:
        """As in `Player`."""
        return self._matchboxes.policy()

    def choose(self, position: Position, random: Random) -> Choice:
        """As in `Player`."""
        return self._matchboxes.choose(position, random)

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        """As in `Player`."""
        return self._matchboxes.thoughts(position)

    @property
    def training_sides(self) -> tuple[Side, ...]:
        """As in `Learner`: a machine for both sides plays first against another player."""
        return self.sides if self.opponent in (ITSELF, PERSON) else self.sides[:1]

    def set_opponent(self, opponent: Player | None) -> None:
        """As in `Learner`. Raise `BadText` for a player of another game, or one that does not play the other side."""
        if opponent is not None:
            require_opponent(self, opponent)
        self.record_opponent(ITSELF if opponent is None else opponent.label)
        self._tables = self._tables_against(opponent)

    def record_opponent(self, opponent: str) -> None:
        """As in `Learner`. Raise `BadText` for self-play of a machine for one side."""
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
        self._memory_tables = None

    def train(self, games: int) -> None:
        """Play games against the opponent."""
        made = self._tables = self._tables or self._tables_against(recorded_opponent(self))
        if self._memory_tables is None:
            longest = int(self.space.ply[-1])
            path = Path(np.zeros(longest, np.int64), np.zeros(longest, np.int64))
            self._memory_tables = self._kernel_tables(made.weights, path)
        tables, path = self._memory_tables, self._memory_tables.path
        plies = _kernel().play_games(games, made.walk, self._rules(self.training_sides), tables, self.generator)
        self._copy_back(tables)
        if games:
            self.last_game = self._moves(made, (path.drawn - path.opened - 1)[:plies].tolist())

    def _moves(self, tables: Tables, drawn: list[int]) -> tuple[Move, ...]:
        """Return the moves of a game, given the number of the row drawn in each position."""
        position, moves = 0, list[Move]()
        for nth in drawn:
            edge = tables.edge[tables.walk.node[position, 1] + nth]
            moves.append(int(self.space.move[edge]))
            position = int(self.space.target[edge])
        return tuple(moves)

    def _kernel_tables(self, weights: NDArray[np.int32], path: Path) -> MenaceTables:
        """Return the tables of the memory for the kernel, with the fixed weights after the boxes."""
        boxes = self.boxes
        times = np.zeros(len(boxes.position) * boxes.width, np.int64)
        times[boxes.places] = self.times[boxes.cells]
        bowls, begun = (self._bowls(memory, weights) for memory in (self.memory, self._matchboxes.begun))
        return MenaceTables(boxes.width, bowls, begun, times, self._tally, path)

    def _bowls(self, memory: Memory, weights: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the numbers of all bowls, shape (bowls × width,)."""
        bowls, boxes = weights.copy(), self.boxes
        bowls[boxes.places] = memory[boxes.cells]
        bowls[: len(boxes.position) * boxes.width : boxes.width] = np.bincount(
            boxes.cell_box, memory[boxes.cells], len(boxes.position)
        )
        return bowls

    def _copy_back(self, tables: MenaceTables) -> None:
        """Copy the beads and the counts of draws back into the memory."""
        self.memory[self.boxes.cells] = tables.bowls[self.boxes.places]
        self.times[self.boxes.cells] = tables.times[self.boxes.places]

    def _rules(self, sides: Collection[Side]) -> Rules:
        """Return the rules for games in which the machine plays `sides`."""
        settings = self.settings
        win, draw, loss = (int(settings[key]) for key in ("win", "draw", "loss"))
        lost = win if settings["credit"] == "winner" and set(sides) == set(BOTH) else loss
        reward = np.array([[win, lost, draw], [lost, win, draw]], np.int64)
        reward[[side not in sides for side in Side]] = 0
        return Rules(
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
        match = self.replay(record)
        boxes, plies = self.boxes, len(match.moves)
        place_of = dict(zip(boxes.cells.tolist(), boxes.places.tolist(), strict=True))
        drawn = np.full(plies, len(boxes.position) * boxes.width, np.int64)
        for ply, (position, move) in enumerate(zip(match.positions, match.moves, strict=False)):
            if self.game.side(position) in sides:
                drawn[ply] = place_of.get(int(boxes.cell[self.space.edge(position, move)]), drawn[ply])
        kernel, before = _kernel(), self.memory.copy()
        no_weights = np.zeros(len(boxes.position) * boxes.width, np.int32)
        tables = self._kernel_tables(no_weights, Path(drawn // boxes.width * boxes.width, drawn))
        self._tally[record.outcome] += 1
        self._tally[kernel.PLIES] += plies
        self._tally[kernel.RESIGNED] += match.resigned
        rules = self._rules([side for side in self.sides if side in sides])
        kernel.teach(plies, int(record.outcome), rules, tables)
        self._copy_back(tables)
        self.drop_tables()
        self.last_game = record.moves
        return changes(before, self.memory)

    def stats(self) -> dict[str, int]:
        """As in `Learner`."""
        first, second, draws, plies, resigned, refilled, *gained = (int(count) for count in self._tally)
        own = (resigned, refilled, int(self.memory.sum()), len(self.boxes.position), *gained)
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


@lru_cache(maxsize=2)
def _tables_against_player(boxes: Boxes, sides: tuple[Side, ...], label: str) -> Tables:
    """Return the tables of games with a player that needs no training. All machines with these boxes share them."""
    return tables_for(boxes, sides, parse_player(label, boxes.space.game).policy())
