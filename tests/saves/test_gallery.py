from importlib import resources

import pytest

from bench.gallery import BRAINS, train
from learners import parse_learner
from saves import gallery
from saves.formats import FORMATS


def test_the_gallery_is_what_the_script_trains():
    assert gallery.names() == tuple(sorted(BRAINS))


@pytest.mark.parametrize("name", BRAINS)
def test_trained_again_a_brain_is_the_same_to_the_last_bit(name):
    shipped = resources.files(gallery).joinpath(f"{name}.json").read_text("utf-8")
    again = train(name)
    assert again.bulk == gallery.load(name).bulk
    for snapshot in (again, gallery.load(name)):
        assert unpacked_apart(FORMATS[0].write(snapshot)) == unpacked_apart(shipped)


def unpacked_apart(text: str) -> str:
    """Without its last line: two builds of zlib may pack the same differently."""
    return text[: text.index('"bulk": ')]


def test_the_list_tells_of_a_brain_what_its_snapshot_holds():
    for entry in gallery.entries():
        snapshot = gallery.load(entry.name)
        size = snapshot.stats[parse_learner(snapshot.learner).spec.size_statistic]
        assert (entry.learner, entry.preset, entry.game) == (snapshot.learner, snapshot.preset, snapshot.game)
        assert (entry.games, entry.size, entry.gallery) == (snapshot.stats["games"], size, True)


def test_a_brain_that_everyone_shares_cannot_be_changed():
    with pytest.raises(ValueError, match="read-only"):
        gallery.load("riechel").memory[0] = 1


def test_who_greets_a_newcomer_plays_the_game():
    assert all(gallery.load(name).game == game for game, name in gallery.GREETERS.items())
