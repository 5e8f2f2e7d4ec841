"""`noughts race`: race learners and print the results."""

from dataclasses import replace

import click
import numpy as np

from cli.commands.sweep_results import side_option
from cli.shared.arguments import chosen_library, full_label, parse_seed, with_failures_of
from cli.shared.common import filter_option, game_option, library_and_json, number_option, print_result
from cli.shared.completion import complete_entrant
from cli.shared.progress import progress_of_rounds
from cli.shared.score_documents import round_share
from cli.shared.signals import collect_signals
from engine.game import Game
from engine.games import GAMES
from engine.plural import counted_noun
from lab.race.race_text import (
    SIDE_NAMES,
    SIDES,
    ShownMeasure,
    band_text,
    exactness_text,
    machines_text,
    one_sided_texts,
    only_text,
)
from lab.signals import SIGNAL_EXIT
from lab.text.columns import columns
from lab.text.numbers import count_text, short_count
from lab.text.sanitise import plain
from learners.core.player import Player
from learners.core.training import MAX_ROUNDS
from learners.race.entrants import Entrant, default_entrants, parse_entrant, require_entrants
from learners.race.measures import (
    ALL_MEASURES,
    EXACT,
    MEASURES,
    SAMPLED_GAMES,
    SAMPLED_MEASURES,
    USUAL_BUDGET,
    USUAL_MACHINES,
    judging_of,
    parse_measure,
)
from learners.race.race import MAX_MACHINES, Standings, race
from learners.race.sampling import OPENING_PLIES
from saves.library.library import Library


@click.command("race")
@click.argument("entrants", metavar="[ENTRANT…]", nargs=-1, shell_complete=complete_entrant)
@game_option
@number_option(
    "--games",
    MAX_ROUNDS,
    f"The training games of each machine.  [default: {EXACT.usual_budget:,}; {USUAL_BUDGET:,} where results are "
    "sampled]",
)
@number_option(
    "--seeds",
    MAX_MACHINES,
    f"How many machines each entrant has.  [default: {EXACT.usual_machines}; {USUAL_MACHINES} where results are "
    "sampled]",
)
@click.option("--seed", type=parse_seed, metavar="N", default="1", help="The first machine's seed.  [default: 1]")
@click.option(
    "--measure",
    type=click.Choice([*dict.fromkeys(measure.name for measure in ALL_MEASURES)]),
    help=f"What the table shows.  [default: {MEASURES[0].name}; {SAMPLED_MEASURES[0].name} where results are sampled]",
)
@side_option
@filter_option
@library_and_json
def race_command(  # noqa: PLR0913, PLR0917  one parameter an option
    entrants: tuple[str, ...],
    game: Game | None,
    games: int | None,
    seeds: int | None,
    seed: int,
    measure: str | None,
    side: str,
    failures: str | None,
    *,
    as_json: bool,
) -> int:
    """Race learners: equal numbers of games, many machines of each.

    An ENTRANT is written LEARNER[:PRESET][/OPPONENT][+KEY=VALUE…], as in
    menace:michie/random+win=5; noughts train --help lists presets and settings.
    Without entrants, a default field races. ENTRANT~SAVE is judged, but not
    trained, without repeating the failures of a save; --filter does so for all.
    Ctrl+C stops the race and prints the results so far.

    Results are exact. In a game that is too large for that, such as connectfour,
    they are sampled: each machine plays some games at each mark, and moves in
    positions whose scores are known. The errors are stated.

    \b
    Examples:
      noughts race
      noughts race failures menace:blog --games 10_000 --seeds 5
      noughts race --game connectfour --games 10_000 --seeds 5
    """
    rules = game or GAMES[0]
    library = chosen_library()
    texts = entrants
    if failures is not None:
        texts = entrants or tuple(entrant.text for entrant in default_entrants(rules))
        texts = tuple(with_failures_of(text, failures) for text in texts)
    field = parse_field(texts, rules, library)
    judging = judging_of(rules)
    budget = games or judging.usual_budget
    seed_range = range(seed, seed + (seeds or judging.usual_machines))
    parse_seed(str(seed_range[-1]))
    chosen_measure = judging.measures[0] if measure is None else parse_measure(measure, judging.measures)
    shown_measure = ShownMeasure(chosen_measure, SIDES[side])
    with collect_signals() as received:
        with progress_of_rounds(len(field) * len(seed_range) * budget, "game") as show_progress:
            for standings in race(field, seed_range, budget, stop=lambda: bool(received), judging=judging):
                show_progress(standings)
        document = race_document(standings) if as_json else {}  # takes a second with many machines
        lines = race_lines(standings, shown_measure)
    if not entrants:
        lines = [f"The default field of {counted_noun(len(field), 'entrant')}:", "", *lines]
    print_result(lines, document, as_json=as_json)
    return SIGNAL_EXIT + received[0] if received else 0


def parse_field(texts: tuple[str, ...], game: Game, library: Library) -> tuple[Entrant, ...]:
    """Parse the entrants of a race; without any, return the default ones. Raises `BadText`, `LibraryError`."""

    def find_opponent(label: str, game: Game) -> Player | None:
        return library.opponent(full_label(label, library), game)

    entrants = [parse_entrant(text, game, find_opponent) for text in texts]
    field = tuple(replace(each, opponent=full_label(each.opponent, library)) for each in entrants)
    field = field or default_entrants(game)
    require_entrants(field)
    return field


def race_lines(standings: Standings, shown_measure: ShownMeasure) -> list[str]:
    game, count = standings.entrants[0].game, len(standings.seeds)
    bands = shown_measure.bands(standings)
    numbers = [str(number) for number in range(1, len(bands) + 1)]
    names = [plain(entrant.text) for entrant in standings.entrants]
    rows = [("games", *numbers)]
    for column, mark in enumerate(standings.marks):
        rows.append((count_text(mark), *(band_text(shares[:, column], one=count == 1) for shares in bands)))
    band_note = "" if count == 1 else ": the median, and the range of the middle 80 %"
    notes = [only_text(entrant) for entrant in standings.entrants]
    lines = [
        f"{game.title}, {shown_measure.text(game, standings.entrants)}, in per cent",
        f"{machines_text(standings)}{band_note}",
        "",
        *columns(list(zip(numbers, names, notes, strict=True)), "><<"),
    ]
    for side, who in one_sided_texts(standings.entrants, names, shown_measure):
        lines.append(f"{who}: compare on that side with --side {SIDE_NAMES[side]}")
    lines += ["", *columns(rows, ">" * len(rows[0])), ""]
    if not standings.finished:
        counts = [f"{number}: {machines:,}" for number, machines in zip(numbers, standings.machines, strict=True)]
        lines.append(f"Stopped. Finished machines of each entrant: {', '.join(counts)}.")
    rate = f"{standings.seconds:.2f} s, {short_count(standings.per_second)} games/s"
    exactness = exactness_text(standings.judging, shown_measure)
    lines.append(f"{counted_noun(standings.done, 'game')} in {rate}; {exactness}.")
    return lines


def race_document(standings: Standings) -> dict[str, object]:
    """Return the race as JSON; `side` is the side of an entrant that learns only one, else null."""
    return {
        "game": standings.entrants[0].game.name,
        "games": standings.marks[-1],
        "seeds": len(standings.seeds),
        "seed": standings.seeds[0],
        "marks": list(standings.marks),
        "finished": standings.finished,
        "trained": standings.done,
        "seconds": round(standings.seconds, 6),
        "games_per_second": round(standings.per_second, 1),
        "sampled": {"games": SAMPLED_GAMES, "opening": OPENING_PLIES} if standings.judging.trials else None,
        "entrants": [
            {
                "entrant": entrant.text,
                "learner": entrant.kind.spec.name,
                "preset": entrant.preset,
                "opponent": entrant.opponent,
                "settings": dict(entrant.settings),
                "side": SIDE_NAMES[entrant.only_side],
                "machines": standings.machines[number],
                "machines_at_mark": (~np.isnan(standings.judged[number][:, :, 0, 0])).sum(axis=0).tolist(),
                **_measures(standings, number),
            }
            for number, entrant in enumerate(standings.entrants)
        ],
    }


def _measures(standings: Standings, number: int) -> dict[str, object]:
    return {
        measure.name.replace("-", "_").replace(":", "_"): {
            name: _percentiles(standings, ShownMeasure(measure, side), number) for name, side in SIDES.items()
        }
        for measure in standings.judging.measures
    }


def _percentiles(standings: Standings, shown_measure: ShownMeasure, number: int) -> dict[str, list[float | None]]:
    """Return the percentiles of an entrant; if results are sampled, also the standard error of the median machine."""
    shares = shown_measure.bands(standings)[number]
    rows = {name: [*map(round_share, row.tolist())] for name, row in zip(("p10", "median", "p90"), shares, strict=True)}
    if standings.judging.trials:
        errors = standings.judging.error(shown_measure.measure, shown_measure.side, shares[1])
        rows["error"] = [*map(round_share, errors.tolist())]
    return rows
