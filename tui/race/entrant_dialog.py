"""The dialog that adds an entrant: learner, preset, opponent and single settings."""

from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Button, Input, Label, Select, Static

from engine.game import BadText, Game
from engine.space import TooLarge
from lab.text.sanitise import plain
from lab.training.setup import parse_settings
from learners import LEARNERS, parse_learner
from learners.core.learner import PERSON, Learner
from learners.core.snapshot import ITSELF
from learners.race.entrants import Entrant, parse_entrant
from saves.errors import LibraryError
from saves.library.library import Library
from tui.shell.dialog import Dialog
from tui.shell.guards import is_closing
from tui.shell.parts import ChoiceList
from tui.widgets.learner_choices import TextChoices, opponents_for, presets_of


class EntrantDialog(Dialog[Entrant | None]):
    """Asks for an entrant of a race; its result is the entrant, or `None` after Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "back", "Back")]
    AUTO_FOCUS = "#entrant-learner"
    DEFAULT_CSS = """
    EntrantDialog {
        & .entrant-field { height: 1; }
        & .entrant-field Label { width: 10; color: $text-muted; }
        & .entrant-field Select, & .entrant-field Input { width: 1fr; }
        & .dialog-error { margin-top: 1; }
    }
    """

    def __init__(self, game: Game, library: Library) -> None:
        super().__init__()
        self.game = game
        self.library = library

    def compose(self) -> ComposeResult:
        fitting = [each for each in LEARNERS if each.spec.fits(self.game)] or LEARNERS
        kind, learners = fitting[0], [(each.spec.title, each.spec.name) for each in fitting]
        with Vertical(classes="dialog"):
            yield Label("Add an entrant", classes="dialog-title")
            fields: dict[str, Widget] = {
                "learner": ChoiceList(learners, value=kind.spec.name),
                "preset": ChoiceList(presets_of(kind, self.game)),
                "opponent": ChoiceList([(Text("itself"), ITSELF)]),
                "set": Input("", compact=True, max_length=400),
            }
            for name, field in fields.items():
                field.id = f"entrant-{name}"
                with Horizontal(classes="entrant-field"):
                    yield Label(name)
                    yield field
            yield Static("", classes="dialog-error", markup=False)
            with Horizontal(classes="dialog-buttons"):
                yield Button("Add", variant="primary", id="entrant-add", compact=True)
                yield Button("Back", id="entrant-back", compact=True)

    def on_mount(self) -> None:
        if not is_closing(self):  # a dialog that closes while it opens never gets its widgets
            self.rules_changed()

    def _chosen(self, name: str) -> str:
        return str(self.query_one(f"#entrant-{name}", Select).value)

    @property
    def kind(self) -> type[Learner]:
        return parse_learner(self._chosen("learner"))

    @property
    def settings(self) -> list[str]:
        return self.query_one("#entrant-set", Input).value.split()

    @on(Select.Changed, "#entrant-learner")
    def learner_changed(self) -> None:
        self.query_one("#entrant-preset", ChoiceList).refill(presets_of(self.kind, self.game), self._chosen("preset"))
        self.rules_changed()

    @on(Select.Changed, "#entrant-preset")
    @on(Input.Changed, "#entrant-set")
    def rules_changed(self) -> None:
        field, kinds = self.query_one("#entrant-set", Input), self.kind.spec.settings
        field.placeholder = " ".join(f"{key}=…" for key in kinds)
        field.tooltip = Text("\n".join(f"{key}={kind.syntax}" for key, kind in kinds.items()))
        self.find_opponents(self.kind, self._chosen("preset"), self.settings)

    @work(thread=True, exclusive=True, group="opponents", exit_on_error=False)
    def find_opponents(self, kind: type[Learner], preset: str, settings: list[str]) -> None:
        try:
            learner = kind(self.game, preset, 0, parse_settings(kind, settings))
        except (BadText, TooLarge):
            return  # the error is reported at Add
        usual = learner.opponent
        choices = [choice for choice in opponents_for(learner, self.library) if choice[1] != PERSON]
        self.app.call_from_thread(self.list_opponents, choices, usual)

    def list_opponents(self, choices: TextChoices, usual: str) -> None:
        select = self.query_one("#entrant-opponent", ChoiceList)
        chosen, values = str(select.value), [value for _, value in choices]
        select.refill(choices, chosen if chosen in values else usual)

    @on(Input.Submitted)
    @on(Button.Pressed, "#entrant-add")
    def add(self) -> None:
        rules = f"{self.kind.spec.name}:{self._chosen('preset')}/{self._chosen('opponent')}"
        self.find_entrant("+".join([rules, *self.settings]))

    @work(thread=True, exclusive=True, group="entrant", exit_on_error=False)
    def find_entrant(self, text: str) -> None:
        try:
            entrant = parse_entrant(text, self.game, self.library.opponent)
        except (BadText, LibraryError) as error:
            self.app.call_from_thread(self.query_one(".dialog-error", Static).update, plain(str(error), 300))
        else:
            self.app.call_from_thread(self.dismiss, entrant)

    @on(Button.Pressed, "#entrant-back")
    def action_back(self) -> None:
        self.dismiss(None)
