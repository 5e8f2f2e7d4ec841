"""Judge a player in a game that is too large for exact results: by games, and by positions whose value is known.

A number of games is played against each opponent as each side. Since some players always play the same, each game
begins with a few random moves, drawn from a fixed seed. A share p of n games has the standard error
sqrt(p (1 − p) / n).

The known positions of Connect Four are the six sets of P. Pons ("Solving Connect 4: how to build a perfect AI", 2015,
http://blog.gamesolver.org), 100 positions each, with the score of each column: above 0 if the side to move wins. They
are in `connectfour.csv`: the set; the columns played, from 1 on the left; the score of the position, and of each column
that has room.
"""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from math import sqrt
from random import Random
from typing import Final

from engine.evaluate import Chances
from engine.game import Game, Move, Outcome, Position, Side
from engine.stop import Stop, Stopped, never
from learners import parse_player
from learners.core.player import Player

GAMES: Final = 100
"""The games against each opponent as each side."""
OPENING: Final = 4
"""The random moves at the beginning of a game."""
OPPONENTS: Final = ("random", "alphabeta:2", "uct:1000")
"""Whom a player is sampled against, by label."""
SEED: Final = 1


@dataclass(frozen=True)
class Share:
    """A share of a number of trials."""

    count: int
    of: int

    @property
    def share(self) -> float:
        """The share itself."""
        return self.count / self.of

    @property
    def error(self) -> float:
        """Its standard error."""
        return sqrt(self.share * (1 - self.share) / self.of)


@dataclass(frozen=True)
class SampledGames:
    """The results of sampled games."""

    games: int
    """The number of games against each opponent as each side."""
    against: Mapping[str, Mapping[Side, Chances]]
    """The shares of games won, drawn and lost, by the label of the opponent and by side."""


@dataclass(frozen=True)
class KnownMoves:
    """How a player moves in positions whose values are known."""

    won: Share
    """Of the positions that are won for the side to move, those in which its move keeps the win."""
    kept: Share
    """Of all positions, those in which its move keeps the value."""
    sets: Mapping[str, Share]
    """The first share in each set of positions that has won ones."""


@dataclass(frozen=True)
class KnownPosition:
    """A position with known values for the side to move: 1 a win, 0 a draw, −1 a loss."""

    set: str
    position: Position
    value: int
    moves: Mapping[Move, int]
    """The value of each legal move."""


def play_samples(
    player: Player, stop: Stop = never, report: Callable[[float], object] = lambda _: None, games: int = GAMES
) -> SampledGames:
    """Play games against each opponent. `report` gets the share of all games that are played. Raise `Stopped`."""
    game, against, done = player.game, dict[str, dict[Side, Chances]](), 0
    for label in OPPONENTS:
        opponent, against[label] = parse_player(label, game), {}
        for side in Side:
            random, ended = Random(SEED), dict.fromkeys(Outcome, 0)  # noqa: S311  games, not secrets
            seats = (player, opponent) if side is Side.FIRST else (opponent, player)
            for _ in range(games):
                if stop():
                    raise Stopped
                ended[_outcome(game, seats, random)] += 1
                done += 1
                report(done / (games * len(Side) * len(OPPONENTS)))
            won, lost = ended[Outcome.won_by(side)], ended[Outcome.won_by(side.other)]
            against[label][side] = Chances(won / games, ended[Outcome.DRAW] / games, lost / games)
    return SampledGames(games, against)


def _outcome(game: Game, seats: tuple[Player, Player], random: Random) -> Outcome:
    """Play a game that begins with random moves; return how it ended."""
    position = _opening(game, random)
    while (outcome := game.outcome(position)) is None:
        side = game.side(position)
        move = seats[side].choose(position, random).move
        if move is None:
            return Outcome.won_by(side.other)
        position = game.play(position, move)
    return outcome


def _opening(game: Game, random: Random) -> Position:
    """Return a position after random moves that is not over."""
    while True:
        position = game.start
        for _ in range(OPENING):
            if game.outcome(position) is None:
                position = game.play(position, random.choice(game.moves(position)))
        if game.outcome(position) is None:
            return position


@cache
def known_positions(game: Game) -> tuple[KnownPosition, ...]:
    """Return the positions of a game whose values are known; none of most games."""
    if game.name != "connectfour":
        return ()
    text = resources.files("lab.judging").joinpath("connectfour.csv").read_text("utf-8")
    found = []
    for row in csv.DictReader(text.splitlines()):
        position = game.start
        for column in row["moves"]:
            position = game.play(position, int(column) - 1)
        moves = {move: _sign(row[str(move + 1)]) for move in game.moves(position)}
        found.append(KnownPosition(row["set"], position, _sign(row["score"]), moves))
    return tuple(found)


def _sign(score: str) -> int:
    return (int(score) > 0) - (int(score) < 0)


def judge_known(player: Player, stop: Stop = never) -> KnownMoves | None:
    """Ask a player in the known positions of its game; return `None` if there are none. Raise `Stopped`.

    A resignation keeps nothing.
    """
    positions, kept = known_positions(player.game), list[bool]()
    random = Random(SEED)  # noqa: S311  a choice among equal moves, not a secret
    if not positions:
        return None
    for each in positions:
        if stop():
            raise Stopped
        move = player.choose(each.position, random).move
        kept.append(move is not None and each.moves[move] == each.value)
    won = {
        name: [keeps for each, keeps in zip(positions, kept, strict=True) if each.set == name and each.value > 0]
        for name in dict.fromkeys(each.set for each in positions)
    }
    sets = {name: Share(sum(each), len(each)) for name, each in won.items() if each}
    total = Share(sum(each.count for each in sets.values()), sum(each.of for each in sets.values()))
    return KnownMoves(total, Share(sum(kept), len(kept)), sets)
