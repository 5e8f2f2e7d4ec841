import sqlite3
from contextlib import closing
from dataclasses import replace
from threading import Event

import pytest
from textual.app import App
from textual.widgets import Input, OptionList

from engine.game import Outcome
from engine.games import parse_game
from engine.match import Record
from lab.board.opponent_strength import meter
from lab.board.opponents import level_for, save_candidate
from lab.results.portraits import has_learned
from lab.text.numbers import share_text
from learners.failures.learner import Failures
from learners.players.levels import Accuracy
from saves import gallery
from saves.formats import export_file
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import made_up, same, train
from tests.tui.piloting import is_shown, running, saved
from tests.tui.ways import listed, open_library
from tests.waiting import LIMIT
from tui.library import save_table
from tui.library.compare_screen import CompareScreen
from tui.library.memory_screen import MemoryScreen
from tui.library.other_dialog import OtherDialog
from tui.library.screen import LibraryScreen
from tui.play.screen import PlayScreen
from tui.shell.dialog import HelpPage, Prompt
from tui.train.screen import TrainScreen
from tui.widgets.library_tools import Trouble

TICTACTOE, HEXAPAWN = parse_game("tictactoe"), parse_game("hexapawn")
LONG = "Ω" * 30 + " " + "w" * 29


async def go_to(pilot, name):
    pilot.screen.table.go_to(listed(pilot).index(name))
    await pilot.until(lambda: pilot.screen.selected.name == name)


async def opened(pilot):
    await pilot.until(lambda: isinstance(pilot.screen, MemoryScreen) and pilot.screen.edges)


STRENGTH = "#library-strength"


def facts(pilot):
    return pilot.shown_text("#library-facts")


def portrait(pilot):
    return pilot.text_of("#library-portrait")


@pytest.mark.long
async def test_an_empty_library_shows_the_gallery_which_cannot_be_changed():
    async with running() as pilot:
        await open_library(pilot, "riechel")
        names = [*gallery.names()]
        assert listed(pilot) == names
        for key, place in (("right", 1), ("down", 3), ("left", 2), ("up", 0), ("up", 0), ("end", len(names) - 1)):
            await pilot.press(key)
            assert pilot.screen.selected.name == names[place]
        for key, what in (("delete", "deleted"), ("R", "renamed"), ("T", "trained on")):
            await pilot.press(key)
            await pilot.told(f"cannot be {what}")
        assert listed(pilot) == names
        assert facts(pilot) is None
        await go_to(pilot, "riechel")
        await pilot.press("f")
        await pilot.until(lambda: "100,000 games" in (facts(pilot) or ""))
        await pilot.until(lambda: "reader" in pilot.text_of("#library-exact"))
        await pilot.sees("riechel", "built in")
        await pilot.press("enter")
        await opened(pilot)
        assert pilot.screen.save == "riechel"
    assert not library_path().exists()


@pytest.mark.long
async def test_a_list_that_is_read_again_leaves_the_cursor_where_it_has_just_gone(pilot):
    await open_library(pilot, "riechel")
    screen = pilot.screen
    for key in ("right", "f"):  # among the cards, then in the list
        await pilot.press(key)
        place = screen.table.cursor + 1
        screen.table.go_to(place)  # its message waits in a queue
        screen.show(screen.table.entries, "")
        assert screen.selected.name == listed(pilot)[place]


async def test_saves_are_listed_the_newest_first_with_what_they_are(library):
    library.save("old", made_up(TICTACTOE, 1234))
    library.save(LONG, made_up(HEXAPAWN, 12))
    async with running(size=(60, 20)) as pilot:
        await open_library(pilot, LONG)
        assert listed(pilot) == [LONG, "old", *gallery.names()]
        await pilot.sees("Failure-based", "Ω" * 10)
        await go_to(pilot, "old")
        await pilot.press("f")
        await pilot.sees("1,234 failures recorded")


@pytest.mark.long
async def test_the_library_shows_levels_like_the_list_of_opponents(library):
    library.save("fresh", made_up(TICTACTOE, 10))
    async with running(size=(120, 40)) as pilot:
        await open_library(pilot, "fresh")
        await pilot.press("f")
        entries = {entry.name: entry for entry in pilot.screen.table.entries}
        await pilot.until(lambda: all(save_candidate(entry).key in pilot.app.levels for entry in entries.values()))
        await pilot.until(lambda: "…" not in pilot.screen_text.partition("changed")[2].partition("\n\n")[0])
        lines = {name: next(line for line in pilot.screen_text.splitlines() if f" {name} " in line) for name in entries}
        for name, entry in entries.items():
            known = level_for(library, save_candidate(entry))
            assert f"{meter(known)} {known.name} " in lines[name]
        assert "■■■■■ perfect" in lines["hochmuth"]
        assert "Genetic algorithm, 125 generations" in lines["hochmuth"]
        await go_to(pilot, "hochmuth")
        await pilot.until(lambda: pilot.text_of(STRENGTH) == "Never loses, whoever it plays.")


async def test_beside_figures_the_text_stays_that_they_do_not_hold(library):
    library.save("mine", made_up(TICTACTOE, 10))
    async with running(size=(120, 40)) as pilot:
        await open_library(pilot, "mine")
        await pilot.press("f")
        key = save_candidate(pilot.screen.selected).key
        await pilot.until(lambda: key in pilot.app.levels and not is_shown(pilot.screen.query_one(STRENGTH)))
        pilot.app.levels[key] = Accuracy(3, 4)
        pilot.screen.show_strength()
        await pilot.until(lambda: is_shown(pilot.screen.query_one(STRENGTH)))


async def test_a_save_of_an_unknown_game_keeps_no_other_save_from_its_level(library):
    for name in ("first", "foreign"):
        library.save(name, made_up(TICTACTOE, 10))
    with closing(sqlite3.connect(library_path())) as db, db:
        db.execute("UPDATE save SET game = 'chess' WHERE name = 'foreign'")
    async with running(size=(120, 40)) as pilot:
        await open_library(pilot, "first", "foreign")
        entries = pilot.screen.table.entries
        assert entries[0].name == "foreign"
        await pilot.until(lambda: all(save_candidate(entry).key in pilot.app.levels for entry in entries))
        await go_to(pilot, "foreign")
        assert "chess" in pilot.text_of(STRENGTH)


@pytest.mark.long
async def test_a_save_is_renamed_and_the_cursor_goes_with_it(library):
    for name in ("a", "b", "c"):
        library.save(name, made_up(TICTACTOE, 10))
    async with running() as pilot:
        await open_library(pilot, "a", "b", "c")
        await go_to(pilot, "b")
        await pilot.press("R")
        await pilot.arrived(Prompt)
        await pilot.answer("a/b")
        await pilot.until(lambda: "'/' cannot be in a name" in pilot.text_of(".dialog-error"))
        await pilot.answer(LONG)
        await pilot.until(lambda: isinstance(pilot.screen, LibraryScreen) and LONG in listed(pilot))
        assert pilot.screen.selected.name == LONG
        await pilot.press("R")
        await pilot.answer("a")
        await pilot.told("there is a save 'a' already")
        await pilot.press("R")
        await pilot.arrived(Prompt)
        await pilot.press("escape")
        await pilot.arrived(LibraryScreen)
    assert set(saved()) == {"a", LONG, "c"}


async def test_enter_opens_the_save_that_was_under_the_cursor_when_it_was_pressed(library):
    for name in ("a", "b"):
        library.save(name, made_up(TICTACTOE, 10))
    async with running() as pilot:
        await open_library(pilot, "a", "b")
        await pilot.press("f")
        await go_to(pilot, "b")
        table = pilot.screen.table
        table.action_open()
        table.action_go(1)  # before the screen has received what was chosen
        assert (await pilot.arrived(MemoryScreen)).save == "b"


@pytest.mark.long
async def test_deleted_saves_come_back_one_after_another(library):
    for name in ("a", "b", "c", "d"):
        library.save(name, made_up(TICTACTOE, 10))
    async with running() as pilot:
        await open_library(pilot, "a", "b", "c", "d")
        await go_to(pilot, "c")
        await pilot.press("backspace")
        await pilot.until(lambda: listed(pilot) == ["d", "b", "a", *gallery.names()])
        assert pilot.screen.selected.name == "b"
        await pilot.press("delete")
        await pilot.until(lambda: listed(pilot) == ["d", "a", *gallery.names()])
        await pilot.sees("Undo deletion of b")
        await pilot.told("b is deleted. u brings it back")
        await pilot.press("u")
        await pilot.until(lambda: "b" in listed(pilot))
        await pilot.press("u")
        await pilot.until(lambda: "c" in listed(pilot))
        assert pilot.screen.selected.name == "c"
        await pilot.press("u")
        await pilot.told("noughts saves list --deleted")
    assert set(saved()) == {"a", "b", "c", "d"}


@pytest.mark.long
@pytest.mark.parametrize(("key", "kind"), [("v", PlayScreen), ("T", TrainScreen)])
async def test_a_save_that_loads_slowly_does_not_block_the_screen(library, key, kind, monkeypatch):
    library.save("a", made_up(TICTACTOE, 200))
    loads, found = Library.load, Event()
    async with running() as pilot:
        await open_library(pilot, "a")
        monkeypatch.setattr(Library, "load", lambda *given: found.wait(LIMIT) and loads(*given))
        await pilot.press(key, "question_mark")
        await pilot.arrived(HelpPage)
        assert not found.is_set()
        await pilot.press("escape")
        await pilot.arrived(LibraryScreen)
        found.set()
        screen = await pilot.arrived(kind)
        await pilot.until(lambda: "save:a" in screen.session.labels if key == "v" else screen.form.continued)


@pytest.mark.sample(1)
@pytest.mark.parametrize("suffix", [".json", ".txt"])
async def test_a_save_is_exported_and_imported_again(library, tmp_path, suffix):
    path = tmp_path / f"brain{suffix}"
    library.save("a", train(Failures(TICTACTOE, "literal", 1), 200))
    async with running(size=(120, 40)) as pilot:
        await open_library(pilot, "a")
        await pilot.press("X")
        await pilot.answer(str(path.with_suffix(".jpg")))
        await pilot.until(lambda: pilot.text_of(".dialog-error"))
        await pilot.answer(str(path))
        await pilot.told("Exported to")
        await pilot.press("X")
        await pilot.answer(str(path))
        await pilot.until(lambda: any("exists" in line or "already" in line for line in pilot.shown_messages))
        await pilot.press("I")
        await pilot.answer(str(path))
        if suffix == ".txt":
            await pilot.answer("tictactoe")
        await pilot.until(lambda: "brain" in listed(pilot))
    one, other = library.load("a"), library.load("brain")
    assert one.memory.tolist() == other.memory.tolist()
    assert suffix == ".txt" or same(one, other)


@pytest.mark.long
@pytest.mark.parametrize("key", ["I", "K"])
async def test_a_visitor_can_neither_import_nor_back_up(monkeypatch, key):
    monkeypatch.setenv("NOUGHTS_SERVED", "1")
    async with running() as pilot:
        await open_library(pilot, "riechel")
        await pilot.press(key)
        await pilot.told("Not in a browser")
        assert isinstance(pilot.screen, LibraryScreen)


@pytest.mark.long
async def test_what_a_visitor_exports_is_a_download_whatever_path_is_typed(monkeypatch, tmp_path):
    downloads = []
    monkeypatch.setenv("NOUGHTS_SERVED", "1")
    kept = lambda _app, data, save_filename: downloads.append((save_filename, data))  # noqa: E731
    monkeypatch.setattr(App, "deliver_binary", kept)
    async with running() as pilot:
        await open_library(pilot, "riechel")
        await pilot.press("X")
        await pilot.arrived(Prompt)
        assert pilot.screen.query_one(Input).value in {f"{name}.json" for name in gallery.names()}
        await pilot.answer(str(tmp_path / "out.json"))
        await pilot.told("out.json is in the downloads")
        assert str(tmp_path) not in pilot.screen_text
    ((name, data),) = downloads
    assert name == "out.json"
    assert b'"format": "noughts"' in data.read()
    assert not list(tmp_path.iterdir())


@pytest.mark.long
async def test_an_unreadable_file_is_reported_with_its_path_and_not_imported(tmp_path):
    good = tmp_path / "good.json"
    export_file(made_up(HEXAPAWN, 5), good)
    files = {"empty.txt": "", "cut.json": good.read_text()[:200], "[bold]a.json": good.read_text()}
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    async with running(size=(120, 40)) as pilot:
        await open_library(pilot, "riechel")
        for name in (*files, "not there.json"):
            before = pilot.newest_message
            await pilot.press("I")
            await pilot.answer(str(tmp_path / name))
            if name.endswith(".txt"):
                await pilot.answer("tictactoe")
            await pilot.until(lambda before=before: pilot.newest_message not in ("", before))
            assert pilot.shown_messages[-1].count("\n") < 2
    assert saved() == {}


@pytest.mark.long
@pytest.mark.parametrize("content", [b"", b"SQLite format 3\0" + b"\xff" * 5000])
async def test_a_broken_library_is_reported_and_not_changed_and_all_else_works(content):
    library_path().write_bytes(content)
    async with running() as pilot:
        await open_library(pilot, "riechel")
        banner = pilot.screen.query_one(Trouble)
        assert is_shown(banner) == bool(content)
        if content:
            assert "choose another library" in pilot.text_of("Trouble")
        await go_to(pilot, "riechel")
        await pilot.press("f")
        await pilot.until(lambda: "100,000 games" in (facts(pilot) or ""))
        await pilot.press("enter")
        await opened(pilot)
        await pilot.press("p")
        await pilot.seated()
        await pilot.press("5")
        await pilot.until(lambda: len(pilot.screen.session.match.moves) == 2)
    assert library_path().read_bytes() == content


@pytest.mark.long
async def test_opening_a_save_that_was_deleted_elsewhere_reports_it(library, monkeypatch):
    monkeypatch.setattr(Library, "file_state", lambda _self: ())  # the list has not noticed yet
    library.save("a", made_up(TICTACTOE, 10))
    async with running() as pilot:
        await open_library(pilot, "a")
        Library(library_path()).delete("a")
        await pilot.press("enter")
        await pilot.arrived(MemoryScreen)
        await pilot.until(lambda: "no save 'a'" in pilot.memory_headline)
        await pilot.press("right", "s", "plus", "end", "slash", "escape", "escape")
        await pilot.until(lambda: isinstance(pilot.screen, LibraryScreen) and listed(pilot) == [*gallery.names()])


@pytest.mark.long
async def test_of_thousands_of_saves_only_the_visible_ones_are_drawn(library, monkeypatch):
    library.save("a", made_up(TICTACTOE, 10))
    (one,) = [entry for entry in library.entries() if entry.name == "a"]
    many = [replace(one, name=f"save {number}") for number in range(2000)]
    drawn, told = set(), save_table.training_text
    monkeypatch.setattr(save_table, "training_text", lambda entry: drawn.add(entry.name) or told(entry))
    monkeypatch.setattr(Library, "entries", lambda _self: many)
    async with running() as pilot:
        await open_library(pilot, "save 0")
        await pilot.sees("save 5")
        await pilot.press("end")
        await pilot.sees("save 1999")
        assert pilot.screen.selected.name == "save 1999"
        assert len(drawn) < 100


@pytest.mark.long
async def test_two_saves_are_compared_from_the_list(pilot, library):
    library.save(wide := "三目並べの機械の記憶域", made_up(TICTACTOE, 6))
    await open_library(pilot, "riechel", "michie")
    await go_to(pilot, "michie")
    await pilot.press("z")
    others = (await pilot.arrived(OtherDialog)).query_one(OptionList)
    await pilot.until(lambda: others.option_count > 1 and others.highlighted == 0)
    assert others.get_option(wide).prompt.plain.startswith(f"{wide}  ")
    others.highlighted = others.get_option_index("riechel")
    await pilot.press("enter")
    await pilot.until(lambda: isinstance(pilot.screen, CompareScreen) and pilot.screen.listed)
    await pilot.sees("michie and riechel")
    differences = pilot.screen.query_one(OptionList)
    await pilot.press("end")
    await pilot.until(lambda: differences.highlighted == differences.option_count - 1)
    pilot.screen.differences = pilot.screen.differences[:1]  # another comparison that is not listed yet
    await pilot.press("home")
    await pilot.until(lambda: differences.highlighted == 0)
    await pilot.resize_terminal(230, 60)
    await pilot.sees("beads", "failure ")
    await pilot.press("escape")
    await pilot.arrived(LibraryScreen)


@pytest.mark.long
async def test_without_colour_the_legend_of_compare_names_none(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with running() as pilot:
        await pilot.app.push_screen(CompareScreen("michie", "riechel"))
        await pilot.sees("how often it plays there")
        assert "green" not in pilot.screen_text


async def test_a_card_shows_the_boxes_that_a_save_uses_its_level_and_the_score(library):
    library.save("mine", train(Failures(TICTACTOE, "literal", 1), 200))
    for outcome in (Outcome.SECOND_WINS, Outcome.FIRST_WINS, Outcome.FIRST_WINS, Outcome.DRAW):
        library.games.add(Record(TICTACTOE, ("human", "save:mine"), (0,), outcome))
    library.games.add(Record(TICTACTOE, ("save:mine@50", "human"), (0,), Outcome.FIRST_WINS))
    async with running() as pilot:
        await open_library(pilot, "mine")
        key = save_candidate(pilot.screen.selected).key
        await pilot.until(lambda: key in pilot.app.portraits and pilot.app.portraits[key].is_complete)
        portrait = pilot.app.portraits[key]
        assert len(portrait.boxes) >= 3
        assert all(map(has_learned, portrait.boxes[:3]))
        assert [rounds for rounds, _ in portrait.losses][-1] == 200
        await pilot.until(lambda: key in pilot.app.levels)
        level = pilot.app.levels[key]
        assert portrait.losses[-1][1] == pytest.approx(level.loss)  # the curve ends where the level says
        await pilot.until(lambda: f"{level.name}: loses {share_text(level.loss)}" in pilot.screen_text)
        await pilot.sees("you 2 : 2")


@pytest.mark.long
async def test_beside_the_list_on_a_large_screen_the_save_under_the_cursor_is_drawn():
    async with running(size=(200, 60)) as pilot:
        await open_library(pilot, "michie")
        await pilot.press("f")
        await pilot.until(lambda: "games lost" in portrait(pilot))
        assert "╭" in portrait(pilot)
        await pilot.resize_terminal(100, 30)
        await pilot.until(lambda: not portrait(pilot))


async def test_saves_are_found_by_words_in_what_is_told_of_them():
    library = Library(library_path())
    for name, brain in {"pawns of winter": made_up(HEXAPAWN, 6), "winter": made_up(TICTACTOE, 6)}.items():
        library.save(name, brain)
    async with running() as pilot:
        await open_library(pilot, "winter")
        every = listed(pilot)
        await pilot.press("slash")
        await pilot.answer("nowhere")
        await pilot.sees("No save has all of these words")
        await pilot.answer("WINTER hexa")
        await pilot.until(lambda: listed(pilot) == ["pawns of winter"])
        await pilot.sees("Saves with WINTER hexa", "1 of 1")
        await pilot.come_to_rest()
        frame = pilot.screen.query_one("#library-list").region
        key = pilot.screen_text.splitlines()[frame.bottom - 1].index("finds")
        await pilot.click(offset=(key, frame.bottom - 1))
        await pilot.arrived(Prompt)
        await pilot.press("escape", "delete")
        await pilot.until(lambda: listed(pilot) == [each for each in every if each != "pawns of winter"])
        await pilot.press("slash")
        await pilot.answer("riechel")
        await pilot.until(lambda: "riechel" in listed(pilot) and "winter" not in listed(pilot))
        await pilot.press("u")
        await pilot.until(lambda: listed(pilot) == every)
