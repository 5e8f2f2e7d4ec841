"""Tasks of the table that run in threads."""

from threading import Event

from lab.board import events
from tests.tui.piloting import DEADLINE


async def test_the_result_of_a_cancelled_task_is_not_carried_out(pilot, monkeypatch):
    begun, goes_on, reported, used = Event(), Event(), [], []
    call = pilot.app.call_from_thread
    monkeypatch.setattr(pilot.app, "call_from_thread", lambda *arguments: reported.append(call(*arguments)))

    def find(_):
        begun.set()
        assert goes_on.wait(DEADLINE)

    await pilot.seated()
    pilot.screen.carry_out([events.make_task("blocked", find, lambda _: used.append(True) or [], lambda: True)])
    await pilot.until(begun.is_set)
    (worker,) = (each for each in pilot.app.workers if each.group == "blocked")
    worker.cancel()
    reported.clear()
    goes_on.set()
    await pilot.until(lambda: reported)
    assert not used
