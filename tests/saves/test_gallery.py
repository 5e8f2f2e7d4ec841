from importlib import resources

import pytest

from bench.gallery import SAVES, train
from learners import parse_learner
from learners.papers import PAPERS, parse_paper
from learners.papers.java import java
from learners.papers.michie import michie
from saves import gallery
from saves.errors import LibraryError
from saves.formats import FORMATS
from saves.gallery import paper_reports


def test_the_gallery_is_what_the_script_trains():
    assert gallery.names() == tuple(sorted(SAVES))


@pytest.mark.sample(3)
@pytest.mark.parametrize("name", SAVES)
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
        size = snapshot.stats[parse_learner(snapshot.learner).shown.size_statistic]
        assert (entry.learner, entry.preset, entry.game) == (snapshot.learner, snapshot.preset, snapshot.game.name)
        assert (entry.games, entry.size, entry.gallery) == (snapshot.stats["games"], size, True)


def test_the_shared_arrays_of_the_gallery_are_read_only():
    with pytest.raises(ValueError, match="read-only"):
        gallery.load("riechel").memory[0] = 1


def test_the_opponent_of_a_new_user_plays_the_game():
    assert all(gallery.load(name).game.name == game for game, name in gallery.USUAL_OPPONENTS.items())


def shape(report):
    """What a report says without what was measured: the source, titles, descriptions, and printed figures."""
    tables = [(table.title, [(each.what, each.figure) for each in table.findings]) for table in report.tables]
    return report.source, tables, [(curves.title, curves.names) for curves in report.curves]


def found(report):
    """The findings of a report, without how long it took."""
    return [finding for table in report.tables for finding in table.findings if not finding.what.endswith("seconds")]


def test_every_paper_comes_with_its_results():
    for paper in PAPERS:
        shipped = paper_reports.load(paper.name)
        assert shipped.report.source == paper.source
        assert shipped.version
        assert len(shipped.date) == len("2026-11-20")
        assert sum(shipped.report.counts.values()) >= (paper.name not in {"courses", "filter"})  # which print no figure
        assert paper_reports.parse_report(paper_reports.report_text(shipped)) == shipped


@pytest.mark.parametrize(
    "name",
    [
        "lecture",
        *(
            pytest.param(name, marks=pytest.mark.long)
            for name in ("data-tree", "notakto", "nim", "smallest", "courses", "tromp")
        ),
    ],
)
def test_results_without_chance_are_those_of_a_run_today(name):
    *_, last = parse_paper(name).run(1)
    assert found(paper_reports.load(name).report) == found(last.report)


@pytest.mark.parametrize("paper", [pytest.param(michie(2), marks=pytest.mark.long), java(2)])
def test_results_by_chance_have_the_tables_of_a_run_today(paper):
    *_, last = paper.run(1)
    assert shape(paper_reports.load(paper.name).report) == shape(last.report)


def test_a_paper_without_results_has_none():
    assert paper_reports.load("nothing") is None


def test_results_that_cannot_be_read_are_a_clear_error(monkeypatch, tmp_path):
    (tmp_path / "papers" / "broken.json").mkdir(parents=True)
    monkeypatch.setattr(paper_reports.resources, "files", lambda _name: tmp_path)
    with pytest.raises(LibraryError, match="cannot be read"):
        paper_reports.load("broken")
