"""Fixtures of the tests of the library."""

import pytest

from saves.library.library import Library
from tests.saves.forks import Forks


@pytest.fixture(scope="session")
def forks():
    """Start processes that have everything imported."""
    with Forks() as forks:
        yield forks


@pytest.fixture
def library(tmp_path):
    """A library that does not exist yet, in a folder that does not either."""
    return Library(tmp_path / "data" / "library.sqlite")
