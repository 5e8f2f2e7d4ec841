"""An error of the system is put down to standard output only if writing there has failed."""

import errno
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from cli.commands import locate
from tests.cli.cli_run import run


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EAGAIN])
def test_an_error_without_a_file_is_not_put_down_to_standard_output(monkeypatch, number):
    def fails(*_):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(locate, "chosen_library_path", fails)
    ran = run("locate")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith(f"noughts: the system refused: {os.strerror(number)}; ")
    assert ran.err.count("\n") == 1


SWEEP = "sweep --learner menace --game hexapawn --games 10 --seeds 1 --grid win=1 --out -"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize(
    "arguments",
    [
        "saves export michie -",
        *(
            pytest.param(each, marks=pytest.mark.long)
            for each in ("tree --depth 3 --export -", "papers nim --shipped --markdown -", SWEEP)
        ),
    ],
)
def test_a_stream_that_cannot_be_written_is_standard_output(arguments):
    command = [sys.executable, "-m", "noughts", *arguments.split()]
    with Path("/dev/full").open("wb") as full:
        ran = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 1
    assert ran.stderr.splitlines()[-1].startswith("noughts: standard output cannot be written: No space left on device")
    assert "Traceback" not in ran.stderr


def test_an_error_of_standard_error_is_not_put_down_to_standard_output(monkeypatch):
    class Failing:
        def write(self, _: str) -> None:
            raise OSError(errno.EIO, os.strerror(errno.EIO))

    def fails(*_):
        with monkeypatch.context() as failing:
            failing.setattr(sys, "stderr", Failing())
            click.echo("a warning", err=True)

    monkeypatch.setattr(locate, "chosen_library_path", fails)
    ran = run("locate")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("noughts: the system refused: ")
