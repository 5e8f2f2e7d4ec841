from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import pytest

from engine.game import BadText
from saves.errors import LibraryError
from saves.files import folder_lock
from saves.paths import library_path, parse_path, path_text, settings_path
from saves.settings import PATIENCE, change_settings, load_settings, save_settings
from tests.libraries import unchanged
from tests.waiting import LIMIT


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
    assert path_text(Path("a\x1b[31m\nb\udc80")) == r"a\x1b[31m\nb\x80"


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


def test_settings_are_loaded_as_saved(tmp_path):
    path = tmp_path / "new folder" / "settings.json"
    assert load_settings(path) == {}
    assert not path.parent.exists()
    for settings in ({"theme": "nord", "player": "save:Größe 1"}, {}, {"a": '"\\\n\x1b'}):
        save_settings(path, settings)
        assert load_settings(path) == settings
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"{", "line 1, column 2"),
        (b"[]", "not a JSON object"),
        (b'{"a": 1,\n"a": 2}', "line 2: 'a' is given twice"),
        (b'{\n"theme": 1}', "line 2: the value of 'theme' is not a string"),
        (b"\x00", "binary"),
        (b"\xff", "UTF-8"),
        (b" " * 70_000, "larger than 64 KiB"),
    ],
)
def test_a_wrong_settings_file_is_reported_and_not_changed(tmp_path, data, what):
    path = tmp_path / "settings.json"
    path.write_bytes(data)
    with unchanged(path), pytest.raises(LibraryError, match=what) as caught:
        load_settings(path)
    assert str(path) in str(caught.value)


def test_unreadable_or_unwritable_settings_are_reported(tmp_path):
    with pytest.raises(LibraryError, match="cannot be read"):
        load_settings(tmp_path)
    with pytest.raises(LibraryError, match="cannot be written"):
        save_settings(tmp_path, {})


def test_programs_change_settings_one_after_another(tmp_path, monkeypatch):
    path, asking = tmp_path / "settings.json", Event()

    def asked(*arguments):
        asking.set()
        return folder_lock(*arguments)

    monkeypatch.setattr("saves.settings.folder_lock", asked)
    with ThreadPoolExecutor() as pool:
        with folder_lock(tmp_path, PATIENCE):
            other = pool.submit(change_settings, path, {"player": "random"})
            assert asking.wait(LIMIT)
            save_settings(path, {"theme": "nord"})
        other.result()
    assert load_settings(path) == {"theme": "nord", "player": "random"}


def test_a_lock_on_the_settings_is_not_waited_for_long(tmp_path, monkeypatch):
    monkeypatch.setattr("saves.settings.PATIENCE", 0.05)
    with folder_lock(tmp_path, PATIENCE):
        change_settings(tmp_path / "settings.json", {"theme": "nord"})
    assert load_settings(tmp_path / "settings.json") == {"theme": "nord"}
