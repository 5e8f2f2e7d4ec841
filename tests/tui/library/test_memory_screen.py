"""Inside a save: the wall of cards, its filters, and a card in detail, at every size of the terminal."""

from threading import Event

import pytest
from textual.widgets import Input

from engine.game import Side
from engine.games import parse_game
from lab.results import exact_results
from lab.results.exact_results import exact_of
from lab.results.portraits import strength_sentence
from learners.failures.learner import Failures
from learners.menace.learner import Menace
from learners.players.plain import PerfectPlayer
from saves.library.library import Library
from saves.paths import library_path
from tests.saves.brains import her, made_up, train
from tests.tui.piloting import arrived, is_shown, running, screen_text, sees, shown_messages, text_of, until
from tests.tui.ways import look_inside, open_library
from tui.library.compare_screen import OtherDialog
from tui.library.memory_parts import MemoryHead
from tui.library.memory_screen import MemoryScreen
from tui.library.screen import LibraryScreen
from tui.widgets.card_view import CardView
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
    return ": ".join(pilot.app.screen.wall_titles(pilot.app.screen.learner))


def card_line(pilot):
    """The title of the card in detail, if it is visible."""
    view = pilot.app.screen.query_one(CardView)
    return text_of(pilot, "#memory-moves Static").split("\n")[0] if is_shown(view) else ""


@pytest.mark.long
async def test_keys_move_through_failures_and_filter_them(pilot):
    await look_inside(pilot, "riechel")
    screen, wall = pilot.app.screen, pilot.app.screen.query_one(Wall)
    total = len(screen.edges)
    assert filter_line(pilot) == f"{total:,} failures: every position"
    assert screen.learner.space.ply[screen.learner.space.source[wall.edge]] == 1  # no opening of X loses
    await pilot.press("end")
    last = screen.learner.view.card(screen.edges[-1]).caption
    await until(pilot, lambda: last in "\n".join(screen_text(pilot).split("\n")[12:]))
    await pilot.press("home", "s")
    await until(pilot, lambda: "X to move" in filter_line(pilot))
    assert screen.filter.side is Side.FIRST
    await pilot.press("plus", "plus", "plus")
    await until(pilot, lambda: "2 marks" in filter_line(pilot))
    await pilot.press("minus")
    await until(pilot, lambda: filter_line(pilot) == "0 failures: X to move · 1 mark")
    await sees(pilot, "No card matches")
    assert wall.edge is None
    await pilot.press("escape")
    if isinstance(pilot.app.screen, MemoryScreen):
        await pilot.press("escape")
    await arrived(pilot, LibraryScreen)


@pytest.mark.long
async def test_a_position_is_searched_and_a_bad_one_refused(pilot):
    await look_inside(pilot, "riechel")
    field, total = pilot.app.screen.query_one("#search", Input), len(pilot.app.screen.edges)
    await pilot.press("slash")
    await until(pilot, lambda: is_shown(field) and field.has_focus)
    for text, words in (("XXX/OOO/... X", "both sides"), ("[bold]X", "3 rows"), ("\x1b[31m", "3 rows")):
        field.value = text
        await pilot.press("enter")
        await until(
            pilot, lambda words=words: words in shown_messages(pilot)[-1:][0] if shown_messages(pilot) else False
        )
        assert "\x1b" not in shown_messages(pilot)[-1]
        assert len(pilot.app.screen.edges) == total
    field.value = "x../.../..."
    await pilot.press("enter")
    await until(pilot, lambda: "X../.../... O or symmetric" in filter_line(pilot))
    assert 0 < len(pilot.app.screen.edges) < 40
    assert not is_shown(field)
    await pilot.press("slash")
    await until(pilot, lambda: field.has_focus)
    field.value = ""
    await pilot.press("enter")
    await until(pilot, lambda: len(pilot.app.screen.edges) == total)
    await pilot.press("slash", "escape")
    await until(pilot, lambda: not is_shown(field))
    assert isinstance(pilot.app.screen, MemoryScreen)
    assert pilot.app.screen.query_one(Wall).has_focus


def failures():
    return made_up(HEXAPAWN, 60)


@pytest.mark.long
@pytest.mark.parametrize("snapshot", [michie, her, failures])
@pytest.mark.parametrize("size", SIZES)
async def test_every_card_can_be_selected_and_is_shown_in_detail(snapshot, size):
    async with running(size=size) as pilot:
        await look_inside(pilot, "a", snapshot())
        screen, learner = pilot.app.screen, pilot.app.screen.learner
        seen = []
        for _ in range(60):
            seen.append(screen.query_one(Wall).edge)
            await pilot.press("right")
            card = learner.view.card(screen.query_one(Wall).edge)
            title = learner.view.title(card)
            await until(pilot, lambda title=title: card_line(pilot).startswith(title))
            assert learner.game.to_text(card.position) in text_of(pilot, "#memory-moves Static")
        shown = screen.edges[:60]
        assert seen[: len(shown)] == shown


@pytest.mark.long
@pytest.mark.parametrize("size", SIZES)
async def test_the_card_is_beside_the_wall_at_once_if_there_is_room_else_until_escape(size):
    async with running(size=size) as pilot:
        await look_inside(pilot, "a", michie())
        wall, card = pilot.app.screen.query_one(Wall), pilot.app.screen.query_one(CardView)
        await until(pilot, lambda: wall.size.width and is_shown(card) == (size[0] >= 110))
        await pilot.press("right")
        await until(pilot, lambda: card_line(pilot).startswith("box 2"))
        assert card.region.x >= wall.region.right
        assert wall.size.height >= 5, "a whole card of the wall"
        await pilot.press("escape")
        if size[0] < 110:
            await until(pilot, lambda: not is_shown(card))
            await pilot.press("enter")
            await until(pilot, lambda: is_shown(card) and card_line(pilot).startswith("box 2"))
            await pilot.press("escape", "escape")
        await arrived(pilot, LibraryScreen)


@pytest.mark.long
async def test_an_empty_memory_says_so(pilot):
    await look_inside(pilot, "a", Failures(TICTACTOE, "literal", 1).snapshot())
    await sees(pilot, "No failure recorded yet")
    await pilot.press("down", "end", "s", "escape")
    await arrived(pilot, LibraryScreen)


async def test_y_tells_which_games_made_a_number_and_then_of_the_next_move(pilot):
    await look_inside(pilot, "mine", train(Menace(TICTACTOE, "steady", 1), 60))
    strip, told = pilot.app.screen.query_one(WhyStrip), []
    for _ in range(2):
        await pilot.press("y")
        await until(pilot, lambda: "began as" in (now := text_of(pilot, "#memory-why")) and now not in told)
        told.append(text_of(pilot, "#memory-why"))
    await pilot.press("right")
    await until(pilot, lambda: not strip.display)


async def test_the_wall_is_shown_before_the_exact_results_and_its_keys_act(pilot, monkeypatch):
    computed = Event()
    monkeypatch.setattr(exact_results, "exact_of", lambda learner: computed.wait(60) and exact_of(learner))
    Library(library_path()).save("mine", michie())
    await open_library(pilot, "mine")
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(pilot.app.screen, MemoryScreen) and pilot.app.screen.edges)
    screen = pilot.app.screen
    assert text_of(pilot, "#memory-headline") == "Computing the exact results …"
    await pilot.press("s")
    assert filter_line(pilot).endswith("X to move")
    await pilot.press("z")
    await arrived(pilot, OtherDialog)
    await pilot.press("escape")
    await arrived(pilot, MemoryScreen)
    await pilot.press("comma")
    computed.set()
    await until(pilot, lambda: screen.moment.rounds == screen.timeline.moments[-2])
    await until(pilot, lambda: "erfect play" in screen.query_one(MemoryHead).happened)
    assert text_of(pilot, "#memory-headline") == strength_sentence(screen.moment)
