from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from saves.errors import LibraryError
from saves.files import folder_lock
from saves.settings import PATIENCE, change_settings, load_settings, save_settings
from tests.libraries import unchanged
from tests.waiting import LIMIT


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
