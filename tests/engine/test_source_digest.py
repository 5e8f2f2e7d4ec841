"""Digests of source files."""

from engine.compiling.code_cache import kernel_digest
from engine.compiling.source_digest import digest_of, files_below


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
