from pathlib import Path

import pytest

from engine.game import BadText
from saves.paths import library_path, parse_path, settings_path, shown


def test_the_library_path_can_be_given(monkeypatch):
    monkeypatch.setenv("NOUGHTS_LIBRARY", "/there/library")
    assert library_path("/here/library") == Path("/here/library")
    assert library_path(Path("/here/library")) == Path("/here/library")
    assert library_path() == Path("/there/library")


def test_the_default_library_is_in_the_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("NOUGHTS_LIBRARY", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert library_path().parts[-2:] == ("noughts", "library.sqlite")


def test_the_settings_are_at_the_given_path_or_in_the_configuration_folder(monkeypatch):
    monkeypatch.setenv("NOUGHTS_SETTINGS", "/there/settings")
    assert settings_path() == Path("/there/settings")
    monkeypatch.delenv("NOUGHTS_SETTINGS")
    assert settings_path().parts[-2:] == ("noughts", "settings.json")


def test_a_path_is_shown_without_control_characters():
    assert shown(Path("a\x1b[31m\nb\udc80")) == r"a\x1b[31m\nb\x80"


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
