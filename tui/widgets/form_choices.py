"""The choices that forms offer: presets and opponents of a learner, measures and sides; and the seeds of machines."""

from collections.abc import Sequence

from rich.text import Text
from textual.widgets import Select

from engine.game import Game
from lab.race.race_text import SIDES, ShownMeasure
from lab.results.score_lines import READER
from lab.text.sanitise import label
from lab.training.setup import accepted_opponents
from learners import offers
from learners.core.generator import LARGEST_SEED
from learners.core.learner import PERSON, Learner
from learners.core.save_ref import SaveRef
from learners.core.snapshot import ITSELF
from learners.race.measures import MEASURES, MEMORY_READER, Measure, parse_measure
from learners.race.race import MAX_MACHINES
from saves import gallery
from saves.errors import LibraryError
from saves.library.library import Library
from tui.shell.parts import ChoiceList, Choices, parse_number

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


def parse_seeds(machines: str, seed: str) -> range:
    """Parse the number of machines and the seed of the first one into the range of seeds. Raises `BadText`."""
    count = parse_number(machines, "machines", 1, MAX_MACHINES)
    first = parse_number(seed, "seed", 0, LARGEST_SEED - count + 1)
    return range(first, first + count)


def shown_measure(measure: str, side: str, measures: Sequence[Measure] = MEASURES) -> ShownMeasure:
    return ShownMeasure(parse_measure(measure, measures), SIDES[side])


def measure_choices(measures: Sequence[Measure]) -> list[tuple[str, str]]:
    return [(short_title(each), each.name) for each in measures]


def short_title(measure: Measure) -> str:
    """Return the title of a measure, short enough for the form: `lost: random`, `lost: reader`."""
    what, _, whom = measure.title.partition(" against ")
    return f"{what}: {READER if whom == MEMORY_READER else whom}" if whom else measure.title


def sides_of(game: Game) -> list[tuple[Text, str]]:
    return [
        (Text("both, mean" if side is None else f"{game.mark(side)}, {name}"), name) for name, side in SIDES.items()
    ]


def offer_sides(select: ChoiceList[str], game: Game) -> None:
    """List the sides of another game; the chosen one stays."""
    chosen = select.value
    with select.prevent(Select.Changed):
        select.set_options(sides_of(game))
        select.value = chosen
