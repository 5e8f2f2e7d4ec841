"""How strong a player is, from harmless to perfect: by its exact results, or else by how far it looks ahead.

A level follows from the share of games that a player loses, averaged over three opponents: one that moves at random,
one that plays perfectly, and the best responder, which knows the player's policy. For a player whose search involves
chance, results are means over seeds.
"""

import csv
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from math import log2
from random import Random
from statistics import fmean, stdev
from typing import Final

from engine.evaluate import OPPONENTS, Chances, Results, scoreboard
from engine.game import Game, Side
from engine.known_positions import KnownPosition, known_positions
from engine.solve import values
from engine.space import Space
from engine.spaces import space_of
from engine.stop import Stop, Stopped, never
from learners.core.learner import BOTH, Learner
from learners.core.player import Player
from learners.players.plain import PerfectPlayer
from learners.players.searcher import Searcher, stoppable, unseeded_searcher

SEEDS: Final = 30
"""A player whose search involves chance, and whose label has no seed, is judged with this many seeds, from 0 on."""

Scoreboard = Mapping[str, Results]
"""The exact results of a player by side, `first` and `second`."""


@dataclass(frozen=True)
class SeedResults:
    each: Sequence[Scoreboard]

    @property
    def has_several(self) -> bool:
        return len(self.each) > 1

    @property
    def mean(self) -> Scoreboard:
        return self._over_seeds(fmean) if self.has_several else self.each[0]

    @property
    def deviation(self) -> Scoreboard:
        """The standard deviations of the results from seed to seed; 0 for a single seed."""
        return self._over_seeds(lambda numbers: stdev(numbers) if self.has_several else 0.0)

    def count_unbeaten(self, sides: Sequence[Side] = BOTH) -> int:
        """Return the number of seeds with which the player never loses as these sides, whoever the opponent is."""
        names = [side.name.lower() for side in sides]
        return sum(not any(seen[name].against["best_responder"].loss for name in names) for seen in self.each)

    def _over_seeds(self, number: Callable[[Sequence[float]], float]) -> Scoreboard:
        """Return one set of results for all seeds, each number by applying `number` to those of the seeds."""

        def chances(seen: Sequence[Chances]) -> Chances:
            return Chances(
                win=number([each.win for each in seen]),
                draw=number([each.draw for each in seen]),
                loss=number([each.loss for each in seen]),
            )

        def results(seen: Sequence[Results]) -> Results:
            return Results(
                against={opponent: chances([each.against[opponent] for each in seen]) for opponent in OPPONENTS},
                decisions=number([each.decisions for each in seen]),
                perfect_moves=number([each.perfect_moves for each in seen]),
                losing_pairs=number([each.losing_pairs for each in seen]),
                exploitability=number([each.exploitability for each in seen]),
            )

        return {side: results([each[side] for each in self.each]) for side in self.each[0]}


def seed_count(player: Player) -> int:
    return 1 if unseeded_searcher(player) is None else SEEDS


def exact_results(player: Player, stop: Stop = never, report: Callable[[int], object] = lambda _: None) -> SeedResults:
    """Compute the exact results of a player; if they depend on a seed, with `SEEDS` seeds.

    `report` gets the number of finished seeds before each one. Raises `Stopped`, `TooLarge`.
    """
    player = stoppable(player, stop)
    searcher = unseeded_searcher(player)
    if searcher is None:
        return SeedResults([scoreboard(space_of(player.game), player.policy())])
    space = space_of(player.game)
    scoreboards = list[Scoreboard]()
    for seed in range(seed_count(player)):
        report(seed)
        scoreboards.append(scoreboard(space, searcher.with_seed(seed).reached_policy()))
    return SeedResults(scoreboards)


DIGITS: Final = 12
"""The decimal places of shares that decide who is stronger: beyond them are rounding errors."""
LEVEL_OPPONENTS: Final = ("random", "perfect", "best_responder")
"""The opponents that measure strength. A player loses to none of them more often than to the last."""


@dataclass(frozen=True)
class Rank:
    """A name for players that lose at most this share of their games, averaged over `LEVEL_OPPONENTS`."""

    name: str
    highest_loss: float


RANKS: Final = (
    Rank("perfect", 0.0),  # proven: even the best responder never beats it
    Rank("strong", 1 / 6),
    Rank("good", 2 / 6),
    Rank("fair", 3 / 6),
    Rank("weak", 4 / 6),
    Rank("harmless", 1.0),  # random play has this rank in every small game
)
"""The ranks, the strongest first, in equal steps. A player has the first rank that fits."""


@dataclass(frozen=True)
class Level:
    name: str
    rank: int
    """The rank, from 0 for harmless upwards."""
    losses: Mapping[str, float]
    """The share of games lost to each of `LEVEL_OPPONENTS`, averaged over `judged`."""
    wins: float
    """The share of games won against random play, averaged over `judged`."""
    judged: tuple[Side, ...]
    """The sides that the player was trained for, without those in `lost`, unless none would be left."""
    lost: tuple[Side, ...]
    """The sides that the player was trained for, but that lose against perfect play whatever they play."""
    plays: tuple[Side, ...]
    untrained: tuple[Side, ...] = ()
    seeds: int = 1
    """The number of seeds whose results are averaged: see `learners.players.levels`."""
    deviations: Mapping[str, float] = field(default_factory=dict)
    """The standard deviations of `losses` from seed to seed; empty for a single seed."""
    unbeaten: int = 0
    """The number of seeds with which the player never loses as a side of `judged`."""

    @property
    def loss(self) -> float:
        """The share of games lost, averaged over `LEVEL_OPPONENTS`. It determines the rank."""
        return fmean(self.losses.values())

    @property
    def strength(self) -> tuple[float, ...]:
        """A sort key, greater for stronger players: those that lose less or, if equal, win more against random play."""
        return -round(self.loss, DIGITS), round(self.wins, DIGITS)


PLAYOUTS_WORTH_A_PLY: Final = 128
"""This many playouts are worth a ply of depth, twice as many two: measured in Connect Four against alpha-beta."""
MAX_PLAYOUTS_JUDGED: Final = 120_000_000_000
"""The maximum number of playouts, over all positions of a game and all seeds, for which a level is exact.

Most searches prove their position long before their last playout. Still, the level may take minutes: a caller shows
that work goes on, and can stop it."""


@dataclass(frozen=True)
class Foresight:
    """How far a player looks ahead, where exact results are impossible or would take too long."""

    depth: int
    """The depth in plies; 0 for a player that does not search to a depth."""
    plays: tuple[Side, ...] = BOTH
    playouts: int = 0
    """The number of playouts before each move."""
    learned: bool = False

    @property
    def name(self) -> str:
        if self.learned:
            return "learned"
        if self.playouts:
            return "playouts"
        return f"{self.depth} ahead" if self.depth else "blind"

    @property
    def strength(self) -> tuple[float, ...]:
        """A sort key, greater for stronger players."""
        return (self.depth + log2(1 + self.playouts / PLAYOUTS_WORTH_A_PLY),)


@dataclass(frozen=True)
class Accuracy:
    """How often a player keeps the exact value of known positions, in a large game that has such positions.

    Positions are won or drawn for the side to move, since any move keeps a loss.
    """

    kept: int
    """The number of positions in which the player's move keeps the value."""
    of: int
    plays: tuple[Side, ...] = BOTH

    @property
    def share(self) -> float:
        """The share of positions in which the player's move keeps the value."""
        return self.kept / self.of

    @property
    def share_text(self) -> str:
        return "all" if self.kept == self.of else f"{min(99, round(100 * self.share))} %"

    @property
    def name(self) -> str:
        return f"keeps {self.share_text}"

    @property
    def strength(self) -> tuple[float, ...]:
        return (self.share,)


EVERY_NTH: Final = 4
"""A player is asked in every fourth of the known positions that are won or drawn."""
SEED: Final = 1


def _read_accuracy(label: str, game: Game) -> Accuracy | None:
    """Return the accuracy of a player that comes with the program, if it was measured."""
    text = resources.files("learners.players").joinpath("accuracies.csv").read_text("utf-8")
    for row in csv.DictReader(text.splitlines()):
        if (row["game"], row["player"]) == (game.name, label):
            return Accuracy(int(row["kept"]), int(row["of"]))
    return None


def _asked_positions(game: Game, sides: Sequence[Side]) -> list[KnownPosition]:
    not_lost = [each for each in known_positions(game) if each.value >= 0]
    return [each for each in not_lost[::EVERY_NTH] if game.side(each.position) in sides]


def measure_accuracy(player: Player, stop: Stop = never) -> Accuracy:
    """Ask a player for a move in known positions of its game. Raises `Stopped`."""
    player, random, kept = stoppable(player, stop), Random(SEED), 0  # noqa: S311  a choice among equal moves
    positions = _asked_positions(player.game, player.sides)
    for each in positions:
        if stop():
            raise Stopped
        kept += each.keeps(player.choose(each.position, random).move)
    return Accuracy(kept, len(positions), player.sides)


def judged_sides(player: Player) -> tuple[tuple[Side, ...], tuple[Side, ...]]:
    """Return `Level.judged` and `Level.lost` of a player."""
    trained, lost_side = player.trained_sides, _lost_side(space_of(player.game))
    lost = tuple(side for side in trained if side is lost_side)
    return tuple(side for side in trained if side not in lost) or tuple(trained), lost


def level_losses(seen: Scoreboard, sides: Sequence[Side]) -> dict[str, float]:
    """Return the share of games lost to each of `LEVEL_OPPONENTS`, averaged over these sides."""
    return {each: fmean(seen[side.name.lower()].against[each].loss for side in sides) for each in LEVEL_OPPONENTS}


def level_of(player: Player, stop: Stop = never) -> Level | Foresight | Accuracy:
    """Return how strong a player is as the sides that it can play. Raises `Stopped` once `stop()` is true."""
    if known_positions(player.game):
        if isinstance(player, PerfectPlayer):  # a solver proves each of its moves
            count = len(_asked_positions(player.game, BOTH))
            return Accuracy(count, count)
        return _read_accuracy(player.label, player.game) or measure_accuracy(player, stop)
    depth, playouts = 0, 0
    if isinstance(player, Searcher):
        depth, playouts = player.depth or 0, player.playouts
    if not player.game.numbered or _takes_too_long(player, playouts):
        return Foresight(depth, playouts=playouts, learned=isinstance(player, Learner))
    return level_in(player, exact_results(player, stop))


def _takes_too_long(player: Player, playouts: int) -> bool:
    if not playouts:
        return False
    return _position_count(player.game) * playouts * seed_count(player) > MAX_PLAYOUTS_JUDGED


def level_in(player: Player, results: SeedResults) -> Level:
    """Return the level of a player with these exact results."""
    judged, lost = judged_sides(player)
    by_seed = [level_losses(each, judged) for each in results.each]
    losses = {opponent: fmean(each[opponent] for each in by_seed) for opponent in LEVEL_OPPONENTS}
    deviations = {}
    if results.has_several:
        deviations = {opponent: stdev(each[opponent] for each in by_seed) for opponent in LEVEL_OPPONENTS}
    loss = fmean(losses.values())
    place = next(place for place, rank in enumerate(RANKS) if loss <= rank.highest_loss)
    return Level(
        name=RANKS[place].name,
        rank=len(RANKS) - 1 - place,
        losses=losses,
        wins=fmean(results.mean[side.name.lower()].against["random"].win for side in judged),
        judged=judged,
        lost=lost,
        plays=player.sides,
        untrained=tuple(side for side in player.sides if side not in player.trained_sides),
        seeds=len(by_seed),
        deviations=deviations,
        unbeaten=results.count_unbeaten(judged),
    )


def _position_count(game: Game) -> int:
    """Return the number of positions of a game; its space is built only if the number is not known without it."""
    size = game.space_size
    return len(space_of(game).position) if size is None else size.positions


def _lost_side(space: Space) -> Side | None:
    """Return the side that loses when both play perfectly; `None` for a draw."""
    value = int(values(space)[0])
    if not value:
        return None
    return Side.SECOND if value > 0 else Side.FIRST
