"""Visitors: their folders, how much of the disk they may take, and how long their apps may take to end."""

import errno
from types import SimpleNamespace

import pytest

from cli.serve import visitors
from cli.serve.server import grace_among
from cli.serve.visitors import visitor_folder


def test_a_new_visitor_gets_no_folder_beyond_the_most_and_an_old_one_keeps_theirs(tmp_path, monkeypatch):
    monkeypatch.setattr(visitors, "MOST_FOLDERS", 2)
    one, _other = (visitor_folder(tmp_path / "library.sqlite", name) for name in ("one", "other"))
    with pytest.raises(OSError, match="2 visitors have a folder") as refused:
        visitor_folder(tmp_path / "library.sqlite", "third")
    assert refused.value.errno == errno.EDQUOT
    assert visitor_folder(tmp_path / "library.sqlite", "one") == one
    assert sorted(each.name for each in one.parent.iterdir()) == ["one", "other"]


def test_no_app_starts_on_a_disk_that_is_almost_full(tmp_path, monkeypatch):
    monkeypatch.setattr(visitors, "disk_usage", lambda _folder: SimpleNamespace(free=10**8))
    with pytest.raises(OSError, match="less than 512 MiB of the disk are free") as refused:
        visitor_folder(tmp_path / "library.sqlite", "one")
    assert refused.value.errno == errno.ENOSPC


@pytest.mark.parametrize(("visitors", "load", "seconds"), [(1, 0.1, 1), (8, 0.1, 2), (1, 12.0, 3), (1000, 0.1, 30)])
def test_an_app_has_a_second_to_save_and_more_where_the_cores_are_shared(visitors, load, seconds, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 4)
    monkeypatch.setattr("os.getloadavg", lambda: (load, 0.0, 0.0))
    assert grace_among(visitors) == seconds
