"""A user without a home folder: no `HOME`, and no entry among the users of the system."""

import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.cli.cli_run import without_progress

ROOT = Path(__file__).parents[2]
NOBODY = 54_321
HIDDEN = ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "NOUGHTS_LIBRARY", "NOUGHTS_SETTINGS")

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root can run a program as another user")


def run_as_nobody(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program as another user; skip the test if that user may not execute this Python, say below /root."""
    try:
        return subprocess.run(
            [sys.executable, "-B", "-m", "noughts", *arguments],
            cwd=ROOT,
            env={**{name: value for name, value in os.environ.items() if name not in HIDDEN}, **environment},
            user=NOBODY,
            group=NOBODY,
            extra_groups=[],
            capture_output=True,
            text=True,
            check=False,
        )
    except PermissionError as error:
        pytest.skip(f"another user may not run {os.path.realpath(sys.executable)} in {ROOT}: {error.strerror}")


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "arguments", [("locate",), ("saves", "list"), ("train", "menace", "--games", "1"), ("players",)]
)
def test_without_a_home_one_line_says_what_to_set(arguments):
    ran = run_as_nobody(*arguments)
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == "noughts: there is no home folder: set NOUGHTS_LIBRARY to a file for the library\n"


@pytest.mark.long
def test_without_a_home_a_given_library_works():
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o777)
        library = Path(folder, "library.sqlite")
        trained = run_as_nobody("train", "menace", "--games", "10", "--save", "a", NOUGHTS_LIBRARY=str(library))
        assert trained.returncode == 0, trained.stderr
        assert not without_progress(trained.stderr)
        located = run_as_nobody("locate", NOUGHTS_LIBRARY=str(library))
        assert str(library) in located.stdout
        assert str(library.with_name("settings.json")) in located.stdout
