"""The save under the cursor beside the list: how strong it is, or its figures and its portrait."""

from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.widgets import Static

from engine.stop import Stop, Stopped
from lab.board.opponents import LevelKey
from lab.results.exact_results import exact_of
from lab.results.portraits import Portrait
from lab.results.score_lines import READER_NOTE
from lab.results.tables import exact_text
from lab.text.sanitise import plain
from learners import revive
from saves.library.library import Library
from tui.library.save_portraits import FORMS, draw_portrait
from tui.shell.background import Background
from tui.shell.learner_facts import facts_text
from tui.shell.parts import LiveText, Panel, Prose, entitle

COMPUTING: Final = "Computing the exact results …"


class SaveAbout(Panel, Background):
    """Shows a sentence about a save; or, where there are figures, its exact results, facts and portrait."""

    _portrait: Portrait | None = None
    _figures_key: LevelKey | None = None
    """The save and the version of it whose figures are shown or computed."""

    def __init__(self, library: Library) -> None:
        super().__init__(id="library-about", classes="panel")
        self._library = library

    def compose(self) -> ComposeResult:
        yield LiveText(id="library-strength")
        yield Prose("", id="library-exact", markup=False)
        yield Prose("", id="library-facts", markup=False)
        yield Static("", id="library-portrait", markup=False)

    def show(self, name: str, strength: str, portrait: Portrait | None) -> None:
        """Show how strong a save is; `portrait` is drawn below its figures if there is room."""
        entitle(self, name)
        self.query_one("#library-strength", LiveText).set_text(strength)
        self._portrait = portrait
        self._draw_portrait()

    def find_figures(self, name: str, key: LevelKey) -> None:
        """Compute the exact results and the facts of a save in the background, and show them, unless they are shown."""
        if key == self._figures_key:
            return
        self._figures_key = key
        for part, text in (("exact", COMPUTING), ("facts", "")):
            widget = self.query_one(f"#library-{part}", Static)
            widget.update(Text(text + "\n" * (widget.size.height - 1), "dim"))  # as high as before

        def find(stop: Stop) -> tuple[Text, Text]:
            learner = revive(self._library.load(name))
            if stop():
                raise Stopped
            return exact_text(learner, exact_of(learner)), facts_text(learner).append(f"\n{READER_NOTE}", "dim")

        self.run_in_background("figures", find, self._show_figures, self._show_trouble)

    def _show_figures(self, figures: tuple[Text, Text]) -> None:
        for name, text in zip(("exact", "facts"), figures, strict=True):
            self.query_one(f"#library-{name}", Static).update(text)
        self.call_after_refresh(self._draw_portrait)  # in the room that these leave

    def _show_trouble(self, message: str) -> None:
        self._show_figures((Text(plain(message, 400), "bold"), Text()))

    def _draw_portrait(self) -> None:
        widget, lines = self.query_one("#library-portrait", Static), list[Text]()
        height = next((height for height, _ in FORMS if height <= widget.size.height), 0)
        if self._portrait is not None and height:
            lines = draw_portrait(self, self._portrait, widget.size.width, height)
        widget.update(Text("\n").join(lines))
