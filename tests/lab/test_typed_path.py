from pathlib import Path

import pytest

from engine.game import BadText
from lab.words.typed_path import some_path


def test_a_path_is_taken_without_the_spaces_around_it_and_with_the_home_that_it_means(monkeypatch):
    monkeypatch.setenv("HOME", "/home/a")
    assert some_path(" b c.json ") == "b c.json"
    assert some_path("~/b.json") == "/home/a/b.json"
    assert some_path("a\x1b\udcff/b") == str(Path("a\x1b\udcff/b"))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "give a path"),
        ("  ", "give a path"),
        ("~nobody-here/x", "nobody here has a home of that name"),
        ("a\0.json", "NUL cannot be in a path"),
        ("~a\0/x", "NUL cannot be in a path"),
        ("~\ud800/x", "half a character cannot be in a path"),
        ("a\ud800", "half a character cannot be in a path"),
    ],
)
def test_what_can_be_no_path_is_refused_in_one_printable_line(text, what):
    with pytest.raises(BadText, match=what) as caught:
        some_path(text)
    assert str(caught.value).isprintable()
