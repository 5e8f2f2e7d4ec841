import re
from dataclasses import replace

import pytest

from engine.game import Side
from engine.games import parse_game
from engine.spaces import space_of
from lab.memory.card_filter import Filter, cells_of, group_starts, last_game_cells, merges, select, shared_card
from lab.memory.matchbox import SquareKind
from lab.memory.open_box import before_game, open_box, stages
from learners import parse_player, revive
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from saves import gallery
from tests.saves.brains import train
from tui.widgets.open_box import open_box_lines

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
    assert last_game_cells(learner) == frozenset()


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
    assert last_game_cells(learner) == played | left, "a game that ended by resigning ended at a box that was opened"


def test_a_learner_that_merges_has_one_card_for_symmetric_positions():
    assert not merges(RIECHEL)
    assert merges(MICHIE)
    position = TICTACTOE.from_text("X../.O./... X")
    edges = {shared_card(MICHIE, twin) for twin in SPACE.twins(position)}
    assert len(edges) == 1
    card = MICHIE.view.card(edges.pop())
    assert card.position in SPACE.twins(position)
    assert shared_card(MICHIE, TICTACTOE.from_text("X../.../... O")) is None
    assert shared_card(MICHIE, TICTACTOE.from_text("XXX/OO./...")) is None


OPENING = TICTACTOE.play(TICTACTOE.play(TICTACTOE.start, 4), 0)


def machine(game=TICTACTOE, preset="michie"):
    return Menace(game, preset, 1)


@pytest.mark.parametrize("drawn", [None, *TICTACTOE.moves(OPENING)])
def test_squares_that_share_beads_are_one_group_which_the_drawn_move_stands_for(drawn):
    box = open_box(machine(), OPENING, drawn)
    held = [square for square in box.squares if square.beads is not None]
    twins = [square for square in box.squares if square.twin]
    assert len(held) + len(twins) == len(TICTACTOE.moves(OPENING))
    assert {square.twin for square in twins} <= {square.move for square in held}
    assert sum(square.chance for square in held) == pytest.approx(1)
    assert len({(square.beads, round(square.chance, 9)) for square in held}) == 1, "equal counts, equal chances"
    assert [square.move for square in held if square.look.drawn] == (
        [] if drawn is None else [TICTACTOE.move_name(drawn)]
    )


def test_beads_that_came_or_went_are_told_of_their_move():
    learner = machine()
    box = open_box(learner, OPENING, 1, {int(learner.cell[learner.space.edge(OPENING, 1)]): -2})
    assert [(square.move, square.gained) for square in box.squares if square.gained] == [("b3", -2)]
    first, second = stages(box)
    now = next(square.beads for square in box.squares if square.gained)
    assert [next(each.beads for each in at.squares if each.move == "b3") for at in (first, second)] == [
        now + 2,
        now + 1,
    ]
    before = before_game(box)
    assert sum(square.chance for square in before.squares) == pytest.approx(1)
    assert before.squares[1].beads == now + 2
    assert before.squares[1].look.drawn
    assert not box.squares[1].look.drawn, "the bead that was drawn is gone"


def test_a_box_opens_before_the_bead_is_drawn_from_it():
    box = open_box(machine(), OPENING, 1)
    closed, opened = stages(box)
    assert not any(square.beads for square in closed.squares)
    assert [square.beads for square in opened.squares] == [square.beads for square in box.squares]
    assert not any(square.look.drawn for square in opened.squares)
    assert (closed.note, opened.note) == (box.unseen, box.unseen) != (box.note, box.note)  # the bead is not seen yet
    assert stages(open_box(machine(), OPENING)) == ()


def test_moves_of_pieces_have_their_beads_in_lines_below_the_board():
    start = HEXAPAWN.play(HEXAPAWN.start, HEXAPAWN.moves(HEXAPAWN.start)[0])
    box = open_box(machine(HEXAPAWN, "her"), start)
    assert all(square.look.kind in (SquareKind.PIECE, SquareKind.NOTHING) for square in box.squares)
    assert sum(square.beads for square in box.below) > 0


@pytest.mark.parametrize("player", ["perfect", "random", "minimax:2"])
def test_players_without_beads_tell_words(player):
    box = open_box(parse_player(player, TICTACTOE), OPENING, 1)
    assert [bool(square.words) for square in box.squares if square.move] == [True] * 7


@pytest.mark.parametrize("size", [(48, 30), (33, 13), (20, 9)])
def test_words_that_fit_into_no_square_stand_in_lines_of_their_own(size):
    game = parse_game("connectfour")
    lines = open_box_lines(open_box(parse_player("random", game), game.start), *size)
    told = ["".join(segment.text for segment in line) for line in lines]
    assert [line[0] for line in told if "1 of 7" in line] == [*"abcdefg"]


def test_no_board_stands_above_the_moves_if_nothing_but_moves_is_on_it():
    game = parse_game("nim:3,4,5")
    lines = open_box_lines(open_box(parse_player("perfect", game), game.start), 28, 24)
    assert len(lines) == len(game.moves(game.start)) == 12


@pytest.mark.parametrize("size", [(38, 11), (52, 16), (29, 8), (12, 3), (90, 40)])
@pytest.mark.parametrize("beads", [0, 1, 14, 12_345])
def test_it_fills_its_room_and_says_the_count_of_beads_where_they_do_not_fit(size, beads):
    learner = machine()
    learner.memory[learner.boxes.cells] = beads
    lines = open_box_lines(open_box(learner, OPENING, 1), *size)
    assert max(sum(len(segment.text) for segment in line) for line in lines) <= size[0]
    text = "\n".join("".join(segment.text for segment in line) for line in lines)
    assert len(lines) <= size[1]
    if size[0] >= 29 and size[1] >= 8:
        assert f"{beads:,}" in text if beads else re.search("no beads| – ", text)


@pytest.mark.parametrize("width", range(17, 50))
def test_the_beads_of_all_squares_are_counted_in_the_same_way(width):
    learner = machine()
    box = open_box(learner, TICTACTOE.start, None)
    first, *others = (square for square in box.squares if square.beads is not None)
    squares = [replace(square, beads=1 if square is first else square.beads) for square in box.squares]
    lines = open_box_lines(replace(box, squares=tuple(squares)), width, 8)
    text = "".join(segment.text for line in lines for segment in line)
    assert ("1 bead " in text) == (f"{others[0].beads} beads" in text)
