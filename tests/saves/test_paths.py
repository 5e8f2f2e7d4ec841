from pathlib import Path

from saves.paths import library_path, settings_path, shown


def test_the_library_lies_where_it_is_said_to(monkeypatch):
    monkeypatch.setenv("NOUGHTS_LIBRARY", "/there/library")
    assert library_path("/here/library") == Path("/here/library")
    assert library_path(Path("/here/library")) == Path("/here/library")
    assert library_path() == Path("/there/library")


def test_else_it_lies_in_the_data_folder_of_the_platform(monkeypatch, tmp_path):
    monkeypatch.setenv("NOUGHTS_LIBRARY", "")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert library_path().parts[-2:] == ("noughts", "library.sqlite")


def test_the_settings_lie_where_the_environment_says_or_in_the_configuration_folder(monkeypatch):
    monkeypatch.setenv("NOUGHTS_SETTINGS", "/there/settings")
    assert settings_path() == Path("/there/settings")
    monkeypatch.delenv("NOUGHTS_SETTINGS")
    assert settings_path().parts[-2:] == ("noughts", "settings.json")


def test_a_path_is_shown_without_what_a_terminal_would_obey():
    assert shown(Path("a\x1b[31m\nb\udc80")) == r"a\x1b[31m\nb\x80"
