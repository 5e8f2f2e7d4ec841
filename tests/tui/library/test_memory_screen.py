"""Inside a save: the wall of cards, its filters, and a card in detail, at every size of the terminal."""

from threading import Event

import pytest
from textual.widgets import Input

from engine.game import Side
from engine.games import parse_game
from lab.results import exact_results
from lab.results.exact_results import exact_of
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from learners.players.plain import PerfectPlayer
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import her, made_up, train
from tests.tui.piloting import is_shown, running
from tests.tui.ways import look_inside, open_library
from tui.library.memory_parts import CardPanel, MemoryHead
from tui.library.memory_screen import FILTER_KEYS, MemoryScreen
from tui.library.other_dialog import OtherDialog
from tui.library.screen import LibraryScreen
from tui.widgets.wall import Wall
from tui.widgets.why_strip import WhyStrip

TICTACTOE, HEXAPAWN = parse_game("tictactoe"), parse_game("hexapawn")
SIZES = [(60, 20), (80, 24), (120, 40)]


def michie(games=300):
    learner = Menace(TICTACTOE, "michie", 1)
    learner.set_opponent(PerfectPlayer(TICTACTOE))
    return train(learner, games)


def filter_line(pilot):
    """What the frame of the wall says: how many cards, and which."""
    return ": ".join(pilot.screen.wall_titles(pilot.screen.learner))


def card_line(pilot):
    """The title of the card in detail, if it is visible."""
    panel = pilot.screen.query_one(CardPanel)
    return panel.border_title.lower() if is_shown(panel) else ""


@pytest.mark.long
async def test_keys_move_through_failures_and_filter_them(pilot):
    await look_inside(pilot, "riechel")
    screen, wall = pilot.screen, pilot.screen.query_one(Wall)
    total = len(screen.edges)
    assert filter_line(pilot) == f"1 of {total:,} failures: {FILTER_KEYS[0]}"
    assert screen.learner.space.ply[screen.learner.space.source[wall.edge]] == 1  # no opening of X loses
    await pilot.press("end")
    last = screen.learner.view.card(screen.edges[-1]).caption
    await pilot.until(lambda: last in "\n".join(pilot.screen_text.split("\n")[12:]))
    await pilot.press("home", "s")
    await pilot.until(lambda: "X to move" in filter_line(pilot))
    assert screen.filter.side is Side.FIRST
    await pilot.press("plus", "plus", "plus")
    await pilot.until(lambda: "2 marks" in filter_line(pilot))
    await pilot.press("minus")
    await pilot.until(lambda: filter_line(pilot) == "No failures: X to move · 1 mark")
    await pilot.sees("No card matches")
    assert wall.edge is None
    await pilot.press("escape")
    if isinstance(pilot.screen, MemoryScreen):
        await pilot.press("escape")
    await pilot.arrived(LibraryScreen)


@pytest.mark.long
async def test_a_position_is_searched_and_a_bad_one_refused(pilot):
    await look_inside(pilot, "riechel")
    field, total = pilot.screen.query_one("#search", Input), len(pilot.screen.edges)
    await pilot.press("slash")
    await pilot.until(lambda: is_shown(field) and field.has_focus)
    for text, words in (("XXX/OOO/... X", "both sides"), ("[bold]X", "3 rows"), ("\x1b[31m", "3 rows")):
        field.value = text
        await pilot.press("enter")
        await pilot.until(lambda words=words: words in pilot.shown_messages[-1:][0] if pilot.shown_messages else False)
        assert "\x1b" not in pilot.shown_messages[-1]
        assert len(pilot.screen.edges) == total
    field.value = "x../.../..."
    await pilot.press("enter")
    await pilot.until(lambda: "X../.../... O or symmetric" in filter_line(pilot))
    assert 0 < len(pilot.screen.edges) < 40
    assert not is_shown(field)
    await pilot.press("slash")
    await pilot.until(lambda: field.has_focus)
    field.value = ""
    await pilot.press("enter")
    await pilot.until(lambda: len(pilot.screen.edges) == total)
    await pilot.press("slash", "escape")
    await pilot.until(lambda: not is_shown(field))
    assert isinstance(pilot.screen, MemoryScreen)
    assert pilot.screen.query_one(Wall).has_focus


def failures():
    return made_up(HEXAPAWN, 60)


@pytest.mark.long
@pytest.mark.parametrize("snapshot", [michie, her, failures])
@pytest.mark.parametrize("size", SIZES)
async def test_every_card_can_be_selected_and_is_shown_in_detail(snapshot, size):
    async with running(size=size) as pilot:
        await look_inside(pilot, "a", snapshot())
        screen, learner = pilot.screen, pilot.screen.learner
        seen = []
        for _ in range(60):
            seen.append(screen.query_one(Wall).edge)
            await pilot.press("right")
            card = learner.view.card(screen.query_one(Wall).edge)
            title = learner.view.title(card)
            await pilot.until(lambda title=title: card_line(pilot).startswith(title.lower()))
        shown = screen.edges[:60]
        assert seen[: len(shown)] == shown


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
async def test_the_card_is_beside_the_wall_at_once_if_there_is_room_else_until_escape(size):
    async with running(size=size) as pilot:
        await look_inside(pilot, "a", michie())
        wall, card = pilot.screen.query_one(Wall), pilot.screen.query_one(CardPanel)
        await pilot.until(lambda: wall.size.width and is_shown(card) == (size[0] >= 110))
        await pilot.press("right")
        await pilot.until(lambda: card_line(pilot).startswith("box 2"))
        assert card.region.x >= wall.region.right
        assert wall.size.height >= 5, "a whole card of the wall"
        await pilot.press("escape")
        if size[0] < 110:
            await pilot.until(lambda: not is_shown(card))
            await pilot.press("enter")
            await pilot.until(lambda: is_shown(card) and card_line(pilot).startswith("box 2"))
            await pilot.press("escape", "escape")
        await pilot.arrived(LibraryScreen)


async def test_of_a_save_that_cannot_be_read_only_the_reason_is_shown(pilot):
    await open_library(pilot)
    pilot.app.push_screen(MemoryScreen("gone"))
    await pilot.arrived(MemoryScreen)
    await pilot.until(lambda: "gone" in pilot.memory_headline)
    assert not is_shown(pilot.screen.query_one(Wall))
    await pilot.press("f", "G", "s", "escape")
    await pilot.arrived(LibraryScreen)


@pytest.mark.long
async def test_an_empty_memory_says_so(pilot):
    await look_inside(pilot, "a", Failures(TICTACTOE, "literal", 1).snapshot())
    await pilot.sees("No failure recorded yet")
    assert not pilot.screen.query_one(CardPanel).border_title
    assert pilot.screen.ineffective_actions() == {"go", "given_up"}
    await pilot.press("down", "end", "s", "escape")
    await pilot.arrived(LibraryScreen)


async def test_y_tells_which_games_made_a_number_and_then_of_the_next_move(pilot):
    await look_inside(pilot, "mine", train(Menace(TICTACTOE, "steady", 1), 60))
    strip, told = pilot.screen.query_one(WhyStrip), []
    for _ in range(2):
        await pilot.press("y")
        await pilot.until(lambda: "began as" in (now := pilot.text_of("#memory-why")) and now not in told)
        told.append(pilot.text_of("#memory-why"))
    await pilot.press("right")
    await pilot.until(lambda: not strip.display)


async def test_the_wall_is_shown_before_the_exact_results_and_its_keys_act(pilot, monkeypatch):
    computed = Event()
    monkeypatch.setattr(exact_results, "exact_of", lambda learner: computed.wait(60) and exact_of(learner))
    Library(library_path()).save("mine", michie())
    await open_library(pilot, "mine")
    await pilot.press("enter")
    await pilot.until(lambda: isinstance(pilot.screen, MemoryScreen) and pilot.screen.edges)
    screen = pilot.screen
    assert pilot.memory_headline == "Computing the exact results …"
    assert screen.current_export().name == f"{screen.save}-wall"
    await pilot.press("s")
    assert filter_line(pilot).endswith("X to move")
    await pilot.press("z")
    await pilot.arrived(OtherDialog)
    await pilot.press("escape")
    await pilot.arrived(MemoryScreen)
    await pilot.press("comma")
    computed.set()
    await pilot.until(lambda: screen.moment.rounds == screen.timeline.moments[-2])
    await pilot.until(lambda: "erfect play" in screen.query_one(MemoryHead).checkpoint_note)
    assert pilot.memory_headline.startswith("Perfect play beats it in ")
