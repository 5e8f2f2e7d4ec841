"""The list of the players that need no training, and their labels."""

from dataclasses import dataclass
from typing import Any, Final

from engine.game import BadText, Game, quoted
from engine.games import GAMES
from engine.plugin_guard import guard, guard_fields
from engine.plugins import Added, BadPlugin, Listed, require_line, require_name
from learners.core.learner import BOTH, PERSON
from learners.core.player import PLAYER_CHECKS, ListedPlayer, Player
from learners.core.snapshot import ITSELF
from learners.players.fallible import FalliblePlayer
from learners.players.minimax import AlphaBeta, Minimax
from learners.players.plain import PerfectPlayer, RandomPlayer
from learners.players.searcher import Parameter, Parametric
from learners.players.uct import UctPlayer

RESERVED: Final = {PERSON, ITSELF, "save", "fixed"}
"""Labels that no player of another package can have; the package `learners` adds the names of its learners."""
METHODS: Final = ("choose", "thoughts", "policy")
"""The methods that every `Player` has."""


def _accept(plugin: object) -> tuple[str, type[ListedPlayer]]:
    if not isinstance(plugin, type):
        raise BadPlugin(f"it is not a class: {plugin!r}")
    kind: Any = plugin
    label = require_name(kind.label, {*RESERVED, *(each.label for each in PLAYERS)})
    require_line("title", kind.title)
    require_line("summary", kind.summary)
    missing = [name for name in METHODS if not callable(getattr(kind, name, None))]
    if missing:
        raise BadPlugin(f"it has no method {missing[0]}")
    kind.fits(GAMES[0])
    if issubclass(kind, Parametric) and not isinstance(kind.parameter, Parameter):
        raise BadPlugin(f"its `parameter` is not a `Parameter`: {kind.parameter!r:.60}")
    for sides in ("sides", "trained_sides"):  # a player without them has both sides
        setattr(kind, sides, getattr(kind, sides, BOTH))
    return label, kind


def _protect(kind: type[ListedPlayer], owner: str) -> type[ListedPlayer]:
    guard(owner, kind, PLAYER_CHECKS)
    if issubclass(kind, Parametric):
        kind.parameter = guard_fields(owner, kind.parameter, "form", "offered")
    return kind


PLUGINS: Final = Added("player", _accept, _protect)
PLAYERS: Final = Listed[type[ListedPlayer]](
    (RandomPlayer, PerfectPlayer, Minimax, AlphaBeta, UctPlayer, FalliblePlayer), PLUGINS.entries
)
"""Every player that needs no training. To add one to the program, write its class and add it here."""


@dataclass(frozen=True)
class Offer:
    label: str
    title: str
    summary: str


def offers(game: Game) -> tuple[Offer, ...]:
    """Return the players that can play a game and need no training, some also with parameters in their labels."""
    result = []
    for kind in PLAYERS:
        if kind.fits(game):
            result.append(Offer(kind.label, kind.title, kind.summary))
        if issubclass(kind, Parametric):
            for text, summary in kind.parameter.offered(game).items():
                result.append(Offer(f"{kind.label}:{text}", f"{kind.title} {text}", summary))
    return tuple(result)


def player_title(label: str) -> str:
    """Return the name of a player that needs no training, such as `Alpha-beta 4`; any other label unchanged."""
    stem, _, text = label.partition(":")
    kind = _kind_of(stem)
    return label if kind is None else f"{kind.title} {text}".rstrip()


def _kind_of(stem: str) -> type[ListedPlayer] | None:
    return next((kind for kind in PLAYERS if kind.label == stem), None)


def player_labels() -> tuple[str, ...]:
    """Return the labels of the players that need no training, for messages, with forms such as `minimax:DEPTH`."""
    labels = []
    for kind in PLAYERS:
        labels.append(kind.label)
        if issubclass(kind, Parametric):
            labels.append(f"{kind.label}:{kind.parameter.word}")
    return tuple(labels)


def is_player(label: str) -> bool:
    """Return whether a label names a player that needs no training. It may still not fit a game."""
    stem, colon, text = label.partition(":")
    kind = _kind_of(stem)
    if kind is None or not colon:
        return kind is not None
    return issubclass(kind, Parametric) and kind.parameter.is_written(text)


def parse_player(label: str, game: Game) -> Player:
    """Return the player that a label names, if it needs no training.

    Raises `BadText` for any other label, `TooLarge` for a game that is too large for this player.
    """
    stem, colon, text = label.partition(":")
    kind = _kind_of(stem)
    if kind is not None and not colon:
        # the program's own players say more when they are made, such as which parameter would fit
        if kind not in PLAYERS.own and not kind.fits(game):
            raise BadText(f"{label} cannot play {game.title}: choose another player")
        return kind(game)
    if kind is not None and issubclass(kind, Parametric):
        if not kind.parameter.is_written(text):
            raise BadText(f"{quoted(label)}: {kind.parameter.hint(stem, game)}")
        return kind.parse(game, text)
    raise BadText(f"no player {quoted(label)}; there are {', '.join(player_labels())}, and save:NAME")
