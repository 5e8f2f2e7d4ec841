"""`noughts sweep`: its options, its output and its messages."""

import csv
import json
import os
import signal
import struct
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from cli.commands import sweep as command
from lab.pictures.drawing import png_of
from lab.sweep.pictures import HeatMap
from learners.sweep.workers import SweepFailed
from saves.sweeps.part import part_path
from tests.cli.cli_run import as_json, refused, run
from tests.sweeps import InProcessWorkers

TOML = """
learner = "menace"
game = "hexapawn"
opponent = ["self", "random"]
seeds = 5
games = 20

[grid]
win = [1, 3]
empty = ["resign", "refill"]
"""
OPTIONS = (
    *("--learner", "menace", "--game", "hexapawn", "--opponent", "self,random", "--seeds", "5", "--games", "20"),
    *("--grid", "win=1,3", "--grid", "empty=resign,refill"),
)


@pytest.fixture(name="here", autouse=True)
def _here(monkeypatch, tmp_path):
    """Run batches in this process, in a folder of its own."""
    monkeypatch.setattr(command, "Processes", InProcessWorkers)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(name="swept", scope="module")
def _swept(tmp_path_factory):
    path = tmp_path_factory.mktemp("swept") / "found.csv"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command, "Processes", InProcessWorkers)
        assert run("sweep", *OPTIONS, "--out", str(path)).code == 0
    return path


def test_a_file_and_options_define_the_same_sweep(swept):
    Path("small.toml").write_text(TOML)
    ran = run("sweep", "small.toml")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out == "8 points × 5 seeds: 40 machines, 800 games: small.csv\n"
    assert Path("small.csv").read_bytes() == swept.read_bytes()


def test_the_table_is_tidy(swept):
    with swept.open(newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    assert len(rows) == 8 * 5 * 3
    assert [*rows[0]][:8] == ["learner", "preset", "game", "opponent", "seed", "win", "empty", "rounds"]
    assert {"games", "resigned", "first_random_loss", "second_best_responder_win"} <= {*rows[0]}
    keys = [(row["opponent"], row["win"], row["empty"], int(row["seed"]), int(row["rounds"])) for row in rows]
    assert len(set(keys)) == len(keys)
    assert [key[3:] for key in keys[:4]] == [(1, 1), (1, 10), (1, 20), (2, 1)]


def test_the_file_can_name_the_table_which_is_beside_it():
    Path("folder").mkdir()
    Path("folder/small.toml").write_text('out = "named.csv"\n' + TOML)
    assert run("sweep", "folder/small.toml", "--seeds", "1").code == 0
    assert Path("folder/named.csv").exists()


def test_json_is_one_object_a_line_and_needs_no_file():
    ran = run("sweep", *OPTIONS, "--json")
    found = [json.loads(line) for line in ran.out.splitlines()]
    assert len(found) == 120
    assert (found[0]["win"], found[0]["empty"], found[0]["first_untrained"]) == (1, "resign", False)
    assert list(Path().iterdir()) == []


def test_a_dry_run_tells_how_much_there_is_to_do_and_runs_nothing():
    ran = run("sweep", *OPTIONS, "--dry-run", "--workers", "2")
    assert ran.out.startswith("8 points × 5 seeds: 40 machines, 800 games\nabout ")
    assert "with 2 workers, measured with 8 machines\n" in ran.out
    document = as_json("sweep", *OPTIONS, "--dry-run")
    assert (document["points"], document["machines"], document["games"]) == (8, 40, 800)
    assert document["seconds"] > 0
    assert list(Path().iterdir()) == []


def stop_after(monkeypatch, batches, error=None):
    """Send Ctrl+C, or raise an error, once this many batches were handed out."""

    class Stopped(InProcessWorkers):
        def submit(self, batch):
            if len(self.batches) == batches:
                if error:
                    raise error
                os.kill(os.getpid(), signal.SIGINT)
            return super().submit(batch)

    monkeypatch.setattr(command, "Processes", Stopped)


def test_ctrl_c_keeps_finished_batches_and_resuming_gives_the_same_table(monkeypatch, swept):
    stop_after(monkeypatch, 3)
    ran = run("sweep", *OPTIONS, "--out", "found.csv")
    assert (ran.code, ran.out) == (130, "")
    kept = int(ran.err.removeprefix("noughts: stopped: ").partition(" ")[0])
    assert 0 < kept < 40
    assert "of 40 machines are kept. Resume with: noughts sweep resume found.csv\n" in ran.err
    assert not Path("found.csv").exists()
    assert "The sweep is not finished" in run("sweep", "show", "found.csv").out
    monkeypatch.setattr(command, "Processes", InProcessWorkers)
    Path("found.csv.part").rename("elsewhere.csv.part")
    assert run("sweep", "resume", "elsewhere.csv.part").code == 0
    assert Path("elsewhere.csv").read_bytes() == swept.read_bytes()
    assert not Path("elsewhere.csv.part").exists()
    assert run("sweep", "resume", "elsewhere.csv").out == "elsewhere.csv is finished: there is nothing to resume\n"


def test_the_same_command_goes_on_and_another_definition_is_refused(monkeypatch, swept):
    stop_after(monkeypatch, 3)
    run("sweep", *OPTIONS, "--out", "found.csv")
    monkeypatch.setattr(command, "Processes", InProcessWorkers)
    ran = run("sweep", *OPTIONS, "--games", "21", "--out", "found.csv")
    assert ran.code == 1
    assert "found.csv.part holds another sweep: resume it with noughts sweep resume" in ran.err
    assert run("sweep", *OPTIONS, "--out", "found.csv").code == 0
    assert Path("found.csv").read_bytes() == swept.read_bytes()


def test_when_the_workers_are_lost_one_line_says_so_and_finished_batches_are_kept(monkeypatch):
    stop_after(monkeypatch, 3, SweepFailed("the scheduler at tcp://head:8786 is gone"))
    ran = run("sweep", *OPTIONS, "--out", "my found.csv")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("noughts: the scheduler at tcp://head:8786 is gone; ")
    assert ran.err.endswith("of 40 machines are kept. Resume with: noughts sweep resume 'my found.csv'\n")
    assert part_path(Path("my found.csv")).exists()


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ((), 2, "say where the table is written: --out FILE.csv"),
        (("--out", "x.txt"), 1, "'x.txt' names neither CSV nor Parquet"),
        (("--out", "none/x.csv"), 1, "none does not exist; create it"),
        (("--out", "old.csv"), 1, "old.csv already exists: choose another name, or add --replace"),
        (("--out", "x.csv", "--seeds", "0"), 2, "'0' is not a whole number from 1 to"),
        (("--out", "x.csv", "--marks", "5,x"), 2, "'x' is not a whole number"),
        (("--out", "x.csv", "--set", "plays"), 1, "'plays' has no '='"),
        (("--out", "x.csv", "--grid", "loss=1,9999"), 1, "menace:steady+win=1+empty=resign+loss=9999 is not valid"),
        (("--out", "x.csv", "--opponent", "save:mine"), 1, "a sweep cannot train against a save, since its workers"),
        (("--out", "x.csv", "--grid", "win=2"), 2, "--grid win is given twice"),
        (("--out", "x.csv", "--workers", "2", "--scheduler", "a:1"), 2, "--workers and --scheduler exclude each other"),
        (("missing.toml", "--out", "x.csv"), 1, "missing.toml cannot be read"),
        (("wrong.toml", "--out", "x.csv"), 1, "wrong.toml: this is not TOML"),
        (("key.toml", "--out", "x.csv"), 1, "no key '\\x1b[31m' in a sweep"),
    ],
)
def test_invalid_sweeps_are_refused_in_two_lines_before_anything_runs(arguments, code, message):
    Path("old.csv").write_text("mine")
    Path("wrong.toml").write_text("learner")
    Path("key.toml").write_text('"\\u001b[31m" = 1')
    before = sorted(Path().iterdir())
    refused(message, "sweep", *OPTIONS, *arguments, code=code)
    assert sorted(Path().iterdir()) == before
    assert Path("old.csv").read_text() == "mine"


# What a sweep has found.


def test_show_lists_groups_best_first_and_what_matters_most(swept):
    told = run("sweep", "show", str(swept)).out
    assert "loss-random, mean of both sides, after 20 rounds, in per cent\n40 machines\n" in told
    document = as_json("sweep", "show", str(swept), "--by", "win,empty")
    medians = [group["median"] for group in document["groups"]]
    assert medians == sorted(medians)
    assert [group["machines"] for group in document["groups"]] == [10] * 4
    assert set(document["explained"]) == {"opponent", "win", "empty"}
    best = as_json("sweep", "show", str(swept), "--measure", "win-random")["groups"]
    assert best[0]["median"] == max(group["median"] for group in best)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("show", "none.csv"), 1, "none.csv"),
        (("show", "text.csv"), 1, "its columns are not those of a sweep"),
        (("show", "FOUND", "--by", "luck"), 1, "no column 'luck' to group by"),
        (("show", "FOUND", "--rounds", "7"), 1, "no machine was judged after 7 rounds; the marks are 1, 10, 20"),
        (("plot", "FOUND", "--out", "x.pdf"), 1, "'x.pdf' cannot be drawn: let the name end in .svg or .png"),
        (("plot", "FOUND", "--heat", "win"), 1, "a heat map has two different columns"),
        (("plot", "FOUND", "--heat", "win,empty", "--by", "win"), 2, "exclude each other"),
        (("plot", "FOUND", "--out", "text.svg"), 1, "text.svg already exists"),
        (("resume", "none.csv"), 1, "there is no sweep to resume"),
        (("resume", "text.txt"), 1, "names neither CSV nor Parquet"),
    ],
)
def test_impossible_requests_to_show_are_refused(swept, arguments, code, message):
    Path("text.csv").write_text("learner,seed\nx,1\n")
    Path("text.svg").write_text("mine")
    refused(message, "sweep", *(str(swept) if word == "FOUND" else word for word in arguments), code=code)


@pytest.mark.parametrize(
    "how", [(), ("--by", "win,empty"), ("--heat", "win,empty"), ("--by", "opponent", "--side", "first")]
)
def test_plots_are_drawn_as_svg_and_in_the_terminal(swept, how):
    assert run("sweep", "plot", str(swept), *how, "--out", "found.svg").code == 0
    root = ET.fromstring(Path("found.svg").read_text())  # noqa: S314  written just now
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    told = run("sweep", "plot", str(swept), *how).out
    assert "loss-random" in told
    assert max(map(len, told.splitlines())) <= 80
    if "--heat" in how:
        assert len(root.findall("{*}path")) == 4
        assert told.count("\nre") == 2
    else:
        drawn = [path.get("class") for path in root.findall("{*}path")]
        assert {"curve1-f", "curve1-s l", "curve2-f", "curve2-s l"} <= {*drawn}, "bands and curves"
        assert "A" in told


@pytest.mark.usefixtures("fonts")
def test_a_plot_is_drawn_as_png_with_its_text(swept):
    assert run("sweep", "plot", str(swept), "--heat", "win,empty", "--out", "found.png").code == 0
    drawn = Path("found.png").read_bytes()
    assert drawn.startswith(b"\x89PNG\r\n")
    width, height = struct.unpack(">II", drawn[16:24])
    assert width > 400
    assert height > 200
    svg = HeatMap("a title", ("win", ("1",)), ("empty", ("keep",)), {("1", "keep"): 0.5}).picture().svg()
    assert png_of(svg) != png_of(svg.replace("a title", "")), "the text is drawn"


def test_without_a_font_a_png_is_refused_before_anything_is_read(monkeypatch):
    monkeypatch.setattr("resvg_py.svg_to_bytes", lambda **_: b"empty")
    ran = run("sweep", "plot", "none.csv", "--out", "found.png")
    assert "PNG needs a font of the system" in ran.err
    assert ran.code == 1


@pytest.mark.parametrize("name", ["-found.csv", "a\x1b[31m.csv", "sp ace'.csv", "ü\N{RIGHT-TO-LEFT OVERRIDE}.csv"])
def test_hostile_names_are_written_and_told_safely(name):
    ran = run("sweep", *OPTIONS, "--seeds", "1", "--out", name)
    assert ran.code == 0
    assert "\x1b" not in ran.out
    assert Path(name).exists()
    assert "\x1b" not in run("sweep", "show", "--", name).out
