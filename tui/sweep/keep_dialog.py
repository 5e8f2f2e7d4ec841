"""The dialog that asks which machine of a cell to train again, and under which name to save it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, Label, Static

from engine.game import BadText
from lab.race.race_text import share_text
from lab.text.sanitise import plain
from saves.names import parse_name
from tui.shell.dialog import Dialog
from tui.widgets.choices import ChoiceList

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
