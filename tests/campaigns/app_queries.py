"""What the app shows to who wants to get somewhere."""

from textual.command import CommandList
from textual.widgets._select import SelectOverlay

from tui.app import NoughtsApp
from tui.shell.mode_bar import ModeTab


def spot_of(app: NoughtsApp, mode: str) -> tuple[int, int] | None:
    """Where its tab is to be seen, if it is anywhere."""
    tab = next((tab for tab in app.screen.query(ModeTab) if tab.mode == mode), None)
    if tab is None or not tab.region.area or app.screen._compositor.size != app.size:
        return None
    x, y = tab.content_region.offset
    return (x, y) if app.get_widget_at(x, y)[0] is tab else None


def first_found(app: NoughtsApp) -> str:
    found = app.screen.query(CommandList)
    if not found or not found.first().option_count:
        return ""
    return str(found.first().get_option_at_index(0).prompt).partition("\n")[0]


def is_open(app: NoughtsApp) -> bool:
    """Whether there is something that Escape closes: a screen, a widget that fills it, or a list, which takes letters.

    Of several it closes one at a time.
    """
    return len(app.screen_stack) > 1 or app.screen.maximized is not None or isinstance(app.focused, SelectOverlay)


def left(app: NoughtsApp) -> bool:
    """Whether the app ends, by its own will or not."""
    return app._exit or app._exception_event.is_set() or not app._running
