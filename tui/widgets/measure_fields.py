"""The fields that the forms of races and sweeps share: the seeds of machines, and the measure and side shown."""

from collections.abc import Sequence

from rich.text import Text
from textual.widgets import Select

from engine.game import Game
from engine.games import parse_game
from lab.race.race_text import SIDES, ShownMeasure
from lab.results.score_lines import READER
from learners.core.generator import LARGEST_SEED
from learners.race.measures import MEMORY_READER, Measure, judging_of, parse_measure
from learners.race.race import MAX_MACHINES
from tui.widgets.form import Form


def parse_seeds(form: Form) -> range:
    """Parse the fields `machines` and `seed` into the range of seeds. Raises `BadField`."""
    count = form.number("machines", 1, MAX_MACHINES)
    first = form.number("seed", 0, LARGEST_SEED - count + 1)
    return range(first, first + count)


def shown_measure_of(form: Form) -> ShownMeasure:
    """Return what the fields `measure` and `side` show in the game that the form has adapted to."""
    measures = judging_of(parse_game(form.adapted_value("game"))).measures
    return ShownMeasure(parse_measure(form["measure"], measures), SIDES[form["side"]])


def adapt_to_game(form: Form) -> None:
    """Offer the measures, sides and usual machines of another game; the user's choices stay as far as they fit."""
    game, side_list = parse_game(form["game"]), form.choices("side")
    judging = judging_of(game)
    form.offer("measure", measure_choices(judging.measures), form["measure"])
    form.propose("machines", f"{judging.usual_machines:,}")
    chosen_side = side_list.value
    with side_list.prevent(Select.Changed):
        side_list.set_options(side_choices(game))
        side_list.value = chosen_side


def measure_choices(measures: Sequence[Measure]) -> list[tuple[str, str]]:
    return [(short_title(each), each.name) for each in measures]


def short_title(measure: Measure) -> str:
    """Return the title of a measure, short enough for the form: `lost to random`, `lost to reader`."""
    share, _, opponent = measure.title.partition(" against ")
    if not opponent:
        return measure.title
    return f"{share} to {READER if opponent == MEMORY_READER else opponent}"


def side_choices(game: Game) -> list[tuple[Text, str]]:
    return [
        (Text("mean of both" if side is None else f"{game.mark(side)}, {name}"), name) for name, side in SIDES.items()
    ]
