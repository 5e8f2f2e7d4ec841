"""Questions about the state of the app that decide which step comes next."""

from textual.command import CommandList
from textual.widgets._select import SelectOverlay

from tui.app import NoughtsApp
from tui.shell.bars import ModeTab


def tab_position(app: NoughtsApp, mode: str) -> tuple[int, int] | None:
    """Return the column and line of the tab of a mode; `None` if the tab cannot be clicked."""
    tab = next((tab for tab in app.screen.query(ModeTab) if tab.mode == mode), None)
    if tab is None or not tab.region.area or app.screen._compositor.size != app.size:
        return None
    x, y = tab.content_region.offset
    return (x, y) if app.get_widget_at(x, y)[0] is tab else None


def first_suggestion(app: NoughtsApp) -> str:
    """Return the first command that the command palette suggests, or an empty text."""
    found = app.screen.query(CommandList)
    if not found or not found.first().option_count:
        return ""
    return str(found.first().get_option_at_index(0).prompt).partition("\n")[0]


def has_something_open(app: NoughtsApp) -> bool:
    """Whether Escape would close something: a screen, a maximized widget, or an open list. It closes one at a time."""
    return len(app.screen_stack) > 1 or app.screen.maximized is not None or isinstance(app.focused, SelectOverlay)


def is_ending(app: NoughtsApp) -> bool:
    """Whether the app is about to end, or has failed."""
    return app._exit or app._exception_event.is_set() or not app._running
