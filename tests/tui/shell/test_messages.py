"""Messages over the screen, drawn in time or after they have expired."""

import pytest
from textual.widgets._toast import Toast

from tests.tui.piloting import is_shown, running, shown_messages, until
from tui.shell.guards import LastingNotification
from tui.shell.tour_bar import TourBar


@pytest.mark.long
async def test_a_message_that_expires_before_it_is_drawn_is_removed(monkeypatch):
    monkeypatch.setattr(LastingNotification, "has_expired", False)  # as it was a moment earlier
    shown, mounted = [], Toast._on_mount

    def seen(toast, event):
        shown.append(toast)
        assert toast._notification.time_left > 0, "the app would stand still"
        mounted(toast, event)

    monkeypatch.setattr(Toast, "_on_mount", seen)  # polling could miss it
    async with running() as pilot:
        pilot.app.notify("too late", timeout=-0.01)
        await until(pilot, lambda: shown)
        await until(pilot, lambda: not pilot.app.screen.query(Toast))


@pytest.mark.long
async def test_a_message_is_shown_for_its_time_and_not_again(monkeypatch):
    seen = []
    mounted, expired = Toast._on_mount, LastingNotification.has_expired.fget
    # a busy machine may draw it only after its time
    monkeypatch.setattr(LastingNotification, "has_expired", property(lambda each: bool(seen) and expired(each)))
    monkeypatch.setattr(
        Toast, "_on_mount", lambda toast, event: (seen.append(toast._notification), mounted(toast, event))
    )
    async with running() as pilot:
        pilot.app.notify("for a moment", timeout=0.5)
        await until(pilot, lambda: seen)
        assert seen[0].timeout == 0.5
        assert 0 < seen[0].time_left <= 0.5
        await until(pilot, lambda: seen[0].has_expired and not shown_messages(pilot))
        assert len(seen) == 1


@pytest.mark.long
async def test_a_message_does_not_cover_the_tour():
    async with running() as pilot:
        tour = pilot.app.screen.query_one(TourBar)
        await pilot.press("f2")
        await until(pilot, lambda: is_shown(tour))
        pilot.app.notify("Beaten. " * 20)
        await until(pilot, lambda: pilot.app.screen.query(Toast) and is_shown(pilot.app.screen.query_one(Toast)))
        assert not pilot.app.screen.query_one(Toast).region.overlaps(tour.region)
