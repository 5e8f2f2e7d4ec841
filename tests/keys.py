"""Keys and clicks as a terminal reports them."""

import unicodedata

from rich.style import Style
from textual.events import Click, Key
from textual.keys import KEY_NAME_REPLACEMENTS, key_to_character
from textual.widget import Widget


def key_event(key: str) -> Key:
    """The event of a key, given by its name or by the character that it types."""
    if len(key) > 1:
        return Key(key, key_to_character(key))
    name = key if key.isalnum() else unicodedata.name(key, key).lower().replace("-", "_").replace(" ", "_")
    return Key(KEY_NAME_REPLACEMENTS.get(name, name), key)


def click_event(widget: Widget, x: int = 0, y: int = 0, style: Style | None = None) -> Click:
    """A click on a place of a widget, with the style that was drawn there."""
    return Click(widget, x, y, 0, 0, 1, shift=False, meta=False, ctrl=False, screen_x=x, screen_y=y, style=style)
