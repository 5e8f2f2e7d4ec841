"""The dialog to choose an opponent, without Play: what it lists, says and returns."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from textual.content import Content
from textual.widgets import Button

from engine.analysis.rating import rate_moves
from engine.game import Outcome
from engine.games import parse_game
from engine.match import Record
from engine.stop import Stopped
from lab.board import opponents as roster
from lab.board.opponent_strength import player_sentence, strength_text
from lab.board.opponents import MAX_SORTED, SEATS, Levels, sort_by_strength
from lab.board.seating import Seating, Sides
from learners import parse_player
from learners.core.learner import PERSON
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from learners.players.levels import Foresight
from saves.entry import Entry
from saves.library.library import Library
from saves.paths import library_path
from tests.tui.piloting import LASTING, make_app, running, two_people
from tests.waiting import wait_until
from tui.play.opponent_list import OpponentList
from tui.play.players_dialog import WATCH, MoveDialog, PlayersDialog, read_opposition
from tui.shell.parts import ChoiceList, Tick

TICTACTOE = parse_game("tictactoe")
NEWCOMER = Seating(TICTACTOE, PERSON, "save:riechel")
OPEN = "nobody has chosen yet"
FOUND: Levels = {}
"""The levels that earlier tests have computed: later ones need not compute them again."""


@pytest.fixture(autouse=True)
def _letters_are_one_search(monkeypatch):
    """A busy machine may take longer between two letters than a person does."""
    monkeypatch.setattr("tui.play.opponent_list.TYPING_PAUSE", LASTING)


def dialog_of(pilot, seating=NEWCOMER, proposed=""):
    return PlayersDialog(seating, read_opposition(pilot.app.library, seating.game), proposed)


async def opened(pilot, seating=NEWCOMER):
    """Open the dialog, and compute all levels; return it with a list, which holds its result once it is closed."""
    pilot.app.levels.update(FOUND)
    dialog, result = dialog_of(pilot, seating), [OPEN]

    def chosen(seating):
        result[0] = seating

    pilot.app.push_screen(dialog, chosen)
    await pilot.until(lambda: in_sight(dialog.opponents))  # also before their levels are there
    await pilot.until(lambda: not dialog._computing)
    assert in_sight(dialog.opponents)
    FOUND.update(pilot.app.levels)
    return dialog, result


def in_sight(opponents):
    return 0 <= opponents.cursor - opponents.scroll_offset.y < opponents.size.height


async def closed(pilot, result):
    await pilot.until(lambda: result[0] is not OPEN)
    return result[0]


def description(pilot):
    """What is told of the opponent under the cursor."""
    return pilot.text_of("#players-about")


def choice(pilot, name):
    return pilot.screen.query_one(f"#players-{name}", ChoiceList)


async def pick(pilot, name, value):
    await pilot.pick(f"#players-{name}", value)


def play_button(pilot):
    return pilot.screen.query_one("#players-play", Button)


def labels(dialog):
    return [each.label for each in dialog.opponents.everybody]


def title(pilot):
    return Content.from_markup(pilot.screen.query_one(".dialog").border_title).plain.partition(" · ")[0]


@pytest.mark.long
async def test_opponents_are_listed_by_level_and_the_selected_one_is_described(pilot):
    dialog, result = await opened(pilot)
    everybody = dialog.opponents.everybody
    assert {each.key for each in everybody} - {*dialog.levels} == {("tictactoe", PERSON, "")}
    assert dialog.selected.label == "save:riechel"
    await pilot.sees("riechel ■■■·· good Failure-based")
    for key in ("home", "down", "pagedown", "up", "end"):
        await pilot.press(key)
        chosen = dialog.selected
        told = f"{player_sentence(chosen)} {strength_text(TICTACTOE, chosen, dialog.levels.get(chosen.key))}"
        assert description(pilot).startswith(told.lstrip())
    assert dialog.opponents.cursor == len(everybody) - 1
    await pilot.press("m", "i", "c")
    assert dialog.selected.label == "save:michie"
    assert description(pilot).endswith("It plays X only: you play O.")
    side = choice(pilot, "side")
    assert (side.value, {*side.values}) == ("second", {"second", WATCH})
    await pilot.press("up")
    assert (side.value, {*side.values}) == ("first", {*SEATS, WATCH})
    await pilot.press("down")
    await pilot.press("enter")
    assert await closed(pilot, result) == Seating(TICTACTOE, "save:michie", PERSON)

    known = dict(pilot.app.levels)
    dialog, result = await opened(pilot, Seating(TICTACTOE, PERSON, PERSON))
    assert (dialog.selected.label, [*dialog.opponents.everybody]) == (PERSON, sort_by_strength(everybody, known))
    assert pilot.app.levels == known
    await pilot.press("escape")
    assert await closed(pilot, result) is None


async def test_the_dialog_returns_side_series_and_game_or_two_machines():
    async with running(size=(60, 20)) as pilot:
        seating = Seating(TICTACTOE, "perfect", PERSON, Sides.ALTERNATE, 5)
        dialog, result = await opened(pilot, seating)
        assert dialog.selected.label == "perfect"
        await pilot.click(play_button(pilot))
        assert await closed(pilot, result) == replace(seating, first=PERSON, second="perfect")

        dialog, result = await opened(pilot)
        await pick(pilot, "game", "connectfour")
        await pick(pilot, "side", "second")
        await pick(pilot, "series", 10)
        await pilot.until(lambda: "alphabeta:4" in labels(dialog) and not dialog._computing)
        dialog.opponents.focus()
        dialog.opponents.scroll_to(y=labels(dialog).index("alphabeta:4"), animate=False, immediate=True)
        line = labels(dialog).index("alphabeta:4") - dialog.opponents.scroll_offset.y + dialog.opponents.heading
        await pilot.click(OpponentList, offset=(3, line))
        await pilot.until(lambda: "known positions" in description(pilot))
        assert result == [OPEN]
        await pilot.click(OpponentList, offset=(3, line))
        assert await closed(pilot, result) == Seating(parse_game("connectfour"), "alphabeta:4", PERSON, Sides.FIXED, 10)

        dialog, result = await opened(pilot)
        await pick(pilot, "side", WATCH)
        assert PERSON not in labels(dialog)
        assert title(pilot) == "Who plays X?"
        assert str(play_button(pilot).label) == "Next"
        dialog.opponents.focus()
        await pilot.press(*"riechel", "enter")
        assert title(pilot) == "Who plays O against riechel?"
        asked = dialog.watched
        dialog.watched = replace(asked, source=replace(asked.source, name="[b]\x1b[31m" + "x" * 100))
        dialog.update_texts()
        assert title(pilot) == f"Who plays O against [b][31m{'x' * 22}…?"
        dialog.watched = asked
        await pilot.press("escape")
        assert (title(pilot), result) == ("Who plays X?", [OPEN])
        await pilot.click(play_button(pilot))
        await pilot.press("home", "enter")
        assert await closed(pilot, result) == Seating(TICTACTOE, "save:riechel", "random")
        dialog, _ = await opened(pilot, result[0])
        assert (dialog.wish, dialog.selected.label) == (WATCH, "save:riechel")
        await pilot.press(*"michie")
        assert (choice(pilot, "side").value, dialog.selected.label) == (WATCH, "save:michie")


@pytest.mark.long
async def test_learning_is_offered_only_for_a_save_that_can_learn(pilot):
    Library(library_path()).save("mine", Failures(TICTACTOE, "literal", 1).snapshot())
    dialog, result = await opened(pilot)
    box = dialog.query_one(Tick)
    assert not box.visible
    await pilot.press(*"mine")
    assert box.visible
    assert "✓" in str(box.render())  # as nobody at the board could learn
    await pilot.sees("can learn")
    await pilot.click(play_button(pilot))
    taught = await closed(pilot, result)
    assert taught == Seating(TICTACTOE, PERSON, "save:mine", learning=True)

    dialog, result = await opened(pilot, replace(taught, learning=False))
    assert "✓" not in str(dialog.query_one(Tick).render())
    await pilot.click(Tick)
    await pilot.click(play_button(pilot))
    assert await closed(pilot, result) == taught

    dialog, result = await opened(pilot, taught)
    assert dialog.query_one(Tick).value
    await pilot.press(*"riechel", "enter")
    assert await closed(pilot, result) == replace(NEWCOMER, learning=True)


@pytest.mark.long
async def test_of_thousands_of_saves_only_levels_in_sight_and_of_the_newest_are_computed(pilot, monkeypatch):
    begun = datetime(2026, 1, 1, tzinfo=UTC)
    many = [
        Entry(f"run {number}", "failures", "literal", "tictactoe", 9, 9, "game", 9, begun - timedelta(number), False)
        for number in range(5000)
    ]
    worked_out = []
    monkeypatch.setattr(Library, "entries", lambda _: many)

    def work_out(_library, candidate, _stop):
        worked_out.append(candidate.label)
        return Foresight(1)

    monkeypatch.setattr("tui.play.players_dialog.level_for", work_out)
    dialog = dialog_of(pilot)
    pilot.app.push_screen(dialog)
    await pilot.until(lambda: not dialog._computing)
    ready = len(roster.candidates(TICTACTOE, [])) - 1
    assert set(worked_out) >= {f"save:run {number}" for number in range(MAX_SORTED)}
    assert ready + MAX_SORTED <= len(worked_out) < ready + MAX_SORTED + 50
    await pilot.press("end")
    await pilot.until(lambda: "save:run 4999" in worked_out)
    await pilot.until(lambda: not dialog._computing)
    assert dialog.selected.label == "save:run 4999"
    assert "save:run 4000" not in worked_out
    assert len(worked_out) == len(set(worked_out)) < ready + MAX_SORTED + 100
    await pilot.press(*"run 4000")
    await pilot.until(lambda: "save:run 4000" in worked_out)


@pytest.mark.long
async def test_no_level_is_computed_for_a_closed_dialog(pilot, monkeypatch):
    stops = []

    def endless(_library, candidate, stop):
        wait_until(stop)
        stops.append(candidate.label)
        raise Stopped

    monkeypatch.setattr("tui.play.players_dialog.level_for", endless)
    dialog = dialog_of(pilot)
    pilot.app.push_screen(dialog)
    await pilot.until(lambda: dialog._computing)
    assert description(pilot).endswith("Its exact strength is being computed …")
    await pilot.press("escape")
    await pilot.until(lambda: "save:riechel" in stops)
    assert stops[-1] == "save:riechel", "the one under the cursor: others give way to it, none follows"
    assert pilot.app.levels == {}


@pytest.mark.long
async def test_a_person_sits_against_the_trained_side_unless_another_side_is_chosen(pilot):
    learner = Menace(TICTACTOE, "blog-fixed", 1)
    learner.set_opponent(parse_player("random", TICTACTOE))
    learner.train(200)
    Library(library_path()).save("half", learner.snapshot())
    dialog, result = await opened(pilot, replace(NEWCOMER, second="save:half"))
    assert "O is untrained." in description(pilot)
    side = choice(pilot, "side")
    assert side.value == "second"
    await pick(pilot, "side", "first")
    dialog.opponents.focus()
    assert side.value == "first"
    await pick(pilot, "side", "second")
    dialog.opponents.focus()
    await pilot.press("enter")
    assert await closed(pilot, result) == Seating(TICTACTOE, "save:half", PERSON)


async def test_another_game_has_its_own_sides_and_proposes_an_easy_opponent(pilot):
    dialog = dialog_of(pilot)
    pilot.app.push_screen(dialog)
    await pilot.until(lambda: dialog.selected)
    choice(pilot, "game").value = "nim:3,4,5"
    await pilot.until(lambda: dialog.selected.label == "minimax:1")
    assert [str(name) for name, _ in choice(pilot, "side").choices][:2] == ["A first", "B second"]


@pytest.mark.long
async def test_beaten_opponents_are_ticked_and_the_proposed_one_is_selected():
    Library(library_path()).games.add(Record(TICTACTOE, (PERSON, "random"), (0, 3, 1, 4, 2), Outcome.FIRST_WINS))
    async with running() as pilot:
        pilot.app.levels.update(FOUND)
        dialog = dialog_of(pilot, proposed="minimax:1")
        pilot.app.push_screen(dialog)
        await pilot.until(lambda: dialog.selected and dialog.selected.label == "minimax:1")
        await pilot.sees("✓ Random")
        assert dialog.opponents.present == NEWCOMER.second
        await pilot.until(lambda: pilot.screen_text.count("✓") == 1)
        await pilot.press(*"random")  # its line changes when levels are found
        await pilot.until(lambda: "✓ You have beaten it." in description(pilot))


@pytest.mark.long
async def test_a_win_proposes_the_next_opponent_and_o_finds_it():
    app = make_app(second="random")
    app.library.games.add(Record(TICTACTOE, (PERSON, "minimax:1"), (0, 3, 1, 4, 2), Outcome.FIRST_WINS))
    async with running(app) as pilot:
        await pilot.until(lambda: app.screen.table.can_move)
        for _ in range(9):
            match = app.screen.table.match
            if match.outcome is None:
                best = max(rate_moves(match.game, match.position), key=lambda rated: rated.merit)
                app.screen.carry_out(app.screen.table.play(best.move))
                await pilot.until(lambda: app.screen.table.can_move or app.screen.table.match.outcome is not None)
        assert app.screen.table.match.outcome is Outcome.FIRST_WINS
        await pilot.until(lambda: "You have beaten Random.\nNext to beat: " in pilot.news)
        proposed = app.screen.proposed
        assert proposed not in ("", "minimax:1", "random")
        await pilot.press("o")
        await pilot.until(lambda: isinstance(app.screen, PlayersDialog) and app.screen.selected)
        await pilot.until(lambda: app.screen.selected.label == proposed)


def moves(pilot):
    (play,) = [screen for screen in pilot.app.screen_stack if hasattr(screen, "table")]
    match = play.table.match
    return [match.game.move_name(move) for move in match.moves]


async def asked(pilot):
    await pilot.until(lambda: isinstance(pilot.screen, MoveDialog) and pilot.screen.query(Button))


async def test_a_key_chooses_the_piece():
    async with two_people("wild") as pilot:
        await pilot.press("5")
        await asked(pilot)
        await pilot.sees("X or O on b2?")
        await pilot.press("o")
        await pilot.until(lambda: moves(pilot) == ["b2o"])


@pytest.mark.long
async def test_a_button_chooses_the_piece_and_escape_chooses_none():
    async with two_people("wild") as pilot:
        await pilot.press("1")
        await asked(pilot)
        await pilot.press("escape")
        await pilot.until(lambda: not isinstance(pilot.screen, MoveDialog))
        assert moves(pilot) == []
        await pilot.press("9")
        await asked(pilot)
        await pilot.press("right", "enter")
        await pilot.until(lambda: moves(pilot) == ["c1o"])
        await pilot.press("1")
        await asked(pilot)
        await pilot.click("Button")
        await pilot.until(lambda: moves(pilot) == ["c1o", "a3x"])
