"""Keys as a terminal reports them."""

import unicodedata

from textual.events import Key
from textual.keys import KEY_NAME_REPLACEMENTS, key_to_character


def key_event(key: str) -> Key:
    """The event of a key, given by its name or by the character that it types."""
    if len(key) > 1:
        return Key(key, key_to_character(key))
    name = key if key.isalnum() else unicodedata.name(key, key).lower().replace("-", "_").replace(" ", "_")
    return Key(KEY_NAME_REPLACEMENTS.get(name, name), key)
