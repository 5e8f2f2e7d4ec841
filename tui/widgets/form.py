"""Forms: labelled fields that are declared by data, and dialogs that ask for the content of a form."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import ClassVar, Final, TypeVar

from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.screen import ScreenResultType
from textual.widgets import Input, Label, Select, Static

from engine.game import BadText, Game
from engine.games import parse_game
from engine.stop import Stop
from lab.text.sanitise import label
from lab.training.setup import accepted_opponents, parse_settings
from learners import offers, parse_learner
from learners.core.learner import PERSON, Learner
from learners.core.save_ref import SaveRef
from learners.core.snapshot import ITSELF
from saves import gallery
from saves.errors import LibraryError
from saves.library.library import Library
from tui.shell.background import Background, ignore
from tui.shell.dialog import Question, dialog_frame, keys_text
from tui.shell.guards import is_closing
from tui.shell.learner_facts import choices_text
from tui.shell.parts import ChoiceList, Choices, ErrorLine, Field, entitle, parse_number

TextChoices = Choices[str]
Value = TypeVar("Value")


class BadField(BadText):
    """A text that the field `field` of a form cannot have."""

    def __init__(self, error: object, field: str) -> None:
        super().__init__(str(error))
        self.field = field


def opponents_for(learner: Learner, library: Library) -> TextChoices:
    """Return the opponents to train a learner against: itself, a person, simple players, and saves of its game."""
    accepts_itself, accepts_others = accepted_opponents(learner)
    choices = []
    if accepts_itself:
        choices.append((Text("itself"), ITSELF))
    if learner.spec.learns_records:
        choices.append((Text("a person"), PERSON))
    if not accepts_others:
        return choices
    choices += [
        (Text.assemble(offer.title.lower(), (f"  {offer.summary}", "dim")), offer.label)
        for offer in offers(learner.game)
    ]
    try:
        entries = library.entries()
    except LibraryError:
        entries = list(gallery.entries())
    choices += [(label(entry.name), SaveRef(entry.name).label) for entry in entries if entry.game == learner.game.name]
    return choices


def presets_of(kind: type[Learner], game: Game) -> TextChoices:
    """Return the presets that fit a game; if none does, all of them, and the form reports the error at Start."""
    words = kind.shown.preset_words
    choices = []
    for preset in kind.spec.presets_for(game) or kind.spec.presets:
        text = Text(preset)
        if preset in words:
            text.append(f"\n{words[preset]}", "dim")
        choices.append((text, preset))
    return choices


USUAL_LABEL_LENGTH: Final = 8
"""The maximum length of a label that fits the usual width of labels."""
FormField = Input | ChoiceList[str]
"""A field of a form: a text, or a choice."""


def text_field(text: str = "", length: int = 20) -> Field:
    """Return a field for a text of at most `length` characters; its form says when it is invalid."""
    return Field(text, compact=True, max_length=length, validate_on=())


def settings_field() -> Field:
    """Return a field for single settings, in which a preset is left as it is by default."""
    return Field("", placeholder="as in the preset", compact=True, max_length=400, validate_on=())


class Form(Vertical, Background):
    """A column of labelled fields, and below them the error. Posts `Submitted` and `Changed`.

    A change by the program, through `put`, `propose` or `offer`, posts nothing.
    """

    DEFAULT_CSS = """
    Form {
        height: auto;
        & > Horizontal { height: 1; }
        & Label { width: 9; color: $text-muted; }
        &.-long Label { width: 12; }
        & Input, & Select { width: 1fr; }
    }
    """

    class Submitted(Message):
        """Posted when Enter was pressed in a field."""

    class Changed(Message):
        """Posted when the user changed the field `field`, after the form has adapted the other fields to it."""

        def __init__(self, field: str) -> None:
            super().__init__()
            self.field = field

    def __init__(self, fields: Mapping[str, FormField], titles: Mapping[str, str] | None = None) -> None:
        """Show the fields in this order, labelled by their names unless `titles` has another label."""
        super().__init__()
        self.fields = fields
        self._labels = {name: Label((titles or {}).get(name, name)) for name in fields}
        self._names = {field: name for name, field in fields.items()}
        self._adapted: dict[str, str] = {}
        """The value of each field that the form has adapted to."""
        self._proposed = {name: field.value for name, field in fields.items() if isinstance(field, Input)}
        """The text that the program last put into each field for texts."""
        for name, field in fields.items():
            field.id = f"form-{name}"

    def compose(self) -> ComposeResult:
        for name, field in self.fields.items():
            with Horizontal(classes=f"field-{name}"):
                yield self._labels[name]
                yield field
        yield ErrorLine()

    def on_mount(self) -> None:
        if not is_closing(self):  # a form that closes while it opens never gets its fields
            self._adapted = self.values
            self.begin()

    def begin(self) -> None:
        """Fill in what depends on other fields; called once, when all fields are mounted."""

    # What the fields contain

    def parse_field(self, name: str, parse: Callable[[str], Value]) -> Value:
        """Return what a field contains. Raises `BadField`."""
        try:
            return parse(self[name])
        except BadText as error:
            raise BadField(error, name) from error

    def number(self, name: str, minimum: int, maximum: int, what: str = "") -> int:
        """Return the whole number in a field, which an error calls `what`, or by its name. Raises `BadField`."""
        return self.parse_field(name, lambda text: parse_number(text, what or name, minimum, maximum))

    def __getitem__(self, name: str) -> str:
        return str(self.fields[name].value)

    @property
    def values(self) -> dict[str, str]:
        return {name: self[name] for name in self.fields}

    def adapted_value(self, name: str) -> str:
        """Return the value of a field that the other fields fit; a newer one may be on its way."""
        return self._adapted.get(name, self[name])

    def put(self, **values: str) -> None:
        """Set fields, given by their names with `_` in place of `-`. A value that a list does not have is ignored."""
        for key, value in values.items():
            name = key.replace("_", "-")
            field = self.fields[name]
            if isinstance(field, Input) or value in field.values:
                field.value = value
                self._adapted[name] = value

    def propose(self, name: str, text: str) -> None:
        """Put a text into a field, unless the user has typed another one."""
        if self[name] in ("", self._proposed[name]):
            self._proposed[name] = text
            self.put(**{name: text})

    def has_proposal(self, name: str) -> bool:
        """Return whether a field has the text that the program put there."""
        return self[name] == self._proposed[name]

    def offer(self, name: str, choices: Choices[str], wanted: str = "") -> None:
        """List other choices in a field, and choose `wanted`, or the first if it is missing: see `ChoiceList`."""
        self.choices(name).refill(choices, wanted)
        self._adapted[name] = self[name]

    def choices(self, name: str) -> ChoiceList[str]:
        field = self.fields[name]
        if isinstance(field, Input):
            raise TypeError(f"{name} is a field for texts")
        return field

    def label(self, name: str, title: str) -> None:
        """Change the label of a field; a long one widens all labels."""
        self._labels[name].update(title)
        self.set_class(len(title) > USUAL_LABEL_LENGTH, "-long")

    def set_locked(self, names: Iterable[str], *, locked: bool) -> None:
        for name in names:
            self.fields[name].disabled = locked

    def show_error(self, error: Exception | str, field: str = "") -> None:
        """Show an error below the fields, and mark the field that has it; hide both if the error is empty."""
        if isinstance(error, BadField):
            field = error.field
        for name, widget in self.fields.items():
            widget.set_class(name == field, "-invalid")
        self.set_class(bool(str(error)), "-wrong")
        self.query_one(ErrorLine).show(str(error))

    # Events

    def adapt(self, name: str) -> None:
        """Adapt the other fields to the one that the user has changed."""

    @on(Input.Changed)
    @on(Select.Changed)
    def _field_changed(self, message: Input.Changed | Select.Changed) -> None:
        message.stop()
        name = self._names[message.control]  # type: ignore[index]
        # lists also post their first value, and values that the program has chosen
        if self[name] != self._adapted.get(name):
            self._adapted[name] = self[name]
            self.show_error("")
            self.adapt(name)
            self.post_message(self.Changed(name))

    @on(Input.Submitted)
    def _field_submitted(self, message: Input.Submitted) -> None:
        message.stop()
        self.post_message(self.Submitted())


class LearnerForm(Form):
    """A form with the fields `learner`, `preset` and `opponent`, maybe also `game` and `set` for single settings."""

    SETTING_FIELDS: ClassVar[Sequence[str]] = ("set",)
    """The fields in which one writes settings or their values."""

    class SettingFocused(Message):
        """Posted when one of these fields gets the focus or loses it."""

    def __init__(
        self, fields: Mapping[str, FormField], game: Game, library: Library, titles: Mapping[str, str] | None = None
    ) -> None:
        """Prepare the form; `game` counts if it has no field `game`."""
        self._game, self._library = game, library
        super().__init__(fields, {"set": "settings", **(titles or {})})

    @property
    def learner(self) -> type[Learner]:
        return parse_learner(self["learner"])

    @property
    def adapted_learner(self) -> type[Learner]:
        """The learner that the other fields fit; another one may be on its way."""
        return parse_learner(self.adapted_value("learner"))

    @property
    def game(self) -> Game:
        return parse_game(self["game"]) if "game" in self.fields else self._game

    def offer_presets(self, wanted: str = "") -> None:
        """List the presets of the learner that fit the game, and choose `wanted`, or the first if it is missing."""
        self.offer("preset", presets_of(self.learner, self.game), wanted)

    @property
    def is_writing_settings(self) -> bool:
        """Whether a field for settings has the focus."""
        return any(self.fields[name].has_focus for name in self.SETTING_FIELDS)

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def tell_setting_focus(self, event: events.DescendantFocus | events.DescendantBlur) -> None:
        if event.widget in [self.fields[name] for name in self.SETTING_FIELDS]:
            self.post_message(self.SettingFocused())

    def describe_settings(self, width: int, *, typed: bool) -> Text:
        """Return the settings with their present values; if they are `typed`, how, and only those being written."""
        learner = self.adapted_learner
        words, values = self["set"].split(), dict(learner.spec.presets[self.adapted_value("preset")])
        with suppress(BadText):  # it is still being written
            values |= parse_settings(learner, words)
        prefix = words[-1].partition("=")[0] if words and self.is_writing_settings else ""
        keys = [key for key in learner.spec.settings if key.startswith(prefix)]
        return choices_text(learner, width, values, typed=typed, keys=keys)

    def offer_opponents(self) -> None:
        """Find the opponents that the learner can train against, in the background, and list them."""
        kind, game, preset = self.learner, self.game, self["preset"]
        settings = self["set"] if "set" in self.fields else ""

        def find(_: Stop) -> tuple[TextChoices, str]:
            try:
                values = parse_settings(kind, settings.split())
            except BadText:
                values = {}
            learner = kind(game, preset, 0, values)
            usual = learner.opponent  # read first: the search tries other opponents with this learner
            return opponents_for(learner, self._library), usual

        # an error is reported once the form is submitted
        self.run_in_background("opponents", find, lambda result: self.list_opponents(*result), ignore)

    def list_opponents(self, choices: TextChoices, usual: str) -> None:
        """List these opponents; the user's choice stays if it is listed, otherwise the `usual` one is chosen."""
        new_choices = list(choices)
        chosen = self["opponent"]
        if chosen not in [value for _, value in new_choices]:
            chosen = usual
        self.offer("opponent", new_choices, chosen)


class FormDialog(Question[ScreenResultType]):
    """Asks for the content of a form until `check` accepts it; its result is what `check` returns.

    `check` gets the values of the fields and runs in a thread. To refuse them, it raises `BadText`, `LibraryError` or
    `TooLarge`, whose message the dialog shows.
    """

    AUTO_FOCUS = ""
    DEFAULT_CSS: ClassVar[str] = """
    FormDialog {
        & Form Label { width: 10; }
        & .dialog-error { margin-top: 1; }
    }
    """

    def __init__(  # noqa: PLR0913  one parameter a part of the dialog
        self,
        title: str,
        form: Form,
        check: Callable[[dict[str, str]], ScreenResultType],
        verb: str,
        about: str = "",
        *,
        focus: str,
    ) -> None:
        """Put `about` between the title and the form, and the focus on the field `focus`."""
        super().__init__()
        self.form = form
        self._title = title
        self._check = check
        self._verb = verb
        self._about = about
        self._focus_field = focus

    def on_mount(self) -> None:
        self.form.fields[self._focus_field].focus()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Say what Enter does in the field: it opens a list, and accepts the form elsewhere."""
        verb = "open the list" if isinstance(event.widget, ChoiceList) else self._verb
        entitle(self.query_one(".dialog"), self._title, keys_text(verb))

    def compose(self) -> ComposeResult:
        with dialog_frame(self._title, self._verb):
            if self._about:
                yield Static(f"{self._about}\n", markup=False)
            yield self.form
            yield from self.foot(self._verb)

    @on(Field.Escaped)
    def _leave_field(self) -> None:
        self.action_back()

    @on(Form.Submitted)
    def accept(self) -> None:
        values = self.form.values
        self.run_in_background("check", lambda _: self._check(values), self.dismiss, self.show_error)
