"""Lists to choose from, gone through by a key."""

from typing import Any

from textual.widgets import Select


def choose_next(select: Select[Any]) -> None:
    """Choose the next entry of a list, after the last the first."""
    values = [value for _, value in select._options]  # noqa: SLF001  there is no other way to see them
    select.value = values[(values.index(select.value) + 1) % len(values)]
