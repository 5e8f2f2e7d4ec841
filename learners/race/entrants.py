"""Who takes part in a race: a learner with its rules and its opponent, of which there may be many machines.

Written `LEARNER[:PRESET][/OPPONENT][+KEY=VALUE…]`, as in `menace:michie/random+win=5`.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from engine.game import BadText, Game, Side, quoted
from engine.space import TooLarge
from learners import parse_learner, parse_player
from learners.core.learner import Learner
from learners.core.player import Player
from learners.core.settings import Setting, key_and_value
from learners.core.snapshot import ITSELF

SETTING: Final = re.compile(r"\+(?=[a-z_]+=)")
"""Stands before each setting. Names of saves may hold a plus, but no equals sign."""
MOST_ENTRANTS: Final = 8
"""In one race: as many as there are colours to tell them apart."""

Meet = Callable[[str, Game], Player | None]
"""Finds the opponent of that label, `None` for self-play. Raises `BadText`."""


@dataclass(frozen=True, eq=False)
class Entrant:
    """Machines that learn by the same rules, against the same opponent."""

    kind: type[Learner]
    game: Game
    preset: str
    settings: Mapping[str, Setting]
    """Those that differ from the preset's."""
    opponent: str
    """As players are written."""
    player: Player | None

    @property
    def text(self) -> str:
        """How it is written."""
        against = "" if self.opponent == ITSELF else f"/{self.opponent}"
        settings = (f"+{key}={str(value).lower()}" for key, value in self.settings.items())
        return f"{self.kind.name}:{self.preset}{against}{''.join(settings)}"

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The sides that its machines play."""
        return self.machine(0).sides

    @property
    def only(self) -> Side | None:
        """The one side that its machines play; `None` where they play both."""
        return self.sides[0] if len(self.sides) == 1 else None

    def machine(self, seed: int) -> Learner:
        """One of its machines, which knows nothing yet. Raises `BadText`, `TooLarge`."""
        machine = self.kind(self.game, self.preset, seed, self.settings)
        machine.meet(self.player)
        return machine


def plain_opponent(label: str, game: Game) -> Player | None:
    """An opponent that needs no training, or the learner itself. Raises `BadText`, `TooLarge`."""
    return None if label == ITSELF else parse_player(label, game)


def parse_entrant(text: str, game: Game, meet: Meet = plain_opponent) -> Entrant:
    """The entrant that is written so: without a preset by the first that fits the game, and without an opponent against
    itself, or perfect play where it plays one side. Raises `BadText` for one that cannot take part in this game."""
    head, *texts = SETTING.split(text.strip())
    machine, _, opponent = head.partition("/")
    name, _, preset = machine.partition(":")
    try:
        kind = parse_learner(name)
        preset = preset or next(iter(kind.presets_for(game)), next(iter(kind.presets)))
        kind.require_preset(preset, game)
        settings = {key: kind.parse_setting(key, value) for key, value in map(key_and_value, texts)}
        opponent = opponent or kind(game, preset, 0, settings).opponent
        differing = {key: value for key, value in settings.items() if kind.presets[preset][key] != value}
        entrant = Entrant(kind, game, preset, differing, opponent, meet(opponent, game))
        entrant.machine(0)
    except TooLarge as error:
        raise BadText(str(error)) from error
    return entrant


def line_up(game: Game) -> tuple[Entrant, ...]:
    """Some entrants that are worth a look, for a race of which nothing else is said."""
    texts = ("failures", "menace:scroggs", "menace:scroggs+empty=refill", "menace:blog-fixed", "genetic:swift")
    return tuple(parse_entrant(text, game) for text in texts)


def require_field(entrants: Sequence[Entrant]) -> None:
    """Raise `BadText` unless these can race each other."""
    if not entrants:
        raise BadText("nobody takes part: add an entrant")
    if len(entrants) > MOST_ENTRANTS:
        raise BadText(f"{len(entrants)} entrants are too many: a race has room for {MOST_ENTRANTS}")
    texts = [entrant.text for entrant in entrants]
    for text in texts:
        if texts.count(text) > 1:
            raise BadText(f"{quoted(text)} takes part already")
