"""Two programs at one save: what one of them has written is never lost to the other."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from engine import parse_game
from saves.errors import NameTaken, NoSuchSave
from saves.library import Library
from tests.saves.brains import counted, made_up

GAME = parse_game("hexapawn")


def test_a_save_that_somebody_changed_meanwhile_is_not_replaced(tmp_path):
    one, other = Library(tmp_path / "library"), Library(tmp_path / "library")
    stamp = one.save("a", made_up(GAME, 10))
    assert one.stamp("a") == stamp
    later = other.save("a", made_up(GAME, 11), replace=True, since=stamp)
    with pytest.raises(NameTaken, match="was changed by another program meanwhile"):
        one.save("a", made_up(GAME, 12), replace=True, since=stamp)
    assert one.load("a").stats["entries"] == 11
    assert one.save("a", made_up(GAME, 12), replace=True, since=later) != later
    assert one.stamp("nobody") is None


def test_changes_of_one_save_from_many_threads_all_count(tmp_path):
    library = Library(tmp_path / "library")
    library.save("a", made_up(GAME, 10))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: Library(library.path).change("a", counted), range(20)))
    assert library.load("a").stats["games"] == 20
    with pytest.raises(NoSuchSave):
        library.change("nobody", counted)
