"""The commands of a screen: what its help and the command palette list, and the palette itself."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Final

from textual.app import ComposeResult, SystemCommand
from textual.await_complete import AwaitComplete
from textual.binding import ActiveBinding, BindingsMap
from textual.command import CommandList, CommandPalette, DiscoveryHit, Hit, Hits, Provider, SearchIcon
from textual.content import Content
from textual.dom import DOMNode
from textual.events import Click, Mount
from textual.filter import LineFilter
from textual.screen import Screen
from textual.widgets import Button, Input, Select
from textual.worker import Worker, WorkerState

from lab.text.columns import whole_clauses
from tui.shell.filters import Contrast
from tui.shell.modes import ABOUT, TITLES
from tui.shell.parts import Options, entitle

COMMON_KEYS: Final = ("tab", "shift+tab", "ctrl+c", "super+c", "ctrl+q")
"""Keys that Textual binds in every app."""
MOVEMENT_KEYS: Final = frozenset(["up", "down", "left", "right", "home", "end", "pageup", "pagedown", *"123456789"])
"""Keys that only move the cursor within a widget; the palette does not list them."""
REPLACED_COMMANDS: Final = ("Keys", "Quit", "Theme")
"""Commands of Textual that this app offers under keys or names of its own."""
TEXTUAL_COMMANDS: Final = {
    "Maximize": "shows this panel alone",
    "Minimize": "shows all panels again",
    "Screenshot": "writes the screen as .svg",
}
"""For each other command of Textual, a clause about what it does."""
NOT_MAXIMIZED: Final = (Button, Input, Select)
"""Widgets for which the palette lists no Maximize: in a maximized one, Escape would not close an open list."""


@dataclass(frozen=True)
class Action:
    """What one or more keys do."""

    description: str
    keys: tuple[str, ...]
    """The keys, as the screen shows them."""
    action: str
    node: DOMNode
    """The widget or screen that the action belongs to."""
    about: str
    """What the action does, in a clause."""
    in_palette: bool
    """Whether the palette lists it: it can be run now, and does more than move the cursor."""


def bound_actions(screen: Screen[object]) -> Iterator[Action]:
    """Yield each action that a key of the screen runs and that has a description, once."""
    bindings_of: dict[tuple[str, str], list[ActiveBinding]] = {}
    for active in screen.active_bindings.values():
        binding = active.binding
        if binding.description and not binding.system and binding.key not in COMMON_KEYS:
            bindings_of.setdefault((binding.description, binding.action.removeprefix("screen.")), []).append(active)
    for bindings in bindings_of.values():
        keys = dict.fromkeys(screen.app.get_key_display(each.binding) for each in bindings)
        command = next((each for each in bindings if each.enabled and is_ours(each) and _is_command(each)), None)
        active = command or bindings[0]
        binding = active.binding
        about = binding.tooltip.partition("\n")[0]
        yield Action(binding.description, tuple(keys), binding.action, active.node, about, command is not None)


def panel_focusers(screen: Screen[object]) -> dict[str, Callable[[], object]]:
    """Return functions that focus the panels of a screen in which a cursor moves, by the names in their frames."""
    focusers: dict[str, Callable[[], object]] = {}
    for panel in screen.query(".panel"):
        title = Content.from_markup(panel.border_title or "").plain
        within = [each for each in screen.focus_chain if panel in each.ancestors_with_self]
        if title and within:
            focusers[title.partition(" · ")[0]] = within[0].focus
    return focusers


def is_useful(command: str, screen: Screen[object]) -> bool:
    """Return whether the palette lists a command of Textual."""
    if command in REPLACED_COMMANDS:
        return False
    if command != "Maximize" or screen.focused is None:
        return True
    return not any(isinstance(each, NOT_MAXIMIZED) for each in screen.focused.ancestors_with_self)


def is_ours(active: ActiveBinding) -> bool:
    """Return whether the binding comes from this program, not from Textual."""
    return active.binding.key in _own_keys(type(active.node))


def _is_command(active: ActiveBinding) -> bool:
    """Return whether a key does more than move the cursor."""
    return isinstance(active.node, Screen) or active.binding.key not in MOVEMENT_KEYS


@cache
def _own_keys(kind: type[DOMNode]) -> frozenset[str]:
    """Return the keys bound by a widget class, and by those of its base classes that belong to this program."""
    keys: set[str] = set()
    for base in kind.__mro__:
        if base.__module__.partition(".")[0] == "tui":
            keys |= BindingsMap(base.__dict__.get("BINDINGS", ())).key_to_bindings.keys()
    return frozenset(keys)


class LabCommands(Provider):
    """The commands of a screen and of the app, in their order, one line each: name, description and key."""

    async def discover(self) -> Hits:
        for command in self._commands():
            yield DiscoveryHit(self._line(command, Content(command.title)), command.callback, command.title)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command in self._commands():
            score = matcher.match(command.title)
            if not score and query.casefold() in self._about_text(command).casefold():
                score = DESCRIPTION_SCORE
            if score > 0:
                line = self._line(command, matcher.highlight(command.title))
                yield Hit(score, line, command.callback, command.title)

    def _commands(self) -> Iterator[SystemCommand]:
        return iter(self.app.get_system_commands(self.screen))

    @cached_property
    def _about(self) -> dict[str, str]:
        """The description of each command that has a key, by its title."""
        about = {f"Go to {title}": ABOUT[mode] for mode, title in TITLES.items()}
        for action in reversed([*bound_actions(self.screen)]):  # of two with one title, the nearest to the focus counts
            about[action.description] = action.about
        return about

    def _about_text(self, command: SystemCommand) -> str:
        if command.help.startswith(KEY_PREFIX):
            return self._about.get(command.title, "")
        return TEXTUAL_COMMANDS.get(command.title, command.help)

    def _line(self, command: SystemCommand, title: Content) -> Content:
        key = command.help.removeprefix(KEY_PREFIX) if command.help.startswith(KEY_PREFIX) else ""
        width = min(PALETTE_WIDTH, self.app.size.width * 95 // 100) - PALETTE_EDGES
        title_width = max(TITLE_WIDTH, title.cell_length + 2)
        about = whole_clauses(self._about_text(command), max(0, width - title_width - len(key) - 2))
        padding = " " * (title_width - title.cell_length)
        gap = " " * max(2, width - title_width - len(about) - len(key))
        return Content.assemble(title, padding, (about, "$foreground 65%"), gap, (key, "bold $role-lit"))


PALETTE_WIDTH: Final = 76
"""The maximum width of the palette, in columns."""
PALETTE_EDGES: Final = 8
"""The columns of the palette's frame, padding and scrollbar."""
TITLE_WIDTH: Final = 20
"""The columns before the description of a command."""
DESCRIPTION_SCORE: Final = 1e-6
"""The score of a command that has the text in its description, but not in its title."""
KEY_PREFIX: Final = "Key "
"""The beginning of the help of a command that has a key; the key follows."""


class LabPalette(CommandPalette):
    """The command palette, in a frame like that of a dialog, as wide as its lines."""

    DEFAULT_CSS = """
    LabPalette {
        background: $background 60%;
        & > Vertical { width: 76; max-width: 95%; margin-top: 2; background: transparent; }
        & #--input {
            height: 3; border: round $role-lit; background: $surface;
            border-title-color: $role-lit; border-title-style: bold; border-title-background: $surface;
        }
        & #--input.--list-visible { border-bottom: none; height: 2; }
        & CommandInput, & CommandInput:focus { border: none; height: 1; padding: 0; }
        & SearchIcon { margin: 0 0 0 1; color: $text-muted; }
        & #--results { width: 100%; }
        & CommandList, & CommandList:focus {
            border: round $role-lit; border-top: none; background: $surface; max-height: 75vh; text-wrap: nowrap;
            border-subtitle-color: $text-muted; border-subtitle-background: $surface; border-subtitle-align: right;
        }
        & CommandList > .option-list--option { text-style: none; padding: 0 1; }
        & CommandList > .option-list--option-highlighted { background: $foreground 12%; color: $foreground; }
    }
    """
    is_set_up = False
    """Whether the palette was the current screen when it was mounted."""
    runs_first_match = False
    """Whether Enter was pressed, and the search for the text has not ended."""

    def compose(self) -> ComposeResult:
        for widget in super().compose():
            yield FoundCommands() if isinstance(widget, CommandList) else widget

    def on_mount(self, event: Mount) -> None:
        """Skip the setup if another mode was opened at the same time, or the palette is closed again already.

        Symptom without this guard: `NoMatches`, since Textual looks for the palette's widgets on that mode's screen,
        and composes none for a screen that closes.
        """
        self.is_set_up = self.app.screen is self and bool(self.query(SearchIcon))
        if not self.is_set_up:
            event.prevent_default()
            return
        self.query_one("#--input").border_title = "Commands"
        self.query_one(SearchIcon).icon = ":"  # the default icon is wider than one column, and not in every font

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Leave the screen below dimmed, as `Dialog` does."""
        return [each for each in super().get_line_filters() if not isinstance(each, Contrast)]

    def on_resize(self) -> None:
        """Write the lines again, for their new width."""
        if self.is_set_up and any(each.option_count for each in self.query(CommandList)):
            field = self.query_one(Input)
            field.post_message(Input.Changed(field, field.value))

    def on_screen_resume(self) -> None:
        """Close a palette that was never set up, when the mode is opened again."""
        if self.is_mounted and not self.is_set_up:
            self.dismiss()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Ignore keys for the list before it exists and after it is removed.

        Symptom without this guard: `NoMatches` for a key that arrives as the palette opens or closes.
        """
        if action != "escape" and not self.query(CommandList):
            return False
        return super().check_action(action, parameters)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Start no search after Enter, nor while the palette closes.

        Symptom without this guard: `NoMatches` for text that was typed just before Escape.
        """
        if self.runs_first_match or self.app.screen is not self or not self.query(CommandList):
            event.prevent_default()

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Cancel the search, and close; a second call does nothing, see `BaseScreen.dismiss`.

        Symptom if the search is not cancelled: `NoMatches` when the search reports its results to the closed palette.
        """
        if self.app.screen is not self:
            return AwaitComplete()
        self.workers.cancel_node(self)
        return super().dismiss(result)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Wait for the end of a search: until then, the list holds what an earlier text has found."""
        self.runs_first_match = any(each.node is self and not each.is_finished for each in self.workers)
        if self.runs_first_match:
            event.prevent_default()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Run what was found for the text at which Enter was pressed."""
        if self.runs_first_match and event.state is WorkerState.SUCCESS:
            self.runs_first_match = False
            field = self.query_one(Input)
            field.post_message(Input.Submitted(field, field.value))

    def on_click(self, event: Click) -> None:
        """Ignore clicks outside the screen.

        Symptom without this guard: a click beyond the new edge of a terminal that became smaller closes the palette.
        """
        if not self.region.contains(event.screen_x, event.screen_y):
            event.prevent_default()


class FoundCommands(CommandList, Options):
    """The list of matching commands, which change while the user types."""

    def on_mount(self) -> None:
        entitle(self, "", "`Enter` runs it · `Esc` back")
