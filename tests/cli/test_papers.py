"""`noughts papers`: the reports for people, for programs and for files."""

import json
import os
import re
import signal
import xml.etree.ElementTree as ET
from unittest.mock import patch

import pytest

from engine.games import parse_game
from engine.stop import Stopped
from lab.papers.report_text import grid_lines, grids_of
from learners.papers import PAPERS, parse_paper
from learners.papers.hochmuth import EXPERIMENTS, GeneticExperiment, hochmuth
from learners.papers.michie import michie
from learners.papers.report import Source
from learners.papers.running import Paper, PaperPart
from learners.papers.thill import NetworkExperiment, thill
from saves.gallery.paper_reports import load
from saves.library.library import Library
from tests.cli.cli_run import as_json, refused, run
from tests.saves.brains import made_up
from tests.waiting import wait_until

QUICK = (parse_paper("lecture"), michie(2), parse_paper("data-tree"))
FINDING = ["what", "printed", "place", "text", "measured", "deviation", "least", "most", "seeds", "verdict", "why"]


@pytest.fixture(name="quick")
def _quick():
    """Without a name, three quick papers are run in the place of all."""
    with patch("cli.commands.papers.PAPERS", QUICK):
        yield


def test_a_paper_is_one_document():
    document = as_json("papers", "data-tree")
    assert (document["seed"], document["complete"]) == (1, True)
    (paper,) = document["papers"]
    assert (paper["name"], paper["by"], paper["exact"], paper["within"], paper["differs"]) == (
        "data-tree", "ipub, 2015", 8, 0, 0,
    )  # fmt: skip
    published, corrected = paper["tables"]
    assert list(published["findings"][0]) == FINDING
    assert published["findings"][1] == {
        "what": "nodes", "printed": "203,716", "place": "Analysis", "text": "203,716", "measured": 203_716,
        "deviation": None, "least": 203_716, "most": 203_716, "seeds": 1,
        "verdict": "exact", "why": None,
    }  # fmt: skip
    assert corrected["findings"][1]["verdict"] == "differs"
    assert "one diagonal twice" in corrected["findings"][1]["why"]
    assert published["findings"][8]["verdict"] is None


@pytest.mark.usefixtures("quick")
def test_without_a_name_all_papers_are_run():
    document = as_json("papers", "--seed", "5")
    assert [paper["name"] for paper in document["papers"]] == ["lecture", "michie", "data-tree"]
    assert {paper["seed"] for paper in document["papers"]} == {5}
    drawn = document["papers"][1]["tables"][1]
    assert "2 seeds, 5 … 6" in drawn["about"]
    assert [finding["seeds"] for finding in drawn["findings"][2:5]] == [2, 2, 2]


def test_the_text_output_has_its_layout(monkeypatch):
    monkeypatch.setenv("COLUMNS", "120")
    ran = run("papers", "lecture")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "Reading: Chapter 11 (a lecture on minimax and alpha-beta, undated)"
    assert lines[3] == "9 of 11 printed figures are reproduced (9 exactly), 2 differ."
    assert re.fullmatch(r"Seed 1, \d+\.\d s; computed now\.", lines[4])
    assert "The first tree: ≠ 1 of 4 differs" in lines
    (value,) = (line for line in lines if line.startswith("  value of the root ") and " 1  = exact" in line)
    heads = {line.index("measured") for line in lines if " printed" in line and "measured" in line}
    assert len(heads) == 1, "the tables end at one column"
    assert max(map(len, lines)) <= 100
    assert value.index("= exact") > heads.pop()
    assert "≠ The lecture draws one leaf twice; both are worth 0." in lines
    assert any(line.startswith("= exact: equal in all printed digits.") for line in lines[-7:])


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "says"),
    [
        ("mnk:4,4,4+gravity", ["2 figures are for another board.", "  another board\n"]),
        ("connectfour", ["None of the 2 printed figures is reproduced, 2 are undecided.", "? undecided, 2 seeds\n"]),
    ],
)
def test_where_nothing_printed_is_reproduced_it_says_so(game, says):
    few_games = NetworkExperiment(parse_game(game), "small", 2, (100, 200))
    with patch("cli.commands.papers.PAPERS", (thill((few_games,)),)):
        out = run("papers").out
        (paper,) = as_json("papers")["papers"]
    assert all(each in out for each in says)
    first = paper["tables"][0]["findings"][0]
    assert (first["seeds"], first["verdict"]) == (2, "undecided" if game == "connectfour" else "another board")


@pytest.mark.long
def test_the_results_that_came_with_the_program_are_printed_without_a_run(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with patch.object(Paper, "run", side_effect=AssertionError("nothing is run")):
        ran = run("papers", "--shipped")
        document = as_json("papers", "--shipped")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert sum("came with Noughts " in line for line in lines) == len(PAPERS)
    assert max(map(len, lines)) <= 80
    start = lines.index("Figure 4, database (seed 1)") + 2
    games = [line.split()[0] for line in lines[start : start + 19]]
    assert (games[:4], games[-1]) == (["1", "2", "5", "10"], "1,000,000")
    assert list(document["papers"][0]["curves"][0]["points"][0]) == ["games", "ties", "x_wins", "o_wins"]
    assert [paper["name"] for paper in document["papers"]] == [paper.name for paper in PAPERS]
    assert {paper["shipped"]["version"] for paper in document["papers"]} != {None}
    assert as_json("papers", "data-tree")["papers"][0]["shipped"] is None


def test_an_unknown_name_is_refused():
    refused("noughts: no paper 'nothing'; there are riechel, hochmuth", "papers", "nothing")
    assert run("papers", "lecture", "--seed", "-1").code == 2


def test_a_page_of_markdown(tmp_path):
    page = tmp_path / "page.md"
    assert run("papers", "data-tree", "--markdown", str(page)).code == 0
    lines = page.read_text("utf-8").splitlines()
    assert lines[0] == "# The papers, repeated"
    assert "| nodes | 203,716 | Analysis | 203,716 | = exact |" in lines
    assert "| nodes | 203,716 | Analysis | 179,116 | ≠ differs |" in lines
    assert any(line.startswith("- ≠ The data.tree post tests one diagonal twice") for line in lines)
    assert {line.count("|") for line in lines if line.startswith("|")} == {6}


def test_a_picture(tmp_path):
    picture = tmp_path / "picture.svg"
    assert run("papers", "lecture", "--svg", str(picture)).code == 0
    text = " ".join(ET.parse(picture).getroot().itertext()).replace("\xa0", " ")  # noqa: S314  our own
    assert "the leaf that alpha-beta never looks at" in text
    assert "≠ differs" in text


def test_curves_are_charts_in_a_picture(tmp_path):
    few = tuple(GeneticExperiment(each.name, each.preset, 30, 2, 20, each.curve) for each in EXPERIMENTS)
    picture = tmp_path / "picture.svg"
    with patch("cli.commands.papers.PAPERS", (hochmuth(few),)):
        assert run("papers", "--svg", str(picture)).code == 0
    text = "".join(ET.parse(picture).getroot().itertext()).replace("\xa0", " ")  # noqa: S314  our own
    for number in (6, 7, 8):
        assert f"Figure {number}, " in text
    assert text.count("Upwards: ") == 3


@pytest.mark.parametrize("option", ["--markdown", "--svg"])
def test_no_file_is_overwritten_without_replace(option, tmp_path):
    file = tmp_path / "mine"
    file.write_text("mine")
    with patch.object(type(QUICK[0]), "run", side_effect=AssertionError("nothing is run in vain")):
        told = f"noughts: {file} already exists: choose another name, or add --replace\n"
        refused(told, "papers", "lecture", option, str(file))
    assert file.read_text() == "mine"
    assert run("papers", "lecture", option, str(file), "--replace").code == 0
    assert "Reading" in file.read_text("utf-8")


def interrupted(_seed, _tell, stop):
    """Send Ctrl+C while a task runs, as a user would."""
    os.kill(os.getpid(), signal.SIGINT)
    wait_until(stop, "the stop that Ctrl+C asks for")
    raise Stopped


def test_finished_papers_are_reported_after_ctrl_c(tmp_path):
    page = tmp_path / "page.md"
    endless = Paper(Source("endless", "", "", ""), [PaperPart("", interrupted)], lambda *_: ((), ()))
    with patch("cli.commands.papers.PAPERS", (QUICK[0], endless, QUICK[2])):
        ran = run("papers", "--json", "--markdown", str(page))
    assert ran.code == 130
    document = json.loads(ran.out)
    assert not document["complete"]
    assert [paper["name"] for paper in document["papers"]] == ["lecture"]
    assert ran.err == "noughts: stopped: 1 of 3 papers finished\n"
    assert "Chapter 11" in page.read_text("utf-8")


@pytest.mark.usefixtures("quick")
def test_progress_is_drawn_in_a_terminal():
    ran = run("papers", terminal=True)
    assert ran.code == 0
    for number, paper in enumerate(QUICK, 1):
        assert f"{paper.name} ({number} of 3)" in ran.err
    assert "left" in ran.err


@pytest.mark.parametrize("width", [46, 57, 100])
def test_a_number_is_never_parted_from_its_sign_and_columns_get_what_they_need_if_there_is_room(width):
    report = load("riechel").report
    grids = grids_of(report, width)
    assert max(grid.width for grid in grids) <= width
    tables = zip(report.tables, grids, strict=True)
    cells = [texts for table, grid in tables for found, texts in grid_lines(table, grid) if found is not None]
    measured = [texts[-2].strip() for texts in cells]
    assert not any(text.endswith("±") for text in measured)
    assert any(text.startswith("±") for text in measured) == (width < 100)


@pytest.mark.parametrize("option", ["--markdown", "--svg"])
def test_a_page_never_overwrites_a_library(option, tmp_path):
    library = Library(tmp_path / "library.sqlite")
    library.save("a", made_up(parse_game("hexapawn"), 6))
    before = library.path.read_bytes()
    with patch.object(type(QUICK[0]), "run", side_effect=AssertionError("nothing is run in vain")):
        refused("is a library", "papers", "lecture", option, str(library.path), "--replace")
    assert library.path.read_bytes() == before
