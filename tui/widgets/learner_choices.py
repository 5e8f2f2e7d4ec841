"""The choices that a form offers for a learner: presets and opponents."""

from rich.text import Text

from engine.game import Game
from lab.text.sanitise import label
from lab.training.setup import accepted_opponents
from learners import offers
from learners.core.learner import PERSON, Learner
from learners.core.snapshot import ITSELF
from saves.errors import LibraryError
from saves.library.library import SAVE, Library
from tui.shell.parts import Choices

TextChoices = Choices[str]


def opponents_for(learner: Learner, library: Library) -> TextChoices:
    """The opponents that a learner can train against: itself, a person, simple players, and saves of its game."""
    itself, others = accepted_opponents(learner)
    choices = [(Text("itself"), ITSELF)] * itself + [(Text("a person"), PERSON)] * learner.spec.learns_records
    if others:
        try:
            entries = library.entries()
        except LibraryError:
            entries = library.gallery()
        choices += [(Text(offer.title.lower()), offer.label) for offer in offers(learner.game)]
        choices += [(label(entry.name), SAVE + entry.name) for entry in entries if entry.game == learner.game.name]
    return choices


def presets_of(kind: type[Learner], game: Game) -> TextChoices:
    """The presets that fit a game; if none does, all of them, and the form reports the error at Start."""
    return [(Text(preset), preset) for preset in kind.spec.presets_for(game) or kind.spec.presets]
