"""The texts of a learner, a memory and an axis."""

from dataclasses import replace

import pytest

from engine.evaluate import scoreboard
from engine.games import parse_game
from engine.space import space_of
from lab.words.learner_facts import FULL, exact_text, facts_text
from lab.words.numbers import percent_number
from lab.words.thoughts import thoughts_text
from learners import parse_player, revive
from learners.core.player import Thought
from learners.failures.learner import FAILURE, OPEN
from learners.menace.learner import Menace
from saves import gallery
from tests.saves.brains import made_up
from tui.play.memory_view import learner_tiles, memory_tile
from tui.widgets.chart import Counts, Decades
from tui.widgets.tiles import placed_on_squares

TICTACTOE = parse_game("tictactoe")
SPACE = space_of(TICTACTOE)
RIECHEL = revive(gallery.load("riechel"), TICTACTOE)


def test_the_facts_of_a_learner():
    snapshot = made_up(TICTACTOE, 3409, seed=7)
    counts = {"games": 9000, "first_wins": 1200, "second_wins": 800, "draws": 7000, "avoided": 571_823}
    learner = revive(replace(snapshot, stats={**snapshot.stats, **counts}), TICTACTOE)
    assert facts_text(learner).plain.splitlines() == [
        "Failure-based reasoner, Tic-tac-toe, literal, seed 7",
        "9,000 games: draws 7,000, X wins 1,200, O wins 800; failures avoided 571,823, failures recorded 3,409",
        "pick uniform, walk back false",
    ]


def test_exact_results_are_aligned():
    lines = exact_text(RIECHEL, scoreboard(RIECHEL.space, RIECHEL.policy()), 80).plain.splitlines()
    assert lines[0].split()[0] == "%"
    assert lines[1].split() == [*["win", "draw", "loss"] * 4, "perfect", "lose"]
    assert [line[:4] for line in lines[2:]] == ["as X", "as O"]
    assert {len(line) for line in lines} == {FULL}
    for line in lines[2:]:
        *shares, perfect, losing = [float(share) for share in line[5:].split()]
        assert len(shares) == 12
        assert 0 < perfect < 100
        assert losing == int(losing) > 0
        assert all(abs(sum(shares[at : at + 3]) - 100) < 0.25 for at in range(0, 12, 3))


@pytest.mark.parametrize(("share", "text"), [(1.0, "100"), (0.0, "0"), (1e-9, "<0.1"), (0.5, "50"), (0.12345, "12.3")])
def test_a_short_share(share, text):
    assert percent_number(share) == text


def test_a_reasoner_shows_its_failures_on_the_board():
    position = TICTACTOE.from_text("X../.../... O")
    tile = memory_tile(RIECHEL, position)
    assert {square: symbol.text for square, symbol in tile.symbols.items()} == {
        **dict.fromkeys(range(1, 9), FAILURE),
        4: OPEN,
    }
    assert tile.caption == "7 of 8"


def test_an_open_capture_leaves_the_enemy_in_sight_and_a_failed_one_does_not():
    game = parse_game("hexapawn")
    position = game.from_text(".BB/.B./W.W W")
    taking = [move for move in game.moves(position) if game.board.squares(position, move)[1] == 4]
    assert len(taking) == 2
    assert placed_on_squares(game, position, [Thought(move, 0.5, OPEN, "") for move in taking]) == {}
    failed = [Thought(move, 0.0, FAILURE, "", excluded=True) for move in taking]
    assert placed_on_squares(game, position, failed)[4] in failed
    mixed = (failed[0], Thought(taking[1], 1.0, OPEN, ""))
    assert placed_on_squares(game, position, mixed) == placed_on_squares(game, position, mixed[::-1]) == {}


def test_a_reasoner_is_shown_with_all_symmetric_twins():
    heading, tiles = learner_tiles(RIECHEL, TICTACTOE.from_text("X../.../... O"))
    assert heading == "! failure  · open  3 symmetric twins"
    assert len(tiles) == 4


@pytest.mark.parametrize("text", ["X../.O./... X", "..X/.O./... X", ".../.O./..X X"])
def test_a_matchbox_is_shown_once_with_the_bead_that_was_drawn(text):
    learner = Menace(TICTACTOE, "michie", 1)
    position = TICTACTOE.from_text(text)
    for drawn in TICTACTOE.moves(position):
        heading, (tile,) = learner_tiles(learner, TICTACTOE.play(position, drawn), (position, drawn))
        assert "l lilac" in heading.split("  ")
        assert tile.caption.startswith("box ")
        after, shown = (
            TICTACTOE.play(position, drawn),
            [square for square in tile.symbols if tile.symbols[square].drawn],
        )
        assert len(shown) == 1
        assert TICTACTOE.play(tile.position, shown[0]) in SPACE.twins(after), "the same move, as the box shows it"
    assert learner_tiles(learner, TICTACTOE.from_text("X../.../... O")) == ("", []), "it has no box for O"


def test_a_machine_for_both_sides_shows_the_box_it_drew_from_and_the_one_of_the_position():
    learner = Menace(TICTACTOE, "scroggs", 1)
    _, tiles = learner_tiles(learner, TICTACTOE.play(TICTACTOE.start, 4), (TICTACTOE.start, 4))
    assert [any(symbol.drawn for symbol in tile.symbols.values()) for tile in tiles] == [True, False]


def test_thoughts_stand_in_columns_that_fit():
    player = parse_player("perfect", TICTACTOE)
    for width in (20, 31, 40, 60):
        heading, *lines = thoughts_text(TICTACTOE, player.thoughts(TICTACTOE.start), width).plain.splitlines()
        assert max(map(len, lines)) <= width
        assert set(heading.split()) == {"knows", "plays"}
        assert {line.index("draws") for line in lines} == {heading.index("knows")}
        entries = " ".join(" ".join(lines).split())
        assert all(f"{TICTACTOE.move_name(move)} draws 11.1 %" in entries for move in range(9))


def test_an_axis_of_decades_names_each_power_of_ten_that_it_has_room_for():
    axis = Decades()
    assert axis.get_labels_for_ticks(axis.get_ticks(0, 5)) == ["1", "10", "100", "1k", "10k", "100k"]
    assert axis.get_labels_for_ticks(axis.get_ticks(0, 8, 4)) == ["1", "1k", "1M"]


@pytest.mark.parametrize(
    ("top", "labels"),
    [
        (1, ["0", "1"]),
        (2, ["0", "1", "2"]),
        (70, ["0", "50"]),
        (6000, ["0", "2k", "4k", "6k"]),
        (6721, ["0", "5k"]),
        (15_000, ["0", "5k", "10k", "15k"]),
    ],
)
def test_an_axis_of_counts_has_round_numbers(top, labels):
    axis = Counts()
    assert axis.get_labels_for_ticks(axis.get_ticks(0, top)) == labels


@pytest.mark.parametrize(
    ("low", "top", "labels"),
    [
        (-70, 0, ["−50", "0"]),
        (-3, 20, ["0", "10", "20"]),
        (-15_000, 15_000, ["−10k", "0", "10k"]),
        (-6000, 0, ["−6k", "−4k", "−2k", "0"]),
    ],
)
def test_an_axis_of_counts_reaches_below_zero(low, top, labels):
    axis = Counts()
    assert axis.get_labels_for_ticks(axis.get_ticks(low, top)) == labels
