"""The dialogs of Sweep: to keep a machine of a cell, and to open an earlier sweep."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.widgets import Input, Label, OptionList
from textual.widgets.option_list import Option

from lab.race.race_text import share_figure
from lab.text.sanitise import label, plain
from learners.core.save_ref import parse_name
from saves.paths import is_served, parse_path, path_text
from saves.sweeps.part import SUFFIX
from saves.sweeps.table import KeptSweep, kept_sweeps
from tui.shell.dialog import Question, dialog_frame
from tui.shell.parts import ChoiceList, Options
from tui.widgets.form import Form, FormDialog, text_field

MAX_LISTED: Final = 200
"""The maximum number of machines listed, the best first."""


@dataclass(frozen=True)
class KeptMachine:
    """A machine to train again and save."""

    point: Mapping[str, str]
    """The point of the grid: its values in the key columns of the table of the sweep."""
    seed: int
    name: str
    """The name of the new save."""


def keep_dialog(
    title: str, machines: Sequence[tuple[Mapping[str, str], int, float]], name: str
) -> FormDialog[KeptMachine | None]:
    """Return the dialog that asks which machine of a cell to train again, and under which name to save it.

    `machines` has the point, the seed and the share of each, the best first; `name` is proposed for the save.
    """
    choices = [
        (Text(f"seed {seed}  {share_figure(share)} %"), str(number))
        for number, (_, seed, share) in enumerate(machines[:MAX_LISTED])
    ]
    form = Form({"machine": ChoiceList(choices), "name": text_field(name, 80)})

    def check(values: dict[str, str]) -> KeptMachine:
        point, seed, _ = machines[int(values["machine"])]
        return KeptMachine(point, seed, parse_name(values["name"]))

    about = "It is trained again, with the same seed and settings, and saved in the library."
    return FormDialog(title, form, check, "Save", about, focus="name")


class OpenDialog(Question[Path | None]):
    """Asks which sweep to open; its result is the path of its table, finished or not, or `None` after Escape."""

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
        with dialog_frame("Open which sweep?", "open"):
            yield Options(id="open-sweeps", markup=False)
            if not is_served():
                yield Label("or a file", classes="dialog-label")
                yield Input("", placeholder=str(Path.cwd() / "menace.csv"), compact=True, id="open-path")
            yield from self.foot("Open")

    def on_mount(self) -> None:
        self.run_in_background("find", lambda _: kept_sweeps(self.folder), self.show_sweeps, self.show_error)

    def show_sweeps(self, sweeps: Sequence[KeptSweep]) -> None:
        self.sweeps = sweeps
        option_list = self.query_one(OptionList)
        for number, sweep in enumerate(sweeps):
            text = f"{sweep.path.name}{', unfinished' if sweep.unfinished else ''}"
            option_list.add_option(Option(label(text, 50), id=str(number)))
        if sweeps:
            option_list.highlighted = 0
        else:
            option_list.add_option(Option(f"No sweep in {plain(path_text(self.folder))} yet.", disabled=True))

    @on(OptionList.OptionSelected)
    def choose(self, message: OptionList.OptionSelected) -> None:
        self.dismiss(self.sweeps[int(message.option_id or 0)].path)

    def accept(self) -> None:
        typed_path = next((field.value for field in self.query(Input)), "")
        option_list = self.query_one(OptionList)
        if typed_path:
            path = Path(parse_path(typed_path))
            self.dismiss(path.with_suffix("") if path.suffix == SUFFIX else path)
        elif option_list.highlighted is not None:
            option_list.action_select()
