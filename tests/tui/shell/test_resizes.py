"""A terminal that changes its size at any moment on any screen: nothing fails, and nothing is cut off."""

from random import Random

import pytest
from textual.widget import Widget

from tests.tui.piloting import is_shown
from tests.tui.terminal import RUBBISH, opened
from tui.shell.modes import TITLES

SIZES = (60, 20), (80, 24), (200, 60)
TOO_SMALL = "Noughts needs 60 columns and 20 lines."
MODES = "Play  Train  Library  Tree  Race  Papers"
LOADED = {"l": "hochmuth", "r": "What is counted", "\r": "Esc Back"}
"""What is shown once a key has taken effect, where the next key needs it: a busy machine may pause before."""
DOWN, RIGHT = "\x1b[B", "\x1b[C"
SCREENS = {
    "play": ((), ("riechel", MODES), ("1", "5", "n", "x")),
    "opponents": (("o",), ("Your side", "Back"), (DOWN, "\t")),
    "training": (("t", "2"), ("MENACE", MODES), (" ", "m")),
    "debrief": (("n", "1", "d"), ("Esc Back", "This move", MODES), (RIGHT, "x")),
    "library": (("l",), ("hochmuth", MODES), (DOWN,)),
    "save": (("l", "\r"), ("Esc Back", "hochmuth", MODES), (RIGHT, ",")),
    "tree": (("r",), ("What is counted", MODES), (DOWN, RIGHT)),
    "search": (("r", "j"), ("Esc Back", "The node", MODES), (RIGHT, "N")),
    "race": (("a",), ("Entrants", MODES), ("m", "s")),
    "papers": (("e",), ("Report", MODES), (DOWN,)),
    "games": (("H",), ("Esc Back", "No games yet", MODES), (DOWN,)),
    "help": (("?",), ("searches the keys",), (DOWN,)),
}
"""The keys that lead from Play to a screen, what it shows at every size, and the keys pressed while that changes."""


@pytest.mark.long
@pytest.mark.parametrize("screen", SCREENS)
def test_the_terminal_may_change_its_size_at_any_moment(screen):
    (way, shown, keys), random = SCREENS[screen], Random(screen)
    with opened() as terminal:
        for key in way:
            terminal.until_quiet()
            terminal.type(key)
            terminal.until(LOADED.get(key, ""))
        for size in SIZES:
            for _ in range(10):
                terminal.resize(*random.choice([*SIZES, (random.randint(1, 250), random.randint(1, 80))]))
                terminal.read(random.choice((0.0, 0.01, 0.03, 0.1)))
                terminal.type(random.choice(keys))
            terminal.resize(59, 19)
            terminal.until(TOO_SMALL, gone=RUBBISH)
            terminal.resize(*size)
            terminal.until(*shown, gone=RUBBISH)
        assert terminal.process.poll() is None


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
async def test_no_widget_is_cut_off_at_any_size(pilot):
    await pilot.until(lambda: pilot.screen.session.seats[1] is not None)
    for mode in TITLES:
        await pilot.app.switch_mode(mode)
        for size in ((60, 20), (80, 24), (250, 80)):
            await pilot.resize_terminal(*size)
            await pilot.until(lambda size=size: pilot.screen.size == size)
            await pilot.until(lambda: not hanging_over(pilot.screen))  # soon: a screen is drawn after its last change
