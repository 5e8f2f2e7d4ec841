"""Plug-ins for tests: entry points that no package has to be installed for."""

import importlib.metadata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from unittest.mock import patch

import learners
from engine import games, plugins
from learners.players import registry


def point(group: str, name: str, load: Callable[[], object], package: str = "boards", version: str = "1.0"):
    """An entry point of a package; `load` returns what it names."""
    dist = SimpleNamespace(metadata={"Name": package, "Version": version})
    return SimpleNamespace(group=f"noughts.{group}", name=name, module=load.__module__, load=load, dist=dist)


@contextmanager
def added(*points: SimpleNamespace) -> Iterator[None]:
    """The program as it is with these entry points, as if it had just started."""

    def entry_points(*, group: str) -> list[SimpleNamespace]:
        return [each for each in points if each.group == group]

    def forget() -> None:
        for group in (games.PLUGINS, learners.PLUGINS, registry.PLUGINS):
            group._entries, group._plugins = None, []

    forget()
    try:
        with (
            patch.object(importlib.metadata, "entry_points", entry_points),
            patch.object(plugins, "are_installed", lambda: bool(points)),
        ):
            yield
    finally:  # or a test that fails would leave them to all others
        forget()
