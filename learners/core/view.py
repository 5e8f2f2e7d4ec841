"""How a learner shows itself beside its cards: how its games ended, its curves, and its strand."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from engine.game import Position


@dataclass(frozen=True)
class Curves:
    """What one chart shows of one moment: a number for each of its curves."""

    title: str
    numbers: Mapping[str, int]
    """By label, in which `{0}` and `{1}` are the marks of the sides."""
    log: bool = False
    """Whether the numbers go on a logarithmic axis."""


@dataclass(frozen=True, eq=False)
class Strand:
    """What a memory comes to, as one sign for each thing that it decides, n of them."""

    signs: str
    """A letter or a digit each."""
    shares: NDArray[np.float64]
    """How much of the memory agrees with each, from 0 to 1, shape (n,)."""
    edges: NDArray[np.int32]
    """The card of each, −1 for none, shape (n,)."""


class Shown(ABC):
    """The part of a learner that the screens ask for pictures."""

    growth_title: ClassVar[str]
    """The heading over the curves of `growth`."""
    games_label: ClassVar[str] = "games"
    """What the games are called whose endings its statistics tell."""
    log_rounds: ClassVar[bool] = True
    """Whether its curves are drawn over a logarithmic axis of rounds, or an even one."""
    strand_title: ClassVar[str] = ""
    """The heading over its strand; it has none without it."""

    @abstractmethod
    def growth(self, stats: Mapping[str, int]) -> dict[str, int]:
        """What had grown when its statistics were `stats`: a number for each curve, by label.

        In a label `{0}` and `{1}` are the marks of the sides.
        """

    @classmethod
    def endings(cls, stats: Mapping[str, int]) -> dict[str, int]:
        """How many games ended each way, by label, in which `{0}` and `{1}` are the marks of the sides."""
        return {"draws": stats["draws"], "{0} wins": stats["first_wins"], "{1} wins": stats["second_wins"]}

    def curves(self, stats: Mapping[str, int]) -> tuple[Curves, Curves]:
        """What its two charts show of the moment when its statistics were `stats`."""
        ended = {"{1}": stats["second_wins"], "{0}": stats["first_wins"], "draws": stats["draws"]}
        return Curves("Results", ended, log=True), Curves(self.growth_title, self.growth(stats))

    def remark(self, stats: Mapping[str, int]) -> str:
        """What belongs beside its rate instead of the length of its games, if anything does."""
        return ""

    def amount(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """How much numbers of its memory stand for, where a number tells other things as well."""
        return numbers

    def strand(self) -> Strand:
        """Its strand; only of a learner with a title for it."""
        return Strand("", np.zeros(0), np.zeros(0, np.int32))

    @property
    def extent(self) -> str:
        """How many strategies it chooses from, in words, where it knows."""
        return ""

    def details(self, position: Position) -> tuple[str, ...]:
        """How it comes to what it does in a position, step by step, in words."""
        return ()
