from itertools import permutations
from time import process_time

import pytest

from engine.evaluate import scoreboard
from engine.game import Side
from engine.games import GAMES, parse_game
from engine.spaces import space_of
from lab.board.seating import machine_for
from lab.memory.card_filter import shared_card
from lab.results.exact_results import exact_of
from lab.results.score_lines import READER_NOTE
from lab.results.tables import by_opponent_text, worst_case_text
from learners import parse_player, revive
from learners.menace.learner import Menace
from learners.players.levels import exact_results
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import made_up, train
from tests.tui.piloting import is_shown, make_app, running, squares_on, two_people
from tui.play import views
from tui.play.board_panel import BoardPanel
from tui.play.players_dialog import PlayersDialog
from tui.play.views import ExactResultsView
from tui.widgets.board import BoardView
from tui.widgets.board_cursor import middle_of
from tui.widgets.board_square import LAST_MOVE
from tui.widgets.open_box import OpenBoxView
from tui.widgets.wall import Wall


async def turn(pilot, plies):
    await pilot.until(lambda: len(pilot.moves) == plies)


async def play(pilot, *squares):
    for square in squares:
        before = len(pilot.moves)
        await pilot.press(str(square))
        await turn(pilot, before + 1)


async def choose_players(pilot, game=None, opponent=None):
    await pilot.press("o")
    await pilot.until(lambda: isinstance(pilot.screen, PlayersDialog) and pilot.screen.opponents.everybody)
    dialog = pilot.screen
    if game:
        await pilot.pick("#players-game", game)
    if opponent:
        await find_opponent(pilot, opponent)
    await pilot.click("#players-play")
    await pilot.until(lambda: pilot.screen is not dialog)


async def find_opponent(pilot, opponent):
    opponents = pilot.screen.opponents
    opponents.focus()
    await pilot.press("home")
    while opponents.selected.label != opponent:
        before = opponents.cursor
        await pilot.press("down")
        assert opponents.cursor > before


def square_offset(board, square):
    """A point within a square, seen from the board's corner."""
    left, top = board._origin
    width, height = board.cell_size
    row, column = divmod(square, 3)
    return left + 2 + column * (width + 1) + width // 2, top + row * (height + 1) + height // 2


@pytest.mark.long
async def test_a_new_user_plays_a_gallery_save_that_gives_its_reason(pilot):
    await pilot.seated("human", "save:riechel")
    assert pilot.state_of() == "your move"
    await pilot.press("5")
    await turn(pilot, 2)
    assert pilot.moves[0] == 4
    answer = pilot.session.game.move_name(pilot.moves[1])
    await pilot.until(lambda: pilot.news.startswith(f"O {answer}: "))
    assert pilot.text_of("#moves") == f"1. b2  2. {answer}"
    box = pilot.screen.query_one(OpenBoxView).box
    drawn = [number for number, square in enumerate(box.squares) if square.look.drawn]
    assert drawn == [pilot.moves[1]], "the box that it used last, with what it played"


async def test_arrows_and_enter_play_and_wrap_around_the_edges_and_no_square_twice():
    async with two_people() as pilot:
        for keys, square in (
            (["up", "left", "enter"], 0),
            (["left", "enter"], 2),
            (["up", "enter"], 8),
            (["right", "enter"], 6),
            (["left", "up", "enter"], 5),
            (["down", "left", "enter"], 7),
        ):
            await pilot.press(*keys)
            assert pilot.moves[-1] == square
        assert pilot.moves == [0, 2, 8, 6, 5, 7]
        await pilot.press("1")
        assert pilot.state_of() == "a3 is taken"
        await play(pilot, 2)
        assert pilot.state_of() == "O to move"
        pilot.screen.pick(3)
        pilot.screen.pick(3)  # before the first is shown
        await pilot.until(lambda: pilot.moves[-1] == 3)
        assert pilot.screen.query_one(BoardPanel).refused == "a2 is taken"


@pytest.mark.long
@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40)])
async def test_a_click_plays_the_square_under_it(size):
    async with two_people(size=size) as pilot:
        board = pilot.screen.query_one(BoardView)
        for square in (0, 8, 4, 2, 6):
            await pilot.click(BoardView, offset=square_offset(board, square))
            await pilot.until(lambda square=square: pilot.moves[-1:] == [square])
        await pilot.click(BoardView, offset=(0, 0))
        await pilot.pause()
        assert len(pilot.moves) == 5


@pytest.mark.long
async def test_a_pick_while_the_machine_thinks_does_nothing(pilot, monkeypatch):
    monkeypatch.setattr("tui.play.steps.THINKING_TIME", 1000)
    await pilot.seated("human", "save:riechel")
    await pilot.press("5", "1", "2")
    await turn(pilot, 1)
    assert pilot.state_of() == "riechel is thinking …"


async def test_a_game_goes_on_after_a_look_at_the_opponents_and_another_begins_by_a_key(pilot):
    await pilot.seated("human", "save:riechel")
    await pilot.press("5")
    await turn(pilot, 2)
    before = list(pilot.moves)
    await pilot.press("o")
    await pilot.arrived(PlayersDialog)
    await pilot.press("escape")
    await pilot.seated()
    assert pilot.moves == before
    await pilot.press("n")
    await turn(pilot, 0)


@pytest.mark.long
async def test_hexapawn_is_chosen_in_the_dialog_and_played_with_two_picks_and_answered(pilot):
    await pilot.seated("human", "save:riechel")
    await choose_players(pilot, game="hexapawn", opponent="perfect")
    await pilot.seated("human", "perfect")
    assert pilot.session.game.name == "hexapawn"
    board = pilot.screen.query_one(BoardView)
    assert board.open_squares == {6, 7, 8}
    await pilot.press("8")
    await pilot.until(lambda: board.chosen == (7,))
    assert "now the next square" in pilot.state_of()
    assert board.open_squares == {4}
    await pilot.press("up", "enter")
    await turn(pilot, 2)
    game = pilot.session.game
    assert game.move_name(pilot.moves[0]) == "b1b2"
    answer = game.move_words(pilot.session.match.positions[1], pilot.moves[1])
    assert not pilot.news, "why it is best is not told until it is asked for"
    await pilot.press("x")
    await pilot.until(lambda: pilot.news.startswith(f"B {answer}: it wins in "))


@pytest.mark.long
async def test_another_pawn_can_be_picked_and_a_bad_target_cancels_the_pick():
    async with two_people("hexapawn") as pilot:
        board = pilot.screen.query_one(BoardView)
        for key, chosen in (("7", (6,)), ("enter", ()), ("9", (8,)), ("8", (7,))):
            await pilot.press(key)
            await pilot.until(lambda chosen=chosen: board.chosen == chosen)
            assert "cannot" not in pilot.state_of()
        await pilot.press("1")
        await pilot.until(lambda: board.chosen == ())
        assert pilot.state_of() == "a3 belongs to B"
        await pilot.press("4")
        await pilot.until(lambda: pilot.state_of() == "a2 is empty: pick a piece")
        assert pilot.moves == []


async def test_digits_pick_a_stone_in_the_heap_of_the_cursor_and_show_what_goes_with_it():
    async with two_people("nim:3,4,5") as pilot:
        board, shown = pilot.screen.query_one(BoardView), pilot.screen_text
        assert [shown.count(f"█{digit}█") for digit in "12345"] == [1, 1, 1, 1, 0], "those of the heap in the middle"
        assert pilot.screen_text.count("┌") == len("cd"), "two stones go"
        await pilot.press("down", "3")
        await pilot.until(lambda: [board.game.move_name(move) for move in pilot.moves] == ["c1"])
        await pilot.press("up", "up", "2")
        await pilot.until(lambda: [board.game.move_name(move) for move in pilot.moves] == ["c1", "b3"])


async def test_a_board_shows_each_game_after_any_other_wherever_the_cursor_was(pilot):
    board = pilot.screen.query_one(BoardView)
    for one, other in permutations(map(parse_game, ("tictactoe", "hexapawn", "nim:3,4,5", "connectfour")), 2):
        board.show(one, one.start)
        board.cursor = len(one.board.cells(one.start)) - 1
        board.show(other, other.start)
        assert board.cursor == board.validate_cursor(middle_of(other))


@pytest.mark.long
async def test_after_a_pawn_is_picked_the_digits_pick_in_the_nearest_row_where_it_can_go():
    async with two_people("hexapawn:4,3") as pilot:
        board = pilot.screen.query_one(BoardView)
        await pilot.press("4")
        await pilot.until(lambda: board.chosen == (11,))
        await pilot.press("4")
        await pilot.until(lambda: [board.game.move_name(move) for move in pilot.moves] == ["d1d2"])


@pytest.mark.long
async def test_choosing_an_opponent_with_a_pawn_picked_starts_a_new_game():
    async with two_people("hexapawn") as pilot:
        board = pilot.screen.query_one(BoardView)
        await pilot.press("7")
        await pilot.until(lambda: board.chosen == (6,))
        await choose_players(pilot, game="tictactoe", opponent="random")
        await pilot.until(lambda: pilot.session.labels == ("human", "random"))
        assert pilot.session.game.name == "tictactoe"
        assert pilot.state_of() == "your move"
        assert board.chosen == ()
        assert pilot.shown_messages == []


@pytest.mark.long
async def test_machines_are_paused_and_go_on():
    async with running(make_app(first="random", second="random")) as pilot:
        await pilot.until(lambda: pilot.session.match.outcome is not None)
        await pilot.press("space", "n")
        await pilot.until(lambda: pilot.state_of() == "paused · Space goes on")
        await pilot.press("space")
        await pilot.until(lambda: pilot.session.match.outcome is not None)


@pytest.mark.long
async def test_the_usual_machine_takes_the_seat_of_a_player_that_does_not_exist():
    async with running(make_app(second="save:nobody")) as pilot:
        await pilot.seated("human", machine_for(GAMES[0]))
        await pilot.until(lambda: pilot.screen.advice.text)
        assert pilot.screen.advice.text in pilot.news
        await pilot.press("5")  # a first move of the person
        await pilot.until(lambda: not pilot.screen.advice.text)


@pytest.mark.long
async def test_a_machine_stops_thinking_when_its_move_is_no_longer_wanted():
    async with running(make_app("connectfour", "minimax:20", "human")) as pilot:

        def thinking():
            return [each for each in pilot.app.workers if each.group == "thinking" and each.is_running]

        await pilot.until(thinking)
        await pilot.press("s")
        await pilot.until(lambda: not thinking())
        assert pilot.moves == []
        await pilot.press("s")
        await pilot.until(thinking)
        begun = process_time()
    assert process_time() - begun < 5  # else it would think for weeks


@pytest.mark.long
@pytest.mark.parametrize("name", ["players", "copy", "games"])
async def test_nothing_opens_over_a_mode_that_was_opened_at_once(pilot, name):
    await pilot.seated("human", "save:riechel")
    worker = getattr(pilot.screen, f"action_{name}")()
    await pilot.app.switch_mode("library")
    await pilot.until(lambda: worker.is_finished)
    assert [screen.mode for screen in pilot.app.screen_stack] == ["library"]


@pytest.mark.parametrize("game", ["tictactoe", "connectfour", "nim:3,4,5"])
async def test_the_square_under_the_cursor_is_lit_and_no_other(game):
    async with two_people(game) as pilot:
        board = pilot.screen.query_one(BoardView)
        for key in ("right", "right", "up", "left", "down"):
            await pilot.press(key)
            stones = game.startswith("nim")
            columns, square = board.game.board.columns, board.pointed(board.cursor)
            taken = {square + more for more in range(columns - square % columns)} if stones else {square}
            cells = board.game.board.cells(board.position)
            assert squares_on(board, "cursor") == {each for each in taken if not stones or cells[each] is not None}


@pytest.mark.long
async def test_a_winning_row_lights_up_until_a_key_ends_that(monkeypatch):
    monkeypatch.setattr("tui.widgets.board_motion.LIGHT_SECONDS", 1000)
    async with two_people() as pilot:
        board = pilot.screen.query_one(BoardView)
        await pilot.press("1", "4", "2", "5", "3")
        await pilot.until(lambda: board.row)
        assert board.lit_count == 0
        assert squares_on(board, "row") == set()
        await pilot.press("right")
        assert board.lit_count == 3
        assert squares_on(board, "row") == {0, 1, 2}
        assert squares_on(board, "cursor") == set()  # the game is over
        assert pilot.state_of("#play-news").startswith("X 1 : 0 O")
        await pilot.press("enter")
        await pilot.until(lambda: board.row == ())
        assert board.lit_count == 0


async def test_a_bead_becomes_a_mark_and_any_key_ends_that(monkeypatch):
    monkeypatch.setattr("tui.widgets.board_motion.BEAD_SECONDS", 1000)
    monkeypatch.setattr("tui.widgets.open_box.STEP_SECONDS", 1000)
    async with running(make_app(second="save:michie")) as pilot:
        await pilot.seated()
        await pilot.press("s")
        await pilot.until(lambda: len(pilot.session.match.moves) == 1)
        board, box = pilot.screen.query_one(BoardView), pilot.screen.query_one(OpenBoxView)
        await pilot.until(lambda: board.motion.arriving.steps_left and box.motion.steps_left)
        assert LAST_MOVE not in pilot.screen_text
        assert "drew" not in pilot.state_of("#play-box")
        await pilot.press("down")
        assert not board.motion.arriving.steps_left
        assert not box.motion.steps_left
        await pilot.until(lambda: LAST_MOVE in pilot.screen_text and "drew" in pilot.state_of("#play-box"))


@pytest.mark.long
async def test_a_bead_waits_until_its_box_may_be_seen(monkeypatch):
    """The box stays closed while the exact results are not known: they tell whether it gives the best move away."""
    monkeypatch.setattr("tui.widgets.board_motion.BEAD_SECONDS", 1000)
    known, found = ExactResultsView.known, []
    monkeypatch.setattr(ExactResultsView, "known", lambda view, player: known(view, player) if found else None)
    async with running(make_app(second="save:michie")) as pilot:
        await pilot.seated()
        await pilot.press("s")
        await pilot.until(lambda: len(pilot.session.match.moves) == 1)
        board = pilot.screen.query_one(BoardView)
        await pilot.come_to_rest()
        assert not board.motion.arriving.steps_left
        found.append(True)
        pilot.screen.draw()
        await pilot.until(lambda: board.motion.arriving.steps_left)


async def test_the_card_under_the_cursor_of_the_wall_opens_until_escape_or_a_move():
    async with running(make_app(second="save:michie")) as pilot:
        await pilot.seated()
        await pilot.press("s")
        await turn(pilot, 1)
        await pilot.until(lambda: opened(pilot) == "Matchbox 1")
        await pilot.press("tab", "right", "right")
        await pilot.until(lambda: opened(pilot) == "Matchbox 3")
        await pilot.press("escape")
        await pilot.until(lambda: opened(pilot) == "Matchbox 1")
        wall = pilot.screen.query_one(Wall)
        await pilot.click(Wall, offset=(wall._spacing[0] + 1, 1))
        assert wall.has_focus
        await pilot.press("end")
        await pilot.until(lambda: opened(pilot) == f"Matchbox {len(wall.edges)}")
        await pilot.press(str(next(iter(pilot.session.moves_by_squares()))[0] + 1))
        await turn(pilot, 3)
        last = pilot.session.match.positions[2]
        await pilot.until(lambda: pilot.screen.query_one(OpenBoxView).box.title == opened(pilot))
        player = pilot.session.seats[0]
        assert opened(pilot).endswith(f" {player.view.card(shared_card(player, last)).caption}")


def opened(pilot):
    return pilot.title_of("#play-box")


async def test_the_card_of_the_position_on_the_board_stays_closed_until_the_x_ray_is_asked():
    game = parse_game("hexapawn")
    Library(library_path()).save("pawns", made_up(game, 40))
    async with running(make_app("hexapawn", first="human", second="save:pawns")) as pilot:
        await pilot.seated("human", "save:pawns")
        view, wall, box = (
            pilot.session.seats[1].view,
            pilot.screen.query_one(Wall),
            pilot.screen.query_one(OpenBoxView),
        )
        await pilot.press("tab")
        wall.go_to(next(at for at, edge in enumerate(wall.edges) if view.card(edge).position == game.start))
        await pilot.until(lambda: not box.display)
        await pilot.press("x")
        await pilot.until(lambda: box.display)


@pytest.mark.long
async def test_the_game_and_the_opponent_come_back_after_quitting():
    app = make_app()
    app.recalls_seats = True
    async with running(app) as pilot:
        await pilot.until(lambda: pilot.screen.is_ready and pilot.session.has_person)
        await pilot.until(lambda: pilot.screen.table.can_move)
        await pilot.press("F", "F")
        await pilot.until(lambda: pilot.session.games == 1)
        await pilot.press("n")
        await pilot.until(lambda: pilot.screen.table.can_move)
        before = len(pilot.session.match.moves)
        free = next(iter(pilot.session.moves_by_squares()))
        pilot.screen.pick(free[0])
        await pilot.until(lambda: len(pilot.session.match.moves) == before + 2)
        left = pilot.session.labels, [*pilot.session.match.moves], pilot.screen.table.learning
        points = pilot.session.points
    again = make_app()
    again.recalls_seats = True
    async with running(again) as pilot:
        await pilot.until(lambda: pilot.screen.is_ready and pilot.screen.table.can_move)
        await pilot.until(lambda: pilot.session.labels == left[0])
        assert (pilot.session.match.moves, pilot.screen.table.learning) == left[1:]
        assert (pilot.session.points, pilot.session.results) == (points, [-1])


@pytest.mark.long
async def test_hexapawn_seats_a_person_on_the_side_that_wins_without_saying_so():
    async with running(make_app("hexapawn")) as pilot:
        await pilot.seated()
        assert pilot.session.labels[1] == "human"
        await pilot.press("n")
        await pilot.until(lambda: pilot.moves and pilot.session.game.how_to_move in pilot.news)
        assert "best play" not in pilot.news, "who wins is not told before it is asked for"


TICTACTOE = parse_game("tictactoe")
SIZES = [(60, 20), (80, 24), (120, 40)]


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
async def test_the_results_of_the_machine_are_shown_beside_the_board(size):
    app = make_app("tictactoe", "human", "minimax:2")
    exact = scoreboard(space_of(TICTACTOE), parse_player("minimax:2", TICTACTOE).policy())
    async with running(app, size=size) as pilot:
        await pilot.until(lambda: "reader" in pilot.exact_table)
        told = {side.name.lower(): exact[side.name.lower()] for side in (Side if size[0] >= 120 else [Side.SECOND])}
        sentence = worst_case_text(TICTACTOE, {"second": exact["second"]})
        if not pilot.screen.query_one("#exact-table").region:
            await pilot.press("f")
        table = by_opponent_text(TICTACTOE, told, losses_only=size[0] < 80).plain
        await pilot.until(lambda: pilot.exact_table == f"{sentence}\n{table}\n{READER_NOTE}")
        await pilot.press("s")
        await pilot.until(lambda: pilot.exact_table.startswith("As X "))


@pytest.mark.long
async def test_exact_results_are_computed_once_and_again_when_the_machine_has_learned(monkeypatch):
    sought = []
    monkeypatch.setattr(views, "exact_results", lambda *given: sought.append(given) or exact_results(*given))
    Library(library_path()).save("a", train(Menace(TICTACTOE, "scroggs", 1), 10))
    app = make_app("tictactoe", "human", "save:a")
    async with running(app) as pilot:
        await pilot.until(lambda: "reader" in pilot.exact_table)
        before = pilot.exact_table
        await pilot.press("n", "s", "s", "n")
        await pilot.pause()
        assert len(sought) == 1
        learned = revive(train(Menace(TICTACTOE, "scroggs", 1), 500))
        learned.label = "save:a"
        app.screen.session.replace_player(learned)
        app.screen.draw()
        await pilot.until(lambda: pilot.exact_table not in (before, "…"))
        assert len(sought) == 2
        assert pilot.exact_table.startswith(worst_case_text(TICTACTOE, {"second": exact_of(learned)["second"]}))


@pytest.mark.long
async def test_there_are_no_exact_results_for_a_large_game_or_without_a_machine():
    async with running(make_app("connectfour", "human", "alphabeta:2"), size=(120, 40)) as pilot:
        await pilot.until(lambda: pilot.exact_table == "Connect Four is too large for exact results.")
    async with two_people("tictactoe", size=(120, 40)) as pilot:
        assert "exactly" not in pilot.screen_text


@pytest.mark.parametrize(
    "size", [pytest.param(each, marks=pytest.mark.long) if each != (80, 24) else each for each in SIZES]
)
async def test_no_panel_changes_its_size_with_a_hint_the_end_of_a_game_or_the_tour(size):
    app = make_app()
    app.recalls_seats = True

    def sizes():
        return [app.screen.query_one(each).outer_size for each in ("#play-board", "#board", "#play-box", "#play-news")]

    async with running(app, size=size) as pilot:
        await pilot.until(lambda: app.screen.is_ready and app.screen.table.can_move)
        await pilot.until(lambda: all(each.area for each in sizes()))
        before = sizes()
        await pilot.press("h", "h")
        await pilot.until(lambda: app.screen.advice.text)
        assert sizes() == before
        await pilot.press("F", "F")
        await pilot.until(lambda: app.screen.table.lessons)
        assert sizes() == before
        await pilot.press("f2")
        await pilot.until(lambda: is_shown(app.screen.query_one("#tour")))
        assert sizes() == before


async def test_a_line_of_the_board_asks_once_for_all_cells(monkeypatch):
    async with two_people("mnk:9,9,5", size=(120, 40)) as pilot:
        board, asked = pilot.screen.query_one(BoardView), []
        cells = type(board.game.board).cells
        monkeypatch.setattr(type(board.game.board), "cells", lambda *of: asked.append(of) or cells(*of))
        line = board.cell_size[1] + board._origin[1]
        for y in range(line - 1):
            asked.clear()
            board.render_line(y)
            assert len(asked) <= 2, "of the board, and for the texts of its squares"
