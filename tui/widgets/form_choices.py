"""The choices that forms offer: the presets and opponents of a learner."""

from rich.text import Text

from engine.game import Game
from lab.text.sanitise import label
from lab.training.setup import accepted_opponents
from learners import offers
from learners.core.learner import PERSON, Learner
from learners.core.save_ref import SaveRef
from learners.core.snapshot import ITSELF
from saves import gallery
from saves.errors import LibraryError
from saves.library.library import Library
from tui.shell.parts import Choices

TextChoices = Choices[str]


def opponents_for(learner: Learner, library: Library) -> TextChoices:
    """Return the opponents to train a learner against: itself, a person, simple players, and saves of its game."""
    itself, others = accepted_opponents(learner)
    choices = [(Text("itself"), ITSELF)] * itself + [(Text("a person"), PERSON)] * learner.spec.learns_records
    if others:
        try:
            entries = library.entries()
        except LibraryError:
            entries = list(gallery.entries())
        choices += [
            (Text.assemble(offer.title.lower(), (f"  {offer.summary}", "dim")), offer.label)
            for offer in offers(learner.game)
        ]
        choices += [
            (label(entry.name), SaveRef(entry.name).label) for entry in entries if entry.game == learner.game.name
        ]
    return choices


def presets_of(kind: type[Learner], game: Game) -> TextChoices:
    """Return the presets that fit a game; if none does, all of them, and the form reports the error at Start."""
    words = kind.shown.preset_words
    return [
        (Text.assemble(preset, (f"  {words.get(preset, '')}", "dim")), preset)
        for preset in kind.spec.presets_for(game) or kind.spec.presets
    ]
