"""What the tests of the app share."""

from functools import partial

import pytest
from textual._compositor import Compositor


def drawn(compositor, crop, _is_rendered_line):
    """Let every widget draw its lines, as it would in a terminal."""
    for _ in compositor._get_renders(crop):
        pass
    return []


@pytest.fixture(autouse=True)
def _drawn_in_pieces(monkeypatch):
    """Where there is no terminal nobody sees the lines of the widgets cut and put together, but for pictures."""
    paint = Compositor.render_update

    def painted(self, full=False, screen_stack=None, simplify=False):
        if full:
            return paint(self, full, screen_stack, simplify)
        self._render_chops = partial(drawn, self)
        try:
            return paint(self, full, screen_stack, simplify)
        finally:
            del self._render_chops

    monkeypatch.setattr(Compositor, "render_update", painted)
