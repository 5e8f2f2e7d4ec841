"""Check that a library is refused by every operation, and is not changed."""

import pytest

from engine.games import parse_game
from saves import gallery
from saves.errors import LibraryError, NoSuchSave
from saves.library.library import Library
from tests.saves.brains import made_up

BRAIN = made_up(parse_game("hexapawn"), 40)
SHIPPED = list(gallery.names())


def folder(path):
    return {found.name: found.read_bytes() for found in path.parent.iterdir() if found.is_file()}


def refuse(path, what):
    """Expect every operation to be refused in one or two lines, without a change; the gallery still works."""
    library, before = Library(path), folder(path)
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
        with pytest.raises(LibraryError, match=what) as caught:
            attempt()
        message = str(caught.value)
        assert not isinstance(caught.value, NoSuchSave)
        assert str(path) in message
        assert message.isprintable()
        assert len(message) - len(str(path)) < 160
        assert folder(path) == before
    assert [entry.name for entry in list(gallery.entries())] == SHIPPED
    assert library.load("riechel").game.name == "tictactoe"
