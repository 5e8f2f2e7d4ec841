"""An error of the system is put down to standard output only if writing there has failed."""

import errno
import os

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
