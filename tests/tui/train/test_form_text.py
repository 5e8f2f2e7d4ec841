"""The texts that the fields of a training accept, and the names that files may have."""

from pathlib import Path

import pytest

from engine.game import BadText
from learners.core.generator import LARGEST_SEED
from learners.core.training import MAX_ROUNDS
from saves.paths import parse_path
from tui.library.save_files import export_of
from tui.shell.parts import parse_number


@pytest.mark.parametrize(
    ("text", "number"),
    [("1", 1), (" 100,000 ", 100_000), ("100_000", 100_000), ("100 000 000", MAX_ROUNDS), ("007", 7)],
)
def test_whole_numbers_as_people_write_them(text, number):
    assert parse_number(text, "games", 1, MAX_ROUNDS) == number


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "0",
        "-5",
        "+5",
        "1e9x",
        "1e6",
        "1.5",
        "½",
        "²",
        "٣",
        "１",
        "100000001",
        "9" * 400,
        "0x10",
        "a",
        "\x1b[31m",
        "--1",
    ],
)
def test_other_texts_are_refused_with_the_range_and_quoted_safely(text):
    with pytest.raises(BadText, match="from 1 to 100,000,000") as caught:
        parse_number(text, "games", 1, MAX_ROUNDS)
    assert str(caught.value).startswith("games: '")
    assert len(str(caught.value)) < 150
    assert "\x1b" not in str(caught.value)


def test_the_ends_of_the_range_are_accepted():
    assert parse_number(str(LARGEST_SEED), "seed", 0, LARGEST_SEED) == LARGEST_SEED
    assert parse_number("0", "seed", 0, LARGEST_SEED) == 0
    with pytest.raises(BadText):
        parse_number(str(LARGEST_SEED + 1), "seed", 0, LARGEST_SEED)


def test_a_tilde_in_a_path_is_the_home_folder():
    assert parse_path(" ~/a.json ") == str(Path.home() / "a.json")
    for text in ("", "  "):
        with pytest.raises(BadText, match="enter a path"):
            parse_path(text)


@pytest.mark.parametrize("path", ["a.json", "/b c/d e.txt", "a.svg", "a.csv"])
def test_a_file_is_named_after_its_format(path):
    assert export_of(None, "a save").parse(path) == path


@pytest.mark.parametrize("path", ["a", "a.tsv", "a.JSON.gz", ".txt"])
def test_an_unknown_suffix_is_refused(path):
    with pytest.raises(BadText, match=r"\.json or \.txt"):
        export_of(None, "a save").parse(path)
