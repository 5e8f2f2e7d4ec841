"""The players that need no training."""

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from engine.evaluate import best_response, chances_as, perfect_policy, uniform_policy
from engine.game import Game, Side
from engine.games import GAMES, parse_game
from engine.solve import edge_values
from engine.spaces import space_of
from learners import PLAYERS, parse_player
from learners.core.player import Choice, Player, Thought
from learners.players.plain import RandomPlayer
from noughts.testing import check_player
from tests.oracles.debrief import best, oracle_of
from tests.positions import running
from tests.sizes import QUICK_GAMES, quick_game

QUICK = {"uct": "uct:10"}
"""The label that is tested in place of that of a slow player."""
every_player = pytest.mark.parametrize(
    ("label", "game"),
    [
        pytest.param(label, game, id=f"{label}-{game.name}")
        for game in QUICK_GAMES
        for label in (
            *(QUICK.get(kind.label, kind.label) for kind in PLAYERS if kind.fits(game)),
            "minimax:1",
            "alphabeta:3",
        )
    ],
)
"""Each player with each game that it plays. Those that play large games only are in `test_solver_players`."""


@pytest.mark.sample(4)
@every_player
def test_every_player_keeps_the_contract(game: Game, label: str):
    check_player(parse_player(label, game))


class Sample(RandomPlayer):
    """A player as somebody else might write it; subclasses break the contract."""

    label = "sample"


class Shouting(Sample):
    summary = "Plays at random."


class Refusing(Sample):
    fits = classmethod(lambda *_: False)


class Restless(Sample):
    """What it plays depends on how often it was asked."""

    asked = 0

    def choose(self, position: int, random: Random) -> Choice:
        self.asked += 1
        moves = self.game.moves(position)
        return Choice(moves[self.asked % len(moves)], "the next one")


class Cheating(Sample):
    def choose(self, position: int, random: Random) -> Choice:
        return Choice(max(self.game.moves(position)) + 1, "beyond the last")


class Wordless(Sample):
    def choose(self, position: int, random: Random) -> Choice:
        return Choice(super().choose(position, random).move, "")


class Careless(Sample):
    """Its policy leaves out a bit, as one of 32 bits may."""

    def policy(self):
        return 0.9999999 * super().policy()


class Mistaken(Sample):
    """Its policy is not that of its thoughts."""

    def policy(self):
        return perfect_policy(space_of(self.game))


class Deceiving(Sample):
    """It does not choose as its policy says."""

    def choose(self, position: int, random: Random) -> Choice:
        return Choice(self.game.moves(position)[0], "always the first")


class Resigning(Sample):
    """It resigns at times, as its policy says: that is allowed."""

    def choose(self, position: int, random: Random) -> Choice:
        return super().choose(position, random) if random.random() < 0.5 else Choice(None, "it resigns")

    def thoughts(self, position: int) -> tuple[Thought, ...]:
        return tuple(replace(each, chance=each.chance / 2) for each in super().thoughts(position))

    def policy(self):
        return super().policy() / 2


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        (Shouting, "its summary ends with a full stop: 'Plays at random.'"),
        (Refusing, "it plays hexapawn, but its `fits` says otherwise"),
        (Restless, "with the same random numbers it chooses"),
        (Cheating, "it chooses the illegal move"),
        (Wordless, "is not a line of at most 200 characters: ''"),
        (Careless, "the policy sums to 0.99999.*, not 1, in .* and it does not resign there"),
        (Mistaken, "the policy says"),
        (Deceiving, "is chosen with a frequency of 1.000, but the policy says 0"),
    ],
)
def test_a_player_that_breaks_the_contract_is_reported(kind: type[Sample], says: str):
    with pytest.raises(AssertionError, match=f"sample: .*{says}"):
        check_player(kind(parse_game("hexapawn")))


@pytest.mark.parametrize("game", ["hexapawn", "connectfour"])
def test_a_player_may_resign_and_need_not_have_a_policy(game: str):
    check_player(Resigning(parse_game(game)))


@pytest.mark.sample(10)
@every_player
def test_reasons_are_plain_words(game: Game, label: str):
    player: Player = parse_player(label, game)
    for position in running(game)[::41]:
        assert re.fullmatch(r"[\w ,.;:+−…%()]+", player.choose(position, Random(1)).reason)


@quick_game
def test_the_perfect_player_shows_the_exact_values(game: Game):
    space, player = space_of(game), parse_player("perfect", game)
    words = {1: ("+", "wins"), 0: ("=", "draws"), -1: ("-", "loses")}
    for position in running(game)[::5]:
        values = edge_values(space)[list(space.edges(position))]
        thoughts = player.thoughts(position)
        assert [(each.symbol, each.words.split()[0]) for each in thoughts] == [words[int(value)] for value in values]


@quick_game
def test_each_way_to_play_perfectly_has_its_moves(game: Game):
    players = [parse_player(f"perfect:{way}", game) for way in ("soonest", "any", "stubborn")]
    assert [player.label for player in players] == ["perfect", "perfect:any", "perfect:stubborn"]
    oracle, errs = oracle_of(game.name), tempting(game)
    for position in running(game)[::5]:
        here = game.to_text(position)
        foreseen = oracle.foreseen(here)
        worth = max(each.worth for each in foreseen.values())
        kept = [move for move, each in foreseen.items() if each.worth == worth]
        wanted = [best(foreseen), kept, errs(here) if worth == -1 else best(foreseen)]
        for player, moves in zip(players, wanted, strict=True):
            played = [game.move_name(thought.move) for thought in player.thoughts(position) if thought.chance]
            assert sorted(played) == sorted(moves)


def tempting(game: Game) -> Callable[[str], list[str]]:
    """The moves after which an opponent that moves at random keeps its win with the smallest probability."""
    oracle = oracle_of(game.name)

    @cache
    def keeps(here: str) -> Fraction:
        """The probability that the winner of a position, moving at random, never gives its win away."""
        if oracle.outcome(here) is not None:
            return Fraction(1)
        foreseen = oracle.foreseen(here)
        if max(each.worth for each in foreseen.values()) == -1:
            return min(keeps(oracle.play(here, move)) for move in foreseen)
        won = [move for move, each in foreseen.items() if each.worth == 1]
        return sum((keeps(oracle.play(here, move)) for move in won), Fraction(0)) / len(foreseen)

    def moves(here: str) -> list[str]:
        rank = {move: (keeps(oracle.play(here, move)), -each.plies) for move, each in oracle.foreseen(here).items()}
        return [move for move in rank if rank[move] == min(rank.values())]

    return moves


def test_no_opponent_makes_random_play_give_its_win_away_more_often_than_the_stubborn_player():
    game = parse_game("hexapawn:3,4")  # the second side wins, and no game is drawn
    space = space_of(game)
    wins = {
        way: chances_as(space, Side.FIRST, perfect_policy(space, way), uniform_policy(space)).win
        for way in ("soonest", "any", "stubborn")
    }
    assert wins["stubborn"] > wins["any"]
    assert wins["stubborn"] > wins["soonest"]
    assert wins["stubborn"] == pytest.approx(best_response(space, Side.SECOND, uniform_policy(space)).loss)


@pytest.mark.parametrize(
    ("position", "reason"),
    [
        (".../.../... X", r"it draws against best play; so does every move"),
        ("XX./OO./... X", r"it wins at once against best play; 1 of 5 moves keeps that"),
        (".O./X../... X", r"it wins in 3 moves against best play; 2 of 7 moves keep that"),
        ("XO./.X./... O", r"it loses in \d moves? against best play; \d of 6 moves lasts? as long"),
        ("XOX/XOO/OX. X", r"it draws against best play; there is no other move"),
    ],
)
def test_the_perfect_player_gives_its_reason(position: str, reason: str):
    player = parse_player("perfect", GAMES[0])
    assert re.fullmatch(reason, player.choose(GAMES[0].from_text(position), Random(1)).reason)


def test_the_random_player_gives_its_reason():
    player = parse_player("random", GAMES[0])
    assert player.choose(GAMES[0].start, Random(1)).reason == "picked at random from 9 legal moves"
    last = GAMES[0].from_text("XOX/XOO/OX. X")
    assert player.choose(last, Random(1)).reason == "picked at random from 1 legal move"
