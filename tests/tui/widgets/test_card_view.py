"""A card in detail, boards of moves and bars of exact results, as text."""

import pytest

from engine.games import parse_game
from engine.match import Match
from lab.memory.card_filter import cells_of
from lab.results.exact_results import exact_of
from lab.text.numbers import spark
from learners import parse_learner, revive
from learners.menace.learner import Menace
from learners.players.plain import PerfectPlayer
from saves import gallery
from tests.saves.brains import train
from tests.sizes import QUICK_GAMES
from tui.widgets.card_view import MAX_HISTORY, card_heading, card_text, histories, listed_thoughts
from tui.widgets.exact_bars import AIRY_ROWS, GLYPHS, SIDE_ROWS, exact_bars
from tui.widgets.game_boards import boards_text, random_game
from tui.widgets.palette import PLAIN

TICTACTOE, HEXAPAWN = parse_game("tictactoe"), parse_game("hexapawn")
RIECHEL = revive(gallery.load("riechel"))


def trained(games=500):
    learner = Menace(TICTACTOE, "michie", 3)
    learner.set_opponent(PerfectPlayer(TICTACTOE))
    return revive(train(learner, games))


MICHIE = trained()
WIDTHS = pytest.mark.parametrize("width", [43, 56, 76])


def test_the_bars_of_a_history_are_proportional_to_its_numbers():
    assert spark([0, 1, 2, 3, 4, 5, 6, 7], 7, 10) == "·▁▂▃▄▅▆▇"
    assert spark([0, 1, 1000], 1000, 10) == "·▁▇"
    assert spark([0, 0], 0, 10) == "··"


@pytest.mark.parametrize("width", [1, 2, 6, 24])
def test_a_long_history_keeps_its_last_number_and_from_two_on_its_first(width):
    shown = spark([7, *[1] * 98, 0], 7, width)
    assert len(shown) == width
    assert width == 1 or (shown[0], shown[-1]) == ("▇", "·")


@pytest.mark.parametrize("learner", [RIECHEL, MICHIE], ids=lambda learner: learner.preset)
def test_the_probabilities_of_listed_moves_are_those_of_the_policy_and_sum_to_one(learner):
    policy, cell = learner.policy(), learner.cell
    for edge in learner.view.cards().tolist()[:: len(learner.view.cards()) // 50]:
        card = learner.view.card(edge)
        moves = listed_thoughts(learner, card)
        edges = learner.space.edges(card.position)
        for thought in moves:
            own = cell[learner.space.edge(card.position, thought.move)]
            shared = sum(policy[each] for each in edges if cell[each] == own)
            assert thought.chance == pytest.approx(shared)
        assert {cell[learner.space.edge(card.position, thought.move)] for thought in moves} == {
            cell[each] for each in edges
        }


@WIDTHS
def test_a_card_shows_its_position_its_moves_and_how_often_it_was_opened(width):
    edge = int(MICHIE.view.cards()[0])
    lines = card_text(MICHIE, edge, width).plain.splitlines()
    assert max(map(len, lines)) <= width
    assert card_heading(MICHIE, edge) == ["Box 1", "X, move 1", "opened 500 times"]
    card = MICHIE.view.card(edge)
    for thought in card.thoughts:
        assert any(TICTACTOE.move_name(thought.move) in line and thought.words in line for line in lines)


def test_each_move_has_its_history_over_the_games():
    card = MICHIE.view.card(int(MICHIE.view.cards()[0]))
    numbers = histories(MICHIE, card.position, card.thoughts)
    assert list(MICHIE.history.checkpoints) == [1, 2, 5, 10, 20, 50, 100, 200, 500]
    for move, cell in cells_of(MICHIE, card.position, card.thoughts).items():
        assert numbers[move] == [
            *(int(each.memory[cell]) for each in MICHIE.history.checkpoints.values()),
            MICHIE.memory[cell],
        ]
    most = max(map(max, numbers.values()))
    text = card_text(MICHIE, int(MICHIE.view.cards()[0]), 76).plain
    assert all(spark(line, most, MAX_HISTORY) in text for line in numbers.values())


def test_without_memories_at_the_checkpoints_no_history_is_shown():
    edge = int(RIECHEL.view.cards()[0])
    card = RIECHEL.view.card(edge)
    assert histories(RIECHEL, card.position, card.thoughts) == {}
    assert "so far" not in card_text(RIECHEL, edge, 76).plain


def test_a_failure_is_listed_among_the_other_moves_of_its_position():
    edge = int(RIECHEL.view.cards()[5])
    heading, *lines = card_text(RIECHEL, edge, 76).plain.splitlines()
    assert card_heading(RIECHEL, edge) == ["Failure 6: O b2"]
    assert [line.split()[-2:] for line in lines if "open" in line] == [["100", "%"]]
    assert sum("failure" in line for line in lines) == 5
    assert "b2  failure 6 " in lines[0]
    assert {len(line.rstrip()) for line in lines if "%" in line} == {heading.index("chance") + len("chance")}


@WIDTHS
def test_a_box_for_a_game_of_moving_pieces_lists_all_moves(width):
    learner = Menace(HEXAPAWN, "her", 1)
    for edge in learner.view.cards().tolist():
        text = card_text(learner, edge, width).plain
        assert max(map(len, text.splitlines())) <= width
        assert all(HEXAPAWN.move_name(thought.move) in text for thought in learner.view.card(edge).thoughts)


MOVES = 4, 0, 8, 2, 1, 7, 3


@pytest.fixture
def match():
    match = Match(parse_game("tictactoe"))
    for move in MOVES:
        match.play(move)
    return match


@pytest.mark.parametrize(
    ("size", "marks", "row"), [((33, 5), "XO", "│ · X · │"), ((55, 25), "XO", "│ ·   X   · │"), ((90, 60), "█", "▀█")]
)
def test_the_boards_are_in_the_largest_form_of_which_all_fit(match, size, marks, row):
    drawn = boards_text(match, 1, size, PLAIN).plain
    assert set("XO█") & {*drawn} == set(marks)
    assert row in drawn


def test_moves_to_come_have_empty_frames_until_the_game_is_over(match):
    assert boards_text(match, 1, (90, 60), PLAIN).plain.count("╭") == 9
    match.resigned = True
    assert boards_text(match, 1, (90, 60), PLAIN).plain.count("╭") == len(MOVES)


@pytest.mark.parametrize("game", QUICK_GAMES, ids=str)
def test_the_example_of_a_game_is_always_the_same_one_and_ends(game):
    match = random_game(game)
    assert match.outcome is not None
    assert match.moves == random_game.__wrapped__(game).moves


@pytest.mark.parametrize("at", range(1, len(MOVES) + 1))
def test_the_board_after_the_chosen_move_is_among_those_that_fit(match, at):
    shown = boards_text(match, at, (20, 5), PLAIN)
    first = min(at, len(MOVES) - 1)
    assert [name for name in shown.plain.split() if name.isalnum() and name[-1].isdigit()] == [
        match.game.move_name(move) for move in MOVES[first - 1 : first + 1]
    ]
    [lit] = [span for span in shown.spans if span.style == PLAIN.lit and shown.plain[span.start] == "╭"]
    assert (lit.start > 9) == (at == len(MOVES))


STYLES = ("green", "dim", "red")


def test_a_bar_for_each_side_and_opponent_shows_what_is_won_drawn_and_lost():
    learner = parse_learner("failures")(parse_game("tictactoe"), "literal", 1)
    exact = exact_of(learner)
    lines = exact_bars(learner, exact, 76, STYLES).plain.split("\n")
    assert len(lines) == SIDE_ROWS * len(exact) - 1
    assert max(map(len, lines)) <= 76
    bars = [line for line in lines if set(line) & set(GLYPHS)]
    assert len({sum(line.count(glyph) for glyph in GLYPHS) for line in bars}) == 1
    for line, share in zip(bars, exact["first"].against.values(), strict=False):
        assert abs(line.count(GLYPHS[2]) / sum(map(line.count, GLYPHS)) - share.loss) < 0.03
    airy = exact_bars(learner, exact, 76, STYLES, airy=True).plain.split("\n")
    assert len(airy) == AIRY_ROWS * len(exact) - 1
    assert list(filter(None, airy)) == list(filter(None, lines))


def test_a_game_without_draws_has_no_column_for_them():
    learner = parse_learner("failures")(parse_game("hexapawn"), "literal", 1)
    text = exact_bars(learner, exact_of(learner), 60, STYLES)
    assert "draw" not in text.plain
