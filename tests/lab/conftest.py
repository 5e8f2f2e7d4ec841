import pytest

from saves.library.library import Library
from tests import libraries


@pytest.fixture
def library() -> Library:
    return libraries.library()
