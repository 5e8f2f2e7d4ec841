"""The actions of a screen, as its help and the command palette list them."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from textual.binding import ActiveBinding, BindingsMap
from textual.dom import DOMNode
from textual.screen import Screen
from textual.widgets import Button, Input, Select

COMMON_KEYS: Final = ("tab", "shift+tab", "ctrl+c", "super+c", "ctrl+q")
"""Keys that Textual binds in every app."""
MOVEMENT_KEYS: Final = frozenset(["up", "down", "left", "right", "home", "end", "pageup", "pagedown", *"123456789"])
"""Keys that only move the cursor within a widget; the palette does not list them."""
REPLACED_COMMANDS: Final = ("Keys", "Quit")
"""Commands of Textual that this app offers under keys of its own."""
NOT_MAXIMIZED: Final = (Button, Input, Select)
"""Widgets for which the palette lists no Maximize: in a maximized one, Escape would not close an open list."""


@dataclass(frozen=True)
class Action:
    """What one or more keys do."""

    description: str
    keys: tuple[str, ...]
    """The keys by the names that the screen shows."""
    action: str
    node: DOMNode
    """The widget or screen that the action belongs to."""
    in_palette: bool
    """Whether the palette lists it: it can be run now, and does more than move the cursor."""


def actions_of(screen: Screen[object]) -> Iterator[Action]:
    """Each action that a key of the screen runs and that has a description, once."""
    bindings_of: dict[tuple[str, str], list[ActiveBinding]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if binding.description and not binding.system and binding.key not in COMMON_KEYS:
            bindings_of.setdefault((binding.description, binding.action.removeprefix("screen.")), []).append(active)
    for bindings in bindings_of.values():
        keys = dict.fromkeys(screen.app.get_key_display(each.binding) for each in bindings)
        command = next((each for each in bindings if each.enabled and is_ours(each) and _is_command(each)), None)
        chosen = command or bindings[0]
        binding = chosen.binding
        yield Action(binding.description, tuple(keys), binding.action, chosen.node, command is not None)


def is_useful(command: str, screen: Screen[object]) -> bool:
    """Whether the palette should list a command of Textual."""
    focused = screen.focused
    fixed = focused is not None and any(isinstance(each, NOT_MAXIMIZED) for each in focused.ancestors_with_self)
    return command not in REPLACED_COMMANDS and not (fixed and command == "Maximize")


def is_ours(active: ActiveBinding) -> bool:
    """Whether the binding comes from this program, not from Textual."""
    return active.binding.key in _own_keys(type(active.node))


def _is_command(active: ActiveBinding) -> bool:
    """Whether a key does more than move the cursor."""
    return isinstance(active.node, Screen) or active.binding.key not in MOVEMENT_KEYS


@cache
def _own_keys(kind: type[DOMNode]) -> frozenset[str]:
    """The keys bound by a widget class and those of its base classes that belong to this program."""
    ours = (each for each in kind.__mro__ if each.__module__.partition(".")[0] == "tui")
    return frozenset(key for each in ours for key in BindingsMap(each.__dict__.get("BINDINGS", ())).key_to_bindings)
