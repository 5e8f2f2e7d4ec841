"""The choices for a sweep in the app: a learner, two settings with their values, and the number of machines a point."""

from dataclasses import dataclass
from typing import Final

from engine.game import BadText, Game
from engine.plural import plural
from learners.core.learner import Learner
from learners.core.settings import OneOf, Rate, Setting, SettingKind, Whole
from learners.menace.learner import Menace
from learners.sweep.definition import USUAL_ROUNDS, Definition, define
from learners.sweep.point import setting_text

USUAL_LEARNER: Final[type[Learner]] = Menace
SMALL: Final = 10
"""Whole numbers below this are varied by steps of 2, larger ones by factors of 2."""
RATES: Final = "0,0.1,0.3,1"


@dataclass(frozen=True)
class SweepSetup:
    """The choices for a sweep; what a person types is text."""

    learner: type[Learner]
    preset: str
    game: Game
    opponent: str
    grid: tuple[tuple[str, str], ...]
    """The two settings that vary, each with its values."""
    rounds: int
    seeds: range

    def definition(self) -> Definition:
        """Return the definition of the sweep. Raises `BadText`."""
        if len(dict(self.grid)) < len(self.grid):
            raise BadText("choose two different settings")
        spec = self.learner.spec
        return define(
            {
                "learner": spec.label(self.preset),
                "game": self.game.name,
                "opponent": self.opponent,
                "grid": dict(self.grid),
                "seeds": len(self.seeds),
                "seed": self.seeds[0],
                plural(spec.round_noun, 2): self.rounds,
            }
        )


def file_stem(definition: Definition) -> str:
    """Return a name for the file of a sweep, without a suffix: `menace-win-empty`."""
    return "-".join([definition.learners[0][0], *(key for key, _ in definition.grid)])


def can_be_swept(kind: type[Learner]) -> bool:
    """Return whether a sweep can vary two settings of a learner."""
    return len(kind.spec.settings) > 1 and kind.spec.round_noun in USUAL_ROUNDS


def usual_grid(kind: type[Learner]) -> tuple[str, str]:
    """Return the two settings that a sweep of a learner varies by default."""
    first, second, *_ = kind.shown.usual_grid or kind.spec.settings
    return first, second


def usual_values(kind: SettingKind, value: Setting) -> str:
    """Return the values to try for a setting, as text for a grid: `1,3,5`. `value` is the setting in a preset."""
    if isinstance(kind, OneOf):
        return ",".join(map(setting_text, kind.samples))
    if isinstance(kind, Rate):
        return RATES
    if isinstance(kind, Whole) and isinstance(value, int):
        numbers = (value - 2, value, value + 2) if abs(value) < SMALL else (value // 2, value, value * 2)
        return ",".join(map(str, sorted({min(max(number, kind.least), kind.most) for number in numbers})))
    values = dict.fromkeys(map(setting_text, (value, *kind.samples)))  # each may be a list with commas
    return ";".join([*values][:2])
