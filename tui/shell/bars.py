"""The lines at the top and at the bottom of a screen: the modes and the background work, and the keys.

The line of keys replaces Textual's `Footer`, which creates new widgets for all keys whenever the focus changes and
never frees the old ones (https://github.com/Textualize/textual/issues/6666): the app would use more memory with every
key press.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import ActiveBinding
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from lab.text.sanitise import plain
from tui.shell.modes import KEYS, TITLES
from tui.shell.parts import LiveText

SHOWN_FIRST: Final = frozenset(("help", "quit"))
"""The actions whose keys are shown even in the narrowest terminal; help lists all keys."""
SHOWN_LAST: Final = frozenset(("export",))
"""The actions whose keys are shown only where all others that can be pressed have room."""

LAST_RANK: Final = 99
"""The rank of keys that cannot be pressed now."""
UNDO: Final = "Undo"
"""The description of every key that undoes something; the key line adds what it would undo."""


@dataclass(frozen=True)
class Key:
    """A key of the line; it can be pressed if it is `enabled`."""

    key: str
    display: str
    """The key as it is shown."""
    action: str
    tooltip: str
    enabled: bool

    @property
    def width(self) -> int:
        """The width of the key in columns, with the space before it."""
        return 1 + cell_len(self.display)


@dataclass(frozen=True)
class KeyEntry:
    """One key, or a group of them, with its description."""

    keys: tuple[Key, ...]
    description: str
    is_offered: bool = False
    """Whether the entry is offered to a newcomer."""

    @property
    def width(self) -> int:
        """The width of the entry in columns, with a space before and after the description."""
        return sum(key.width for key in self.keys) + cell_len(self.description) + 2

    @property
    def rank(self) -> int:
        """The rank of the entry; a low one gets room first: help, quit, Undo and offers have 0, single keys come next.

        Groups of keys follow, then the export, and last the entries that cannot be pressed now.
        """
        actions = {key.action.rpartition(".")[2] for key in self.keys}
        if actions & SHOWN_FIRST or self.is_offered or self.description.startswith(f"{UNDO} "):
            return 0
        if not self.is_enabled:
            return LAST_RANK
        return LAST_RANK - 1 if actions & SHOWN_LAST else len(self.keys)

    @property
    def is_enabled(self) -> bool:
        """Whether one of the keys can be pressed."""
        return any(key.enabled for key in self.keys)


class KeyLine(Widget):
    """Shows as many of the active keys as fit. A click on a key presses it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"key-line--key", "key-line--description", "key-line--hovered"}
    DEFAULT_CSS: ClassVar[str] = """
    KeyLine {
        dock: bottom; height: 1; background: $footer-background;
        & > .key-line--key {
            color: $footer-key-foreground; background: $footer-key-background; text-style: bold;
        }
        & > .key-line--description {
            color: $footer-description-foreground; background: $footer-description-background;
        }
        & > .key-line--hovered { color: $footer-key-foreground; background: $block-hover-background; }
    }
    """

    entries: reactive[tuple[KeyEntry, ...]] = reactive(())
    hovered: reactive[Key | None] = reactive(None)

    def __init__(
        self,
        undo_target: Callable[[], str | None],
        offered_keys: Callable[[], Mapping[str, str]],
        key_words: Callable[[], Mapping[str, str]],
    ) -> None:
        """Take functions that are asked at each change of the keys.

        `undo_target` returns what Undo would undo now; its key is hidden if that is `None`. `offered_keys` returns
        actions that are usually hidden, but shown first now, with their descriptions. `key_words` returns what keys do
        now, by their actions, if that is not what they usually do.
        """
        super().__init__()
        self._undo_target = undo_target
        self._offered_keys = offered_keys
        self._key_words = key_words

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self.update_keys)

    def update_keys(self, screen: Screen[object]) -> None:
        """Show the active keys of the screen, one key for each action."""
        shown: dict[str, ActiveBinding] = {}
        by_action: dict[str, ActiveBinding] = {}
        can_undo = self._undo_target() is not None
        for active in screen.active_bindings.values():
            binding = active.binding
            by_action[binding.action] = active
            if binding.show and (can_undo or binding.description != UNDO):
                shown.setdefault(binding.action, active)
        entries = [
            KeyEntry((self._key(by_action[action]),), description, is_offered=True)
            for action, description in self._offered_keys().items()
            if action in by_action
        ]
        for group, members in groupby(shown.values(), lambda active: active.binding.group):
            keys = [(self._key(active), self._description(active)) for active in members]
            if group is not None:  # a group has one description: it is for the keys that can be pressed
                keys = [each for each in keys if each[0].enabled] or keys
            if group is not None and len(keys) > 1:
                entries.append(KeyEntry(tuple(key for key, _ in keys), group.description))
            else:
                entries += [KeyEntry((key,), description) for key, description in keys]
        self.entries = tuple(entries)

    def _description(self, active: ActiveBinding) -> str:
        """Return what a key does now; for Undo, also what it would undo."""
        description = self._key_words().get(active.binding.action, active.binding.description)
        if description != UNDO:
            return description
        return f"{UNDO} {self._undo_target() or ''}".rstrip()

    def _key(self, active: ActiveBinding) -> Key:
        binding = active.binding
        tooltip = active.tooltip or (binding.description if binding.group else "")
        return Key(binding.key, self.app.get_key_display(binding), binding.action, tooltip, active.enabled)

    def visible_entries(self) -> list[KeyEntry]:
        """Return the entries that fit, in the order of the line."""
        room, visible = self.size.width, set()
        for entry in sorted(self.entries, key=lambda entry: entry.rank):
            room -= entry.width
            if room < 0:
                break
            visible.add(entry)
        return [entry for entry in self.entries if entry in visible]

    def key_columns(self) -> list[tuple[Key, range]]:
        """Return each key with the columns where a click presses it; for a single key they include its description."""
        columns, entry_start = [], 0
        for entry in self.visible_entries():
            entry_end = entry_start + entry.width
            if len(entry.keys) == 1:
                columns.append((entry.keys[0], range(entry_start, entry_end)))
            else:
                key_start = entry_start
                for key in entry.keys:
                    columns.append((key, range(key_start, key_start + key.width)))
                    key_start += key.width
            entry_start = entry_end
        return columns

    def render(self) -> Text:
        line = Text(no_wrap=True)
        key_style = self.get_component_rich_style("key-line--key")
        description_style = self.get_component_rich_style("key-line--description")
        disabled_style = description_style + Style(bold=False, dim=True)  # a dim key in its own colour hardly differs
        for entry in self.visible_entries():
            for key in entry.keys:
                line.append(f" {key.display}", key_style if key.enabled else disabled_style)
            line.append(f" {entry.description} ", description_style if entry.is_enabled else disabled_style)
        hovered_style = self.get_component_rich_style("key-line--hovered")
        for key, columns in self.key_columns():
            if key.enabled and key == self.hovered:
                line.stylize(hovered_style, columns.start, columns.stop)
        return line

    def key_at(self, column: int) -> Key | None:
        return next((key for key, columns in self.key_columns() if column in columns), None)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        self.hovered = self.key_at(event.x)

    def on_leave(self) -> None:
        self.hovered = None

    def watch_hovered(self, hovered: Key | None) -> None:
        self.tooltip = hovered.tooltip if hovered and hovered.tooltip else None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        key = self.key_at(event.x)
        if key is not None and key.enabled:
            self.app.simulate_key(key.key)


class ModeTab(Static):
    """Shows the title of a mode, with its key highlighted. Posts `Chosen` when it is clicked."""

    class Chosen(Message):
        """A tab was clicked."""

        def __init__(self, mode: str) -> None:
            super().__init__()
            self.mode = mode

    def __init__(self, mode: str, *, active: bool) -> None:
        title = TITLES[mode]
        place = title.lower().index(KEYS[mode])
        style = "b u" if active else "b u $footer-key-foreground"
        markup = f"{title[:place]}[{style}]{title[place]}[/]{title[place + 1 :]}"
        super().__init__(markup, classes="-active" if active else "")
        self.mode = mode

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Chosen(self.mode))


class ModeBar(Horizontal):
    """Shows the program's name, a tab for each mode, and the state of background work."""

    DEFAULT_CSS: ClassVar[str] = """
    ModeBar {
        dock: top; height: 1; background: $panel;
        & > Static { width: auto; padding: 0 1; }
        & > #title { text-style: bold; padding: 0 2 0 1; }
        & > ModeTab { color: $text-muted; }
        & > ModeTab:hover { background: $foreground 10%; color: $text; }
        & > ModeTab.-active { background: $primary; color: $background; text-style: bold; }
        & > #training { width: 1fr; text-align: right; color: $text-muted; }
    }
    """

    def __init__(self, active: str) -> None:
        super().__init__()
        self._active = active
        self._idle_text = Text()
        self._is_working = False

    def compose(self) -> ComposeResult:
        yield Static("NOUGHTS", id="title")
        for mode in TITLES:
            yield ModeTab(mode, active=mode == self._active)
        yield LiveText(id="training")

    def set_idle_text(self, text: Text) -> None:
        """Show a text while there is no background work, where the whole of it fits."""
        self._idle_text = text
        if not self._is_working:
            self.show_work("", "")

    def show_work(self, name: str, state: str) -> None:
        """Show the name and state of background work; what does not fit is left out, the name first.

        Without a name, there is no work: then the idle text is shown.
        """
        self._is_working = bool(name)
        place = self.query_one("#training", LiveText)
        width = place.content_size.width
        if not self._is_working:
            place.set_text(self._idle_text if self._idle_text.cell_len <= width else "")
            return
        texts = (f"{plain(name)}: {state}", state)
        place.set_text(next((text for text in texts if len(text) <= width), ""))
