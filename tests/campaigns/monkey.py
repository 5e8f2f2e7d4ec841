"""A monkey test: random input that is possible on the current screen of the app.

A step is a tuple of its name and numbers or texts, so that a run can be recorded and repeated:
`("key", "ctrl+p")`, `("paste", "x")`, `("down", 10, 3, 1)`, `("up", 10, 3, 1)`, `("move", 10, 3, 0)`,
`("scroll_up", 10, 3)`, `("resize", 80, 24)`. Two steps are not events: `("rest", 0.1)` waits for some seconds, or
with 0 until the app is idle; `("until", condition)` waits until `condition(app)` is true.
"""

import asyncio
from collections.abc import Callable, Iterator
from random import Random

from textual import events
from textual.geometry import Size
from textual.keys import _character_to_key, key_to_character
from textual.widgets import Input

from tests.waiting import wait_until_async
from tui.app import NoughtsApp
from tui.papers.screen import PapersScreen
from tui.shell.commands import is_ours
from tui.shell.dialog import Prompt

Step = tuple[str | float | Callable[[NoughtsApp], object], ...]

USUAL_SIZES = (80, 24), (80, 24), (60, 20), (60, 20), (120, 40)
LARGEST_SIZE = 250, 80
"""Columns and lines of the largest terminal."""
QUIT_KEYS = {"q": 0.01, "ctrl+q": 0.0}
"""The keys that end the app, each with the probability that it is pressed when it is drawn."""
KEPT_SHARE = {**QUIT_KEYS, "question_mark": 0.1, "f1": 0.1, "ctrl+p": 0.3, "colon": 0.3}
"""The probability that a key is pressed when it is drawn: all screens have these keys, so they are drawn too often."""
PAPERS_SHARE = 0.05
"""The probability that the papers are run when their key is drawn."""
KEYS = (
    *("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "enter", "space", "escape", "tab"),
    *(
        "shift+tab",
        "backspace",
        "delete",
        "ctrl+a",
        "ctrl+e",
        "ctrl+k",
        "ctrl+u",
        "ctrl+w",
        "ctrl+x",
        "ctrl+v",
        "ctrl+c",
    ),
    *("ctrl+left", "ctrl+right", "shift+left", "shift+home", "ctrl+home", "ctrl+end", "ctrl+p", "ctrl+z", "ctrl+o"),
    *("f1", "f2", "f3", "f4", "f5", "f12", *"0123456789"),
)
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNORSTUVXYZ.,:;-+=/[]<>!?*#'\"_|\\ éßΩ日本\u0301\u200d\u202e😀"
TEXTS = (
    *("", " ", "7", "0", "-1", "500", "1e9", "99999999999999999999", "a name", "an evening in winter", "beads.json"),
    *("failures.txt", "sub/none.json", "../up.json", "x" * 3000, "two\nlines\n", "\x1b[31m\x07", "[b]x[/] [@click=q]y"),
    *(
        "tictactoe X---O---- X",
        "XXOOOX---/X",
        "1. a1 b2 2. c3",
        "X:... O:",
        "日本\u202e[/]",
        "pick=rounded",
        "menace",
        "\0",
    ),
)
PALETTE = ("go to", "theme", "motion", "skin", "screenshot", "maximize", "help", "", "save", "new", "x", "tour")


class Monkey:
    """Chooses random gestures that fit the current state of the app; each consists of steps."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def gesture(self, app: NoughtsApp) -> list[Step]:
        """Return the steps of a random gesture, which follow each other without a pause."""
        gestures = {
            self.press_bound_key: 34,
            self.press_any_key: 14,
            self.click: 16,
            self.scroll: 3,
            self.drag: 2,
            self.move_mouse: 2,
            self.type_letters: 4,
            self.paste: 2,
            self.fill_field: 4,
            self.use_palette: 3,
            self.resize: 4,
            self.repeat_key: 2,
            self.press_escape: 6,
        }
        gesture = self.random.choices(list(gestures), gestures.values())[0]
        return list(gesture(app))

    def rest(self) -> Step:
        """Return a step that waits: mostly until the app is idle, sometimes for a while first."""
        kind = self.random.random()
        return ("rest", 0.0) if kind < 0.97 else ("rest", self.random.choice((0.01, 0.05, 0.12, 0.4)))

    def burst(self) -> int:
        """The number of gestures before the app is checked."""
        return 1 if self.random.random() < 0.4 else self.random.randint(2, 20)

    def press_bound_key(self, app: NoughtsApp) -> Iterator[Step]:
        """Press a key that has a binding on this screen, mostly a binding of our own, not one of Textual."""
        active = [each for each in app.screen.active_bindings.values() if each.enabled]
        ours = [each for each in active if is_ours(each)]
        chosen = self.random.choice(ours if ours and self.random.random() < 0.8 else active) if active else None
        key = "escape" if chosen is None else chosen.binding.key
        if self.random.random() > KEPT_SHARE.get(key, 1.0):
            return
        if isinstance(app.screen, PapersScreen) and key in ("g", "asterisk") and self.random.random() > PAPERS_SHARE:
            return
        yield "key", key

    def press_any_key(self, app: NoughtsApp) -> Iterator[Step]:
        yield "key", self.random.choice(KEYS)

    def type_letters(self, app: NoughtsApp) -> Iterator[Step]:
        for _ in range(self.random.randint(1, 5)):
            yield from self._letters(self.random.choice(LETTERS.replace("q", "")))

    @staticmethod
    def _letters(text: str) -> Iterator[Step]:
        for letter in text:
            yield "key", _character_to_key(letter)

    def paste(self, app: NoughtsApp) -> Iterator[Step]:
        yield "paste", self.random.choice(TEXTS)

    def fill_field(self, app: NoughtsApp) -> Iterator[Step]:
        """Replace the text of a field, and mostly press Enter."""
        if not isinstance(app.focused, Input):
            fields = [field for field in app.screen.query(Input) if field in app.screen._compositor.visible_widgets]
            if fields:
                yield from self._click(*self._place_in(app, self.random.choice(fields)))
        if isinstance(app.focused, Input) and isinstance(app.screen, Prompt) and self.random.random() < 0.5:
            yield "key", "enter"
            return
        if isinstance(app.focused, Input):
            yield "key", "end"
            yield "key", "ctrl+u"
            text = self.random.choice(TEXTS)
            yield from [("paste", text)] if len(text) > 20 else self._letters(text)
            if self.random.random() < 0.7:
                yield "key", "enter"

    def use_palette(self, app: NoughtsApp) -> Iterator[Step]:
        yield "key", "ctrl+p"
        if self.random.random() < 0.5:
            yield "rest", 0.0
        yield from self._letters(self.random.choice(PALETTE))
        yield "rest", self.random.choice((0.0, 0.02, 0.1))
        yield from [("key", "down")] * self.random.randint(0, 8)
        yield "key", self.random.choice(("enter", "enter", "enter", "escape"))

    def click(self, app: NoughtsApp) -> Iterator[Step]:
        """Click on a visible widget, or anywhere; sometimes two or three times, or with another button."""
        widgets = list(app.screen._compositor.visible_widgets)
        if widgets and self.random.random() < 0.7:
            x, y = self._place_in(app, self.random.choice(widgets))
        else:
            x, y = self._place(app)
        button = self.random.choice((1, 1, 1, 1, 1, 2, 3))
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            yield from self._click(x, y, button)

    @staticmethod
    def _click(x: int, y: int, button: int = 1) -> Iterator[Step]:
        yield "down", x, y, button
        yield "up", x, y, button

    def _place(self, app: NoughtsApp) -> tuple[int, int]:
        return self.random.randrange(max(1, app.size.width)), self.random.randrange(max(1, app.size.height))

    def _place_in(self, app: NoughtsApp, widget: object) -> tuple[int, int]:
        region, clip = app.screen._compositor.visible_widgets[widget]
        seen = region.intersection(clip)
        return seen.x + self.random.randrange(max(1, seen.width)), seen.y + self.random.randrange(max(1, seen.height))

    def scroll(self, app: NoughtsApp) -> Iterator[Step]:
        x, y = self._place(app)
        kind = self.random.choice(("scroll_up", "scroll_down"))
        yield from [(kind, x, y)] * self.random.randint(1, 4)

    def drag(self, app: NoughtsApp) -> Iterator[Step]:
        yield "down", *self._place(app), 1
        for _ in range(self.random.randint(1, 4)):
            yield "move", *self._place(app), 1
        if self.random.random() < 0.9:
            yield "up", *self._place(app), 1

    def move_mouse(self, app: NoughtsApp) -> Iterator[Step]:
        yield "move", *self._place(app), 0

    def resize(self, app: NoughtsApp) -> Iterator[Step]:
        for _ in range(self.random.choice((1, 1, 1, 2, 5))):
            width, height = LARGEST_SIZE
            anything = self.random.randint(1, width), self.random.randint(1, height)
            yield "resize", *self.random.choice((*USUAL_SIZES, *USUAL_SIZES, anything, (1, 1)))
        if self.random.random() < 0.8:  # a size at which most widgets can be reached
            yield "rest", 0.0
            yield "resize", *self.random.choice(USUAL_SIZES)

    def repeat_key(self, app: NoughtsApp) -> Iterator[Step]:
        """Press one key many times."""
        bound = [each.binding.key for each in app.screen.active_bindings.values() if each.enabled]
        key = self.random.choice([*bound, *KEYS])
        if key not in QUIT_KEYS and not isinstance(app.screen, PapersScreen):
            yield from [("key", key)] * self.random.randint(3, 15)

    def press_escape(self, app: NoughtsApp) -> Iterator[Step]:
        yield "key", "escape"


def event_of(step: Step) -> events.Event:
    """Return the event of a step, as if it came from the terminal."""
    name, *values = step
    if name == "key":
        (key,) = values
        return events.Key(key, key_to_character(key))
    if name == "paste":
        return events.Paste(*values)
    x, y, *button = values
    kinds = {
        "down": events.MouseDown,
        "up": events.MouseUp,
        "move": events.MouseMove,
        "scroll_up": events.MouseScrollUp,
        "scroll_down": events.MouseScrollDown,
    }
    return kinds[name](None, x, y, 0, 0, *(button or [0]), False, False, False, x, y)


async def do(app: NoughtsApp, step: Step) -> None:
    """Perform one step in the app, through its driver, as for a person's input."""
    name, *values = step
    driver = app._driver
    if name == "rest":
        await rest(*values)
    elif name == "until":
        (condition,) = values
        await wait_until_async(lambda: condition(app), state=lambda: app.screen)
    elif name == "resize":
        size = Size(*values)
        driver._size = size
        driver.process_message(events.Resize(size, size))
    else:
        driver.process_message(event_of(step))


async def rest(seconds: float) -> None:
    """Wait for a time, and until the app is idle."""
    if seconds:
        await asyncio.sleep(seconds)
    loop = asyncio.get_running_loop()
    await asyncio.sleep(0)
    while loop._ready:  # noqa: ASYNC110  no event tells when nothing is left to do
        await asyncio.sleep(0)
