"""Monte-Carlo tree search: against a slow program, against exact values, and as a player."""

import re
import time
from itertools import count
from random import Random

import numpy as np
import pytest

from engine.evaluate import scoreboard
from engine.game import Game, Outcome, Side
from engine.games import parse_game
from engine.solve import edge_values, values
from engine.spaces import space_of
from engine.stop import Stopped
from learners import parse_player
from learners.players.levels import Foresight, Level, level_of
from learners.players.searcher import stoppable
from learners.players.uct import UctPlayer
from learners.uct import interpreted
from learners.uct import search as module
from learners.uct.result import UctMove, UctResult, best_move
from learners.uct.search import Uct, generator_for, is_compiled
from tests.oracles import uct as oracle
from tests.sizes import QUICK_GAMES

TICTACTOE, CONNECT_FOUR = parse_game("tictactoe"), parse_game("connectfour")
SMALL = [
    "tictactoe",
    "misere",
    "hexapawn",
    "notakto",
    "nim:3,4,5",
    "mnk:4,3,3",
    "mnk:3,3,3+misere",
    "mnk:4,4,3+gravity",
]


def after_random_moves(game: Game, moves: int, seed: int) -> int:
    """A running position after some random moves, or fewer if the game would end."""
    random, position = Random(seed), game.start
    for _ in range(moves):
        running = [after for _, after, outcome in game.successors(position) if outcome is None]
        position = random.choice(running) if running else position
    return position


class Interpreted(Uct):
    """Plays by the rules of the game, whatever the game."""

    def _runner(self, position):
        return module.Interpreted(self.game, position, self.playouts, generator_for(self.game, position, self.seed))


def seen(found: UctResult) -> dict:
    return {each.move: (each.visits, pytest.approx(each.worth), each.proven) for each in found.moves}


@pytest.mark.sample(2)
@pytest.mark.parametrize("kind", [Uct, Interpreted])
@pytest.mark.parametrize("name", SMALL)
def test_the_same_seed_gives_the_visits_and_scores_of_the_papers(name: str, kind):
    game = parse_game(name)
    for seed, playouts in ((0, 7), (1, 60), (2, 400)):
        position = after_random_moves(game, seed, seed)
        found = kind(game, playouts, seed)._search(position, lambda: False)
        slow = oracle.Search(game, position, generator_for(game, position, seed))
        slow.run(playouts)
        assert seen(found) == {
            child.move: (
                child.visits,
                float(child.total / child.visits if child.proven is None and child.visits else child.proven or 0),
                child.proven is not None,
            )
            for child in slow.root.children
        }
        assert (found.playouts, found.nodes) == (slow.root.visits, slow.nodes)
        assert found.proven == (slow.root.proven is not None)


@pytest.mark.parametrize("name", ["connectfour", "mnk:4,4,3+misere"])
def test_random_games_on_masks_end_as_often_as_by_the_rules(name: str):
    """The mean score of random games, and its error."""
    game, random, scores = parse_game(name), Random(1), []
    for _ in range(400):
        position, outcome = game.start, None
        while outcome is None:
            _, position, outcome = random.choice(game.successors(position))
        scores.append(0.5 if outcome is Outcome.DRAW else float(outcome is Outcome.FIRST_WINS))
    from learners.uct.kernel import play_board

    player = Uct(game, 1)._runner(game.start)
    ours = [1 - play_board(0, 0, player.rules, player.generator) / 2 for _ in range(20_000)]
    assert np.mean(ours) == pytest.approx(np.mean(scores), abs=4 * np.std(scores) / len(scores) ** 0.5)


@pytest.mark.sample(4)
@pytest.mark.parametrize(
    "name",
    ["tictactoe", "nim:3,4,5", "notakto", "hexapawn", "mnk:4,3,3", "misere", "wild", "mnk:4,4,3+gravity", "morris"],
)
def test_enough_playouts_prove_the_exact_value(name: str):
    game = parse_game(name)
    found, space = Uct(game).result(game.start), space_of(game)
    assert found.proven
    assert found.best.proven
    assert found.value == values(space)[0]
    exact = dict(
        zip(space.move[space.edges(game.start)].tolist(), edge_values(space)[space.edges(game.start)], strict=True)
    )
    proven = {each.move: 2 * each.worth - 1 for each in found.moves if each.proven}
    assert proven == {move: exact[move] for move in proven}
    for each in (found.best, *found.moves):
        position = game.start
        for move in each.line:
            position = game.play(position, move)
    position = game.start
    for move in found.best.line:
        position = game.play(position, move)
    assert game.outcome(position) is not None, "the line of a proven move leads to the end"


def test_a_full_tree_does_not_grow(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "MAX_NODES", 100)
    monkeypatch.setattr(interpreted, "MAX_NODES", 100)
    for kind in (Uct, Interpreted):
        found = kind(TICTACTOE, 2000).result(TICTACTOE.start)
        assert 50 < found.nodes <= 100
        assert found.playouts == sum(each.visits for each in found.moves) == 2000
        assert found.best.visits > 400


def test_a_game_that_is_not_compiled_is_played_by_its_methods():
    large = parse_game("mnk:9,9,5")
    assert not is_compiled(large)
    position = large.from_text("/".join(["XXXX.....", "OOOO.....", *["........."] * 7]) + " X")
    assert large.move_name(UctPlayer(large, 10).choose(position, Random(1)).move) == "e9"
    quiet = UctPlayer(large, 2).result(large.start)
    assert sum(each.visits for each in quiet.moves) == quiet.playouts == 2
    unreachable = TICTACTOE.pack(0b11, 0, Side.FIRST)
    assert Uct(TICTACTOE, 10).result(unreachable).best.move == 2


@pytest.mark.parametrize(
    ("label", "position", "reason"),
    [
        ("uct:50", ".../.../... X", r"\d+ % of 50 playouts went to .., worth 0\.\d\d; expects( ..,?)+"),
        ("uct", "XX./OO./... X", "c3 wins; seen at once"),
        ("uct", "X../.O./..X O", r".. draws; proven by [\d,]+ playouts; expects( ..,?){5}"),
        ("uct", "XO./.X./... O", r".. loses; proven by \d+ playouts; expects( ..,?)+"),
        ("uct:1", "XO./.../... X", r"100 % of 1 playout went to .., worth (0.00|0.50|1.00)"),
    ],
)
def test_reasons(label: str, position: str, reason: str):
    choice = parse_player(label, TICTACTOE).choose(TICTACTOE.from_text(position), Random(1))
    assert re.fullmatch(reason, choice.reason)


def move(name: int, visits: int, worth: float, *, proven: bool = False) -> UctMove:
    return UctMove(name, visits, worth, proven, (name,))


@pytest.mark.parametrize(
    ("moves", "best"),
    [
        ([move(0, 90, 0.9), move(1, 5, 1.0, proven=True)], 1),
        ([move(0, 90, 0.4), move(1, 99, 0.3)], 1),
        ([move(0, 90, 0.4), move(1, 5, 0.5, proven=True)], 1),
        ([move(0, 90, 0.6), move(1, 5, 0.5, proven=True)], 0),
        ([move(0, 90, 0.0, proven=True), move(1, 5, 0.0)], 1),
        ([move(0, 9, 0.0, proven=True), move(1, 90, 0.0, proven=True)], 1),
        ([move(0, 99, 0.0, proven=True), move(1, 0, 0.5, proven=True)], 1),
    ],
)
def test_the_best_move_has_most_visits_unless_something_is_proven(moves, best: int):
    assert best_move(moves).move == best


def test_a_search_stops_soon():
    asked, begun = count(), time.thread_time()
    with pytest.raises(Stopped):
        stoppable(UctPlayer(CONNECT_FOUR, 10_000_000), lambda: next(asked) == 20).choose(CONNECT_FOUR.start, Random(1))
    assert time.thread_time() - begun < 2
    with pytest.raises(Stopped):
        stoppable(UctPlayer(TICTACTOE), lambda: True).policy()
    with pytest.raises(Stopped):
        level_of(UctPlayer(TICTACTOE), stop=lambda: True)
    one_more = UctPlayer(CONNECT_FOUR, 100)
    assert stoppable(one_more, lambda: False).thoughts(CONNECT_FOUR.start) == one_more.thoughts(CONNECT_FOUR.start)


def test_the_reached_policy_has_the_results_of_the_whole_one():
    for game in (TICTACTOE, parse_game("hexapawn"), parse_game("notakto")):
        space = space_of(game)
        for seed in range(3):
            player = UctPlayer(game, 40, seed)
            assert scoreboard(space, player.reached_policy()) == scoreboard(space, player.policy())


def test_a_level_is_exact_where_it_is_found_quickly():
    assert isinstance(level := level_of(UctPlayer(parse_game("hexapawn"), 1000)), Level)
    assert level.rank >= 4
    large = parse_game("mnk:5,5,4")
    for game in (parse_game("mnk:4,4,4"), large):
        assert level_of(UctPlayer(game)) == Foresight(0, playouts=200_000)
    strengths = [level_of(parse_player(label, large)).strength for label in ("random", "uct:100", "uct:1000", "uct")]
    assert strengths == sorted(strengths)


PLACED = ["connectfour", "mnk:7,7,5", "mnk:9,6,4+gravity", "mnk:2,6,3", "mnk:5,1,2", "mnk:7,8,4", "mnk:4,4,3+misere"]


@pytest.mark.parametrize("name", PLACED)
def test_masks_follow_the_rules(name: str):
    game = parse_game(name)
    search, ended = Uct(game, 1), 0
    for seed in range(40):
        position = after_random_moves(game, seed, seed)
        player = search._runner(position)
        assert isinstance(player, module._Compiled)
        player.run(0)
        mover = game.side(position)
        assert {each.move: each.worth if each.proven else None for each, _ in module._moves(player, position, 0)} == {
            move: None if outcome is None else 0.5 if outcome is Outcome.DRAW else float(outcome == mover)
            for move, _, outcome in game.successors(position)
        }
        ended += sum(outcome is not None for _, _, outcome in game.successors(position))
    assert ended


@pytest.mark.parametrize("game", QUICK_GAMES, ids=lambda game: game.name)
def test_symmetric_positions_have_symmetric_results(game: Game):
    search = Uct(game, 50)
    position = after_random_moves(game, 2, 1)
    for symmetry in game.symmetries:
        twin = game.transform(position, symmetry)
        assert sorted((each.visits, each.worth) for each in search.result(twin).moves) == sorted(
            (each.visits, each.worth) for each in search.result(position).moves
        )
        assert {each.move for each in search.result(twin).moves} == set(game.moves(twin))


def test_a_choice_depends_only_on_the_position():
    player, other = UctPlayer(CONNECT_FOUR, 500), UctPlayer(CONNECT_FOUR, 500)
    position = after_random_moves(CONNECT_FOUR, 6, 1)
    first, thoughts = player.choose(position, Random(1)), player.thoughts(position)
    player.choose(CONNECT_FOUR.start, Random(1))
    assert player.choose(position, Random(2)) == first == other.choose(position, Random(3))
    assert player.thoughts(position) == thoughts
    assert [thought.move for thought in thoughts if thought.chance] == [first.move]
    assert Uct(CONNECT_FOUR, 500, 1).result(position) != Uct(CONNECT_FOUR, 500, 2).result(position)


def test_the_result_does_not_depend_on_the_slices(monkeypatch: pytest.MonkeyPatch):
    whole = Uct(CONNECT_FOUR, 3000).result(CONNECT_FOUR.start)
    monkeypatch.setattr(module._Compiled, "first_slice", 1)
    monkeypatch.setattr(module, "SLICE_SECONDS", 0.0)  # each slice is too slow: one playout at a time
    assert Uct(CONNECT_FOUR, 3000).result(CONNECT_FOUR.start) == whole
