import pytest

from engine.game import Side
from engine.games import parse_game
from engine.spaces import space_of
from lab.memory.card_filter import Filter, cells_of, group_starts, last_game_cells, merges_twins, select, shared_card
from lab.memory.open_box import open_box
from learners import revive
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from saves import gallery
from tests.saves.brains import train

TICTACTOE, HEXAPAWN = parse_game("tictactoe"), parse_game("hexapawn")
SPACE = space_of(TICTACTOE)
RIECHEL = revive(gallery.load("riechel"))
MICHIE = Menace(TICTACTOE, "michie", 1)
SCROGGS = Menace(TICTACTOE, "scroggs", 1)
HER = Menace(HEXAPAWN, "her", 1)
LEARNERS = pytest.mark.parametrize("learner", [RIECHEL, MICHIE, SCROGGS, HER], ids=lambda learner: learner.preset)


def pieces(game, position):
    return sum(cell is not None for cell in game.board.cells(position))


def described(learner, edges):
    return [(learner.view.card(edge).position, learner.view.card(edge).caption) for edge in edges]


@LEARNERS
def test_without_a_filter_every_card_shows_the_earliest_positions_first_then_in_its_order(learner):
    cards = learner.view.cards().tolist()
    plies = {edge: int(learner.space.ply[learner.space.source[edge]]) for edge in cards}
    assert select(learner, Filter()) == sorted(cards, key=lambda edge: plies[edge])


@pytest.mark.long
@LEARNERS
@pytest.mark.parametrize("side", Side)
def test_a_side_is_the_side_to_move(learner, side):
    shown, every = (described(learner, select(learner, wanted)) for wanted in (Filter(side=side), Filter()))
    assert shown == [one for one in every if learner.game.side(one[0]) is side]


@LEARNERS
@pytest.mark.parametrize("count", [0, 5])
def test_cards_are_filtered_by_the_number_of_pieces(learner, count):
    shown, every = (described(learner, select(learner, wanted)) for wanted in (Filter(pieces=count), Filter()))
    assert shown == [one for one in every if pieces(learner.game, one[0]) == count]


def test_only_one_of_symmetric_twins_is_shown_as_the_memory_has_it():
    texts = "X../.../... O", "..X/.../... O", ".../.../X.. O", ".../.../..X O"
    corners = [TICTACTOE.from_text(text) for text in texts]
    assert sorted(open_box(SCROGGS, position).turned for position in corners) == [False, True, True, True]


@pytest.mark.parametrize("learner", [RIECHEL, SCROGGS], ids=lambda learner: learner.preset)
@pytest.mark.parametrize("text", ["X../.../... O"])
def test_a_position_is_found_with_its_symmetric_twins(learner, text):
    position = TICTACTOE.from_text(text)
    twins = {TICTACTOE.transform(position, symmetry) for symmetry in TICTACTOE.symmetries}
    shown, every = (described(learner, select(learner, wanted)) for wanted in (Filter(position=position), Filter()))
    assert shown == [one for one in every if one[0] in twins]
    assert shown


def test_an_empty_memory_has_nothing_to_show():
    learner = Failures(TICTACTOE, "literal", 1)
    assert select(learner, Filter()) == []
    assert list(group_starts(learner, [])) == []
    assert last_game_cells(learner) == {}


@LEARNERS
def test_groups_begin_where_the_heading_changes(learner):
    edges = learner.view.cards().tolist()
    headings = [learner.view.card(edge).group for edge in edges]
    changes = [at for at in range(len(edges)) if at == 0 or headings[at] != headings[at - 1]]
    assert list(group_starts(learner, edges)) == [(at, headings[at]) for at in changes]


def test_the_numbers_of_a_card_are_found_in_the_memory():
    card = MICHIE.view.card(int(MICHIE.view.cards()[0]))
    cells = cells_of(MICHIE, card.position, card.thoughts)
    assert {TICTACTOE.move_name(move) for move in cells} == {"a3", "b3", "b2"}
    assert [int(MICHIE.memory[cell]) for cell in cells.values()] == [4, 4, 4]
    card = RIECHEL.view.card(int(RIECHEL.view.cards()[6]))
    assert [int(RIECHEL.memory[cell]) for cell in cells_of(RIECHEL, card.position, card.thoughts).values()] == [7]


def test_the_cells_of_the_last_game_are_those_of_its_moves():
    learner = revive(train(Menace(TICTACTOE, "scroggs", 4), 30))
    learner.last_game = tuple(TICTACTOE.parse_move(0, name) for name in ("c1", "b2"))
    path = [(0, learner.last_game[0]), (TICTACTOE.play(0, learner.last_game[0]), learner.last_game[1])]
    played = {int(learner.cell[SPACE.edge(position, move)]) for position, move in path}
    end = TICTACTOE.play(*path[1])
    left = {int(learner.cell[edge]) for edge in SPACE.edges(end)}
    assert last_game_cells(learner).keys() == played | left, "it resigned at a box that was opened"


def test_a_learner_that_merges_has_one_card_for_symmetric_positions():
    assert not merges_twins(RIECHEL)
    assert merges_twins(MICHIE)
    position = TICTACTOE.from_text("X../.O./... X")
    edges = {shared_card(MICHIE, twin) for twin in SPACE.twins(position)}
    assert len(edges) == 1
    card = MICHIE.view.card(edges.pop())
    assert card.position in SPACE.twins(position)
    assert shared_card(MICHIE, TICTACTOE.from_text("X../.../... O")) is None
    assert shared_card(MICHIE, TICTACTOE.from_text("XXX/OO./...")) is None
