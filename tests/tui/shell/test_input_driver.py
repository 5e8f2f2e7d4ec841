"""Input beyond what the app can answer is dropped before it takes memory."""

from textual.app import App
from textual.events import AppBlur, AppFocus, Key, MouseMove, Resize
from textual.geometry import Size

from tests.tui.piloting import running, until
from tui.shell.input_driver import LARGEST, MAX_WAITING, ResilientInputDriver, waiting_in


class Driver(ResilientInputDriver):
    """A driver without a terminal, which records what it passes on."""

    def __init__(self, app, loop) -> None:  # without the real one, which replaces handlers of signals
        self._app = self._client = app
        self._loop_of_app, self._sent, self._arrived = loop, 0, 0
        self._in_band_window_resize = False
        self._down_buttons, self._last_move_event, self.cursor_origin = [], None, None
        self.passed, self.discarded = [], 0

    def send_message(self, message):
        self.passed.append(message)

    def _discard_rest(self, message):
        self.discarded += 1


class Loop:
    """An event loop that is busy until `run`."""

    def __init__(self) -> None:
        self.callbacks = []

    def call_soon_threadsafe(self, callback):
        self.callbacks.append(callback)

    def run(self):
        while self.callbacks:
            self.callbacks.pop()()


async def test_keys_beyond_those_that_may_wait_are_dropped_until_the_app_has_answered():
    async with running() as pilot:
        loop = Loop()
        driver = Driver(pilot.app, loop)
        await until(pilot, lambda: not waiting_in(pilot.app))
        for _ in range(3 * MAX_WAITING):
            driver.process_message(Key("w", "w"))
        assert len(driver.passed) <= MAX_WAITING
        assert driver.discarded >= 2 * MAX_WAITING
        loop.run()
        await until(pilot, lambda: not waiting_in(pilot.app))
        driver.process_message(Key("x", "x"))
        assert driver.passed[-1].key == "x"


async def test_messages_in_the_queue_of_the_focused_widget_count():
    async with running() as pilot:
        await until(pilot, lambda: not waiting_in(pilot.app))
        target = pilot.app.focused or pilot.app.screen
        for _ in range(MAX_WAITING):
            target.post_message(Key("w", "w"))
        driver = Driver(pilot.app, Loop())
        driver.process_message(Key("x", "x"))
        assert driver.passed == []


async def test_changes_of_the_focus_of_the_window_and_impossible_sizes_are_dropped():
    async with running() as pilot:
        driver = Driver(pilot.app, Loop())
        sizes = (Size(80, 24), Size(LARGEST.width + 1, 24), Size(80, LARGEST.height + 1))
        for message in (AppBlur(), AppFocus(), *(Resize(size, size) for size in sizes)):
            driver.process_message(message)
        assert [message.size for message in driver.passed] == [sizes[0]]


def test_only_text_is_discarded_unparsed(monkeypatch):
    flushed = []
    monkeypatch.setattr("tui.shell.input_driver.termios.tcflush", lambda fileno, _: flushed.append(fileno))
    driver = Driver(None, None)
    driver.fileno = 7
    move = MouseMove(None, 1, 1, 0, 0, 0, False, False, False)
    for message in (Key("w", "w"), Key("left", None), move):
        ResilientInputDriver._discard_rest(driver, message)
    assert flushed == [7]


async def test_an_app_whose_input_fails_ends_with_code_1(capsys, monkeypatch):
    async with running() as pilot:
        monkeypatch.setattr(App, "panic", lambda *_: None)
        assert pilot.app.report_exit() == 0
        pilot.app.panic("a traceback")
    assert pilot.app.report_exit() == 1
    assert "an error in Noughts ended the app" in capsys.readouterr().err
