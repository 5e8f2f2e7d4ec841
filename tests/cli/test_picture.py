"""`noughts picture` and `noughts film`: files to keep, and what is refused in a line."""

import csv
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from engine.game import Outcome
from engine.games.tictactoe import TICTACTOE
from engine.match import Record
from saves.library.library import Library
from saves.paths import library_path
from tests.cli.cli_run import refused, run

TOO_LARGE = 2 * 2**20


@pytest.fixture(autouse=True)
def _folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def game_3():
    for _ in range(3):
        Library(library_path()).games.add(Record(TICTACTOE, ("human", "save:gone"), (4, 1, 0, 8, 6, 2, 3), Outcome(0)))


@pytest.mark.parametrize("what", [("--what", "curve"), ("--what", "board", "--position", "X../.O./... X")])
def test_a_save_is_drawn_as_svg_and_its_numbers_are_written_as_csv(what):
    assert run("picture", "michie", *what, "--out", "drawn.svg").out == "Wrote drawn.svg\n"
    drawn = Path("drawn.svg").read_text(encoding="utf-8")
    assert ET.fromstring(drawn).tag == "{http://www.w3.org/2000/svg}svg"  # noqa: S314  written just now
    assert run("picture", "michie", *what, "--out", "drawn.csv").code == 0
    with Path("drawn.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows
    assert None not in rows[0].values()
    assert run("picture", "michie", *what, "--out", "-").out == drawn


@pytest.mark.parametrize("name", ["michie", "game:3"])
def test_a_film_is_the_same_each_time_small_and_needs_nothing_else(name):
    game_3()
    for file in ("one.svg", "two.svg"):
        assert run("film", name, "--out", file).out == f"Wrote {file}\n"
    film = Path("one.svg").read_bytes()
    assert film == Path("two.svg").read_bytes()
    assert b"<animate " in film
    assert len(film) <= TOO_LARGE
    for foreign in (b"<script", b"href", b"url(http", b"@import", b"<image", b"<foreignObject"):
        assert foreign not in film


def test_a_finished_game_is_drawn_move_by_move():
    game_3()
    assert run("picture", "game:3", "--out", "game.csv").code == 0
    with Path("game.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["move"] for row in rows] == ["b2", "b3", "a3", "c1", "a1", "c3", "a2"]
    assert rows[-1]["value"] == "1"


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("picture", "michie", "--out", "wall.jpg"), 1, "let the name end in .svg or .png or .csv"),
        (("film", "michie", "--out", "film.png"), 1, "let the name end in .svg"),
        (("picture", "michie", "--out", "there.svg"), 1, "already"),
        (("picture", "nobody", "--out", "new.svg"), 1, "no save 'nobody'"),
        (("film", "game:99", "--out", "new.svg"), 1, "no game 99"),
        (("film", "game:x", "--out", "new.svg"), 2, "'x'"),
        (("picture", "game:1", "--what", "wall", "--out", "new.svg"), 2, "for saves"),
        (("picture", "michie", "--position", "X../.../... O", "--out", "new.svg"), 2, "needs --what board"),
        (("picture", "michie", "--what", "board", "--position", "XXX/OO./... O", "--out", "new.svg"), 1, "is over"),
        (("picture", "michie"), 2, "--out"),
    ],
)
def test_what_cannot_be_drawn_is_refused_in_a_line_or_two(words, code, message):
    Path("there.svg").write_text("mine")
    refused(message, *words, code=code)
    assert Path("there.svg").read_text() == "mine"
    assert not Path("new.svg").exists()
