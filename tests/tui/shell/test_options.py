"""A list of options that changes between a click and its handling."""

from contextlib import nullcontext
from unittest.mock import patch

import pytest
from rich.style import Style
from textual.app import App, ComposeResult
from textual.events import Click

from tui.shell.parts import Options


class Listing(App[None]):
    """Two options."""

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
            listed.post_message(
                Click(
                    listed,
                    x=2,
                    y=1,
                    delta_x=0,
                    delta_y=0,
                    button=1,
                    shift=False,
                    meta=False,
                    ctrl=False,
                    style=on_second,
                )
            )
            await pilot.pause()
            assert listed.option_count == 1
