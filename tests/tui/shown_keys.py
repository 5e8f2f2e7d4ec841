"""Checks that every key that a screen shows runs its action: by keyboard, by mouse, and from the palette."""

from textual.actions import parse
from textual.events import Key, MouseDown, MouseUp
from textual.keys import key_to_character

from tests.tui.shell.test_keys import MEANINGS
from tui.app import NoughtsApp
from tui.shell.bars import KeyLine
from tui.shell.commands import MOVEMENT_KEYS, bound_actions, is_ours
from tui.shell.lab_app import FIELD_ACTIONS
from tui.shell.screen import LabScreen

BEHIND_THE_PALETTE = ("switch_mode", "command_palette")
"""Actions that the palette offers in other words, or that open it."""


def is_there(action, node):
    """Whether an action exists on its node, or on the screen or the app if its name says so."""
    place, name, _ = parse(action)
    where = {"screen": node.screen, "app": node.app, "": node}[place]
    return any(hasattr(where, f"{start}{name}") for start in ("action_", "_action_"))


async def wait_for_actions(pilot, asked, wanted):
    """Wait until the requested actions are the `wanted` ones, in this order."""
    await pilot.until(lambda: len(asked) >= len(wanted))
    assert [action for action, _ in asked] == [action for action, _ in wanted]
    assert all(node in (None, one) for (_, node), (_, one) in zip(wanted, asked, strict=True))


async def assert_keys_work(pilot, monkeypatch):
    """Press and click every key that the screen shows, and find each in the palette; no action is carried out."""
    app, screen, asked = pilot.app, pilot.screen, []

    async def note(_app, action, node=None, _namespaces=None):
        asked.append((str(action), node))
        return True

    monkeypatch.setattr(NoughtsApp, "run_action", note)
    commands = {(command.title, command.help) for command in app.get_system_commands(screen)}
    impossible = screen.impossible_actions() if isinstance(screen, LabScreen) else ()
    for each in bound_actions(screen):
        offered = (each.description, f"Key {' '.join(each.keys)}") in commands
        listed = each.in_palette and each.action not in impossible
        assert offered == (listed and not each.action.startswith(BEHIND_THE_PALETTE)), each
    for key, way in screen.active_bindings.items():
        if (key_to_character(key) or "\0").isprintable() and key not in MOVEMENT_KEYS:
            assert way.binding.description in MEANINGS.get(key, ()), f"{key} in {way.node}"
    ours = [way for way in screen.active_bindings.values() if way.enabled and way.binding.description and is_ours(way)]
    ours.sort(
        key=lambda way: not way.binding.priority and way.binding.action not in FIELD_ACTIONS
    )  # the app runs these at once, the others go to the focus first
    for way in ours:
        assert is_there(way.binding.action, way.node), way
    wanted = [(way.binding.action, way.node) for way in ours]
    for way in ours:
        app.post_message(Key(way.binding.key, key_to_character(way.binding.key)))
    await wait_for_actions(pilot, asked, wanted)
    line = next(iter(screen.query(KeyLine)), None)
    shown = line.key_columns() if line is not None and line.region.area else []
    shown.sort(key=lambda each: each[0].action not in FIELD_ACTIONS)
    wanted += [(key.action, None) for key, _ in shown if key.enabled]
    for _, columns in shown:
        x, y = line.region.x + columns.start, line.region.y
        app.post_message(MouseDown(None, x, y, 0, 0, 1, False, False, False, x, y))
        app.post_message(MouseUp(None, x, y, 0, 0, 1, False, False, False, x, y))
    await wait_for_actions(pilot, asked, wanted)
    if isinstance(screen, LabScreen):
        assert len(ours) > 10
        assert len(shown) > 3
