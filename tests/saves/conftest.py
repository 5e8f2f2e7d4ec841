"""Fixtures of the tests of the library."""

import pytest

from tests.saves.forks import Forks


@pytest.fixture(scope="session")
def forks():
    """Start processes that have everything imported."""
    with Forks() as forks:
        yield forks
