"""The dialog that asks with what to compare a save."""

from collections.abc import Mapping, Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from engine.game import BadText
from lab.board.opponent_strength import about_text
from lab.board.opponents import save_candidate
from lab.text.sanitise import label, plain
from learners.core.save_ref import SaveRef, parse_save
from saves import gallery
from saves.library.library import Entry
from tui.shell.dialog import Question, dialog_frame
from tui.shell.parts import Options

OTHER_WIDTH: Final = 24
"""The maximum width of the name of a save to compare with, in columns."""


class OtherDialog(Question[SaveRef | None]):
    """Asks with what to compare a save: another checkpoint or another save; its result is `None` after Escape."""

    def __init__(self, save: str, game: str, checkpoints: Mapping[int, str]) -> None:
        """Offer `checkpoints`: a description of each, by its number of rounds."""
        super().__init__()
        self.save, self.game, self.checkpoints = save, game, checkpoints

    def compose(self) -> ComposeResult:
        with dialog_frame("Compare with what?", "compare"):
            yield Options(id="others", markup=False)

    def on_mount(self) -> None:
        self.query_one(OptionList).focus()
        self.run_in_background("find", lambda _: self.lab.library.entries(), self.show_others, self.show_gallery)

    def show_gallery(self, problem: str) -> None:
        """Warn that the library cannot be read, and list the saves that come with the program."""
        self.warn(problem)
        self.show_others([*gallery.entries()])

    def show_others(self, entries: Sequence[Entry]) -> None:
        """List the saves of the game, then the checkpoints."""
        saves = [entry for entry in entries if entry.game == self.game and entry.name != self.save]
        width = max((cell_len(plain(entry.name, OTHER_WIDTH)) for entry in saves), default=0)
        options = [Option(_line(entry, width), id=entry.name) for entry in saves]
        options += [Option(text, id=str(SaveRef(self.save, rounds))) for rounds, text in self.checkpoints.items()]
        option_list = self.query_one(OptionList)
        option_list.add_options(options or [Option("There is no other save of this game yet.", disabled=True)])
        option_list.highlighted = 0 if options else None

    @on(OptionList.OptionSelected)
    def choose(self, message: OptionList.OptionSelected) -> None:
        try:
            self.dismiss(parse_save(message.option_id or self.save))
        except BadText as error:  # another program gave the save a name that this one does not accept
            self.warn(str(error))


def _line(entry: Entry, width: int) -> Text:
    """Return a save in a line: its name in `width` columns, and what it is."""
    name = label(entry.name, width)
    name.pad_right(width + 2 - name.cell_len)
    return name.append(about_text(save_candidate(entry)), "dim")
