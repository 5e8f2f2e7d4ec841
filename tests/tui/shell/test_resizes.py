"""A terminal that changes its size at any moment on any screen: nothing fails, and nothing is cut off."""

import pytest
from textual.widget import Widget

from tests.tui.piloting import is_shown, running, until
from tui.shell.modes import TITLES


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
