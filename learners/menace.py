"""MENACE: matchboxes full of beads that learn from wins and losses (D. Michie, 1961 and 1963).

The memory is a box of beads for every position that the machine decides, up to symmetry. A move is played by drawing a
bead, and after the game beads are added to the boxes that were opened, or taken away. The number at a cell's edge is
how many beads the box holds for that move; all other edges are 0.

The presets: Michie's machine as in "Experiments on the mechanization of game-learning" (The Computer Journal 6, 1963);
the two machines of M. Scroggs' online MENACE; a Java program whose counters are never drawn, only compared, and which
credits a loser's moves with the winner's reward (`blog`), and the same without that slip; and the hexapawn robot HER of
M. Gardner's column (Scientific American, March 1962), which learns from its last move of a lost game alone.
"""

from collections.abc import Collection, Mapping
from itertools import accumulate
from random import Random
from types import ModuleType
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy, uniform_policy
from engine.game import BadText, Game, IllegalMove, Outcome, Position, Side
from engine.match import Record, replayed
from learners.boxes import Boxes, Tables, boxes_of, tables_for
from learners.learner import BOTH, COMMON_STATS, ITSELF, PERSON, Card, Change, Learner, Memory, Snapshot, Words, changes
from learners.plain import PerfectPlayer, RandomPlayer, plural
from learners.player import Choice, Player, Thought
from learners.settings import OneOf, Setting, SettingKind, Whole, Wholes

COLOURS: Final = ("white", "lilac", "silver", "black", "gold", "green", "amber", "red", "pink")
"""The colours of the beads, by square from the top left as in Michie's machine, or else by move of the box."""
LETTERS: Final = ("w", "l", "s", "k", "g", "n", "a", "r", "p")
PLAYS: Final = {"first": (Side.FIRST,), "second": (Side.SECOND,), "both": BOTH}
MOST_BEADS: Final = 2**31 - 1
"""In one box: a draw of 32 bits times that stays within 63."""

MICHIE: Final[Mapping[str, Setting]] = {
    "plays": "first",
    "beads": "4,3,2,1",
    "win": 3,
    "draw": 1,
    "loss": -1,
    "pick": "drawn",
    "merge": True,
    "singles": False,
    "least": 0,
    "empty": "resign",
    "teaches": "all",
    "credit": "own",
}
BLOG: Final[Mapping[str, Setting]] = {
    **MICHIE,
    "plays": "both",
    "beads": "10",
    "win": 2,
    "pick": "fullest",
    "merge": False,
    "singles": True,
    "least": 1,
    "credit": "winner",
}


def _kernel() -> ModuleType:
    from learners.kernels import menace  # imports numba, so only when something is to be learned

    return menace


class Menace(Learner):
    name = "menace"
    title = "MENACE"
    summary = "draws its moves as beads from matchboxes, and wins and losses move beads"
    presets: ClassVar[Mapping[str, Mapping[str, Setting]]] = {
        "michie": MICHIE,
        "scroggs": {**MICHIE, "plays": "both", "beads": "8,4,2,1"},
        "blog": BLOG,
        "blog-fixed": {**BLOG, "credit": "own"},
        "her": {**MICHIE, "plays": "second", "beads": "1", "win": 0, "draw": 0, "singles": True, "teaches": "last"},
    }
    preset_games: ClassVar[Mapping[str, tuple[str, ...]]] = {"her": ("hexapawn",)}
    setting_kinds: ClassVar[Mapping[str, SettingKind]] = {
        "plays": OneOf(("first", "second", "both"), "the sides that it has boxes for"),
        "beads": Wholes(1, 1000, 16, "how many beads each move begins with, by the machine's first, second … move"),
        "win": Whole(-1000, 1000, "beads added for each move of a game it won"),
        "draw": Whole(-1000, 1000, "beads added for each move of a drawn game"),
        "loss": Whole(-1000, 1000, "beads added for each move of a game it lost: below 0 takes beads away"),
        "pick": OneOf(("drawn", "fullest"), "draw a bead, or play the move with the most beads, ties at random"),
        "merge": OneOf((True, False), "symmetric moves of a position share their beads"),
        "singles": OneOf((False, True), "positions with a single move have boxes too"),
        "least": Whole(0, 1000, "a move never has fewer beads"),
        "empty": OneOf(("resign", "refill", "keep"), "an empty box: resign, begin anew, or never take its last bead"),
        "teaches": OneOf(("all", "last"), "a game changes all boxes that were opened, or the last one only"),
        "credit": OneOf(("own", "winner"), "playing itself, a loser's moves get its own loss, or the winner's reward"),
    }
    own_stats: ClassVar[Mapping[str, str]] = {
        "resigned": "games resigned",
        "refilled": "boxes refilled",
        "beads": "beads",
        "boxes": "boxes",
    }
    size_stat = "beads"
    words = Words(
        noun="box",
        plural="boxes",
        newest="Boxes of the last game",
        none="No box",
        legend=dict(zip(LETTERS, COLOURS, strict=True)),
    )
    growth_title = "Beads gained"

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        super().__init__(game, preset, seed, settings)
        self.sides: tuple[Side, ...] = PLAYS[str(self.settings["plays"])]
        self.boxes: Boxes = boxes_of(
            game, self.sides, merge=bool(self.settings["merge"]), singles=bool(self.settings["singles"])
        )
        self.most = MOST_BEADS // self.boxes.width
        self.times = self._drawn_times = np.zeros(len(self.memory), np.int64)
        self._tally = np.zeros(len(Outcome) + 3, np.int64)
        self._begin()
        self._against: Policy | None = None
        self._tables: Tables | None = None
        self.meet(None if self.sides == BOTH else PerfectPlayer(game))

    def _begin(self) -> None:
        """Put the first beads into every box. Raises `BadText` for rules under which no bead would stay."""
        beads = [int(count) for count in str(self.settings["beads"]).split(",")]
        least = int(self.settings["least"])
        if least > min(beads):
            raise BadText(f"least {least} is more than the {min(beads)} beads that some moves begin with")
        boxes = self.boxes
        own_move = np.array([boxes.own_move(box) for box in range(len(boxes.position))], np.int64)
        begun = np.array(beads)[np.minimum(own_move, len(beads)) - 1]
        self.memory[boxes.cells] = begun[boxes.cell_box]
        self._begun = self.memory.copy()

    @property
    def cell(self) -> NDArray[np.int32]:
        return self.boxes.cell

    @property
    def _draws(self) -> bool:
        return self.settings["pick"] == "drawn"

    @property
    def _sides_now(self) -> tuple[Side, ...]:
        """The sides it plays while it trains: a machine for both sides moves first against anybody else."""
        return self.sides if self.opponent in (ITSELF, PERSON) else self.sides[:1]

    def meet(self, opponent: Player | None) -> None:
        if opponent is None and self.sides != BOTH:
            who = self.game.mark(self.sides[0])
            raise BadText(f"{self.preset} plays {who} only: train it against somebody else, or set plays=both")
        if opponent is not None and opponent.game is not self.game:
            raise BadText(f"{opponent.label} plays {opponent.game.title}, not {self.game.title}")
        self.opponent = ITSELF if opponent is None else opponent.label
        self._against = None if opponent is None else opponent.policy()
        self._tables = tables_for(self.boxes, self._sides_now, self._against)

    def train(self, games: int) -> None:
        tables = self._tables
        if tables is None:
            raise BadText(f"it trained against {self.opponent} last: say whom it meets now")
        kernel, boxes = _kernel(), self.boxes
        longest = int(self.space.ply[-1])
        opened, drawn, rows = np.zeros((3, longest), np.int64)
        bowls, times = self._bowls(self.memory, tables.weights), self._places(self._drawn_times)
        plies = kernel.play_games(
            games,
            boxes.width,
            tables.node,
            tables.target,
            self._rewards(shared=self.settings["credit"] == "winner" and self._against is None),
            self._rules(),
            bowls,
            self._bowls(self._begun, tables.weights),
            times,
            self.generator,
            self._tally,
            opened,
            drawn,
            rows,
        )
        self._read(bowls, times)
        if games:
            self.last_game = tuple(self.space.move[tables.edge[rows[:plies]]].tolist())

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
        self._drawn_times[self.boxes.cells] = times[self.boxes.places]

    def _rewards(self, *, shared: bool) -> NDArray[np.int64]:
        """What each side's moves get for each outcome, shape (2, 3)."""
        win, draw, loss = (int(self.settings[key]) for key in ("win", "draw", "loss"))
        lost = win if shared else loss
        return np.array([[win, lost, draw], [lost, win, draw]], np.int64)

    def _rules(self) -> NDArray[np.int64]:
        settings = self.settings
        empty, last_only = settings["empty"], settings["teaches"] == "last"
        flags = (not self._draws, empty == "refill", empty == "keep", last_only)
        return np.array([*flags, settings["least"], self.most], np.int64)

    def learn_record(self, record: Record, sides: Collection[Side] = BOTH) -> tuple[Change, ...]:
        try:
            match = replayed(self.game, record)
        except (IllegalMove, ValueError) as error:
            raise KeyError(record) from error
        boxes = self.boxes
        place_of = dict(zip(boxes.cells.tolist(), boxes.places.tolist(), strict=True))
        drawn = np.zeros(len(match.moves), np.int64)
        for ply, (position, move) in enumerate(zip(match.positions, match.moves, strict=False)):
            if self.game.side(position) in sides:
                drawn[ply] = place_of.get(int(boxes.cell[self.space.edge(position, move)]), 0)
        kernel, before = _kernel(), self.memory.copy()
        none = np.zeros(len(boxes.position) * boxes.width, np.int32)
        bowls, times = self._bowls(self.memory, none), self._places(self._drawn_times)
        shared = self.settings["credit"] == "winner" and set(sides) >= set(BOTH)
        self._tally[record.outcome] += 1
        self._tally[kernel.PLIES] += len(match.moves)
        self._tally[kernel.RESIGNED] += match.resigned
        kernel.teach(
            len(match.moves),
            int(record.outcome),
            boxes.width,
            drawn // boxes.width * boxes.width,
            drawn,
            self._rewards(shared=shared),
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
        colour = COLOURS[self._hue(change.edge) - 1]
        return f"{sign}{abs(gained)} {colour} in box {self._title(box)}, move {self.boxes.own_move(box)}"

    def _title(self, box: int) -> str:
        """How a box is spoken of: its number among those of its side, and the side where there are two."""
        number = f"{self.boxes.own_number(box)}"
        side = Side(int(self.space.side[self.boxes.position[box]]))
        return number if len(self.sides) == 1 else f"{self.game.mark(side)} {number}"

    def _hue(self, edge: int) -> int:
        """The number of a cell's colour, from 1."""
        cell, game = int(self.boxes.cell[edge]), self.game
        position, move = int(self.space.position[self.space.source[cell]]), int(self.space.move[cell])
        squares = game.squares(position, move)
        if len(squares) == 1 and game.rows * game.columns == len(COLOURS):
            return squares[0] + 1
        box = int(self.boxes.box[self.space.source[cell]])
        return int(np.searchsorted(self.boxes.cells_of(box), cell)) % len(COLOURS) + 1

    def stats(self) -> dict[str, int]:
        first, second, draws, plies, resigned, refilled = (int(count) for count in self._tally)
        own = (resigned, refilled, int(self.memory.sum()), len(self.boxes.position))
        common = (first + second + draws, plies, first, second, draws)
        return dict(zip((*COMMON_STATS, *self.own_stats), (*common, *own), strict=True))

    def growth(self, stats: Mapping[str, int]) -> dict[str, int]:
        win, draw, loss = (int(self.settings[key]) for key in ("win", "draw", "loss"))
        won = (stats["first_wins"], stats["second_wins"])
        return {
            f"by {{{side.value}}}": win * won[side] + draw * stats["draws"] + loss * won[side.other]
            for side in self._sides_now
        }

    def cards(self) -> NDArray[np.int32]:
        return self.space.first_edge[self.boxes.position]

    def card(self, edge: int) -> Card:
        row = int(self.space.source[edge])
        box = int(self.boxes.box[row])
        position, who = int(self.space.position[row]), self.game.mark(Side(int(self.space.side[row])))
        one = {self.boxes.cell[each] for each in self.space.edges(position)}
        thoughts = tuple(
            thought
            for each, thought in zip(self.space.edges(position), self.thoughts(position), strict=True)
            if each in one
        )
        return Card(position, thoughts, f"{self.boxes.own_number(box)}", f"{who}, move {self.boxes.own_move(box)}")

    def newest(self, count: int) -> list[int]:
        position, opened = self.game.start, list[int]()
        for move in self.last_game:
            box = int(self.boxes.box[self.space.number[position]])
            if box >= 0:
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
        self.memory[:] = snapshot.memory
        if snapshot.times is not None:
            self._drawn_times[:] = snapshot.times
        self._tally[:] = [stats[key] for key in ("first_wins", "second_wins", "draws", "plies", "resigned", "refilled")]

    def restore(self, snapshot: Snapshot) -> None:
        met = self.opponent
        super().restore(snapshot)
        if self.opponent == met:
            return
        plain = {kind.label: kind for kind in (RandomPlayer, PerfectPlayer)}
        if self.opponent in plain:
            self.meet(plain[self.opponent](self.game))
        elif self.opponent == ITSELF:
            self.meet(None)
        else:
            self._against = self._tables = None

    def _beads(self) -> Memory:
        """How many beads there are to draw from: an empty box that is to be refilled counts as it began."""
        boxes = self.boxes
        if self.settings["empty"] != "refill":
            return self.memory
        empty = np.bincount(boxes.cell_box, self.memory[boxes.cells], len(boxes.position)) == 0
        beads = self.memory.copy()
        refilled = boxes.cells[empty[boxes.cell_box]]
        beads[refilled] = self._begun[refilled]
        return beads

    def policy(self) -> Policy:
        space, boxes = self.space, self.boxes
        beads = self._beads()[boxes.cell]
        if not self._draws:
            most = np.zeros(len(space.position), np.int64)
            np.maximum.at(most, space.source, beads)
            beads = ((beads == most[space.source]) & (beads > 0)).astype(np.int64)
        weight = beads * boxes.shares
        total = np.bincount(space.source, weight, len(space.position))[space.source]
        drawn = np.divide(weight, total, out=np.zeros(len(weight)), where=total > 0)
        return np.where(boxes.box[space.source] >= 0, drawn, uniform_policy(space))

    def _odds(self, position: Position) -> dict[int, int]:
        """The cells that a draw may give in a position, each with its weight."""
        beads = self._beads()
        odds = {int(self.boxes.cell[edge]): 0 for edge in self.space.edges(position)}
        odds = {cell: int(beads[cell]) for cell in sorted(odds)}
        if not self._draws:
            most = max(odds.values())
            odds = {cell: int(count == most > 0) for cell, count in odds.items()}
        return odds

    def choose(self, position: Position, random: Random) -> Choice:
        game, edges = self.game, self.space.edges(position)
        box = int(self.boxes.box[self.space.number[position]])
        if box < 0:
            move = int(self.space.move[edges[int(random.random() * len(edges))]])
            mark = game.mark(game.side(position))
            if len(edges) == 1:
                return Choice(move, f"{game.move_name(move)} is the only move: that needs no box")
            return Choice(move, f"it has no boxes for {mark}: {game.move_name(move)} is any of {len(edges)} moves")
        odds = self._odds(position)
        total = sum(odds.values())
        if not total:
            return Choice(None, f"box {self._title(box)} is empty: it resigns")
        nth = int(random.random() * total)
        cell = next(cell for cell, passed in zip(odds, accumulate(odds.values()), strict=True) if nth < passed)
        alike = [edge for edge in edges if self.boxes.cell[edge] == cell]
        move = int(self.space.move[alike[int(random.random() * len(alike))]])
        name, colour = game.move_name(move), COLOURS[self._hue(cell) - 1]
        if self._draws:
            said = f"{odds[cell]:,} of {total:,} {plural('bead', total)} in box {self._title(box)}"
            return Choice(move, f"{said} {'is' if odds[cell] == 1 else 'are'} {colour}: {name}")
        most = int(self._beads()[cell])
        among = f", as for {total - 1} more" if total > 1 else ""
        return Choice(move, f"{colour} has the most in box {self._title(box)}, {most:,}{among}: {name}")

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        edges = self.space.edges(position)
        if self.boxes.box[self.space.number[position]] < 0:
            words = "the only move" if len(edges) == 1 else "no box"
            return tuple(Thought(int(self.space.move[edge]), 1 / len(edges), "·", words) for edge in edges)
        odds, beads = self._odds(position), self._beads()
        total = sum(odds.values()) or 1
        thoughts = []
        for edge in edges:
            cell = int(self.boxes.cell[edge])
            count, hue = int(beads[cell]), self._hue(cell)
            thoughts.append(
                Thought(
                    move=int(self.space.move[edge]),
                    chance=odds[cell] / total * float(self.boxes.shares[edge]),
                    symbol=f"{LETTERS[hue - 1]}{_short(count)}" if count else "·",
                    words=f"{count:,} {COLOURS[hue - 1]}",
                    shut=not count,
                    hue=hue,
                )
            )
        return tuple(thoughts)


def _short(count: int) -> str:
    """A count in at most three characters: `862`, `6k`, `16M`."""
    for scale, letter in ((1, ""), (1000, "k"), (1_000_000, "M")):
        if count < 1000 * scale:
            return f"{count // scale}{letter}"
    return "max"
