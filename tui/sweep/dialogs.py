"""The dialogs of Sweep: to keep a machine of a cell, and to open an earlier sweep."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from engine.game import BadText
from lab.race.race_text import share_text
from lab.text.sanitise import label, plain
from saves.errors import LibraryError
from saves.names import parse_name
from saves.paths import parse_path, served, shown
from saves.sweeps.folder import KeptSweep, kept_sweeps
from saves.sweeps.part import SUFFIX
from tui.shell.dialog import Dialog
from tui.shell.parts import ChoiceList, Options

MAX_LISTED: Final = 200
"""The maximum number of machines listed, the best first."""


@dataclass(frozen=True)
class Kept:
    """A machine to train again and save."""

    point: Mapping[str, str]
    """The point of the grid: its values in the key columns of the table of the sweep."""
    seed: int
    name: str
    """The name of the new save."""


class KeepDialog(Dialog[Kept | None]):
    """Asks for a machine of a cell and a name; its result is both, or `None` after Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]
    AUTO_FOCUS = "#keep-name"
    DEFAULT_CSS = """
    KeepDialog {
        & .keep-field { height: 1; }
        & .keep-field Label { width: 10; color: $text-muted; }
        & .keep-field ChoiceList, & .keep-field Input { width: 1fr; }
        & .dialog-error { margin-top: 1; }
    }
    """

    def __init__(self, title: str, machines: Sequence[tuple[Mapping[str, str], int, float]], name: str) -> None:
        """`machines` has the point, the seed and the share of each, the best first; `name` is proposed for the save."""
        super().__init__()
        self._title, self._proposed_name = title, name
        self._machines = machines[:MAX_LISTED]

    def compose(self) -> ComposeResult:
        seeds = [
            (Text(f"seed {seed}  {share_text(share)} %"), str(number))
            for number, (_, seed, share) in enumerate(self._machines)
        ]
        with Vertical(classes="dialog"):
            yield Label(plain(self._title), classes="dialog-title", markup=False)
            yield Static("It is trained again, with the same seed and settings, and saved in the library.\n")
            with Horizontal(classes="keep-field"):
                yield Label("machine")
                yield ChoiceList(seeds, id="keep-machine")
            with Horizontal(classes="keep-field"):
                yield Label("name")
                yield Input(self._proposed_name, compact=True, id="keep-name", max_length=80)
            yield Static("", classes="dialog-error", markup=False)
            with Horizontal(classes="dialog-buttons"):
                yield Button("Save", variant="primary", id="keep-accept", compact=True)
                yield Button("Back", id="keep-back", compact=True)

    @on(Input.Submitted)
    @on(Button.Pressed, "#keep-accept")
    def accept(self) -> None:
        point, seed, _ = self._machines[int(str(self.query_one("#keep-machine", ChoiceList).value))]
        try:
            name = parse_name(self.query_one(Input).value)
        except BadText as error:
            self.query_one(".dialog-error", Static).update(plain(str(error), 300))
        else:
            self.dismiss(Kept(point, seed, name))

    @on(Button.Pressed, "#keep-back")
    def action_back(self) -> None:
        self.dismiss(None)


class OpenDialog(Dialog[Path | None]):
    """Asks which sweep to open; its result is the path of its table, finished or not, or `None` after Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]
    AUTO_FOCUS = "#open-sweeps"
    DEFAULT_CSS = """
    OpenDialog {
        & #open-sweeps { height: auto; max-height: 12; background: $surface; border: none; padding: 0; }
        & .dialog-error { margin-top: 1; }
    }
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.sweeps: Sequence[KeptSweep] = ()

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Label("Open which sweep?", classes="dialog-title")
            yield Options(id="open-sweeps", markup=False)
            if not served():
                yield Label("or a file", classes="dialog-label")
                yield Input("", placeholder=str(Path.cwd() / "menace.csv"), compact=True, id="open-path")
            yield Static("", classes="dialog-error", markup=False)
            with Horizontal(classes="dialog-buttons"):
                yield Button("Open", variant="primary", id="open-accept", compact=True)
                yield Button("Back", id="open-back", compact=True)

    def on_mount(self) -> None:
        self.find_sweeps()

    @work(thread=True, exit_on_error=False)
    def find_sweeps(self) -> None:
        try:
            found = kept_sweeps(self.folder)
        except LibraryError as error:
            self.app.call_from_thread(self.show_error, str(error))
        else:
            self.app.call_from_thread(self.show_sweeps, found)

    def show_sweeps(self, found: Sequence[KeptSweep]) -> None:
        self.sweeps = found
        listed = self.query_one(OptionList)
        for number, each in enumerate(found):
            text = f"{each.path.name}{', unfinished' if each.unfinished else ''}"
            listed.add_option(Option(label(text, 50), id=str(number)))
        if found:
            listed.highlighted = 0
        else:
            listed.add_option(Option(f"No sweep in {plain(shown(self.folder))} yet.", disabled=True))

    def show_error(self, message: str) -> None:
        self.query_one(".dialog-error", Static).update(plain(message, 300))

    @on(OptionList.OptionSelected)
    def chosen(self, message: OptionList.OptionSelected) -> None:
        self.dismiss(self.sweeps[int(message.option_id or 0)].path)

    @on(Input.Submitted)
    @on(Button.Pressed, "#open-accept")
    def accept(self) -> None:
        typed = next((each.value for each in self.query(Input)), "")
        listed = self.query_one(OptionList)
        if typed:
            try:
                path = Path(parse_path(typed))
            except BadText as error:
                self.show_error(str(error))
            else:
                self.dismiss(path.with_suffix("") if path.suffix == SUFFIX else path)
        elif listed.highlighted is not None:
            listed.action_select()

    @on(Button.Pressed, "#open-back")
    def action_back(self) -> None:
        self.dismiss(None)
