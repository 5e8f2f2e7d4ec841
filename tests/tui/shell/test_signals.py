"""The app under any number of signals: it ends once, and as intended."""

import asyncio
import os
import signal
from contextlib import nullcontext, suppress
from functools import partial
from threading import Event
from types import SimpleNamespace

import pytest

from engine.compiling.compile_thread import run_in_thread
from engine.stop import Stopped
from saves.paths import library_path
from tests.tui.piloting import DEADLINE, running
from tui.app import NoughtsApp, run_app
from tui.shell.process import ENDING, Signals


@pytest.fixture
def bare(monkeypatch):
    """A function that runs an app made by another class, without a terminal, and returns the exit code."""
    before = {number: signal.getsignal(number) for number in ENDING}
    for name in ("outlive_terminal", "prioritise_screen", "skip_final_collection", "keep_daily_backups"):
        monkeypatch.setattr(f"tui.app.{name}", lambda *_: None)
    monkeypatch.setattr("engine.stop._ENDING", Event())

    def run(made):
        monkeypatch.setattr("tui.app.NoughtsApp", made)
        return run_app(library_path())

    yield run
    for number, handler in before.items():  # at its end the app ignores signals
        signal.signal(number, handler)


def test_a_signal_before_the_app_exists_ends_it_even_if_its_exception_is_lost(bare):
    class Made:
        def __init__(self, *_: object, **__: object) -> None:
            self.looks = SimpleNamespace()
            with suppress(KeyboardInterrupt):  # as Python does during garbage collection
                os.kill(os.getpid(), signal.SIGINT)

        async def run_async(self):
            ran.append(self.signals.received)

        def stop_and_save(self):
            pass

        def report_exit(self):
            return self.signals.exit_code

    ran = []
    assert bare(Made) == 130
    assert ran == [[signal.SIGINT]]


def test_an_app_saves_before_it_waits_for_its_threads_and_then_for_no_kernel(bare):
    saved, compiled = Event(), Event()

    def use_kernel() -> bool:
        with pytest.raises(Stopped):
            run_in_thread(partial(compiled.wait, DEADLINE))
        return saved.is_set()

    class Made:
        looks = SimpleNamespace()

        def __init__(self, *_: object, **__: object) -> None:
            pass

        async def run_async(self):
            self.thread = asyncio.get_running_loop().run_in_executor(None, use_kernel)

        def stop_and_save(self):
            saved.set()

        def report_exit(self):
            return 0 if self.thread.result() else 1

    assert bare(Made) == 0
    compiled.set()


def test_an_app_without_the_terminal_saves_and_ends_at_a_signal(monkeypatch):
    """It does not draw again, since the terminal belongs to another process."""
    ended, signals = [], Signals()
    app = SimpleNamespace(suspend=nullcontext, stop_and_save=partial(ended.append, "saved"), report_exit=lambda: 143)
    monkeypatch.setattr("os._exit", ended.append)
    signals.received = [signal.SIGTERM]
    signals._suspend(app, stop=False)
    assert ended == ["saved", 143]


async def test_an_app_that_gets_many_signals_ends_once(monkeypatch):
    kept, answered, going_on = [], [], Event()
    answer = Signals._handle

    def keep(app):
        kept.append(app)
        going_on.wait(DEADLINE)

    def counted(signals, number):
        answered.append(number)
        answer(signals, number)

    monkeypatch.setattr(NoughtsApp, "stop_and_save", keep)
    monkeypatch.setattr(Signals, "_handle", counted)
    async with running() as pilot:
        for turn in range(3):
            for _ in range(100):
                pilot.app.signals._receive(signal.SIGTERM, None)
            await pilot.until(lambda turn=turn: len(answered) > turn)
        pilot.app.leave()
        assert len(answered) == 3
        going_on.set()
        await pilot.until(lambda: not pilot.app.is_running)
        assert len(kept) == 1
