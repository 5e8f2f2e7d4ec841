"""Check that a library is refused, and is not changed."""

import re

import pytest

from engine.games import parse_game
from saves import gallery
from saves.errors import LibraryError, NoSuchSave
from saves.library.library import Library
from tests.libraries import sql, unchanged
from tests.saves.brains import made_up

BRAIN = made_up(parse_game("hexapawn"), 40)
SHIPPED = list(gallery.names())


def refuse(path, what):
    """Expect every operation to be refused in one or two lines, without a change; the gallery still works."""
    library = Library(path)
    for attempt in (
        library.entries,
        library.require_writable,
        lambda: library.load("a"),
        lambda: library.save("d", BRAIN),
        lambda: library.save("a", BRAIN, replace=True),
        lambda: library.rename("a", "d"),
        lambda: library.delete("a"),
        lambda: library.free_name("a"),
    ):
        with unchanged(path), pytest.raises(LibraryError, match=what) as caught:
            attempt()
        message = str(caught.value)
        assert not isinstance(caught.value, NoSuchSave)
        assert str(path) in message
        assert message.isprintable()
        assert len(message) - len(str(path)) < 160
    assert [entry.name for entry in list(gallery.entries())] == SHIPPED
    assert library.load("riechel").game.name == "tictactoe"


def refuse_edited(library, edit, *values, what=""):
    """Expect a library to refuse to load a save that is edited in this way with another tool."""
    sql(library, edit, *values)
    with unchanged(library.path), pytest.raises(LibraryError) as caught:
        library.load("a")
    message = str(caught.value)
    assert re.search(f"the save 'a' in .* cannot be used: .*{what}|is damaged", message)
    assert message.isprintable()
