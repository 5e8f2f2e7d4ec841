"""The players that look ahead: what they choose, how they explain it, how they are written."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random

import numpy as np
import pytest

from engine.evaluate import perfect_policy
from engine.game import BadText, Game, Heuristic, Side
from engine.games import GAMES, parse_game
from engine.games.tictactoe import TicTacToe
from engine.space import RUNNING, TooLarge
from engine.spaces import space_of
from engine.stop import Stopped
from learners import LEARNERS, PLAYERS, is_player, offers, parse_player, player_labels
from learners.core.player import ListedPlayer
from learners.players.minimax import AlphaBeta, Minimax
from learners.players.searcher import Parametric, stoppable
from tests.oracles.rules import RULES
from tests.oracles.search import ESTIMATES, minimax
from tests.sizes import quick_game
from tests.waiting import LIMIT

TICTACTOE = GAMES[0]


@quick_game
@pytest.mark.parametrize("label", ["minimax", "alphabeta"])
def test_searches_to_the_end_play_perfectly(game: Game, label: str):
    space = space_of(game)
    assert np.array_equal(parse_player(label, game).policy(), perfect_policy(space))


@quick_game
@pytest.mark.parametrize(("kind", "depth"), [(AlphaBeta, 1), (Minimax, 2), (AlphaBeta, 3)])
def test_the_policy_is_that_of_the_textbook(kind: type[Minimax | AlphaBeta], game: Game, depth: int):
    space, policy = space_of(game), kind(game, depth).policy()
    rows = np.flatnonzero(space.outcome == RUNNING).tolist()
    for row in Random(depth).sample(rows, min(len(rows), 60)):
        position = int(space.position[row])
        sign = 1 if game.side(position) is Side.FIRST else -1
        worth = [
            sign * minimax(RULES[game.name], ESTIMATES[game.name], game.to_text(after), depth - 1, Counter())
            for after in (game.play(position, move) for move in game.moves(position))
        ]
        best = max(worth)
        assert [policy[edge] for edge in space.edges(position)] == pytest.approx(
            [(value == best) / worth.count(best) for value in worth]
        )
        left = game.moves(position)[1:]  # as behind a filter
        whole, deep = (AlphaBeta(game, depth).best_among(position, left) for depth in (None, game.longest))
        assert whole == deep, "the soonest win, or the latest loss"


@pytest.mark.parametrize(
    ("label", "position", "reason"),
    [
        (
            "minimax",
            ".../.../... X",
            r"it draws, as with 8 other moves; it looked at 549,946 positions; expects( ..,){5} .. …",
        ),
        ("minimax", "XOO/X../OX. X", "it wins in 2 moves; it looked at 14 positions; expects c2, c1"),
        ("alphabeta", "XOO/X../OX. X", "it wins in 2 moves; it looked at 14 positions; expects c1, c2"),
        (
            "alphabeta",
            "XO./X../O.. X",
            r"it wins in 2 moves; it looked at \d+ positions, and cut \d+ branches; expects c3, c1",
        ),
        ("minimax:1", "XX./OO./... X", "it wins at once; it looked 1 move ahead, at 6 positions"),
        ("minimax:2", "XX./OO./... X", r"it wins at once; it looked 2 moves ahead, at \d+ positions"),
        (
            "alphabeta:2",
            "OX./.O./XOX X",
            r"its value is 0, as with 1 other move; it looked 2 moves ahead, at 10 positions; expects c[23]",
        ),
        ("minimax:2", "X../.O./..X O", r"its value is −1, as with 3 other moves; .*"),
    ],
)
def test_reasons(label: str, position: str, reason: str):
    player = parse_player(label, TICTACTOE)
    assert re.fullmatch(reason, player.choose(TICTACTOE.from_text(position), Random(1)).reason)


def shown(label: str, position: str) -> dict[str, tuple[str, str]]:
    player = parse_player(label, TICTACTOE)
    thoughts = player.thoughts(TICTACTOE.from_text(position))
    return {TICTACTOE.move_name(thought.move): (thought.symbol, thought.words) for thought in thoughts}


def test_thoughts_show_the_value_of_each_move():
    assert shown("alphabeta", "XOO/X../OX. X") == {
        "b2": ("+", "wins in 2 moves"),
        **dict.fromkeys(("c2", "c1"), ("-", "loses at once")),
    }
    assert shown("alphabeta:2", "OX./.O./XOX X") == {
        "c3": ("-1", "value −1"),
        "a2": ("0", "value 0"),
        "c2": ("0", "value 0"),
    }
    assert shown("minimax:2", "XX./O../... O") == {
        "c3": ("-2", "value −2"),
        **dict.fromkeys(("b2", "c2", "a1", "b1", "c1"), ("-", "loses at once")),
    }
    assert shown("minimax:9", "XOX/XOO/OX. X") == {"c1": ("=", "draws")}


def test_an_estimate_fits_its_square():
    game = TicTacToe()
    game.heuristic = Heuristic("numbers that no heuristic of ours reaches", lambda position: position % 997 - 500)
    thoughts = Minimax(game, 1).thoughts(game.start)
    assert {len(thought.symbol) for thought in thoughts} <= {2, 3}
    assert any(thought.symbol in ("+99", "-99") for thought in thoughts)


@pytest.mark.parametrize(
    ("label", "says"),
    [
        ("minimax:0", "'minimax:0': write a depth from 1 to 9, as in minimax:4"),
        ("alphabeta:-1", "write a depth"),
        ("alphabeta:١", "write a depth"),
        ("alphabeta:99", "depth 99 is not from 1 to 9, the most moves that a game of Tic-tac-toe can last"),
        ("uct:0", "'uct:0': write a number of playouts from 1 to 10,000,000, as in uct:1000"),
        ("uct:x", "write a number of playouts"),
        ("uct:20000000", "20,000,000 playouts are not from 1 to 10,000,000"),
        ("uct:300/", "as in uct:1000, or with a seed, as in uct:1000/7"),
        ("uct:/7", "write a number of playouts"),
        ("uct:300/9223372036854775808", "seed 9223372036854775808 is not from 0 to 9223372036854775807"),
        ("perfect:", "'perfect:': write how it chooses among the moves that keep the value: soonest, any, stubborn"),
        (
            "deep",
            "there are random, perfect, perfect:soonest|any|stubborn, minimax, minimax:DEPTH, alphabeta, alphabeta:",
        ),
    ],
)
def test_a_bad_label_is_refused_in_one_line(label: str, says: str):
    with pytest.raises(BadText) as caught:
        parse_player(label, TICTACTOE)
    assert says in str(caught.value)
    assert str(caught.value).isprintable()
    assert not is_player(label) or label in ("alphabeta:99", "uct:20000000", "uct:300/9223372036854775808")


def offered(kind: type[ListedPlayer], game: Game) -> bool:
    return issubclass(kind, Parametric) and bool(kind.parameter.offered(game))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_menus_offer_only_players_that_can_play_the_game(game: Game):
    labels = [offer.label for offer in offers(game)]
    assert len(labels) == len(set(labels))
    assert labels[0] == "random"
    for offer in offers(game):
        assert parse_player(offer.label, game).label == offer.label
        assert is_player(offer.label)
        assert offer.title
        assert offer.summary
    kinds = {label.partition(":")[0] for label in labels}
    assert kinds == {kind.label for kind in PLAYERS if kind.fits(game) or offered(kind, game)}
    assert all(label.partition(":")[0] in kinds | {"perfect", "fallible"} for label in player_labels())


def test_in_a_large_game_a_depth_is_needed_and_nobody_is_perfect():
    game = parse_game("connectfour")
    for label in ("minimax", "alphabeta"):
        with pytest.raises(TooLarge, match="give a depth"):
            parse_player(label, game)
    with pytest.raises(TooLarge, match="is too large to be played perfectly; alphabeta:4 looks ahead"):
        parse_player("perfect", parse_game("mnk:7,7,5"))
    for kind in LEARNERS:
        if not kind.spec.parameters:
            with pytest.raises(TooLarge, match="which remembers every position"):
                kind(game, next(iter(kind.spec.presets)), 1)
    with pytest.raises(TooLarge):
        parse_player("alphabeta:2", game).policy()


def test_a_search_can_be_stopped():
    game = parse_game("connectfour")
    deep = parse_player("minimax:20", game)
    with pytest.raises(Stopped):
        stoppable(deep, lambda: True).choose(game.start, Random(1))
    with pytest.raises(Stopped):
        stoppable(deep, lambda: True).thoughts(game.start)
    shallow = parse_player("minimax:2", game)
    assert stoppable(shallow, lambda: True).thoughts(game.start) == shallow.thoughts(game.start)
    random = parse_player("random", game)
    assert stoppable(random, lambda: True) is random


@pytest.mark.parametrize("label", ["alphabeta:6", "uct:20000"])
def test_of_two_threads_with_the_same_question_one_searches_and_both_can_stop(label: str):
    game, searches, waiting = parse_game("connectfour"), [], [True]
    player = parse_player(label, game)
    search = player.search._search
    player.search._search = lambda *asked: searches.append(asked) or search(*asked)
    with ThreadPoolExecutor(2) as threads:
        one, two = threads.map(player.thoughts, [game.start] * 2)
        assert one == two
        assert len(searches) == 1
        deep = stoppable(AlphaBeta(game, 20), lambda: not waiting)
        asked = [threads.submit(deep.result, game.start) for _ in range(2)]
        waiting.clear()
        assert [type(each.exception(timeout=LIMIT)) for each in asked] == [Stopped] * 2


def test_connect_four_is_won_and_defended():
    game = parse_game("connectfour")
    empty = "......./" * 4
    for label in ("minimax:3", "alphabeta:4", "uct", "uct:2000"):
        player = parse_player(label, game)
        win = player.choose(game.from_text(f"{empty}OOO..../XXX...."), Random(1))
        assert (game.move_name(win.move), "wins" in win.reason.split()[1]) == ("d", True)
        assert game.move_name(player.choose(game.from_text(f"{empty}OO...../XXX...."), Random(1)).move) == "d"
