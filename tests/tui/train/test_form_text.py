"""The texts that the fields of a training accept, and the names that files may have."""

import pytest

from engine.game import BadText
from tui.library.save_files import export_of
from tui.shell.parts import parse_number


def test_a_number_is_refused_with_the_name_of_its_field():
    assert parse_number("5", "games", 1, 9) == 5
    with pytest.raises(BadText, match=r"^games: '10' is not .* from 1 to 9$"):
        parse_number("10", "games", 1, 9)


@pytest.mark.parametrize("path", ["a.json", "/b c/d e.txt", "a.svg", "a.csv"])
def test_a_file_is_named_after_its_format(path):
    assert export_of(None, "a save").parse(path) == path


@pytest.mark.parametrize("path", ["a", "a.tsv", "a.JSON.gz", ".txt"])
def test_an_unknown_suffix_is_refused(path):
    with pytest.raises(BadText, match=r"\.json or \.txt"):
        export_of(None, "a save").parse(path)
