"""The exact results of a player whose search involves chance: their mean and their spread over seeds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev
from typing import Final

from engine.evaluate import OPPONENTS, Chances, Results, scoreboard
from engine.game import Side
from engine.spaces import space_of
from engine.stop import Stop, never
from learners.core.learner import BOTH
from learners.core.player import Player
from learners.players.searcher import stoppable, unseeded

SEEDS: Final = 30
"""A player whose search involves chance, and whose label has no seed, is judged with this many seeds, from 0 on."""

Scoreboard = Mapping[str, Results]
"""The exact results of a player by side, `first` and `second`."""


@dataclass(frozen=True)
class SeedResults:
    each: Sequence[Scoreboard]

    @property
    def several(self) -> bool:
        return len(self.each) > 1

    @property
    def mean(self) -> Scoreboard:
        return self._over_seeds(fmean) if self.several else self.each[0]

    @property
    def deviation(self) -> Scoreboard:
        """The standard deviations of the results from seed to seed; 0 for a single seed."""
        return self._over_seeds(lambda numbers: stdev(numbers) if self.several else 0.0)

    def unbeaten(self, sides: Sequence[Side] = BOTH) -> int:
        """Return with how many seeds the player never loses as these sides, whoever it plays."""
        names = [side.name.lower() for side in sides]
        return sum(not any(seen[name].against["best_responder"].loss for name in names) for seen in self.each)

    def _over_seeds(self, number: Callable[[Sequence[float]], float]) -> Scoreboard:
        """Return results in which each number is computed, by `number`, from those of all seeds."""

        def chances(seen: Sequence[Chances]) -> Chances:
            return Chances(*(number([getattr(each, name) for each in seen]) for name in ("win", "draw", "loss")))

        return {
            side: Results(
                against={
                    opponent: chances([each[side].against[opponent] for each in self.each]) for opponent in OPPONENTS
                },
                decisions=number([each[side].decisions for each in self.each]),
                perfect_moves=number([each[side].perfect_moves for each in self.each]),
                losing_pairs=number([each[side].losing_pairs for each in self.each]),
                exploitability=number([each[side].exploitability for each in self.each]),
            )
            for side in self.each[0]
        }


def seed_count(player: Player) -> int:
    """Return with how many seeds a player is judged."""
    return 1 if unseeded(player) is None else SEEDS


def exact_results(player: Player, stop: Stop = never, report: Callable[[int], object] = lambda _: None) -> SeedResults:
    """Compute the exact results of a player: with `SEEDS` seeds if they depend on one. Raises `Stopped`, `TooLarge`.

    `report` takes the number of seeds that are done, before each.
    """
    player = stoppable(player, stop)
    searcher = unseeded(player)
    if searcher is None:
        return SeedResults([scoreboard(space_of(player.game), player.policy())])
    space = space_of(player.game)
    each = list[Scoreboard]()
    for seed in range(seed_count(player)):
        report(seed)
        each.append(scoreboard(space, searcher.with_seed(seed).reached_policy()))
    return SeedResults(each)
