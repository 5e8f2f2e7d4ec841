"""The order in which the campaigns run, and the folders for their files."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.saves.forks import PRELOADED

MEMORY = Path("/dev/shm")  # noqa: S108  a folder of its own is made there


@pytest.fixture(scope="session")
def in_memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder in memory, if the system has one: faster than a disk, and its files also survive a killed program."""
    if not MEMORY.is_dir():
        yield tmp_path_factory.mktemp("files")
        return
    with TemporaryDirectory(dir=MEMORY) as name:
        yield Path(name)


@pytest.fixture
def folder(in_memory: Path) -> Iterator[Path]:
    with TemporaryDirectory(dir=in_memory) as name:
        yield Path(name)


def minutes(item: pytest.Item) -> float:
    """About how many minutes a campaign takes, according to its mark."""
    mark = item.get_closest_marker("campaign")
    return mark.kwargs.get("minutes", 0) if mark else 0


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the longest tests first, each followed by a short one: a worker gets its next test before its first ends."""
    if config.option.markexpr == "campaign":
        ordered, half = sorted(items, key=minutes, reverse=True), (len(items) + 1) // 2
        items[::2], items[1::2] = ordered[:half], ordered[half:][::-1]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Load everything before programs are forked, if a test needs that."""
    if any(item.path.name == "test_signals.py" for item in session.items):
        PRELOADED.append("tests.campaigns.loaded_program")
