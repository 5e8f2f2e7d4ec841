"""The dialog that adds an entrant: learner, preset, opponent and single settings."""

from rich.text import Text

from engine.game import Game
from learners import LEARNERS
from learners.core.learner import PERSON
from learners.core.snapshot import ITSELF
from learners.race.entrants import Entrant, parse_entrant
from saves.library.library import Library
from tui.shell.parts import ChoiceList
from tui.widgets.form import FormDialog, FormField, LearnerForm, TextChoices, presets_of, text_field


class EntrantForm(LearnerForm):
    """The fields of an entrant."""

    def __init__(self, game: Game, library: Library) -> None:
        fitting = [each for each in LEARNERS if each.spec.fits(game)] or LEARNERS
        fields: dict[str, FormField] = {
            "learner": ChoiceList([(each.spec.title, each.spec.name) for each in fitting]),
            "preset": ChoiceList(presets_of(fitting[0], game)),
            "opponent": ChoiceList([(Text("itself"), ITSELF)]),
            "set": text_field(length=400),
        }
        super().__init__(fields, game, library)

    def begin(self) -> None:
        self.describe_settings()
        self.offer_opponents()

    def adapt(self, name: str) -> None:
        if name == "learner":
            self.offer_presets(self["preset"])
            self.describe_settings()
        if name != "opponent":
            self.offer_opponents()

    def list_opponents(self, choices: TextChoices, usual: str) -> None:
        super().list_opponents([choice for choice in choices if choice[1] != PERSON], usual)


def entrant_dialog(game: Game, library: Library) -> FormDialog[Entrant | None]:
    def check(values: dict[str, str]) -> Entrant:
        rules = f"{values['learner']}:{values['preset']}/{values['opponent']}"
        return parse_entrant("+".join([rules, *values["set"].split()]), game, library.opponent)

    return FormDialog("Add an entrant", EntrantForm(game, library), check, "Add", focus="learner")
