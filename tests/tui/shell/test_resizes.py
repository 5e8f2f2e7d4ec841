"""A terminal that changes its size at any moment on any screen: nothing fails, and nothing is cut off."""

from dataclasses import dataclass
from random import Random
from time import monotonic

import pytest
from textual.widget import Widget

from tests.tui.piloting import is_shown, running, until
from tests.tui.terminal import RUBBISH, opened
from tui.shell.modes import TITLES

SIZES = (60, 20), (80, 24), (200, 60)
"""The sizes at which everything important must be visible."""
HOME = 120, 40
"""The size in which the screens are opened."""
UP, DOWN, RIGHT, LEFT = "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D"
ESCAPE = "\x1b[27u"
"""Escape in the keyboard protocol of Kitty: a lone escape character could begin a longer sequence."""
MODES = "Play  Train  Library  Tree  Race  Papers"
KEYS = "? Help  q Quit"
PLAY = "n New game"
TOO_SMALL = "Noughts needs 60 columns and 20 lines."
OVER_A_MODE = "╭", "▔", "esc Back"
"""What shows that something covers the screen of a mode: edges of dialogs, and the key that leaves other screens."""
HOME_BAR = f"NOUGHTS   {MODES}"
"""The mode bar at the home size, with the name: a narrower bar has no name, and its tabs are elsewhere."""
GAMES_FIELD = 20, 12
"""A cell of the field for the number of games in the form of a training, at the home size."""


@dataclass(frozen=True)
class ResizeCase:
    """A screen to test while the size changes, and the keys that lead to it."""

    way: tuple[tuple[str, str], ...]
    """The keys that lead there from Play, each with a text that then appears. No key: a click on GAMES_FIELD."""
    holds: tuple[str, ...]
    """The texts that must be visible at every size."""
    keys: tuple[str, ...] = ()
    """The keys that are pressed while the size changes."""
    around: tuple[str, ...] = (MODES, KEYS)
    """The texts around the screen that must be visible as well."""
    board: bool = False
    """Whether a whole board must be visible."""


ON_THE_BOARD = (UP, DOWN, LEFT, RIGHT, "1", "5", "9", "n", "u", "x", "y")
CASES = {
    "play": ResizeCase((), ("riechel",), ON_THE_BOARD, board=True),
    "players": ResizeCase(
        (("o", "Choose your opponent"),), ("Choose your opponent", "Your side", "Back"), (UP, DOWN), ()
    ),
    "typing": ResizeCase(
        (("t", "Ready made"), ("c", "seed     "), ("", "Leave the field")), ("games    ", "Start"), ("7",), ()
    ),
    "copy": ResizeCase((("C", "Copy and paste"),), ("The position", "The game so far", "Back"), ("X", "/", "[")),
    "training": ResizeCase((("t", "Ready made"), ("2", "plies")), ("MENACE", "Change"), (" ", "m")),
    "debrief": ResizeCase(
        (("n", "No moves yet"), ("5", "recorded failures"), ("d", "the beginning")),
        ("esc Back",),
        (LEFT, RIGHT, "x", " "),
        board=True,
    ),
    "help": ResizeCase((("?", "Pick a square"),), ("╭", "╰"), (DOWN, UP), ()),
    "palette": ResizeCase(((":", "Search for commands"),), ("Search for commands", "Key"), (DOWN, UP), ()),
    "games": ResizeCase((("H", "every game"),), ("every game", "esc Back"), ("o", UP, DOWN)),
    "library": ResizeCase((("l", "hochmuth"),), ("hochmuth", "scroggs"), (UP, DOWN)),
    "save": ResizeCase((("l", "hochmuth"), ("\r", "Lost to")), ("Lost to", "esc Back"), (LEFT, RIGHT, DOWN, ",")),
    "tree": ResizeCase((("r", "255,168"),), ("every move", "best play"), (DOWN, RIGHT, LEFT)),
    "search": ResizeCase((("r", "255,168"), ("j", "steps")), ("esc Back", "run", "steps"), (RIGHT, " ", "N")),
    "race": ResizeCase((("a", "steady"),), ("steady", "Start", "New"), ("m", "s")),
    "entrant": ResizeCase(
        (("a", "steady"), ("n", "Add an entrant")), ("Add an entrant", "Add", "Back"), ("\t", "7"), ()
    ),
    "papers": ResizeCase((("e", "data-tree"),), ("riechel", "data-tree", "exact"), (DOWN, UP)),
}


def pass_time(terminal, seconds):
    """Keep reading the terminal for some seconds, without expecting anything."""
    end = monotonic() + seconds
    while monotonic() < end:
        terminal.read(0.01)


def go_home(terminal):
    """Go back to Play from any screen."""
    terminal.type(ESCAPE * 3)
    assert_says_what_it_needs(terminal)  # so that nothing that was drawn earlier looks like the screen at its new size
    terminal.resize(*HOME)
    terminal.until_true(shows_a_mode, "the keys lead to no mode")  # a click would overtake the keys
    if PLAY not in terminal.screen:  # else the click would change nothing that can be awaited
        terminal.click(13, 1)
        terminal.until(PLAY)


def shows_a_mode(screen):
    """Whether the screen of a mode is drawn completely."""
    return HOME_BAR in screen and KEYS in screen and not any(sign in screen for sign in (RUBBISH, *OVER_A_MODE))


def go_to(terminal, case):
    for keys, brings in case.way:
        if keys:
            terminal.type(keys)
        else:
            terminal.click(*GAMES_FIELD)
        terminal.until(brings)


def resize_randomly(terminal, case, random, times):
    """Change the size at random moments, and press keys as well."""
    for _ in range(times):
        terminal.resize(*random.choice([*SIZES, (random.randint(1, 250), random.randint(1, 80))]))
        pass_time(terminal, random.choice((0.0, 0.01, 0.03, 0.1)))
        if case.keys and random.random() < 0.5:
            terminal.type(random.choice(case.keys))


def has_a_board(screen):
    """Whether both lines of a board are visible; an X-ray may show another board beside it."""
    return sum(line.count("┼") in (2, 4) for line in screen.splitlines()) >= 2


def assert_whole(terminal, case, size):
    """Assert that all important parts are visible if they fit."""
    terminal.resize(*size)
    terminal.until(*case.holds, *case.around, gone=RUBBISH)
    if case.board:
        terminal.until_true(has_a_board, "the board is never whole")
    assert "Traceback" not in terminal.screen


def assert_says_what_it_needs(terminal):
    terminal.resize(59, 19)
    terminal.until(TOO_SMALL, gone=RUBBISH)


def resize(names, seed, each):
    """Change the size this many times on each screen; assert that the program keeps running, and ends normally."""
    random = Random(seed)
    with opened() as terminal:
        for name in names:
            go_home(terminal)
            go_to(terminal, CASES[name])
            resize_randomly(terminal, CASES[name], random, each)
            if name != "palette":  # it is Textual's, and is drawn at any size
                assert_says_what_it_needs(terminal)
            for size in random.sample(SIZES, len(SIZES)):
                assert_whole(terminal, CASES[name], size)
        go_home(terminal)
        terminal.type("q")
        terminal.end()
        assert terminal.process.returncode == 0
        terminal.assert_restored()


@pytest.mark.long
def test_the_terminal_may_change_its_size():
    resize(("play", "players", "typing"), seed=1, each=5)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_the_terminal_may_change_its_size_a_thousand_times(seed):
    resize(Random(seed).sample(list(CASES), len(CASES)), seed, each=16)


def hanging_over(screen) -> list[Widget]:
    """The widgets that are cut off and cannot be scrolled into view."""
    return [
        widget
        for widget in screen.walk_children()
        if is_shown(widget)
        and widget.region not in screen.region
        and not any(getattr(node, "show_vertical_scrollbar", False) for node in widget.ancestors)
    ]


@pytest.mark.long
async def test_no_widget_is_cut_off_at_any_size():
    async with running() as pilot:
        await until(pilot, lambda: pilot.app.screen.session.seats[1] is not None)
        for mode in TITLES:
            await pilot.app.switch_mode(mode)
            for size in ((60, 20), (80, 24), (250, 80)):
                await pilot.resize_terminal(*size)
                await until(pilot, lambda size=size: pilot.app.screen.size == size)
                await pilot.pause()
                await until(pilot, lambda: pilot.app.screen.resizing.pending is False)
                await until(pilot, lambda: not hanging_over(pilot.app.screen))
