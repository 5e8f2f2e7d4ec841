"""Digests of source files; damage to the cache of kernels is a miss: the entry is deleted, and the kernel compiled."""

import os
import shutil
from pathlib import Path
from random import Random

import numba
import numpy as np
import pytest

from engine.compiling import code_cache, compiler
from engine.compiling.code_cache import kernel_digest
from engine.compiling.compiler import Kernel
from engine.compiling.source_digest import digest_of, files_below
from tests.damage import damages


def twice(number: int) -> int:
    return 2 * number


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A cache with one compiled kernel."""
    monkeypatch.setattr(compiler, "_FOLDER", tmp_path)
    monkeypatch.setattr(compiler, "_KERNELS", [])
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path))
    assert Kernel(twice)(4) == 8
    assert [path.suffix for path in sorted(tmp_path.glob("*/*"))] == [".nbc", ".nbi"]
    return tmp_path


def hits(kernel: Kernel) -> int:
    return sum(kernel.dispatcher.stats.cache_hits.values())


def test_undamaged_files_are_loaded(folder):
    code_cache.remove_damaged(folder)
    kernel = Kernel(twice)
    assert kernel(4) == 8
    assert hits(kernel) == 1


def inner(values: np.ndarray, pair: tuple[np.ndarray, int]) -> int:
    return values.ndim + pair[0][0] + pair[1]


@pytest.mark.long
def test_every_type_of_arrays_is_compiled_where_it_can_be_stopped_and_stays_in_the_cache(folder, monkeypatch):
    compiled = []
    monkeypatch.setattr(compiler, "run_in_thread", lambda work, _waiting: compiled.append(work()))
    kernel, narrow, wide = Kernel(inner), np.ones(2, np.int32), np.ones(2, np.int64)
    fixed = narrow.copy()
    fixed.flags.writeable = False
    square, strided = np.ones((2, 2), np.int32), np.ones(4, np.int32)[::2]
    for values in (narrow, wide, square, strided, fixed):
        kernel(values, (narrow, 1))
        kernel(values, (wide, 1))
        kernel(values, (narrow, 1))
    assert len(compiled) == len(kernel.dispatcher.signatures) == 10
    stored = sorted(folder.glob("*/*.nbc"))
    code_cache.remove_damaged(folder)
    assert sorted(folder.glob("*/*.nbc")) == stored
    assert len(stored) == 1 + 10


def test_any_damage_to_a_file_is_found_before_numba_loads_it(folder):
    for path in sorted(folder.glob("*/*")):
        data = path.read_bytes()
        for damaged in {*damages(data, Random(path.suffix))} - {data}:
            path.write_bytes(damaged)
            code_cache.remove_damaged(folder)
            assert not path.exists()
        path.write_bytes(data)
        code_cache.remove_damaged(folder)
        assert path.exists()


def test_a_kernel_is_compiled_even_if_the_disk_is_full(folder, monkeypatch):
    code_cache.remove_damaged(folder)
    for path in folder.glob("*/*"):
        path.unlink()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    kernel = Kernel(twice)
    monkeypatch.setattr(os, "replace", full)
    assert kernel(4) == 8
    monkeypatch.undo()
    assert not list(folder.glob("*/*.nb?"))


def test_a_folder_of_another_user_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    wanted = code_cache.cache_folder()
    assert wanted is not None
    assert wanted.parent == tmp_path
    (wanted / "kernels_1").mkdir()
    monkeypatch.setattr(code_cache.os, "geteuid", lambda: 54_321)
    assert code_cache.cache_folder() is None


@pytest.mark.parametrize("is_link", [True, False])
def test_nothing_is_deleted_in_a_folder_that_is_a_link_or_not_our_own(tmp_path, monkeypatch, is_link):
    """Where everybody may write, such as /tmp, somebody can prepare the name that we would use."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(code_cache, "_candidates", lambda: iter([tmp_path]))
    folder = tmp_path / (code_cache.PREFIX + code_cache.kernel_digest())
    files = [folder / name for name in ("letter.txt", "below/diary.txt")]
    if is_link:
        (tmp_path / "documents").mkdir()
        folder.symlink_to(tmp_path / "documents")
    else:
        monkeypatch.setattr(code_cache.os, "geteuid", lambda: 54_321)
    (folder / "below").mkdir(parents=True)
    for each in files:
        each.write_text("dear")
    assert code_cache.cache_folder() is None
    assert code_cache.clear_kernels() == []
    assert [each.read_text() for each in files] == ["dear", "dear"]
    assert sorted(folder.iterdir()) == [folder / "below", folder / "letter.txt"]


def test_a_link_to_a_folder_within_our_own_is_removed_without_what_it_leads_to(tmp_path, monkeypatch):
    monkeypatch.setattr(code_cache, "_candidates", lambda: iter([tmp_path]))
    folder, documents = tmp_path / (code_cache.PREFIX + code_cache.kernel_digest()), tmp_path / "documents"
    folder.mkdir()
    documents.mkdir()
    (documents / "letter.txt").write_text("dear")
    (folder / "below").symlink_to(documents)
    assert code_cache.cache_folder() == folder
    assert [*folder.iterdir()] == []
    assert (documents / "letter.txt").read_text() == "dear"


def test_all_versions_are_listed_and_cleared_and_nothing_else(tmp_path, monkeypatch):
    monkeypatch.setattr(code_cache, "_candidates", lambda: iter([tmp_path, Path(tmp_path, "missing")]))
    ours = ["kernels-0123456789abcdef", "kernels-fedcba9876543210"]
    others = ["kernels-1", "kernels-linux", "kernels-0123456789abcdef0", "kernels-0123456789ABCDEF", "other"]
    for name in (*ours, *others):
        (tmp_path / name / "below").mkdir(parents=True)
        (tmp_path / name / "below" / "x.nbc").write_bytes(b"12345")
        code_cache.write_checksums(tmp_path / name)
    file, link = tmp_path / f"kernels-{'0' * 16}", tmp_path / f"kernels-{'1' * 16}"
    file.write_text("a file")
    link.symlink_to(tmp_path / "other")
    assert [path.name for path in code_cache.cached_kernels()] == ours
    assert code_cache.size_of(tmp_path / ours[0]) > 5
    assert [path.name for path in code_cache.clear_kernels()] == ours
    assert {path.name for path in tmp_path.iterdir()} == {*others, file.name, link.name}
    assert (tmp_path / "other" / "below" / "x.nbc").exists()


@pytest.mark.parametrize("suffix", [".nbi", ".nbc"])
def test_what_is_no_file_is_removed_and_the_kernel_compiled(folder, suffix):
    (path,) = folder.glob(f"*/*{suffix}")
    path.unlink()
    (path / "below").mkdir(parents=True)
    code_cache.remove_damaged(folder)
    kernel = Kernel(twice)
    assert kernel(4) == 8
    assert hits(kernel) == 0
    code_cache.remove_damaged(folder)
    assert path.is_file(), "stored again, with its checksum"


def test_a_list_of_checksums_that_is_damaged_lists_nothing(folder):
    for damaged in (b"", b"{", b"[1]", b'{"a": 1}', b"\xff", b"[" * 100_000):
        (folder / "checksums.json").write_bytes(damaged)
        code_cache.remove_damaged(folder)
        assert not list(folder.glob("*/*"))


def test_a_file_that_is_too_large_to_be_ours_is_not_read(folder, monkeypatch):
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail(f"{path} was read"))
    (stored, *_) = folder.glob("*/*.nbi")
    for large in (folder / "checksums.json", stored):
        os.truncate(large, 2**40)
    code_cache.remove_damaged(folder)
    assert not list(folder.glob("*/*"))


@pytest.mark.parametrize("damaged", [b"", b"\0" * 99, b"\x80\x05junk", b"cno_such_module\nx\n."])
def test_a_kernel_is_compiled_even_if_the_cache_is_damaged_after_the_check(folder, damaged):
    for path in folder.glob("*/*.nbi"):
        path.write_bytes(damaged)
    kernel = Kernel(twice)
    assert kernel(4) == 8
    assert not kernel.is_cached


def test_a_kernel_is_compiled_if_its_folder_is_gone(folder):
    shutil.rmtree(folder)
    folder.write_text("in its place")
    assert Kernel(twice)(4) == 8


def test_a_digest_depends_on_names_contents_and_texts_but_not_on_the_folder(tmp_path):
    for folder in ("here", "there"):
        (tmp_path / folder / "below").mkdir(parents=True)
        (tmp_path / folder / "a.py").write_text("one")
        (tmp_path / folder / "below" / "b.py").write_text("two")
        (tmp_path / folder / "c.txt").write_text("three")
    here, there = (files_below(tmp_path / folder, "*.py") for folder in ("here", "there"))
    assert list(here) == ["a.py", "below/b.py"]
    assert digest_of(here) == digest_of(dict(reversed(there.items())))
    (tmp_path / "here" / "my_kernel.py").write_text("four")
    kernels = kernel_digest([tmp_path / "here"]), kernel_digest([tmp_path / "there"])
    assert len({*kernels, kernel_digest([tmp_path])}) == 3
    swapped = {"a.py": here["below/b.py"], "below/b.py": here["a.py"]}
    joined = {"a.p": here["a.py"], "ybelow/b.py": here["below/b.py"]}
    fewer = {"a.py": here["a.py"]}
    found = [digest_of(here), digest_of(here, "x"), digest_of(here, "x", "y"), digest_of(here, "xy"), digest_of({})]
    found += map(digest_of, (swapped, joined, fewer))
    assert len(set(found)) == len(found)
    assert all(len(each) == 16 for each in found)
    here["a.py"].write_text("changed")
    assert digest_of(here) not in found
