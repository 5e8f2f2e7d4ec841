"""The dialog to open an earlier sweep: one in the folder of sweeps, or any file."""

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from engine.game import BadText
from lab.text.sanitise import label, plain
from saves.errors import LibraryError
from saves.paths import parse_path, served, shown
from saves.sweeps.folder import KeptSweep, kept_sweeps
from saves.sweeps.part import SUFFIX
from tui.shell.dialog import Dialog
from tui.shell.options import Options


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
