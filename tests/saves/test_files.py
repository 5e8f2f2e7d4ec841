import os

import pytest

from engine.game import BadText
from engine.games import parse_game
from saves.errors import LibraryError
from saves.files import LARGEST, PART, files_of, write_text
from saves.formats import FORMATS, export_file, import_file
from saves.library.library import Library
from tests.libraries import unchanged
from tests.saves.brains import made_up, same

BRAIN = made_up(parse_game("tictactoe"), 20)


@pytest.mark.parametrize("name", ["a.json", "b c%20#?.Txt", "ü.JSON"])
def test_the_suffix_chooses_the_format(tmp_path, name):
    export_file(BRAIN, tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (import_file(tmp_path / name).memory == BRAIN.memory).all()


@pytest.mark.parametrize("name", ["a", ".json", "a.json.gz"])
def test_any_other_suffix_is_refused_with_those_there_are(tmp_path, name):
    for attempt in (lambda: export_file(BRAIN, tmp_path / name), lambda: import_file(tmp_path / name)):
        with pytest.raises(BadText, match=r"must end in \.json \(.*\) or \.txt \("):
            attempt()
    assert not list(tmp_path.iterdir())


def test_a_file_is_replaced_only_with_replace(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("mine")
    with unchanged(path), pytest.raises(LibraryError, match="already exists"):
        export_file(BRAIN, path)
    export_file(BRAIN, path, replace=True)
    assert same(import_file(path), BRAIN)


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "there").mkdir()
    link = tmp_path / "a.json"
    link.symlink_to(tmp_path / "there" / "b.json")
    with pytest.raises(LibraryError, match="already exists"):
        export_file(BRAIN, link)
    export_file(BRAIN, link, replace=True)
    assert link.is_symlink()
    assert same(import_file(tmp_path / "there" / "b.json"), BRAIN)


def test_a_file_that_cannot_be_written_leaves_nothing_behind(tmp_path, monkeypatch):
    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    (tmp_path / "a.json").write_text("mine")
    with pytest.raises(LibraryError, match="cannot be written: No space left on device"):
        export_file(BRAIN, tmp_path / "a.json", replace=True)
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.json", "mine")]


def test_the_partly_written_file_of_a_killed_program_is_removed_by_the_next(tmp_path):
    old, new, mine = (tmp_path / name for name in (PART.format("1"), PART.format("2"), "mine.part"))
    for path in (old, new, mine):
        path.write_text("{")
        if path is not new:  # which may still be written
            os.utime(path, (0, 0))
    export_file(BRAIN, tmp_path / "a.json")
    assert {path.name for path in tmp_path.iterdir()} == {"a.json", new.name, mine.name}


@pytest.mark.parametrize("name", ["missing/../gone.json", "folder.json", "x" * 300 + ".json", "file/in.json"])
def test_the_message_about_an_unreachable_file_has_its_path(tmp_path, name):
    (tmp_path / "folder.json").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(LibraryError, match="cannot be read: "):
        import_file(tmp_path / name)
    if "gone" not in name:
        with pytest.raises(LibraryError, match="cannot be written: "):
            export_file(BRAIN, tmp_path / name, replace=True)


def test_only_regular_files_are_replaced(tmp_path):
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    with pytest.raises(LibraryError, match="it is not a file; nothing was changed"):
        export_file(BRAIN, pipe, replace=True)
    assert pipe.is_fifo()


@pytest.mark.parametrize("suffix", [kind.suffix for kind in FORMATS])
@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "a.*: (line 1|it is empty)"),
        (b"\x7fELF\x00\x01", "a.*: line 1: this is a binary file, not text"),
        (b"1 failures\n\xff\xfe", "a.*: line 2: this is not text in UTF-8"),
        ("1 failures\n".encode("utf-16"), "a.*: line 1: "),
        (b"{}", "a.*: "),
        (b"\xef\xbb\xbf", "a.*: (line 1|it is empty)"),
    ],
)
def test_a_wrong_text_is_reported_with_file_and_line(tmp_path, suffix, data, what):
    path = (tmp_path / "a").with_suffix(suffix)
    path.write_bytes(data)
    with pytest.raises(BadText, match=what):
        import_file(path)


def test_a_huge_file_is_refused_unread(tmp_path):
    path = tmp_path / "huge.json"
    with path.open("wb") as file:
        file.truncate(2**30)
    with pytest.raises(BadText, match="larger than 65,536 KiB"):
        import_file(path)
    assert LARGEST < 2**30


def test_only_regular_files_are_read(tmp_path):
    (tmp_path / "endless.txt").symlink_to("/dev/zero")
    os.mkfifo(tmp_path / "pipe.json")
    for name in ("endless.txt", "pipe.json"):
        with pytest.raises(LibraryError, match="is not a file"):
            import_file(tmp_path / name)


@pytest.mark.parametrize("name", ["l.json", "link.json", "other.json"])
def test_text_never_replaces_a_library(tmp_path, name):
    library, other = Library(tmp_path / "l.json"), Library(tmp_path / "other.json")
    for each in (library, other):
        each.save("a", BRAIN)
    (tmp_path / "link.json").symlink_to(library.path)
    with unchanged(library.path), pytest.raises(LibraryError, match="is a library"):
        export_file(BRAIN, tmp_path / name, replace=True)


@pytest.mark.parametrize("end", ["-wal", "-journal", "-shm"])
def test_text_never_gets_the_name_of_a_log(tmp_path, end):
    with pytest.raises(LibraryError, match="name of a log file"):
        write_text(tmp_path / f"library.sqlite{end}", "", replace=False)
    assert list(tmp_path.iterdir()) == []


def test_no_folder_is_made_for_an_export(tmp_path):
    with pytest.raises(LibraryError, match=r"the folder .*missing does not exist; create it"):
        export_file(BRAIN, tmp_path / "missing" / "a.json")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "password hunter2\n", "a.txt: line 1: … should be the number of failures, as in '862 failures'"),
        ("a.txt", "1 failures\nhunter2 ' should be\n", "a.txt: line 2: … should be 'X to play' or 'O to play'"),
        ("a.txt", "1 failures\nX to play\nhun ter2\n", "a.txt: line 3: … should be 3 cells with one space between"),
        ("a.json", '{"hunter2": 1, "hunter2": 2}', "a.json: line 1: … is given twice"),
        ("a.json", '{"format": "noughts", "version": 1, "hunter2": 1}', "a.json: 'bulk' is missing"),
        ("a.json", '{"format": "noughts", "version": {"hunter2": 1}}', "a.json: line 1: version …; this Noughts "),
    ],
)
def test_a_refused_file_is_not_quoted(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(BadText) as refused:
        import_file(tmp_path / name)
    assert str(refused.value).startswith(message)
    assert "hun" not in str(refused.value)


def test_only_files_with_the_wanted_suffixes_are_listed(tmp_path):
    for name in ("b.JSON", "a.json", "c.md"):
        (tmp_path / name).touch()
    assert [each.name for each in files_of(tmp_path, [".json"])] == ["a.json", "b.JSON"]
    assert files_of(tmp_path / "none", [".json"]) == []
