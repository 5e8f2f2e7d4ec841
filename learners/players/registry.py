"""The list of the players that need no training, and how they are written."""

import re
from dataclasses import dataclass
from typing import Final

from engine.game import BadText, Game, quoted
from learners.core.player import Player
from learners.players.plain import PerfectPlayer, RandomPlayer
from learners.players.searchers import AlphaBeta, Minimax, Searcher

PLAYERS: Final[tuple[type[RandomPlayer | PerfectPlayer | Searcher], ...]] = (
    RandomPlayer,
    PerfectPlayer,
    Minimax,
    AlphaBeta,
)
"""Every player that needs no training. To add one, write its class and add it here."""

DEPTH: Final = re.compile(r"[1-9][0-9]?")


@dataclass(frozen=True)
class Offer:
    """A player as a menu lists it."""

    label: str
    """The player as it is written."""
    title: str
    summary: str


def offers(game: Game) -> tuple[Offer, ...]:
    """Return the players that can play a game and need no training; searchers also with some depths."""
    found = []
    for kind in PLAYERS:
        if kind.fits(game):
            found.append(Offer(kind.label, kind.title, kind.summary))
        if issubclass(kind, Searcher):
            found += [
                Offer(f"{kind.label}:{depth}", f"{kind.title} {depth}", f"{kind.summary}, {depth} deep")
                for depth in kind.depths
                if depth <= game.longest
            ]
    return tuple(found)


def player_labels() -> tuple[str, ...]:
    """Return how the players that need no training are written, for messages."""
    return tuple(
        label
        for kind in PLAYERS
        for label in ((kind.label, f"{kind.label}:DEPTH") if issubclass(kind, Searcher) else (kind.label,))
    )


def is_player(label: str) -> bool:
    """Return whether a label names a player that needs no training. It may still not fit a game."""
    stem, colon, depth = label.partition(":")
    kinds = [kind for kind in PLAYERS if kind.label == stem]
    return bool(kinds) and (not colon or (issubclass(kinds[0], Searcher) and DEPTH.fullmatch(depth) is not None))


def parse_player(label: str, game: Game) -> Player:
    """Return the player of a label that needs no training.

    Raise `BadText` for another label, `TooLarge` for a game that is too large for this player.
    """
    stem, colon, depth = label.partition(":")
    for kind in PLAYERS:
        if kind.label != stem:
            continue
        if not colon:
            return kind(game)
        if issubclass(kind, Searcher):
            if not DEPTH.fullmatch(depth):
                raise BadText(f"{quoted(label)}: write a depth from 1 to {game.longest}, as in {stem}:4")
            return kind(game, int(depth))
    raise BadText(f"no player {quoted(label)}; there are {', '.join(player_labels())}")
