from pathlib import Path

import pytest

from engine.game import BadText
from saves.paths import parse_path


def test_a_path_is_stripped_and_its_home_expanded(monkeypatch):
    monkeypatch.setenv("HOME", "/home/a")
    assert parse_path(" b c.json ") == "b c.json"
    assert parse_path("~/b.json") == "/home/a/b.json"
    assert parse_path("a\x1b\udcff/b") == str(Path("a\x1b\udcff/b"))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "enter a path"),
        ("  ", "enter a path"),
        ("~nobody-here/x", "no user of this computer has that name"),
        ("a\0.json", "a path cannot contain NUL"),
        ("~a\0/x", "a path cannot contain NUL"),
        ("~\ud800/x", "a path cannot contain half a character"),
        ("a\ud800", "a path cannot contain half a character"),
    ],
)
def test_an_impossible_path_is_refused_in_one_printable_line(text, what):
    with pytest.raises(BadText, match=what) as caught:
        parse_path(text)
    assert str(caught.value).isprintable()
