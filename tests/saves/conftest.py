"""What the tests of the library share."""

import pytest

from tests.saves.forks import Forks


@pytest.fixture(scope="session")
def forks():
    """Starts processes that have everything imported."""
    with Forks() as forks:
        yield forks
