"""Input beyond what the app can answer is dropped before it takes memory."""

from unittest.mock import patch

import pytest
from textual.app import App
from textual.events import AppBlur, AppFocus, Key, MouseMove, Resize
from textual.geometry import Size

from tests.tui.piloting import running, steadily
from tui.shell.input_driver import LARGEST, MAX_WAITING, Backlog, ResilientInputDriver


class Loop:
    """An event loop that is busy until `run`."""

    def __init__(self) -> None:
        self.callbacks = []

    def call_soon_threadsafe(self, callback):
        self.callbacks.append(callback)

    def run(self):
        while self.callbacks:
            self.callbacks.pop()()


class Driver(ResilientInputDriver):
    """A driver that is not started, with a file for its terminal; it records what it passes on."""

    def __init__(self, app, file, loop) -> None:
        # its handlers of signals would replace those of the tests
        with patch("sys.__stdin__", file), patch("sys.__stderr__", file), patch("signal.signal"):
            super().__init__(app)
        self.backlog = Backlog(app, loop)
        self.passed = []

    def send_message(self, message):
        self.passed.append(message)


@pytest.fixture(name="file")
def _file(tmp_path):
    with (tmp_path / "terminal").open("w+") as file:
        yield file


@pytest.fixture(name="flushed", autouse=True)
def _flushed(monkeypatch):
    """The terminals whose text was discarded."""
    flushed = []
    monkeypatch.setattr("tui.shell.input_driver.termios.tcflush", lambda fileno, _: flushed.append(fileno))
    return flushed


async def test_what_is_on_its_way_to_the_event_loop_is_a_backlog():
    async with steadily(App()) as pilot:
        loop = Loop()
        backlog = Backlog(pilot.app, loop)
        await pilot.until(lambda: not backlog.queued)
        assert not backlog.is_full
        for _ in range(MAX_WAITING):
            backlog.add()
        assert backlog.is_full
        loop.run()
        assert not backlog.is_full


async def test_what_is_in_the_queue_of_the_focused_widget_is_a_backlog():
    async with steadily(App()) as pilot:
        backlog = Backlog(pilot.app, Loop())
        await pilot.until(lambda: not backlog.queued)
        for _ in range(MAX_WAITING):
            (pilot.app.focused or pilot.screen).post_message(Key("w", "w"))
        assert backlog.is_full
        await pilot.until(lambda: not backlog.queued)
        assert not backlog.is_full


async def test_keys_are_dropped_while_there_is_a_backlog(file, flushed):
    async with steadily(App()) as pilot:
        loop = Loop()
        driver = Driver(pilot.app, file, loop)
        await pilot.until(lambda: not driver.backlog.queued)
        for _ in range(3 * MAX_WAITING):
            driver.process_message(Key("w", "w"))
        assert 0 < len(driver.passed) <= MAX_WAITING
        assert flushed == [file.fileno()] * (3 * MAX_WAITING - len(driver.passed))
        loop.run()
        driver.process_message(Key("x", "x"))
        assert driver.passed[-1].key == "x"


async def test_only_text_is_discarded_unparsed(file, flushed):
    async with steadily(App()) as pilot:
        driver = Driver(pilot.app, file, Loop())
        for _ in range(MAX_WAITING):
            driver.backlog.add()
        for message in (Key("left", None), MouseMove(None, 1, 1, 0, 0, 0, False, False, False)):
            driver.process_message(message)
        assert (driver.passed, flushed) == ([], [])
        driver.process_message(Key("w", "w"))
        assert (driver.passed, flushed) == ([], [file.fileno()])


async def test_changes_of_the_focus_of_the_window_and_impossible_sizes_are_dropped(file):
    async with steadily(App()) as pilot:
        driver = Driver(pilot.app, file, Loop())
        sizes = (Size(80, 24), Size(LARGEST.width + 1, 24), Size(80, LARGEST.height + 1))
        for message in (AppBlur(), AppFocus(), *(Resize(size, size) for size in sizes)):
            driver.process_message(message)
        assert [message.size for message in driver.passed] == [sizes[0]]


async def test_an_app_whose_input_fails_ends_with_code_1(capsys, monkeypatch):
    async with running() as pilot:
        monkeypatch.setattr(App, "panic", lambda *_: None)
        assert pilot.app.report_exit() == 0
        pilot.app.panic("a traceback")
    assert pilot.app.report_exit() == 1
    assert "an error in Noughts ended the app" in capsys.readouterr().err
