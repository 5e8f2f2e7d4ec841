"""What can be done on a screen, as its help and the palette of all commands tell it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from textual.binding import ActiveBinding, BindingsMap
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Button, Input, Select

COMMON_KEYS: Final = ("tab", "shift+tab", "ctrl+c", "super+c", "ctrl+q")
"""Keys of the library of widgets that every program has."""
GOING_ABOUT: Final = frozenset(["up", "down", "left", "right", "home", "end", "pageup", "pagedown", *"123456789"])
"""Keys by which one only gets about in a widget: no commands of the palette."""
OUR_OWN: Final = ("Keys", "Quit")
"""Commands of the library of widgets that the program has under its own keys."""
SMALL: Final = (Button, Input, Select)
"""What has nothing to show on a whole screen, where Escape would not close a list."""


@dataclass(frozen=True)
class Action:
    """Something that keys do."""

    does: str
    keys: tuple[str, ...]
    """As they are shown."""
    action: str
    node: DOMNode
    """Whose it is."""
    command: bool
    """Whether it can be done now, and belongs into the palette."""


def actions_of(screen: Screen[object]) -> Iterator[Action]:
    """All that keys do there and that is described, each once."""
    ways: dict[tuple[str, str], list[ActiveBinding]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if binding.description and not binding.system and binding.key not in COMMON_KEYS:
            ways.setdefault((binding.description, binding.action.removeprefix("screen.")), []).append(active)
    for each in ways.values():
        keys = dict.fromkeys(screen.app.get_key_display(way.binding) for way in each)
        one = next((way for way in each if way.enabled and is_ours(way) and _leads_on(way)), None)
        binding, node = (one or each[0]).binding, (one or each[0]).node
        yield Action(binding.description, tuple(keys), binding.action, node, one is not None)


def is_of_use(command: str, screen: Screen[object]) -> bool:
    """Whether a command of the library of widgets does what no key does, and what is worth to be looked at."""
    focused = screen.focused
    small = focused is not None and any(isinstance(each, SMALL) for each in focused.ancestors_with_self)
    return command not in OUR_OWN and not (small and command == "Maximize")


def is_ours(way: ActiveBinding) -> bool:
    """Whether this program gave the key its meaning, not the library of widgets."""
    return way.binding.key in _own_keys(type(way.node))


def _leads_on(way: ActiveBinding) -> bool:
    """Whether a key does more than to get about."""
    return isinstance(way.node, Screen) or way.binding.key not in GOING_ABOUT


@cache
def _own_keys(kind: type[DOMNode]) -> frozenset[str]:
    """The keys that classes of this program give to a widget, not those of the library of widgets."""
    ours = (each for each in kind.__mro__ if each.__module__.partition(".")[0] == "tui")
    return frozenset(key for each in ours for key in BindingsMap(each.__dict__.get("BINDINGS", ())).key_to_bindings)
