"""Messages and lists of options that are drawn or clicked after they have changed."""

from contextlib import nullcontext
from unittest.mock import patch

import pytest
from rich.style import Style
from textual.app import App, ComposeResult

from tests.keys import click_event
from tests.tui.piloting import is_shown
from tui.shell.guards import LastingNotification
from tui.shell.parts import Options
from tui.shell.tour import TourBar


@pytest.fixture
def drawn(monkeypatch):
    """The seconds that each message had left when it was drawn."""
    seconds, left = [], LastingNotification.time_left.fget
    monkeypatch.setattr(
        LastingNotification, "time_left", property(lambda each: seconds.append(left(each)) or seconds[-1])
    )
    return seconds


@pytest.mark.long
async def test_a_message_that_expires_before_it_is_drawn_is_removed(pilot, monkeypatch, drawn):
    monkeypatch.setattr(LastingNotification, "has_expired", False)  # as it was a moment earlier
    pilot.app.notify("too late", timeout=-0.01)
    await pilot.until(lambda: drawn)
    assert drawn[0] > 0, "the app would stand still"
    await pilot.until(lambda: not pilot.shown_messages)


@pytest.mark.long
async def test_a_message_is_shown_for_its_time_and_not_again(pilot, monkeypatch, drawn):
    expired = LastingNotification.has_expired.fget
    # a busy machine may draw it only after its time
    monkeypatch.setattr(LastingNotification, "has_expired", property(lambda each: bool(drawn) and expired(each)))
    pilot.app.notify("for a moment", timeout=0.5)
    await pilot.until(lambda: drawn)
    assert 0 < drawn[0] <= 0.5
    await pilot.until(lambda: not pilot.shown_messages)
    assert len(drawn) == 1


@pytest.mark.long
async def test_a_message_does_not_cover_the_tour(pilot):
    tour = pilot.screen.query_one(TourBar)
    await pilot.press("f2")
    await pilot.until(lambda: is_shown(tour))
    pilot.app.notify("Beaten. " * 20)
    await pilot.until(lambda: any(is_shown(toast) for toast in pilot.screen.query("Toast")))
    assert not pilot.screen.query_one("Toast").region.overlaps(tour.region)


class Listing(App[None]):
    def compose(self) -> ComposeResult:
        yield Options("one", "two")


@pytest.mark.parametrize("guarded", [True, False])
async def test_a_click_on_an_option_that_is_gone_is_ignored(guarded):
    app = Listing()
    without = nullcontext() if guarded else patch.object(Options, "on_click", lambda *_: None)
    with without, nullcontext() if guarded else pytest.raises(IndexError):
        async with app.run_test() as pilot:
            listed = app.query_one(Options)
            on_second = Style(meta={"option": 1})  # as the screen was when the button went down
            listed.remove_option_at_index(1)
            listed.post_message(click_event(listed, 2, 1, on_second))
            await pilot.pause()
            assert listed.option_count == 1
