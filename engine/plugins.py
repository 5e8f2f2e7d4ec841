"""Plug-ins: what other packages add to the lists of the program, through entry points."""

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, Final, Generic, TypeVar, overload

from engine.plugin_guard import error_line, place_text

if TYPE_CHECKING:  # slow to import, and not needed for the program's own games
    from importlib.metadata import EntryPoint

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)
GROUPS: Final = ("noughts.games", "noughts.learners", "noughts.players")
NAME: Final = re.compile(r"[a-z][a-z0-9_-]*")
NAME_FORM: Final = "a lower-case letter followed by such letters, digits, - and _"
_LOADING: Final = RLock()
"""Held while a plug-in is loaded: two threads must not make two instances of a game."""


class BadPlugin(Exception):
    """A plug-in is not what its group requires. The message says why, in one line."""


@dataclass(frozen=True)
class Plugin:
    """An entry point of another package. Its texts come from that package: clean them before they are shown."""

    kind: str
    """The kind of the plug-in: `game`, `learner` or `player`."""
    name: str
    """The name of what the plug-in adds; the name of the entry point if it was left out."""
    package: str
    version: str
    problem: str = ""
    """The reason why the plug-in was left out, in one line; empty if it is in its list."""

    def __str__(self) -> str:
        return f"{self.kind} {self.name} of {self.package} {self.version}"


class Added(Generic[T]):
    """The additions of other packages in one group of entry points, loaded when they are first needed.

    Loading must wait: the module of a plug-in imports the program, which must not import that module in turn.
    """

    def __init__(self, kind: str, accept: Callable[[object], tuple[str, T]], protect: Callable[[T, str], T]) -> None:
        """Take entry points of the group `noughts.KINDs`; `accept` returns name and entry, or raises an error.

        `protect` returns the entry with a guard that names the plug-in whenever it fails; see `engine.plugin_guard`.
        """
        self._kind, self._accept, self._protect = kind, accept, protect
        self._entries: tuple[T, ...] | None = None
        self._plugins: list[Plugin] = []

    def entries(self) -> tuple[T, ...]:
        """Return the accepted entries. If a plug-in asks for them while it is loaded, it sees those before it."""
        with _LOADING:
            if self._entries is None:
                self._entries = ()
                group = f"noughts.{self._kind}s"
                try:
                    points = _points(group)
                except Exception as error:  # noqa: BLE001  the files of any package that is installed may be damaged
                    self._plugins.append(Plugin(self._kind, group, "unknown", "unknown", error_line(error)))
                    return self._entries
                self._plugins += [self._load(point) for point in points]
            return self._entries

    def plugins(self) -> tuple[Plugin, ...]:
        """Return all entry points of the group, including those that were left out."""
        self.entries()
        return tuple(self._plugins)

    def _load(self, point: "EntryPoint") -> Plugin:
        package, version = _distribution(point)
        try:
            with redirect_stdout(sys.stderr):  # standard output may be a JSON document
                name, entry = self._accept(point.load())
                plugin = Plugin(self._kind, name, package, version)
                entry = self._protect(entry, str(plugin))
        except (Exception, SystemExit) as error:  # noqa: BLE001  a broken plug-in must not end the program
            return Plugin(self._kind, point.name, package, version, _problem(error, point.module))
        self._entries = (*(self._entries or ()), entry)
        return plugin


class Listed(Sequence[T_co]):
    """A list of the program: its own entries, then those of plug-ins, which are loaded only if they are reached."""

    def __init__(self, own: tuple[T_co, ...], added: Callable[[], Iterable[T_co]]) -> None:
        self.own, self._added = own, added

    def __iter__(self) -> Iterator[T_co]:
        yield from self.own
        yield from self._added()

    @overload
    def __getitem__(self, index: int) -> T_co: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T_co, ...]: ...
    def __getitem__(self, index: int | slice) -> T_co | tuple[T_co, ...]:
        """Load plug-ins unless the index is one of the program's own entries."""
        if isinstance(index, int) and 0 <= index < len(self.own):
            return self.own[index]
        return tuple(self)[index]

    def __len__(self) -> int:
        return sum(1 for _ in self)


def are_installed() -> bool:
    """Return whether any package has plug-ins, without `importlib.metadata`, which is slow to import."""
    try:
        files = [each for folder in sys.path for each in Path(folder).glob("*-info/entry_points.txt")]
        return any(b"[noughts." in each.read_bytes() for each in files)
    except OSError:  # the files of any package that is installed may be damaged
        return True


def distributions() -> tuple[str, ...]:
    """Return name and version of each package that has plug-ins, in order, without loading them."""
    return tuple(sorted({" ".join(_distribution(point)) for group in GROUPS for point in _points(group)}))


def require_name(name: object, taken: Iterable[str]) -> str:
    """Return a name that can be typed and is not taken. Raises `BadPlugin`."""
    if not (isinstance(name, str) and NAME.fullmatch(name)):
        raise BadPlugin(f"the name {name!r} is not {NAME_FORM}")
    if name in taken:
        raise BadPlugin(f"the name {name} is taken")
    return name


def require_line(what: str, text: object) -> None:
    """Check a text that screens show: one line, and nothing that could be read as markup. Raises `BadPlugin`."""
    if not (isinstance(text, str) and text and text.isprintable() and "[" not in text):
        raise BadPlugin(f"its {what} is not a line of plain text without brackets: {text!r}")


def _points(group: str) -> "list[EntryPoint]":
    """Return the entry points of a group, in the same order everywhere."""
    from importlib import metadata

    return sorted(metadata.entry_points(group=group), key=lambda point: (point.name, _distribution(point)))


def _distribution(point: "EntryPoint") -> tuple[str, str]:
    if point.dist is None:
        return "unknown", "unknown"
    return point.dist.metadata["Name"] or "unknown", point.dist.metadata["Version"] or "unknown"


def _problem(error: BaseException, module: str) -> str:
    """Return the reason why a plug-in cannot be used, in one line, with the place in the package of its `module`."""
    place = place_text(error, module.partition(".")[0]) or f" ({module})"
    return str(error) if isinstance(error, BadPlugin) else error_line(error) + place
