"""MENACE: matchboxes full of beads that learn from wins and losses (D. Michie, 1961 and 1963).

The memory is a box of beads for every position that the machine decides, up to symmetry. A move is played by drawing a
bead, and after the game beads are added to the boxes that were opened, or taken away. The number at a cell's edge is
how many beads the box holds for that move; all other edges are 0.
"""

from collections.abc import Collection, Mapping
from types import ModuleType
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from engine.game import BadText, Game, Move, Outcome, Side
from engine.match import Record
from learners.core.cards import Words
from learners.core.learner import BOTH, COMMON_STATS, PERSON, Change, Learner, changes, require_possible
from learners.core.player import Player
from learners.core.settings import Setting
from learners.core.snapshot import ITSELF, Memory, Snapshot
from learners.menace.beads import COLOURS, LETTERS, colour_of, title_of
from learners.menace.matchboxes import Matchboxes
from learners.menace.rules import PRESETS, SETTING_KINDS
from learners.menace.tables import Tables, self_play_tables, tables_for
from learners.players.plain import PerfectPlayer
from learners.players.registry import is_player, parse_player

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
"""What the kernel counts, in its order."""


def _kernel() -> ModuleType:
    from learners.menace import kernel as menace  # imports numba, so only when something is to be learned

    return menace


class Menace(Matchboxes):
    name = "menace"
    title = "MENACE"
    summary = "draws its moves as beads from matchboxes, and wins and losses move beads"
    presets = PRESETS
    preset_games: ClassVar[Mapping[str, tuple[str, ...]]] = {"her": ("hexapawn",)}
    ready_preset = "blog-fixed"  # the program that it follows has the same three modes
    setting_kinds = SETTING_KINDS
    own_stats: ClassVar[Mapping[str, str]] = {
        "resigned": "games resigned",
        "refilled": "boxes refilled",
        "beads": "beads",
        "boxes": "boxes",
        "gained_first": "",
        "gained_second": "",
    }
    signed_stats = ("gained_first", "gained_second")
    size_stat = "beads"
    words = Words(
        noun="box",
        plural="boxes",
        newest="Boxes of the last game",
        none="No box",
        legend=dict(zip(LETTERS, COLOURS, strict=True)),
    )
    growth_title = "Beads gained"
    _tables: Tables | None = None
    """Those of the games with its opponent; `None` while they are not made."""

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        super().__init__(game, preset, seed, settings)
        self.times: Memory = np.zeros(len(self.memory), np.int64)
        self._tally = np.zeros(len(Outcome) + 5, np.int64)
        self.turn_to(ITSELF if self.sides == BOTH else PerfectPlayer.label)

    @property
    def _sides_now(self) -> tuple[Side, ...]:
        """The sides it plays while it trains: a machine for both sides moves first against anybody else."""
        return self.sides if self.opponent in (ITSELF, PERSON) else self.sides[:1]

    def meet(self, opponent: Player | None) -> None:
        if opponent is not None and opponent.game is not self.game:
            raise BadText(f"{opponent.label} plays {opponent.game.title}, not {self.game.title}")
        other = self.sides[0].other
        if isinstance(opponent, Learner) and other not in opponent.sides:
            raise BadText(f"{opponent.label} does not play {self.game.mark(other)}: choose another opponent")
        self.turn_to(ITSELF if opponent is None else opponent.label)
        self._tables = self._tables_against(opponent)

    def turn_to(self, opponent: str) -> None:
        if opponent == ITSELF and self.sides != BOTH:
            who = self.game.mark(self.sides[0])
            raise BadText(f"{self.preset} plays {who} only: train it against somebody else, or set plays=both")
        super().turn_to(opponent)
        self._tables = None

    def _tables_against(self, opponent: Player | None) -> Tables:
        if opponent is None:
            return self_play_tables(self.boxes)
        return tables_for(self.boxes, self._sides_now, opponent.policy())

    def _met_last(self) -> Player | None:
        """Its opponent, `None` for itself. Raises `BadText` for one that is not to be had here."""
        if self.opponent == ITSELF:
            return None
        if not is_player(self.opponent):
            raise BadText(f"it trained against {self.opponent} last: say whom it meets now")
        return parse_player(self.opponent, self.game)

    def train(self, games: int) -> None:
        tables = self._tables = self._tables or self._tables_against(self._met_last())
        kernel, boxes = _kernel(), self.boxes
        longest = int(self.space.ply[-1])
        opened, drawn = np.zeros((2, longest), np.int64)
        bowls, times = self._bowls(self.memory, tables.weights), self._places(self.times)
        plies = kernel.play_games(
            games,
            boxes.width,
            tables.node,
            tables.target,
            self._rewards(self._sides_now),
            self._rules(),
            bowls,
            self._bowls(self._begun, tables.weights),
            times,
            self.generator,
            self._tally,
            opened,
            drawn,
        )
        self._read(bowls, times)
        if games:
            self.last_game = self._moves(tables, (drawn - opened - 1)[:plies].tolist())

    def _moves(self, tables: Tables, drawn: list[int]) -> tuple[Move, ...]:
        """The moves of a game, given which of each position's rows was drawn."""
        position, moves = 0, list[Move]()
        for nth in drawn:
            edge = tables.edge[tables.node[position, 1] + nth]
            moves.append(int(self.space.move[edge]))
            position = int(self.space.target[edge])
        return tuple(moves)

    def _bowls(self, memory: NDArray[np.int64], weights: NDArray[np.int32]) -> NDArray[np.int32]:
        """The bowls of a memory, among fixed weights."""
        bowls, boxes = weights.copy(), self.boxes
        bowls[boxes.places] = memory[boxes.cells]
        bowls[: len(boxes.position) * boxes.width : boxes.width] = np.bincount(
            boxes.cell_box, memory[boxes.cells], len(boxes.position)
        )
        return bowls

    def _places(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Numbers of the cells at their places among the bowls of the boxes."""
        placed = np.zeros(len(self.boxes.position) * self.boxes.width, np.int64)
        placed[self.boxes.places] = numbers[self.boxes.cells]
        return placed

    def _read(self, bowls: NDArray[np.int32], times: NDArray[np.int64]) -> None:
        """Take the beads back from the bowls."""
        self.memory[self.boxes.cells] = bowls[self.boxes.places]
        self.times[self.boxes.cells] = times[self.boxes.places]

    def _rewards(self, sides: Collection[Side]) -> NDArray[np.int64]:
        """What each side's moves get for each outcome, when the machine itself played `sides`, shape (2, 3)."""
        win, draw, loss = (int(self.settings[key]) for key in ("win", "draw", "loss"))
        lost = win if self.settings["credit"] == "winner" and set(sides) == set(BOTH) else loss
        rewards = np.array([[win, lost, draw], [lost, win, draw]], np.int64)
        rewards[[side not in sides for side in Side]] = 0
        return rewards

    def _rules(self) -> NDArray[np.int64]:
        settings = self.settings
        empty, last_only = settings["empty"], settings["teaches"] == "last"
        flags = (not self._draws, empty == "refill", empty == "keep", last_only)
        return np.array([*flags, settings["least"], self.most], np.int64)

    def learn_record(self, record: Record, sides: Collection[Side] = BOTH) -> tuple[Change, ...]:
        match = self.match_of(record)
        boxes = self.boxes
        place_of = dict(zip(boxes.cells.tolist(), boxes.places.tolist(), strict=True))
        drawn = np.full(len(match.moves), len(boxes.position) * boxes.width, np.int64)
        for ply, (position, move) in enumerate(zip(match.positions, match.moves, strict=False)):
            if self.game.side(position) in sides:
                drawn[ply] = place_of.get(int(boxes.cell[self.space.edge(position, move)]), drawn[ply])
        kernel, before = _kernel(), self.memory.copy()
        none = np.zeros(len(boxes.position) * boxes.width, np.int32)
        bowls, times = self._bowls(self.memory, none), self._places(self.times)
        self._tally[record.outcome] += 1
        self._tally[kernel.PLIES] += len(match.moves)
        self._tally[kernel.RESIGNED] += match.resigned
        kernel.teach(
            len(match.moves),
            int(record.outcome),
            boxes.width,
            drawn // boxes.width * boxes.width,
            drawn,
            self._rewards([side for side in self.sides if side in sides]),
            self._rules(),
            bowls,
            self._bowls(self._begun, none),
            times,
            self._tally,
        )
        self._read(bowls, times)
        self.last_game = record.moves
        return changes(before, self.memory)

    def tell(self, change: Change) -> str:
        box = int(self.boxes.box[self.space.source[change.edge]])
        gained = change.after - change.before
        sign = "+" if gained > 0 else "−"
        colour = colour_of(self.boxes, change.edge)
        return f"{sign}{abs(gained)} {colour} in box {title_of(self.boxes, box)}, move {self.boxes.own_move(box)}"

    def stats(self) -> dict[str, int]:
        first, second, draws, plies, resigned, refilled, *gained = (int(count) for count in self._tally)
        own = (resigned, refilled, int(self.memory.sum()), len(self.boxes.position), *gained)
        common = (first + second + draws, plies, first, second, draws)
        return dict(zip((*COMMON_STATS, *self.own_stats), (*common, *own), strict=True))

    def growth(self, stats: Mapping[str, int]) -> dict[str, int]:
        return {f"by {{{side.value}}}": stats[f"gained_{side.name.lower()}"] for side in self.sides}

    def newest(self, count: int) -> list[int]:
        position, opened = self.game.start, list[int]()
        for move in self.last_game:
            box = int(self.boxes.box[self.space.number[position]])
            if box >= 0 and self.game.side(position) in self._sides_now:
                opened.append(int(self.space.first_edge[self.boxes.position[box]]))
            position = self.game.play(position, move)
        return opened[::-1][:count]

    def _take(self, snapshot: Snapshot) -> None:
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
                f"the statistics tell of {stats['beads']} beads in {stats['boxes']} boxes, the memory holds "
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
