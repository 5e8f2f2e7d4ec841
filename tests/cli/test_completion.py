"""What a shell completes, asked as click asks it."""

import pytest

from cli.__main__ import main
from saves.library.library import Library
from tests.saves.brains import boxed


@pytest.fixture(name="completed")
def _completed(monkeypatch, tmp_path, capsys):
    """What bash would be offered for the last of some words."""

    def completed(*words: str) -> list[str]:
        monkeypatch.setenv("_NOUGHTS_COMPLETE", "bash_complete")
        monkeypatch.setenv("COMP_WORDS", " ".join(("noughts", *words)))
        monkeypatch.setenv("COMP_CWORD", str(len(words)))
        with pytest.raises(SystemExit, match="0"):
            main([])
        return [line.partition(",")[2] for line in capsys.readouterr().out.splitlines() if line]

    monkeypatch.setenv("NOUGHTS_LIBRARY", str(tmp_path / "library.sqlite"))
    return completed


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("train", "me"), ["menace"]),
        (("train", "menace", "--preset", "mi"), ["michie"]),
        (("train", "menace", "--game", "hexa"), ["hexapawn"]),
        (("train", "menace", "--opponent", "perf"), ["perfect"]),
        (("evaluate", "save:mi"), ["save:mine"]),
        (("saves", "show", "mi"), ["mine"]),
        (("play", "--second", "save:mi"), ["save:mine"]),
        (("race", "menace:mi"), ["menace:michie"]),
        (("papers", "not"), ["notakto"]),
    ],
    ids=" ".join,
)
def test_a_shell_completes(words: tuple[str, ...], expected: list[str], completed, tmp_path):
    Library(tmp_path / "library.sqlite").save("mine", boxed())
    found = completed(*words)
    assert [each for each in found if each in expected] == expected
    assert all(each.startswith(words[-1]) for each in found)


def test_a_damaged_library_offers_nothing(completed, tmp_path):
    (tmp_path / "library.sqlite").write_bytes(b"no library")
    assert completed("saves", "show", "mi") == []
