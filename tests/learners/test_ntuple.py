"""The n-tuple network: its kernel against a slow program, its patterns, and how well it learns."""

import numpy as np
import pytest

from engine.evaluate import results
from engine.game import BadText, Side
from engine.games import parse_game
from engine.space import TooLarge
from engine.spaces import space_of
from learners import revive
from learners.core.generator import draw_below
from learners.ntuple.kernel_tables import ONE, WEIGHT
from learners.ntuple.learner import NTuple
from learners.ntuple.network import CLOSED, OPEN, curve, draw_network
from learners.ntuple.view import MAX_PATTERNS
from tests.oracles.ntuples import SlowNetwork, pattern

CONNECT_FOUR, TICTACTOE = parse_game("connectfour"), parse_game("tictactoe")
FALLING = parse_game("mnk:4,4,3+gravity+misere")
TRACE = round(0.9 * 2**31)
FEW = {"tuples": 5, "length": 4, "change_games": 20}
GAMES = [CONNECT_FOUR, TICTACTOE, FALLING, parse_game("mnk:4,3,3")]
every_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)


def chance_now(learner):
    rules = learner._learning()
    return rules.explore + (rules.explore_end - rules.explore) * min(learner.rounds, rules.change_games) // 20


@pytest.mark.sample(4)
@every_game
@pytest.mark.parametrize("traces", ["replacing", "adding"])
@pytest.mark.parametrize("random_move", ["keeps", "ends"])
def test_a_network_learns_what_a_slow_program_learns(game, traces, random_move):
    settings = {**FEW, "explore": "0.7", "explore_end": "0.2", "rate": "0.05", "rate_end": "0.05", "trace": "0.9"}
    learner = NTuple(game, "small", 3, {**settings, "traces": traces, "random_move": random_move})
    slow, how = SlowNetwork(game, learner.network.tuples), {"replacing": traces == "replacing"}
    for _ in range(12):
        generator, chance = learner.generator.copy(), chance_now(learner)
        learner.train(1)
        position, explored = game.start, []
        for move in learner.last_game:
            draw = draw_below(generator, 2**32)
            moves = sorted(game.moves(position), key=lambda each: game.board.squares(position, each))
            explored.append(draw < chance)
            assert draw >= chance or move == moves[draw * len(moves) // chance]
            position = game.play(position, move)
        assert np.array_equal(generator, learner.generator)
        rate = learner._learning().rate
        slow.after_game(learner.last_game, explored, rate, TRACE, **how, resetting=random_move == "ends")
    assert weights_of(learner) == {key: weight for key, weight in slow.weights.items() if weight}
    assert len(slow.weights) > 100


def weights_of(learner):
    """The weights other than 0, as the slow program names them."""
    network, found = learner.network, {}
    signs = {CLOSED: "-", OPEN: ".", 1: learner.game.marks[0], 2: learner.game.marks[1]}
    for place in np.flatnonzero(learner.memory).tolist():
        side, index = divmod(place, network.patterns)
        number = network.tuple_of(index)
        states = network.pattern(index)
        text = "".join(signs[states[square]] for square in network.tuples[number])
        found[number, Side(side), text] = int(learner.memory[place])
    return found


@every_game
def test_a_position_is_worth_the_sum_of_its_patterns_to_its_side(game):
    learner = NTuple(game, "small", 5, FEW)
    learner.train(50)
    slow, position = SlowNetwork(game, learner.network.tuples), game.start
    slow.weights = weights_of(learner)
    for move in learner.last_game:
        worths, sign = learner.worths(position), 1 if game.side(position) is Side.FIRST else -1
        for each, worth in worths.items():
            after = game.play(position, each)
            if game.outcome(after) is None:
                assert worth == sign * slow.value(after) / ONE
        position = game.play(position, move)


def positions_of(learner):
    """The positions of the last game that are not over."""
    position, found = learner.game.start, []
    for move in learner.last_game:
        found.append(position)
        position = learner.game.play(position, move)
    return found


@every_game
def test_every_pattern_that_occurs_has_an_index_of_its_own(game):
    network = draw_network(game, 6, 5, np.array([1, 2], np.int64))
    learner = NTuple(game, "small", 1, FEW)
    learner.train(40)
    seen = {}
    for position in positions_of(learner):
        for number, squares in enumerate(network.tuples):
            index = network.offsets[number] + sum(
                digit.of_code[code_of(game, network, digit.unit, position)] * digit.factor
                for digit in network.digits[number]
            )
            assert network.tuple_of(index) == number
            states, text = network.pattern(index), pattern(game, position, squares)
            marks = {game.marks[0]: 1, game.marks[1]: 2, "-": CLOSED, ".": OPEN}
            assert [states[square] for square in squares] == [marks[sign] for sign in text]
            assert seen.setdefault((number, text), index) == index


def code_of(game, network, unit, position):
    """The pieces of a unit as a binary number, the first one after a leading 1."""
    code = "1"
    for square in network.square[unit].tolist():
        piece = game.board.cells(position)[square]
        code += "" if piece is None else str(game.marks.index(piece.mark))
    return int(code, 2)


def test_a_network_has_no_pattern_with_a_piece_in_the_air():
    network = draw_network(parse_game("mnk:1,4,4+gravity"), 1, 4, np.array([3, 4], np.int64))
    assert network.patterns == 2**5 - 1  # of a column with 0 to 4 pieces


def test_the_curve_is_tanh():
    at = np.arange(len(curve())) / 2048
    assert np.abs(curve() / ONE - np.tanh(at)).max() < 1e-9
    assert WEIGHT == 2048 * 2**13


def test_games_that_do_not_fit_are_refused_in_a_sentence():
    with pytest.raises(
        BadText, match=r"^ntuple learns games of up to 62 squares in which pieces are placed in turn, .* not hexapawn: "
    ):
        NTuple(parse_game("hexapawn"), "small", 1)
    with pytest.raises(BadText, match=r"^the preset thill fits .*, not tictactoe"):
        NTuple(TICTACTOE, "thill", 1)
    with pytest.raises(
        BadText, match=r"^200 tuples of 9 squares have .* weights on 8×7.*: make tuples or length smaller$"
    ):
        NTuple(parse_game("mnk:8,7,4"), "small", 1, {"tuples": 200, "length": 9})
    with pytest.raises(BadText, match=r"^ntuple learns from games with itself only$"):
        NTuple(TICTACTOE, "small", 1).record_opponent("random")


def test_a_game_without_a_space_is_learned_and_played_but_has_no_policy():
    learner = NTuple(CONNECT_FOUR, "thill", 1)
    learner.train(20)
    again = revive(learner.snapshot())
    learner.train(5)
    again.train(5)
    assert np.array_equal(learner.memory, again.memory)
    assert learner.thoughts(CONNECT_FOUR.start) == again.thoughts(CONNECT_FOUR.start)
    with pytest.raises(TooLarge):
        learner.policy()


def test_impossible_weights_are_refused():
    learner = NTuple(TICTACTOE, "small", 1, FEW)
    learner.train(10)
    snapshot = learner.snapshot()
    snapshot.memory[0] = 2**30 + 1
    with pytest.raises(BadText, match="a weight is larger than 64"):
        learner.restore(snapshot)
    snapshot = learner.snapshot()
    snapshot.memory[:] = 0
    with pytest.raises(BadText, match=r"the statistics count .* weights, the memory has 0"):
        learner.restore(snapshot)


def test_cards_show_the_strongest_patterns_of_each_tuple():
    learner = NTuple(CONNECT_FOUR, "thill", 1)
    view = learner.view
    assert view.card(2).caption == "2", "no pattern has a weight"
    learner.train(50)
    assert view.cards().tolist() == [*range(0, 140, 2), *range(1, 140, 2)]
    for edge in (0, 1, 57):
        squares = learner.network.tuples[edge // 2]
        parts, (_, weight) = view.parts(edge), view.strongest_patterns(edge, 1)[0]
        assert abs(weight) == np.abs(view._weights(edge)).max()
        assert len(parts) == MAX_PATTERNS
        for part in parts:
            cells = CONNECT_FOUR.board.cells(part.position)
            filled = {square for square, piece in enumerate(cells) if piece is not None}
            assert filled | part.signs.keys() == {*squares}
            assert not filled & part.signs.keys()
        assert view.side_of(edge) is Side(edge % 2)
        assert str(len(view._weights(edge))) in view.explain(edge)[1].replace(",", "")
    assert {*view.newest(5)} <= {*view.cards().tolist()}


@every_game
def test_the_image_of_a_position_is_worth_the_same(game):
    learner = NTuple(game, "small", 7, FEW)
    learner.train(200)
    for position in positions_of(learner):
        images = [game.transform(position, symmetry) for symmetry in game.symmetries]
        assert len({*learner.values(images).tolist()}) == 1


@pytest.mark.parametrize(
    ("name", "games"), [("tictactoe", 20_000), pytest.param("mnk:4,4,4+gravity", 100_000, marks=pytest.mark.long)]
)
def test_a_network_learns_to_lose_to_nobody_on_small_boards(name, games):
    game = parse_game(name)
    learner = NTuple(game, "small", 1)
    learner.train(games)
    policy, space = learner.policy(), space_of(game)
    assert [results(space, side, policy).against["best_responder"].loss for side in Side] == [0, 0]
