"""What a shell completes, asked as click asks it."""

import os
import subprocess
import sys

import pytest

from saves.library.library import Library
from tests.saves.brains import boxed
from tests.tui.terminal import ROOT


def completed(*words: str, library: object) -> list[str]:
    """What bash would be offered for the last of these words."""
    environment = {
        **os.environ,
        "_NOUGHTS_COMPLETE": "bash_complete",
        "COMP_WORDS": " ".join(("noughts", *words)),
        "COMP_CWORD": str(len(words)),
        "NOUGHTS_LIBRARY": str(library),
    }
    code = "from cli.__main__ import run; run()"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )
    return [line.partition(",")[2] for line in done.stdout.splitlines() if line]


@pytest.mark.sample(3)
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
def test_a_shell_completes(words: tuple[str, ...], expected: list[str], tmp_path):
    Library(tmp_path / "library.sqlite").save("mine", boxed())
    found = completed(*words, library=tmp_path / "library.sqlite")
    assert [each for each in found if each in expected] == expected
    assert all(each.startswith(words[-1]) for each in found)


def test_a_damaged_library_offers_nothing(tmp_path):
    (tmp_path / "library.sqlite").write_bytes(b"no library")
    assert completed("saves", "show", "mi", library=tmp_path / "library.sqlite") == []
