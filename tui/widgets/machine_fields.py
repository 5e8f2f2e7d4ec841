"""What the forms of Race and Sweep share: the fields for machines and seeds, and the choices of measure and side."""

from collections.abc import Sequence

from rich.text import Text
from textual.widgets import Select

from engine.game import Game
from lab.race.race_text import SIDES
from learners.core.generator import LARGEST_SEED
from learners.race.measures import MEASURES, Measure
from learners.race.race import MAX_MACHINES
from tui.shell.parts import ChoiceList, parse_number


def parse_seeds(machines: str, seed: str) -> range:
    """Parse the number of machines and the seed of the first one into the range of seeds. Raises `BadText`."""
    count = parse_number(machines, "machines", 1, MAX_MACHINES)
    first = parse_number(seed, "seed", 0, LARGEST_SEED - count + 1)
    return range(first, first + count)


def measure_list(measures: Sequence[Measure] = MEASURES) -> ChoiceList[str]:
    """A drop-down list of measures."""
    return ChoiceList(measure_choices(measures))


def measure_choices(measures: Sequence[Measure]) -> list[tuple[str, str]]:
    """The title and the name of each measure, for a drop-down list."""
    return [(short_title(each), each.name) for each in measures]


def short_title(measure: Measure) -> str:
    """The title of a measure, short enough for the form: `lost: random`."""
    what, _, whom = measure.title.partition(" against ")
    return f"{what}: {whom.removeprefix('one who knows it ')}" if whom else measure.title


def sides_of(game: Game) -> list[tuple[Text, str]]:
    """The choices of the side for which a measure is shown."""
    return [
        (Text("both, mean" if side is None else f"{game.mark(side)}, {name}"), name) for name, side in SIDES.items()
    ]


def offer_sides(select: ChoiceList[str], game: Game) -> None:
    """List the sides of another game; the chosen one stays."""
    chosen = select.value
    with select.prevent(Select.Changed):
        select.set_options(sides_of(game))
        select.value = chosen
