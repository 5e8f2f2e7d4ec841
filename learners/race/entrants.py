"""The entrants of a race: a learner with preset, settings and opponent, which takes part with many machines.

Written `LEARNER[:PRESET][/OPPONENT][+KEY=VALUE…][~SAVE]`, as in `menace:michie/random+win=5`. A player takes part as it
is, without learning: `perfect`, `save:NAME`. Each machine of `uct:1000` has its own seed; `uct:1000/7` has one. Behind
`~` stands a save with failures, which the machines do not repeat when they are judged; they train without it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from engine.evaluate import Policy
from engine.game import BadText, Game, Side, quoted
from engine.space import TooLarge
from learners import LEARNERS, is_player, parse_learner, parse_player
from learners.core.learner import Learner
from learners.core.player import Player
from learners.core.save_ref import SAVE, is_save, split_filter, with_filter, without_filter
from learners.core.settings import Setting, key_and_value
from learners.core.snapshot import ITSELF
from learners.core.spec import split_preset
from learners.fixed import FixedPlayer, FixedPolicy, policy_of
from learners.players.filtered import filtered_policy, require_failures
from learners.players.searcher import Searcher, unseeded_searcher

SETTING: Final = re.compile(r"\+(?=[a-z_]+=)")
"""The sign before each setting. Names of saves can contain a plus, but no equals sign."""
MAX_ENTRANTS: Final = 8
"""The maximum number of entrants of one race: there are as many colours for them."""

FindOpponent = Callable[[str, Game], Player | None]
"""Returns the opponent of a label, `None` for self-play. Raises `BadText`."""


@dataclass(frozen=True, eq=False)
class Entrant:
    """Machines with the same settings and the same opponent."""

    kind: type[Learner]
    game: Game
    preset: str
    settings: Mapping[str, Setting]
    """The settings that differ from those of the preset."""
    opponent: str
    """The label of the opponent in training."""
    player: Player | None
    """The opponent; `None` for self-play."""
    fixed: FixedPolicy | FixedPlayer | None = None
    """A player that takes part as it is; `None` for a learner."""
    search: Searcher[Any] | None = None
    """The player that takes part, if each machine is this player with a seed of its own."""
    failures: Learner | None = None
    """The failures that the machines do not repeat when they are judged; `None` without a filter."""

    @property
    def text(self) -> str:
        if self.fixed is not None:
            return self.fixed.label
        text = entrant_text(self.kind.spec.name, self.preset, self.opponent, self.settings)
        return text if self.failures is None else with_filter(text, self.failures.label)

    def filter_policy(self, machine: Learner, policy: Policy) -> Policy:
        """Return the policy of a machine without the moves that the filter removes, if there is one; shape (m,)."""
        return policy if self.failures is None else filtered_policy(machine, policy, self.failures)

    @cached_property
    def sides(self) -> tuple[Side, ...]:
        """The sides that the entrant's machines play in training."""
        return self.machine(0).training_sides

    @property
    def only_side(self) -> Side | None:
        """The only side that the entrant's machines play in training; `None` if they play both."""
        return self.sides[0] if len(self.sides) == 1 else None

    def machine(self, seed: int) -> Learner:
        """Return a new machine with this seed, or the player itself. Raises `BadText`, `TooLarge`."""
        if self.search is not None:
            return policy_of(self.search.with_seed(seed))
        if self.fixed is not None:
            return self.fixed
        machine = self.kind(self.game, self.preset, seed, self.settings)
        machine.set_opponent(self.player)
        return machine


def entrant_text(learner: str, preset: str, opponent: str, settings: Mapping[str, Setting]) -> str:
    parts = [f"{learner}:{preset}"]
    if opponent != ITSELF:
        parts.append(f"/{opponent}")
    parts += [f"+{key}={str(value).lower()}" for key, value in settings.items()]
    return "".join(parts)


def plain_opponent(label: str, game: Game) -> Player | None:
    """Return an opponent that needs no training, `None` for self-play. Raises `BadText`, `TooLarge`."""
    return None if label == ITSELF else parse_player(label, game)


def parse_entrant(text: str, game: Game, find_opponent: FindOpponent = plain_opponent) -> Entrant:
    """Return the entrant of a text. Raises `BadText` for one that cannot take part in this game.

    A player that needs no training, and a save, take part without learning. Without a preset, a learner has the first
    one that fits the game. Without an opponent, it trains against itself, or, if it plays only one side, against
    any perfect play.
    """
    text = text.strip()
    if is_player(without_filter(text)) or is_save(text):
        return _fixed_entrant(text, game, find_opponent)
    text, save = split_filter(text)
    failures = None if save is None else require_failures(find_opponent(SAVE + save, game))
    head, *texts = SETTING.split(text)
    learner, _, opponent = head.partition("/")
    name, preset = split_preset(learner)
    try:
        kind = parse_learner(name)
        spec = kind.spec
        preset = spec.usual_preset(game, preset)
        spec.require_preset(preset, game)
        settings = {key: spec.parse_setting(key, value) for key, value in map(key_and_value, texts)}
        opponent = opponent or kind(game, preset, 0, settings).opponent
        differing = {key: value for key, value in settings.items() if spec.presets[preset][key] != value}
        entrant = Entrant(kind, game, preset, differing, opponent, find_opponent(opponent, game), failures=failures)
        entrant.machine(0)
    except TooLarge as error:
        raise BadText(str(error)) from error
    return entrant


def _fixed_entrant(label: str, game: Game, find_player: FindOpponent) -> Entrant:
    try:
        player = find_player(label, game)
        if player is None:
            raise BadText(f"{quoted(label)} is not a player")
        fixed = policy_of(player) if game.learnable else FixedPlayer(player)
    except TooLarge as error:
        raise BadText(str(error)) from error
    search = unseeded_searcher(player) if game.learnable else None
    return Entrant(type(fixed), game, fixed.preset, {}, ITSELF, None, fixed, search)


def can_race(game: Game) -> bool:
    return any(kind.spec.fits(game) for kind in LEARNERS)


def default_entrants(game: Game) -> tuple[Entrant, ...]:
    """Return the default entrants of a race. Raises `BadText` for a game that no learner can learn."""
    if game.learnable:
        texts = ["failures", "menace:steady", "q", "td", "genetic:swift"]
    else:
        texts = [kind.spec.label(preset) for kind in LEARNERS for preset in kind.spec.presets_for(game)]
    if not texts:
        raise BadText(f"no learner can learn {game.title}: choose another game")
    return tuple(parse_entrant(text, game) for text in texts[:MAX_ENTRANTS])


def require_entrants(entrants: Sequence[Entrant]) -> None:
    """Raise `BadText` unless these entrants can race each other."""
    if not entrants:
        raise BadText("nobody takes part: add an entrant")
    if len(entrants) > MAX_ENTRANTS:
        raise BadText(f"{len(entrants)} entrants are too many: a race has room for {MAX_ENTRANTS}")
    texts = [entrant.text for entrant in entrants]
    for text in texts:
        if texts.count(text) > 1:
            raise BadText(f"{quoted(text)} takes part already")
