"""What the learners with a table over edges share: opponents, the tables of a kernel, and when the memory catches up.

layout   what a kernel reads in games with an opponent: where moves lead, and how the opponent plays. Learners with the
         same `parts` share it
tables   what a kernel changes while it learns. They are made from the memory, and kept from one call of `train` to the
         next, since making them takes long in a large game. Until `catch_up`, the memory lags behind them
tally    the statistics that a kernel counts
"""

from abc import abstractmethod
from collections.abc import Collection, Hashable, Iterator, Mapping
from typing import ClassVar, Final, Generic, NamedTuple, TypeVar

import numpy as np

from engine.evaluate import SAME, Policy, resignations
from engine.game import BadText, Game, Move, Side
from engine.match import Record
from engine.result_caches import cached_with_spaces
from engine.space import RUNNING, Space
from learners.core.kernel_tables import DRAWS, PLIES, Counts, Watched
from learners.core.learner import PERSON, Learner, require_possible
from learners.core.player import Player
from learners.core.settings import Setting
from learners.core.snapshot import ITSELF, Memory, Snapshot
from learners.players.registry import is_player, parse_player

Parts = TypeVar("Parts", bound=Hashable)
Layout = TypeVar("Layout")
Tables = TypeVar("Tables")

NOTED_AT_ONCE: Final = 4096
"""How many games a kernel notes at once."""
MAX_COUNTED: Final = 2**31 - 1
"""The maximum number of games before the memory must catch up: tables count choices in 32 bits."""
GAME_KEYS: Final = ("first_wins", "second_wins", "draws", "plies")
"""The statistics that every tally begins with: the games by `Outcome`, then the plies."""


class NumberChange(NamedTuple):
    game: int
    """The number of the game, from 1."""
    after: int
    moves: tuple[Move, ...]


class TableLearner(Learner, Generic[Parts, Layout, Tables]):
    """A learner that trains against itself or another player. Against another player, it plays first if it can.

    A subclass defines `tally_keys`, `parts`, `lay_out`, `make_tables`, `play_games`, and `copy_back` if its kernel
    does not change the memory itself.
    """

    tally_keys: ClassVar[tuple[str, ...]]
    """The statistics in `tally`, in the order of the kernel: `GAME_KEYS`, then its own."""

    def __init__(self, game: Game, preset: str, seed: int, settings: Mapping[str, Setting] | None = None) -> None:
        self._behind = False
        """Whether the tables contain training that the memory and `times` do not contain yet."""
        self._uncounted = 0
        """How many games were played since the memory caught up."""
        super().__init__(game, preset, seed, settings)
        self.tally: Counts = np.zeros(len(self.tally_keys), np.int64)
        """The statistics of `tally_keys` so far."""
        self._player: Player | None = None
        """The opponent; `None` in self-play, and if only the opponent's label is known."""
        self._layout: Layout | None = None
        self._tables: Tables | None = None

    # What a subclass defines.

    @property
    @abstractmethod
    def parts(self) -> Parts:
        """The parts of which layouts are made, besides the game, the sides and the opponent."""

    @classmethod
    @abstractmethod
    def lay_out(cls, game: Game, parts: Parts, sides: Collection[Side], opponent: Policy | None) -> Layout:
        """Make the layout of games as `sides` against `opponent`, a policy of shape (m,); with `None`, of self-play."""

    @abstractmethod
    def make_tables(self) -> Tables:
        """Make the tables from the memory."""

    @abstractmethod
    def play_games(self, games: int) -> tuple[Move, ...]:
        """Play games and learn from each, by `layout()` and `tables()`; return the moves of the last."""

    def copy_back(self, memory: Memory, times: Memory) -> None:
        """Copy what `tables()` has learned to the memory and the counts of choices, both of shape (m,)."""

    @abstractmethod
    def watch(self, cell: int, games: int, watched: Watched) -> tuple[int, int]:
        """Play games as `train` does, and note those that change the number of `cell`, an edge.

        Return the number of games played, fewer than `games` if there is no room to note more, and the number noted.
        """

    @abstractmethod
    def watched_moves(self, path: list[int]) -> tuple[Move, ...]:
        """Return the moves of a game that was noted."""

    # How it learns.

    def train(self, rounds: int) -> None:
        if self._uncounted + rounds > MAX_COUNTED:
            self.catch_up()
        moves = self.play_games(rounds)
        if rounds:
            self._behind = True
            self._uncounted += rounds
            self.last_game = moves

    def games_that_change(self, cell: int, games: int) -> Iterator[NumberChange]:
        """Play games as `train` does, and yield those that change the number of `cell`, an edge."""
        game, after, plies = np.zeros((3, NOTED_AT_ONCE), np.int64)
        watched = Watched(game, after, plies, np.zeros((NOTED_AT_ONCE, int(self.space.ply[-1])), np.int32))
        played, moves_by_path = 0, dict[tuple[int, ...], tuple[Move, ...]]()
        while played < games:
            just_played, noted = self.watch(cell, games - played, watched)
            self._behind = True
            self._uncounted += just_played
            rows = zip(*(each[:noted].tolist() for each in watched), strict=True)
            for nth, number, length, row in rows:
                path = tuple(row[:length])
                if path not in moves_by_path:
                    moves_by_path[path] = self.watched_moves(list(path))
                yield NumberChange(played + nth, number, moves_by_path[path])
            played += just_played

    def layout(self) -> Layout:
        """Return the layout of games with the opponent. Raises `BadText` for one that is not available here."""
        if self._layout is None:
            self._layout = self._layout_against(self.find_opponent())
        return self._layout

    def _layout_against(self, opponent: Player | None) -> Layout:
        game, parts, sides = self.game, self.parts, self.training_sides
        if opponent is None:
            return _self_play_layout(type(self), game, parts, sides)
        if is_player(opponent.label):
            return _layout_against(type(self), game, parts, sides, opponent.label)
        return self.lay_out(game, parts, sides, opponent.policy())

    def tables(self) -> Tables:
        if self._tables is None:
            self._tables = self.make_tables()
        return self._tables

    def drop_tables(self) -> None:
        """Forget the tables, which are made again when needed: something other than training has changed them."""
        self.catch_up()
        self._tables = None

    def catch_up(self) -> None:
        """Copy what was trained to the memory, if it lags behind: on demand, since a large game takes long."""
        if self._behind:
            self._behind = False
            self._uncounted = 0
            self.copy_back(self._memory, self._times)

    @property
    def memory(self) -> Memory:
        self.catch_up()
        return self._memory

    @memory.setter
    def memory(self, memory: Memory) -> None:
        self._memory = memory

    @property
    def times(self) -> Memory:
        self.catch_up()
        return self._times

    @times.setter
    def times(self, times: Memory) -> None:
        self._times = times

    # Its opponents.

    @property
    def training_sides(self) -> tuple[Side, ...]:
        return self.sides if self.opponent in (ITSELF, PERSON) else self.sides[:1]

    def set_opponent(self, opponent: Player | None) -> None:
        """Set the opponent, as in `Learner`. Raises `BadText` for one of another game, or that lacks the other side."""
        if opponent is not None:
            require_opponent(self, opponent)
        self.record_opponent(ITSELF if opponent is None else opponent.label)
        self._player = opponent

    def record_opponent(self, opponent: str) -> None:
        self.drop_tables()
        super().record_opponent(opponent)
        self._player = self._layout = None

    def find_opponent(self) -> Player | None:
        """Return the opponent; `None` for self-play. Raises `BadText` for a player that this program cannot make."""
        if self._player is not None or self.opponent == ITSELF:
            return self._player
        if not is_player(self.opponent):
            raise BadText(f"its last opponent was {self.opponent}: name an opponent for it now")
        return parse_player(self.opponent, self.game)

    # Its statistics.

    def stats(self) -> dict[str, int]:
        counts = dict(zip(self.tally_keys, self.tally.tolist(), strict=True))
        counts["games"] = counts["first_wins"] + counts["second_wins"] + counts["draws"]
        return {key: counts[key] for key in self.spec.stat_keys}

    def count_game(self, record: Record) -> None:
        self.tally[record.outcome] += 1
        self.tally[PLIES] += len(record.moves)
        self.last_game = record.moves

    def restore_memory(self, snapshot: Snapshot) -> None:
        """Restore the memory as in `Learner`. A subclass first checks which numbers are possible, then calls this."""
        stats, times = snapshot.stats, snapshot.times
        games = stats["games"]
        require_possible(stats, {"plies": games * int(self.space.ply[-1])})
        if times is not None:
            if times.max() > games:
                raise BadText(f"a move was chosen {games:,} times at most, once a game, not {int(times.max()):,}")
            self.times[:] = times
        self.memory[:] = snapshot.memory
        self.tally[:] = [stats[key] for key in self.tally_keys]


@cached_with_spaces()
def _self_play_layout(
    kind: type[TableLearner[Parts, Layout, Tables]], game: Game, parts: Parts, sides: tuple[Side, ...]
) -> Layout:
    return kind.lay_out(game, parts, sides, None)


@cached_with_spaces(2)
def _layout_against(
    kind: type[TableLearner[Parts, Layout, Tables]], game: Game, parts: Parts, sides: tuple[Side, ...], label: str
) -> Layout:
    return kind.lay_out(game, parts, sides, parse_player(label, game).policy())


def require_opponent(learner: Learner, opponent: Player) -> None:
    """Raise `BadText` for a player of another game, or one that does not play the other side."""
    game, other = learner.game, learner.sides[0].other
    if opponent.game != game:
        raise BadText(f"{opponent.label} plays {opponent.game.title}, not {game.title}")
    if other not in opponent.sides:
        raise BadText(f"{opponent.label} does not play {game.mark(other)}: choose another opponent")


def draw_bounds(space: Space, sides: Collection[Side], opponent: Policy) -> Counts:
    """Return a bound for each move, shape (m,): the opponent plays the first move whose bound is above the draw.

    Draws are below `DRAWS`; if no bound of a position is above the draw, the opponent resigns. `opponent` is the
    opponent's policy, shape (m,). Moves of the learner, which plays `sides`, have bounds that are above no draw.
    """
    theirs = (space.outcome == RUNNING) & ~np.isin(space.side, list(sides))
    chance = np.concatenate(([0.0], np.cumsum(np.where(theirs[space.source], opponent, 0))))
    bound: Counts = np.rint((chance[1:] - chance[space.first_edge[space.source]]) * DRAWS).astype(np.int64)
    never_resigns = theirs & (resignations(space, opponent) <= SAME)
    bound[space.first_edge[1:][never_resigns] - 1] = DRAWS
    return bound
