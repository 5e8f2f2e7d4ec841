"""The boxes and beads of MENACE, what its rules do to them, and its games beside those of a naive machine."""

import numpy as np
import pytest

from engine.evaluate import best_response, chances_as, perfect_policy, resignations, scoreboard, uniform_policy
from engine.game import BadText, Game, Outcome, Side
from engine.games import GAMES, parse_game
from engine.match import Match, Record, parse_moves
from engine.smallest.shipped import shipped_answers
from learners import parse_player, revive
from learners.menace.learner import Menace
from learners.players.plain import PerfectPlayer, RandomPlayer
from tests.learners.naive import assert_same_games, cells_of, opponent_of, written
from tests.oracles.generator import Generator
from tests.oracles.menace import MACHINES, NaiveMenace
from tests.sizes import QUICK_GAMES, marks_of_game, short_and_long
from tests.small_games import NOT_LISTED

TICTACTOE = GAMES[0]


def boxes_by_move(learner: Menace) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for box in range(len(learner.boxes.position)):
        side = learner.game.mark(Side(int(learner.space.side[learner.boxes.position[box]])))
        found.setdefault(side, [0] * 4)[learner.boxes.move_number(box) - 1] += 1
    return found


def test_michie_has_304_boxes():
    assert boxes_by_move(Menace(TICTACTOE, "michie", 1)) == {"X": [1, 12, 108, 183]}
    assert Menace(TICTACTOE, "michie", 1).stats()["boxes"] == 304


def test_a_second_player_needs_289_boxes():
    assert boxes_by_move(Menace(TICTACTOE, "scroggs", 1)) == {"X": [1, 12, 108, 183], "O": [3, 38, 153, 95]}
    assert Menace(TICTACTOE, "michie", 1, {"plays": "second"}).stats()["boxes"] == 289


def test_her_has_19_boxes_for_the_second_player():
    learner = Menace(parse_game("hexapawn"), "her", 1)
    assert learner.stats()["boxes"] == 19
    assert set(boxes_by_move(learner)) == {"B"}
    assert learner.opponent == "perfect:any"
    assert all(count == 1 for count in written(learner, learner.memory).values())


def test_an_untrained_michie_loses_to_the_perfect_player_as_computed():
    learner = Menace(TICTACTOE, "michie", 1)
    seen = chances_as(learner.space, Side.FIRST, learner.policy(), perfect_policy(learner.space))
    assert seen.loss == pytest.approx(0.764, abs=0.0005)
    assert seen.win == 0


def test_220_games_against_the_perfect_player_teach_michie():
    """Over 30 seeds: those whose first box did not run empty lose next to nothing."""
    lost, resigned = [], 0
    for seed in range(30):
        learner = Menace(TICTACTOE, "michie", seed)
        learner.train(220)
        if learner.memory[cells_of(learner, ".../.../... X")].any():
            policy = learner.policy()
            lost.append(chances_as(learner.space, Side.FIRST, policy, perfect_policy(learner.space)).loss)
        else:
            resigned += 1
    assert 6 <= resigned <= 24
    assert np.mean(lost) < 0.05


def test_the_default_machine_learns_well_from_every_seed():
    """In 100 seeds it lost at most 3.3 and 3.9 % of games to random play, and as X at most 2.5 % to perfect play."""
    for seed in range(8):
        learner = Menace(TICTACTOE, next(iter(Menace.spec.presets)), seed)
        learner.train(learner.spec.rounds_for(learner.preset))
        first, second = scoreboard(learner.space, learner.policy()).values()
        assert max(first.against["random"].loss, second.against["random"].loss) < 0.06
        assert first.against["perfect"].loss < 0.05
        assert resignations(learner.space, learner.policy()).max() == 0


def test_an_empty_box_resigns_and_says_so():
    learner = Menace(TICTACTOE, "michie", 1)
    learner.memory[cells_of(learner, ".../.../... X")] = 0
    choice = learner.choose(TICTACTOE.start, None)  # type: ignore[arg-type]  nothing is drawn
    assert (choice.move, choice.reason) == (None, "box 1 is empty: it resigns")
    assert resignations(learner.space, learner.policy())[0] == 1
    seen = chances_as(learner.space, Side.FIRST, learner.policy(), uniform_policy(learner.space))
    assert seen.loss == 1
    learner.train(10)
    stats = learner.stats()
    assert (stats["second_wins"], stats["resigned"], stats["plies"]) == (10, 10, 0)
    assert learner.last_game == ()


def test_an_opponent_that_does_not_play_the_other_side_is_refused():
    other = Menace(TICTACTOE, "michie", 1)
    with pytest.raises(BadText, match="does not play O: choose another opponent"):
        Menace(TICTACTOE, "michie", 1).set_opponent(other)
    with pytest.raises(BadText, match="plays Hexapawn"):
        Menace(TICTACTOE, "michie", 1).set_opponent(RandomPlayer(parse_game("hexapawn")))


@pytest.mark.parametrize("opponent", ["random", "perfect", "minimax:2", "alphabeta"])
def test_a_revived_machine_continues_against_a_player_that_needs_no_training(opponent: str):
    learner = Menace(TICTACTOE, "michie", 1)
    learner.set_opponent(parse_player(opponent, TICTACTOE))
    learner.train(50)
    again = revive(learner.snapshot())
    for one in (learner, again):
        one.train(50)
    assert again.snapshot().opponent == opponent
    assert again.stats() == learner.stats()
    assert np.array_equal(again.memory, learner.memory)


@pytest.mark.parametrize(
    ("opponent", "message"),
    [
        ("human", "its last opponent was human: name an opponent for it now"),
        ("save:gone", "its last opponent was save:gone: name an opponent for it now"),
        ("minimax:99", "depth 99 is not from 1 to 9"),
    ],
)
def test_training_against_an_opponent_that_is_not_available_is_refused(opponent: str, message: str):
    learner = Menace(TICTACTOE, "scroggs", 1)
    learner.train(5)
    learner.record_opponent(opponent)
    again = revive(learner.snapshot())
    for one in (learner, again):
        with pytest.raises(BadText, match=message):
            one.train(5)
        assert one.stats()["games"] == 5
        one.set_opponent(None)
        one.train(5)
        assert one.stats()["games"] == 10


def test_with_the_smallest_boxes_it_has_only_those_and_plays_any_move_elsewhere():
    learner = Menace(TICTACTOE, "michie", 1, {"boxes": "smallest"})
    chosen = {int(learner.space.row(position)) for position in shipped_answers(TICTACTOE, Side.FIRST).moves}
    classes = learner.space.position_class
    assert {classes[row] for row in learner.boxes.position} == {classes[row] for row in chosen}
    policy, unboxed = learner.policy(), learner.boxes.box[learner.space.source] < 0
    assert np.array_equal(policy[unboxed], uniform_policy(learner.space)[unboxed])
    learner.train(500)
    again = revive(learner.snapshot())
    assert np.array_equal(again.memory, learner.memory)
    perfect = Menace(TICTACTOE, "michie", 1, {"boxes": "smallest"})
    for position, move in shipped_answers(TICTACTOE, Side.FIRST).moves.items():
        kept = perfect.cell[perfect.space.edge(position, move)]
        box = perfect.boxes.box[perfect.space.row(position)]
        cells = perfect.boxes.cells_of(box)
        perfect.memory[cells[cells != kept]] = 0
    assert best_response(perfect.space, Side.FIRST, perfect.policy()).loss == 0


def hand_made(preset: str) -> dict[str, int]:
    """X wins a1 b2 a2 b1 a3 in self-play; how many beads each of the five moves then has."""
    learner = Menace(TICTACTOE, preset, 1)
    match, names = Match(TICTACTOE), ["a1", "b2", "a2", "b1", "a3"]
    for move in parse_moves(TICTACTOE, names):
        match.play(move)
    learner.learn_record(match.record(("a", "b")))
    edges = [learner.space.edge(*turn) for turn in zip(match.positions, match.moves, strict=False)]
    return {name: int(learner.memory[learner.boxes.cell[edge]]) for name, edge in zip(names, edges, strict=True)}


def test_the_blog_credits_the_loser_with_the_winners_reward():
    assert hand_made("blog") == {"a1": 12, "b2": 12, "a2": 12, "b1": 12, "a3": 12}
    assert hand_made("blog-fixed") == {"a1": 12, "b2": 9, "a2": 12, "b1": 9, "a3": 12}


def test_beads_gained_are_those_of_the_sides_it_played():
    learner = Menace(TICTACTOE, "scroggs", 4)
    learner.set_opponent(RandomPlayer(TICTACTOE))
    learner.train(1000)
    grown = learner.view.growth(learner.stats())
    assert grown["by {0}"] > 0
    assert grown["by {1}"] == 0
    learner.set_opponent(None)
    assert learner.view.growth(learner.stats()) == grown
    moves = parse_moves(TICTACTOE, ("b2", "a2", "a3", "c1", "c3", "b1", "b3"))
    learner.learn_record(Record(TICTACTOE, ("human", "a"), moves, Outcome.FIRST_WINS), (Side.SECOND,))
    assert learner.view.growth(learner.stats()) == {**grown, "by {1}": -1}


@pytest.mark.parametrize("preset", ["michie", "scroggs", "blog"])
def test_menace_knows_what_the_last_game_gave_to_each_of_its_moves(preset):
    learner, quick = Menace(TICTACTOE, preset, 3), Menace(TICTACTOE, preset, 3)
    for _ in range(200):
        before = learner.memory.copy()
        learner.train(1)
        position, gained = TICTACTOE.start, []
        for move in learner.last_game:
            cell = learner.cell[learner.space.edge(position, move)]
            gained.append(int(learner.memory[cell] - before[cell]))
            position = TICTACTOE.play(position, move)
        assert learner.last_gains == tuple(gained)
    quick.train(200)
    assert quick.last_gains == learner.last_gains
    match = Match(TICTACTOE)
    for name in ("a1", "b1", "a2", "b2", "a3"):
        match.play(TICTACTOE.parse_move(match.position, name))
    changes = learner.learn_record(match.record(("a", "b")))
    assert sum(learner.last_gains) == sum(change.after - change.before for change in changes)


@pytest.mark.parametrize("opponent", [None, "random"])
def test_with_few_boxes_the_moves_of_each_game_are_those_that_were_played(opponent):
    learner, ended = Menace(TICTACTOE, "steady", 3, {"boxes": "smallest"}), dict.fromkeys(Outcome, 0)
    learner.set_opponent(None if opponent is None else parse_player(opponent, TICTACTOE))
    for _ in range(300):
        learner.train(1)
        match = Match(TICTACTOE)
        for move in learner.last_game:
            match.play(move)
        ended[match.outcome] += 1
    stats = learner.stats()
    assert [*ended.values()] == [stats["first_wins"], stats["second_wins"], stats["draws"]]


def test_no_smallest_boxes_for_a_side_that_always_loses():
    with pytest.raises(BadText, match="no smallest set of boxes"):
        Menace(parse_game("hexapawn"), "steady", 1, {"boxes": "smallest"})


CASES = [
    pytest.param(game, preset, id=f"{game.name}-{preset}", marks=marks_of_game(game))
    for game in (*QUICK_GAMES, *NOT_LISTED)
    for preset in Menace.spec.presets_for(game)
]
every_case = pytest.mark.parametrize(("game", "preset"), CASES)


def assert_same_beads(learner: Menace, naive: NaiveMenace) -> None:
    beads = written(learner, learner.memory)
    for box, inside in naive.boxes.items():
        assert {bead: beads[box, bead] for bead in inside} == inside
    begun = written(learner, learner.matchboxes.initial_beads)
    assert all(count == begun[key] for key, count in beads.items() if key[0] not in naive.boxes)
    assert {key: count for key, count in written(learner, learner.times).items() if count} == naive.drawn
    stats = learner.stats()
    assert [stats["first_wins"], stats["second_wins"], stats["draws"]] == list(naive.outcomes.values())
    assert (stats["plies"], stats["resigned"], stats["refilled"]) == (naive.plies, naive.resigned, naive.refilled)
    assert [stats["gained_first"], stats["gained_second"]] == naive.gained


@pytest.mark.sample(11)
@short_and_long("games", 120, 2000)
@every_case
def test_the_games_are_those_of_the_naive_machine(game: Game, preset: str, games: int):
    learner = Menace(game, preset, 3)
    naive = NaiveMenace(game.name, MACHINES[preset], Generator.seeded(3), opponent_of(game.name, learner.opponent))
    assert_same_games(learner, naive, games, assert_same_beads)
    assert naive.plies > 0


RULES_CHANGED = {
    "refill": ({"empty": "refill"}, {"empty": "refill"}),
    "keep": ({"empty": "keep", "loss": -3}, {"empty": "keep", "loss": -3}),
    "unmerged": ({"merge": False}, {"merge": False}),
    "singles, last, least": (
        {"singles": True, "teaches": "last", "least": 2},
        {"singles": True, "last only": True, "least": 2},
    ),
    "fullest, refill": ({"pick": "fullest", "empty": "refill"}, {"fullest": True, "empty": "refill"}),
    "last": ({"teaches": "last"}, {"last only": True}),
    "winner": ({"credit": "winner", "draw": -2}, {"winner's reward": True, "draw": -2}),
    "beads": ({"beads": "1,7", "win": 5}, {"beads": [1, 7], "win": 5}),
}


@pytest.mark.sample(16)
@short_and_long("games", 100, 600)
@pytest.mark.parametrize("game", [*QUICK_GAMES, *NOT_LISTED], ids=lambda game: game.name)
@pytest.mark.parametrize("changed", list(RULES_CHANGED))
def test_each_rule_is_that_of_the_naive_machine(game: Game, changed: str, games: int):
    settings, machine = RULES_CHANGED[changed]
    learner = Menace(game, "scroggs", 8, settings)
    naive = NaiveMenace(game.name, {**MACHINES["scroggs"], **machine}, Generator.seeded(8))
    assert_same_games(learner, naive, games, assert_same_beads)


@pytest.mark.parametrize("preset", ["michie", "scroggs", "blog"])
@pytest.mark.parametrize("opponent", [RandomPlayer, PerfectPlayer])
def test_games_against_others_are_those_of_the_naive_machine(preset: str, opponent: type[RandomPlayer]):
    learner = Menace(TICTACTOE, preset, 5)
    learner.set_opponent(opponent(TICTACTOE))
    foe = opponent_of("tictactoe", learner.opponent)
    naive = NaiveMenace("tictactoe", MACHINES[preset], Generator.seeded(5), foe)
    assert_same_games(learner, naive, 150, assert_same_beads)
