"""Fixtures of the tests of the library."""

import pytest

from saves.library.library import Library


@pytest.fixture
def library(tmp_path):
    """A library that does not exist yet."""
    return Library(tmp_path / "library.sqlite")
