from importlib import resources

import pytest

from bench.gallery import BRAINS, train
from learners import parse_learner
from saves import gallery
from saves.formats import FORMATS


def test_the_gallery_is_what_the_script_trains():
    assert gallery.names() == tuple(sorted(BRAINS))


@pytest.mark.parametrize("name", BRAINS)
def test_training_a_gallery_save_again_gives_the_same_bits(name):
    shipped = resources.files(gallery).joinpath(f"{name}.json").read_text("utf-8")
    again = train(name)
    assert again.bulk == gallery.load(name).bulk
    for snapshot in (again, gallery.load(name)):
        assert unpacked_apart(FORMATS[0].write(snapshot)) == unpacked_apart(shipped)


def unpacked_apart(text: str) -> str:
    """The text without its last line, since builds of zlib may compress differently."""
    return text[: text.index('"bulk": ')]


def test_the_entries_of_the_gallery_agree_with_its_snapshots():
    for entry in gallery.entries():
        snapshot = gallery.load(entry.name)
        size = snapshot.stats[parse_learner(snapshot.learner).spec.size_statistic]
        assert (entry.learner, entry.preset, entry.game) == (snapshot.learner, snapshot.preset, snapshot.game)
        assert (entry.games, entry.size, entry.gallery) == (snapshot.stats["games"], size, True)


def test_the_shared_arrays_of_the_gallery_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        gallery.load("riechel").memory[0] = 1


def test_the_opponent_of_a_new_user_plays_the_game():
    assert all(gallery.load(name).game == game for game, name in gallery.GREETERS.items())
