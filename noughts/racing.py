"""Races of learners."""

import signal
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np

from cli.shared.progress import rounds_in_lines
from cli.shared.signals import collect_signals
from engine.game import BadText, Game
from engine.games import GAMES, game_of
from lab.race.race_text import ShownMeasure, band_text, machines_text
from lab.text.columns import columns
from learners.core.generator import LARGEST_SEED
from learners.core.training import MAX_ROUNDS
from learners.race.entrants import default_entrants, parse_entrant, require_entrants
from learners.race.measures import judging_of
from learners.race.race import MAX_MACHINES, Standings
from learners.race.race import race as run_race
from learners.sweep.layout import SIDES, result_columns
from noughts.machine import given, whole_number
from saves.library.library import Library
from saves.paths import library_path


class RaceResult:
    """The results of each machine of a race, at each mark."""

    def __init__(self, standings: Standings) -> None:
        """Keep the last standings of a race."""
        self._columns, self._lines = _columns(standings), _lines(standings)
        self.finished = standings.finished
        """Whether every machine has trained all games; false after Ctrl+C."""

    def columns(self) -> "dict[str, np.ndarray[Any, Any]]":
        """Return the results as columns, with a row for each entrant, seed and mark that was reached.

        The columns are `entrant`, `seed` and `games`, then the results as each side, named as in the tables of sweeps:
        `first_random_loss` is an exact chance from 0 to 1. In a game that is too large for exact results, they are
        shares of sampled games: `first_loss_random`.
        """
        return {**self._columns}

    def frame(self) -> Any:  # noqa: ANN401  a data frame of pandas or of polars
        """Return `columns` as a data frame of pandas, or of polars if pandas is missing. Raises `ImportError`."""
        if find_spec("pandas"):
            import pandas  # noqa: ICN001  named as it is imported

            return pandas.DataFrame(self.columns())
        if find_spec("polars"):
            import polars  # noqa: ICN001

            return polars.DataFrame({name: column.tolist() for name, column in self.columns().items()})
        raise ImportError("a data frame needs pandas or polars: install one of them, or use columns()")

    def __repr__(self) -> str:
        """Return the losses at the end for each entrant: of the median machine, and of the middle 80 %."""
        return "\n".join(self._lines)


def _columns(standings: Standings) -> "dict[str, np.ndarray[Any, Any]]":
    marks, seeds = np.array(standings.marks), np.array(standings.seeds)
    parts: dict[str, list[np.ndarray[Any, Any]]] = {}
    for entrant, judged in zip(standings.entrants, standings.judged, strict=True):
        machine, mark = np.nonzero(~np.isnan(judged[:, :, 0, 0]))
        rows: dict[str, np.ndarray[Any, Any]] = {
            "entrant": np.full(len(machine), entrant.text, dtype=object),
            "seed": seeds[machine],
            "games": marks[mark],
        }
        for side, side_name in enumerate(SIDES):
            for column, name in result_columns(standings.judging, side_name).items():
                rows[name] = judged[machine, mark, side, column]
        for name, values in rows.items():
            parts.setdefault(name, []).append(values)
    return {name: np.concatenate(arrays) for name, arrays in parts.items()}


def _lines(standings: Standings) -> list[str]:
    entrants = standings.entrants
    shown = ShownMeasure(standings.judging.measures[0], None)
    ends, one = [end[:, 0] for end in shown.bands(standings, slice(-1, None))], len(standings.seeds) == 1
    rows = [(entrant.text, band_text(end, one=one)) for entrant, end in zip(entrants, ends, strict=True)]
    what = f"{shown.text(entrants[0].game, entrants)}, in per cent, after {standings.marks[-1]:,} games"
    many = "" if one else ": the median, and the middle 80 %"
    lines = [what, f"{machines_text(standings)}{many}", *columns(rows, "<<")]
    if not standings.finished:
        done = ", ".join(f"{count:,}" for count in standings.machines)
        lines.append(f"Stopped. Finished machines of each entrant: {done}")
    return lines


def race(  # noqa: PLR0913  most have a default
    entrants: Sequence[str] = (),
    game: str | Game = GAMES[0].name,
    *,
    games: int | None = None,
    seeds: int | None = None,
    seed: int = 1,
    progress: Callable[[Standings], object] | None = None,
) -> RaceResult:
    """Race learners on equal numbers of games, with a machine of each for every seed from `seed` on.

    An entrant is written `LEARNER[:PRESET][/OPPONENT][+KEY=VALUE…]`, as in `menace:michie/random+win=5`; without
    entrants, a default field races. The machines train on two threads. `progress` is called about ten times a second;
    without it, a long race says how far it is in lines on standard error. Ctrl+C stops the race, which then returns the
    results so far. Raises `ValueError` for an entrant that cannot take part, and for more than 100,000,000 `games` or
    10,000 `seeds`.
    """
    rules = game_of(game)
    library, judging = Library(library_path()), judging_of(rules)
    texts = None if isinstance(entrants, str) or not isinstance(entrants, Iterable) else tuple(entrants)
    if texts is None or not all(isinstance(text, str) for text in texts):
        raise BadText("give a list of entrants, each as text, such as 'menace:michie/random'")
    budget = judging.usual_budget if games is None else whole_number("games", games, 1, MAX_ROUNDS)
    count = judging.usual_machines if seeds is None else whole_number("seeds", seeds, 1, MAX_MACHINES)
    begin = whole_number("seed", seed, 0, LARGEST_SEED - count + 1)
    field = tuple(parse_entrant(text, rules, library.opponent) for text in texts) or default_entrants(rules)
    require_entrants(field)
    total = len(field) * count * budget
    tell = rounds_in_lines(total, "game") if progress is None else given("progress", progress, Callable)
    with collect_signals([signal.SIGINT]) as received:
        for standings in run_race(
            field, range(begin, begin + count), budget, stop=lambda: bool(received), judging=judging
        ):
            tell(standings)
    return RaceResult(standings)
