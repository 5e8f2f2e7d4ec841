"""Fields of the forms of Race and Sweep: the machines of each entrant or point, and what is shown of them."""

from collections.abc import Sequence

from rich.text import Text
from textual.widgets import Select

from engine.game import Game
from lab.words.race import SIDES
from learners.core.generator import LARGEST_SEED
from learners.race.measures import MEASURES, Measure
from learners.race.race import MAX_MACHINES
from tui.shell.field import parse_number
from tui.widgets.choices import ChoiceList


def parse_seeds(machines: str, seed: str) -> range:
    """Parse the number of machines and the seed of the first. Raises `BadText`."""
    count = parse_number(machines, "machines", 1, MAX_MACHINES)
    first = parse_number(seed, "seed", 0, LARGEST_SEED - count + 1)
    return range(first, first + count)


def measure_list(measures: Sequence[Measure] = MEASURES) -> ChoiceList[str]:
    """A list of measures."""
    return ChoiceList(measure_choices(measures))


def measure_choices(measures: Sequence[Measure]) -> list[tuple[str, str]]:
    """Measures as choices."""
    return [(short_title(each), each.name) for each in measures]


def short_title(measure: Measure) -> str:
    """A measure in so few words that the form shows them whole: `lost: random`."""
    what, _, whom = measure.title.partition(" against ")
    return f"{what}: {whom.removeprefix('one who knows it ')}" if whom else measure.title


def sides_of(game: Game) -> list[tuple[Text, str]]:
    """The sides that a measure can be shown for."""
    return [
        (Text("both, mean" if side is None else f"{game.mark(side)}, {name}"), name) for name, side in SIDES.items()
    ]


def offer_sides(select: ChoiceList[str], game: Game) -> None:
    """List the sides of another game; the choice stays."""
    chosen = select.value
    with select.prevent(Select.Changed):
        select.set_options(sides_of(game))
        select.value = chosen
