"""A learner whose memory is an n-tuple network: see `learners.ntuple.kernel`.

small  few tuples, for small boards: it begins with many random moves, and explores less and less. With each of 50
       seeds, it could not be beaten at tic-tac-toe after 20,000 games
thill  as in the papers on Connect Four: 70 random walks of 8 squares, a tenth of all moves at random; and what
       the program of the authors recommends (github.com/MarkusThill/Connect-Four, `STDLearningRate.java`): rates of
       .004 to .002 for each of 140 weights, lambda .8, replacing traces that a random move ends. Their rate falls by
       the same factor in each game, the one here by the same amount

The memory is no table over moves, but the weights of the network, in parts of 2^24, as integers of 32 bits.
"""

from collections.abc import Collection, Mapping
from functools import cached_property
from random import Random
from types import ModuleType
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from engine.evaluate import Policy, uniform_policy
from engine.game import BadText, Game, Move, Position, Side
from engine.grid_game import GridGame
from engine.solve import OUTCOME_VALUE
from engine.space import RUNNING
from learners.core.kernel_tables import DRAWS
from learners.core.learner import Learner, require_possible
from learners.core.player import Choice, Depiction, Thought
from learners.core.settings import OneOf, Rate, Setting, Whole
from learners.core.snapshot import Memory, Snapshot
from learners.core.spec import COMMON_STATS, LearnerSpec, Statistic
from learners.core.view import Presentation
from learners.ntuple.kernel_tables import MAX_WEIGHT, ONE, SCALE, Learning, Net, PatternPath
from learners.ntuple.network import Network, curve, draw_network
from learners.ntuple.view import NetworkView, worth_text
from learners.uct.kernel_tables import PlayoutRules
from learners.uct.search import placement_game_of, placement_rules

SMALL: Final[Mapping[str, Setting]] = {
    "tuples": 32,
    "length": 7,
    "explore": "0.5",
    "explore_end": "0.05",
    "rate": "0.7",
    "rate_end": "0.07",
    "change_games": 100_000,
    "trace": "0.8",
    "traces": "replacing",
    "random_move": "keeps",
}
PRESETS: Final[Mapping[str, Mapping[str, Setting]]] = {
    "small": SMALL,
    "thill": {
        **SMALL,
        "tuples": 70,
        "length": 8,
        "explore": "0.1",
        "explore_end": "0.1",
        "rate": "0.56",
        "rate_end": "0.28",
        "change_games": 1_000_000,
        "random_move": "ends",
    },
}


def _kernel() -> ModuleType:
    """Return the kernel. It imports numba, so it is imported only when it is needed."""
    from learners.ntuple import kernel

    return kernel


class NTuple(Learner):
    spec = LearnerSpec(
        name="ntuple",
        title="N-tuple network",
        summary="learns what patterns on a few squares are worth, and adds them up",
        presets=PRESETS,
        preset_games={"thill": ("connectfour", "mnk:4,4,4+gravity", "mnk:5,4,4+gravity")},
        preferred={"connectfour": "thill"},
        preset_rounds={"thill": 1_000_000},
        settings={
            "tuples": Whole(
                1, 200, "the number of tuples, each a random walk over neighbouring squares", title="tuples"
            ),
            "length": Whole(1, 9, "the squares of a tuple", title="squares of a tuple"),
            "explore": Rate(
                "epsilon, the chance to play any move instead of the best one, in the first game",
                title="exploration at first",
            ),
            "explore_end": Rate("that chance at the end", title="exploration at the end"),
            "rate": Rate(
                "alpha, the part of a difference by which the sum of weights changes, in the first game",
                title="learning rate at first",
            ),
            "rate_end": Rate("that part at the end", title="learning rate at the end"),
            "change_games": Whole(
                0, 10**9, "over how many games the chance and the part change to their ends", title="games of change"
            ),
            "trace": Rate(
                "lambda, how much earlier positions learn as well: 0 is not at all", title="weight of earlier positions"
            ),
            "traces": OneOf(
                ("replacing", "adding"),
                "whether a pattern that occurs again renews its trace, or adds to it",
                title="repeated patterns",
            ),
            "random_move": OneOf(
                ("keeps", "ends"),
                "whether a move made to explore keeps the traces, or ends them",
                title="an exploring move",
            ),
        },
        statistics=(Statistic("weights", "weights learned"),),
        explores=True,
        learns_records=False,
        parameters=True,
        fits=lambda game: placement_game_of(game) is not None,
        fitting="games of up to 62 squares in which pieces are placed in turn, such as connectfour and tictactoe",
    )
    shown = Presentation(
        preset_words={
            "small": "few tuples, for small boards: it explores less and less",
            "thill": "as in the papers on Connect Four: 70 random walks of 8 squares",
        },
        size_statistic="weights",
        remedy="train a new one that explores more, or for more games",
    )
    view_type = NetworkView
    only_itself = "learns from games with itself only"

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        """Make the learner as in `Learner`. Raises `BadText` also for a network with too many weights."""
        super().__init__(game, preset, seed, settings)
        self._tally = np.zeros(4, np.int64)
        """The games by outcome, then the plies."""

    def new_memory(self) -> Memory:
        """Return the weights of a network that has learned nothing, of 32 bits each. Draws its tuples."""
        tuples, length = int(self.settings["tuples"]), int(self.settings["length"])
        self.network: Network = draw_network(self.placement_game, tuples, length, self.generator)
        return cast("Memory", np.zeros(2 * self.network.patterns, np.int32))

    @property
    def placement_game(self) -> GridGame:
        """The game as a `GridGame` in which moves only place pieces."""
        game = placement_game_of(self.game)
        if game is None:
            raise BadText(f"{self.spec.name} does not learn {self.game.name}")
        return game

    @cached_property
    def _board(self) -> PlayoutRules:
        return placement_rules(self.placement_game)

    @property
    def _net(self) -> Net:
        network = self.network
        weights = self.memory.astype(np.int32, copy=False)
        return Net(weights, network.start, network.part, network.square, network.unit, curve())

    # How it learns.

    def train(self, rounds: int) -> None:
        path = self._path
        plies = _kernel().play_games(
            rounds, self._learning(), self._board, self._net, path, self._tally, self.generator
        )
        if rounds:
            self.last_game = self._moves(path.square[:plies].tolist())

    @cached_property
    def _path(self) -> PatternPath:
        longest, (units, _), views = self.game.longest, self.network.square.shape, len(self.network.start)
        counts, table = np.int64, np.int32
        return PatternPath(
            patterns=np.zeros((longest + 1, views), table),
            value=np.zeros(longest + 1, counts),
            slope=np.zeros(longest + 1, counts),
            code=np.zeros(units, counts),
            square=np.zeros(longest, table),
        )

    def _learning(self) -> Learning:
        settings = self.settings
        rates = {key: round(float(settings[key]) * SCALE / len(self.network.start)) for key in ("rate", "rate_end")}
        draws = {key: round(float(settings[key]) * DRAWS) for key in ("explore", "explore_end")}
        return Learning(
            **rates,
            **draws,
            trace=round(float(settings["trace"]) * SCALE),
            change_games=int(settings["change_games"]),
            replacing=int(settings["traces"] == "replacing"),
            resetting=int(settings["random_move"] == "ends"),
        )

    def _moves(self, squares: list[int]) -> tuple[Move, ...]:
        """Return the moves that placed pieces on these squares, in turn."""
        position, moves, game = self.game.start, list[Move](), self.game
        for square in squares:
            move = next(each for each in game.moves(position) if game.board.squares(position, each) == (square,))
            moves.append(move)
            position = game.play(position, move)
        return tuple(moves)

    @property
    def trained_sides(self) -> tuple[Side, ...]:
        """Both sides, since the network plays both in every game of its training."""
        return self.sides

    # How it plays.

    def values(self, positions: NDArray[np.int64] | list[Position]) -> NDArray[np.float64]:
        """Return the worth of unfinished positions for the first side, from −1 to 1, shape (n,)."""
        size, full = self.placement_game.size, self.placement_game.full
        if isinstance(positions, list):
            masks = np.array([self.placement_game.masks(each) for each in positions], np.int64).reshape(-1, 2)
            first, second = masks[:, 0].copy(), masks[:, 1].copy()
            side = np.array([self.placement_game.side(each) for each in positions], np.int8)
        else:
            first, second = positions & full, positions >> size & full
            side = (positions >> 2 * size & 1).astype(np.int8)
        values = np.zeros(len(first), np.int64)
        _kernel().values_of(first, second, side, self._net, values)
        return values / ONE

    def policy(self) -> Policy:
        space = self.space
        running = space.outcome == RUNNING
        value = np.zeros(len(space.position))
        value[running] = self.values(space.position[running])
        value[~running] = np.array([1.0, -1.0, 0.0])[space.outcome[~running]]
        worth = value[space.target] * space.sign[space.source]
        best = np.full(len(space.position), -2.0)
        np.maximum.at(best, space.source, worth)
        return uniform_policy(space, worth == best[space.source])

    def worths(self, position: Position) -> dict[Move, float]:
        """Return the worth of the position after each move, for the side that makes the move, from −1 to 1."""
        successors = self.game.successors(position)
        values = iter(self.values([after for _, after, outcome in successors if outcome is None]).tolist())
        sign, worths = 1 if self.game.side(position) is Side.FIRST else -1, {}
        for move, _, outcome in successors:
            value = next(values) if outcome is None else OUTCOME_VALUE[outcome]
            worths[move] = float(sign * value)
        return worths

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        worths = self.worths(position)
        best = max(worths.values())
        chance = 1 / sum(worth == best for worth in worths.values())
        return tuple(
            Thought(
                move=move,
                chance=chance if worth == best else 0.0,
                symbol=worth_text(worth),
                words=f"worth {worth_text(worth)}",
                excluded=worth < best,
                drawing=Depiction.VALUE,
                level=(1 + worth) / 2,
            )
            for move, worth in worths.items()
        )

    def best_among(self, position: Position, moves: Collection[Move]) -> Collection[Move]:
        worths = {move: worth for move, worth in self.worths(position).items() if move in moves}
        best = max(worths.values())
        return [move for move, worth in worths.items() if worth == best]

    def choose(self, position: Position, random: Random) -> Choice:
        move, worths = super().choose(position, random).move, self.worths(position)
        if move is None:
            return Choice(None, "it has no move to play here")
        return Choice(
            move, f"{self.game.move_name(move)} is worth {worth_text(worths[move])}, the most of {len(worths)}"
        )

    # How it is stored.

    @property
    def rounds(self) -> int:
        return int(self._tally[:3].sum())

    def stats(self) -> dict[str, int]:
        first, second, draws, plies = self._tally.tolist()
        common = (first + second + draws, plies, first, second, draws)
        return {**dict(zip(COMMON_STATS, common, strict=True)), "weights": int(np.count_nonzero(self.memory))}

    def restore_memory(self, snapshot: Snapshot) -> None:
        memory, stats = snapshot.memory, snapshot.stats
        if memory.shape != self.memory.shape:
            raise BadText(f"its network has {len(self.memory):,} weights, not {memory.size:,}")
        if np.abs(memory.astype(np.int64)).max() > MAX_WEIGHT:
            raise BadText("a weight is larger than 64")
        learned = int(np.count_nonzero(memory))
        if stats["weights"] != learned:
            raise BadText(f"the statistics count {stats['weights']:,} weights, the memory has {learned:,}")
        require_possible(stats, {"plies": stats["games"] * self.game.longest})
        self.memory[:] = memory
        self._tally[:] = [stats[key] for key in ("first_wins", "second_wins", "draws", "plies")]
