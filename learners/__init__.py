"""The lists of players and learners. No saves, no screen; kernels are imported and compiled only when needed."""

from collections.abc import Iterable, Sequence
from inspect import isabstract
from typing import Final

from engine import games
from engine.game import BadText, quoted
from engine.plugin_guard import guard, guard_fields
from engine.plugins import Added, BadPlugin, Listed, Plugin, require_line, require_name
from engine.plural import nearest_text
from learners.core.learner import LEARNER_CHECKS, Learner
from learners.core.snapshot import Snapshot
from learners.core.spec import LearnerSpec, split_preset
from learners.failures.learner import Failures
from learners.fixed import FixedPolicy
from learners.genetic.learner import Genetic
from learners.menace.learner import Menace
from learners.ntuple.learner import NTuple
from learners.players import registry
from learners.players.registry import PLAYERS, Offer, is_player, offers, parse_player, player_labels
from learners.q import QLearner
from learners.td import TemporalDifferences

__all__ = [
    "KINDS",
    "LEARNERS",
    "PLAYERS",
    "Offer",
    "find_kind",
    "is_player",
    "kind_of",
    "offers",
    "parse_learner",
    "parse_player",
    "player_labels",
    "plugins",
    "revive",
    "split_learner",
]


def _accept(plugin: object) -> tuple[str, type[Learner]]:
    if not (isinstance(plugin, type) and issubclass(plugin, Learner)):
        raise BadPlugin(f"it is not a class of `Learner`: {plugin!r}")
    if isabstract(plugin):
        raise BadPlugin(f"it does not define {', '.join(sorted(plugin.__abstractmethods__))}")
    spec = plugin.spec
    if not isinstance(spec, LearnerSpec):
        raise BadPlugin(f"its `spec` is not a `LearnerSpec`: {spec!r}")
    labels = (each.label for each in PLAYERS)
    name = require_name(spec.name, {*registry.RESERVED, *labels, *(each.spec.name for each in KINDS)})
    require_line("title", spec.title)
    require_line("summary", spec.summary)
    spec.presets_for(games.GAMES[0])
    for preset, settings in spec.presets.items():
        if set(settings) != set(spec.settings):
            raise BadPlugin(f"its preset {preset} does not give every setting a value")
        for key, value in settings.items():
            spec.parse_setting(key, str(value))
    return name, plugin


def _protect(kind: type[Learner], owner: str) -> type[Learner]:
    guard(owner, kind, LEARNER_CHECKS)
    guard(owner, kind.view_type)
    kind.spec = guard_fields(owner, kind.spec, "fits")
    for setting in kind.spec.settings.values():
        guard(owner, type(setting))
    return kind


PLUGINS: Final = Added("learner", _accept, _protect)
LEARNERS: Final = Listed[type[Learner]](
    (Failures, Menace, Genetic, QLearner, TemporalDifferences, NTuple), PLUGINS.entries
)
"""Every learner, the default first. A new learner of the program is one file and one entry here."""
KINDS: Final = Listed[type[Learner]]((*LEARNERS.own, FixedPolicy), PLUGINS.entries)
"""Everything that a save can hold: the learners, and policies that do not learn."""
registry.RESERVED.update(kind.spec.name for kind in LEARNERS.own)


def plugins() -> tuple[Plugin, ...]:
    """Return all plug-ins that were found, games first, including those that were left out."""
    return (*games.PLUGINS.plugins(), *PLUGINS.plugins(), *registry.PLUGINS.plugins())


def parse_learner(name: str) -> type[Learner]:
    """Return the learner of this name, to be trained. Raises `BadText`, which lists the names."""
    return _require_kind(name, LEARNERS)


def split_learner(text: str) -> tuple[str, str | None]:
    """Return the names of a learner and a preset, as in `menace:her`; `her` alone will do if only one learner has it.

    The preset is `None`, or empty, where none is named.
    """
    name, preset = split_preset(text)
    owners = [kind.spec.name for kind in LEARNERS if name in kind.spec.presets]
    if not preset and len(owners) == 1 and name not in {kind.spec.name for kind in LEARNERS}:
        return owners[0], name
    return name, preset


def kind_of(snapshot: Snapshot) -> type[Learner]:
    """Return the kind of a snapshot. Raises `BadText` for a name that is unknown."""
    return _require_kind(snapshot.learner, KINDS)


def find_kind(name: str) -> type[Learner] | None:
    return _find_among(KINDS, name)


def _find_among(kinds: Iterable[type[Learner]], name: str) -> type[Learner] | None:
    return next((kind for kind in kinds if kind.spec.name == name), None)


def _require_kind(name: str, kinds: Sequence[type[Learner]]) -> type[Learner]:
    kind = _find_among(kinds, name)
    if kind is not None:
        return kind
    names = [kind.spec.name for kind in kinds]
    raise BadText(f"no learner {quoted(name)}{nearest_text(name, names)}; there are {', '.join(names)}")


def revive(snapshot: Snapshot) -> Learner:
    """Return the learner of a snapshot. Raises `BadText` for an impossible one, `TooLarge` for too large a game."""
    learner = kind_of(snapshot)(snapshot.game, snapshot.preset, snapshot.seed, snapshot.settings)
    learner.restore(snapshot)
    return learner
