"""The app whatever signals come, and however many: it ends once, in its own way."""

import os
import signal
from contextlib import suppress
from threading import Event
from types import SimpleNamespace

from saves.paths import library_path
from tests.tui.piloting import DEADLINE, running, until
from tui.app import NoughtsApp, run_app
from tui.shell.signals import ENDING, Signals


def test_a_signal_that_comes_before_there_is_an_app_ends_it_also_where_nobody_hears_what_is_raised(monkeypatch):
    class Made:
        def __init__(self, *_: object, **__: object) -> None:
            self.looks = SimpleNamespace()
            with suppress(KeyboardInterrupt):  # as Python does where it looks for garbage
                os.kill(os.getpid(), signal.SIGINT)

        def run(self):
            ran.append(self.signals.received)

        def keep_training(self):
            pass

        def farewell(self):
            return self.signals.code

    ran, before = [], {number: signal.getsignal(number) for number in ENDING}
    monkeypatch.setattr("tui.app.NoughtsApp", Made)
    monkeypatch.setattr("tui.app.outlive_terminal", int)
    monkeypatch.setattr("tui.app.put_screen_first", int)
    monkeypatch.setattr("tui.app.skip_final_collection", int)
    try:
        assert run_app(library_path()) == 130
    finally:
        for number, handler in before.items():  # at its end a program lets no other disturb it
            signal.signal(number, handler)
    assert ran == [[signal.SIGINT]]


async def test_an_app_that_is_told_to_end_again_and_again_ends_once(monkeypatch):
    kept, answered, going_on = [], [], Event()
    answer = Signals._handle

    def keep(app):
        kept.append(app)
        going_on.wait(DEADLINE)

    def counted(signals, number):
        answered.append(number)
        answer(signals, number)

    monkeypatch.setattr(NoughtsApp, "keep_training", keep)
    monkeypatch.setattr(Signals, "_handle", counted)
    async with running() as pilot:
        for turn in range(3):
            for _ in range(100):
                pilot.app.signals._record(signal.SIGTERM, None)
            await until(pilot, lambda turn=turn: len(answered) > turn)
        pilot.app.leave()
        assert len(answered) == 3
        going_on.set()
        await until(pilot, lambda: not pilot.app.is_running)
        assert len(kept) == 1
