"""Judge a player in a game that is too large for exact results: by games, and by positions whose value is known.

The player plays a number of games against each opponent as each side. Since some players always play the same, each
game begins with a few random moves, drawn from a fixed seed. A share p of n games has the standard error sqrt(p (1 − p)
/ n).
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Final, Protocol

from engine.analysis.rating import keeps_value
from engine.connect_solver.games import shape_of
from engine.evaluate import Chances
from engine.game import Game, Move, Outcome, Position, Side
from engine.known_positions import known_positions
from engine.match import Match
from engine.stop import Stop, Stopped, never
from learners import parse_player
from learners.core.learner import BOTH
from learners.core.player import Choice
from learners.uct.search import placement_game_of

OPENING_PLIES: Final = 4
"""The number of random moves at the beginning of a game."""
OPPONENTS: Final = ("random", "alphabeta:2", "uct:1000")
KNOWN_FROM: Final = 24
"""The number of empty squares from which on a solver tells soon what each move of a game leads to."""
SEED: Final = 1
Turn = tuple[Position, Move]
"""A position, and the move that was made there."""


class Chooser(Protocol):
    """Any player that can be judged by samples."""

    @property
    def game(self) -> Game:
        """The game that the player plays."""

    def choose(self, position: Position, random: Random) -> Choice:
        """Choose a legal move in a position that is not over, or resign."""


@dataclass(frozen=True)
class Share:
    count: int
    of: int

    @property
    def share(self) -> float:
        return self.count / self.of

    @property
    def error(self) -> float:
        return sqrt(self.share * (1 - self.share) / self.of)


@dataclass(frozen=True)
class SampledGames:
    games: int
    """The number of games against each opponent as each side."""
    sides: tuple[Side, ...]
    against: Mapping[str, Mapping[Side, Chances]]
    """The shares of games won, drawn and lost, by the label of the opponent and by side."""
    losing: tuple[Side, Match] | None
    """The shortest game that the player lost, and its side there; `None` if it lost none."""
    late_turns: Mapping[Side, tuple[Turn, ...]]
    """The player's moves in these games with at most `KNOWN_FROM` empty squares; empty if no solver knows the game."""


@dataclass(frozen=True)
class KnownMoves:
    won: Share
    """The share of won positions in which the player's move keeps the win."""
    kept: Share
    """The share of all positions in which the player's move keeps the value."""
    sets: Mapping[str, Share]
    """The share `won` within each set of known positions that has won positions."""


def usual_opponents(game: Game) -> tuple[str, ...]:
    """Return the labels of the opponents in a game; `uct` only if its playouts are compiled, and so fast."""
    if placement_game_of(game) is not None:
        return OPPONENTS
    return tuple(label for label in OPPONENTS if not label.startswith("uct"))


def play_samples(  # noqa: PLR0913  most have a default
    player: Chooser,
    stop: Stop = never,
    report: Callable[[float], object] = lambda _: None,
    *,
    sides: Sequence[Side] = BOTH,
    opponents: Sequence[str] | None = None,
    games: int,
) -> SampledGames:
    """Play games against each of `opponents`, by default the usual ones, as each of `sides`. Raises `Stopped`.

    `report` gets the share of the games that have been played, from 0 to 1.
    """
    game, against, done = player.game, dict[str, dict[Side, Chances]](), 0
    if opponents is None:
        opponents = usual_opponents(game)
    total = games * len(sides) * len(opponents)
    losing: tuple[Side, Match] | None = None
    late_turns: dict[Side, list[Turn]] = {side: [] for side in sides}
    for label in opponents:
        opponent, against[label] = parse_player(label, game), {}
        for side in sides:
            outcomes = Counter[Outcome | None]()
            for match in _play_games(player, side, opponent, games, stop):
                outcomes[match.outcome] += 1
                late_turns[side] += _late_turns(match, side)
                is_lost = match.outcome is Outcome.won_by(side.other)
                if is_lost and (losing is None or len(match.moves) < len(losing[1].moves)):
                    losing = side, match
                done += 1
                report(done / total)
            won, lost = outcomes[Outcome.won_by(side)], outcomes[Outcome.won_by(side.other)]
            against[label][side] = Chances(won / games, outcomes[Outcome.DRAW] / games, lost / games)
    turns = {side: tuple(each) for side, each in late_turns.items()}
    return SampledGames(games, tuple(sides), against, losing, turns)


def _play_games(player: Chooser, side: Side, opponent: Chooser, games: int, stop: Stop) -> Iterator[Match]:
    """Yield the sampled games of a player as one side against an opponent, always the same. Raises `Stopped`."""
    random = Random(SEED)  # noqa: S311  games, not secrets
    seats = (player, opponent) if side is Side.FIRST else (opponent, player)
    for _ in range(games):
        if stop():
            raise Stopped
        match = _random_opening(player.game, random)
        while match.outcome is None:
            move = seats[match.side].choose(match.position, random).move
            if move is None:
                match.resign()
            else:
                match.play(move)
        yield match


def _late_turns(match: Match, side: Side) -> list[Turn]:
    """Return the moves of a side in positions with few empty squares; empty if no solver knows the game."""
    shape = shape_of(match.game)
    if shape is None:
        return []
    return [
        turn
        for turn in zip(match.positions, match.moves, strict=False)
        if shape.pieces_left(turn[0]) <= KNOWN_FROM and match.game.side(turn[0]) is side
    ]


def judge_late(
    game: Game, turns: Collection[Turn], stop: Stop = never, report: Callable[[float], object] = lambda _: None
) -> Share | None:
    """Return the share of these moves that keep the value, exactly; `None` without a move. Raises `Stopped`.

    `report` gets the share of the moves that have been judged, from 0 to 1.
    """
    if not turns:
        return None
    keeps, distinct = dict[Turn, bool](), dict.fromkeys(turns)
    for turn in distinct:
        keeps[turn] = keeps_value(game, *turn, stop)
        report(len(keeps) / len(distinct))
    return Share(sum(keeps[turn] for turn in turns), len(turns))


def _random_opening(game: Game, random: Random) -> Match:
    """Return a game that is not over after its random moves."""
    while True:
        match = Match(game)
        while match.outcome is None:
            if len(match.moves) == OPENING_PLIES:
                return match
            match.play(random.choice(game.moves(match.position)))


def judge_known(
    player: Chooser,
    stop: Stop = never,
    sides: Collection[Side] = BOTH,
    report: Callable[[float], object] = lambda _: None,
) -> KnownMoves | None:
    """Ask a player in the known positions of `sides`; return `None` if its game has none. Raises `Stopped`.

    A resignation does not keep the value of a position. `report` gets the share of the positions asked so far, from 0
    to 1.
    """
    game, kept = player.game, list[bool]()
    positions = [each for each in known_positions(game) if game.side(each.position) in sides]
    random = Random(SEED)  # noqa: S311  a choice among equal moves, not a secret
    if not positions:
        return None
    for each in positions:
        if stop():
            raise Stopped
        kept.append(each.keeps(player.choose(each.position, random).move))
        report(len(kept) / len(positions))
    kept_wins: dict[str, list[bool]] = {each.set: [] for each in positions}
    for each, keeps in zip(positions, kept, strict=True):
        if each.value > 0:
            kept_wins[each.set].append(keeps)
    sets = {name: Share(sum(wins), len(wins)) for name, wins in kept_wins.items() if wins}
    won = Share(sum(share.count for share in sets.values()), sum(share.of for share in sets.values()))
    return KnownMoves(won, Share(sum(kept), len(kept)), sets)
