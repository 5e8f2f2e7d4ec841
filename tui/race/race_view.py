"""A race while it runs: progress, one chart of all entrants, and a table of their standings."""

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from time import monotonic
from typing import Final

import numpy as np
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import ProgressBar

from engine.game import Game
from lab.training.race_job import RaceJob
from lab.words.numbers import duration_text, rate_text, remaining_seconds, rounds_text, short_count
from lab.words.race import NOTHING, Seen, band_text, only_text, share_text
from lab.words.sanitise import plain
from learners.race.entrants import Entrant
from learners.race.measures import Floats, parse_measure
from learners.race.race import Standings
from tui.shell.live_text import LiveText
from tui.widgets.chart import Chart, Curve
from tui.widgets.mark_styles import theme_colour

CHART_PAUSE: Final = 0.7
"""Seconds between two drawings of the curves."""
COLOURS: Final = ("primary", "warning", "success", "error", "lilac", "silver", "pink", "gold")
"""The theme colours of the entrants, in order."""
MORE: Final = {
    "random": parse_measure("loss-random"),
    "perfect": parse_measure("loss-perfect"),
    "best": parse_measure("loss-best"),
    "moves": parse_measure("perfect-moves"),
}
"""Further columns of the table, where there is room: three of lost games, and one of perfect moves."""
MORE_HEADING: Final = f"  {' lost against ':─^22}{'perfect':>8}"
MORE_WIDTH: Final = 8
BAND_WIDTH: Final = 18
ABSENT: Final = "does not play it"
"""Stands for the share of an entrant that does not play the side."""
PART_ROOM: Final = 20
"""From this width on, the name is followed by the side, for entrants that play only one."""
WIDE: Final = 70
"""From this width on there is room for the further columns."""


def common_mark(bands: Sequence[Floats]) -> int:
    """The number of the last mark that machines of every entrant have reached, leaving out entrants at no mark yet."""
    reached = [np.flatnonzero(~np.isnan(shares[1])) for shares in bands]
    return min((int(known[-1]) for known in reached if len(known)), default=0)


class RaceView(Vertical):
    """Shows one moment of a race. It knows nothing of the thread that runs it."""

    DEFAULT_CSS = """
    RaceView {
        & > #race-progress { height: 1; }
        & ProgressBar, & Bar { width: 1fr; }
        & #race-rate { width: 24; padding-left: 1; text-align: right; }
        & > Chart { height: 1fr; min-height: 5; }
        & > #race-table { height: auto; margin-top: 1; }
    }
    """

    _charted = 0.0
    _drawn: object = None

    def compose(self) -> ComposeResult:
        with Horizontal(id="race-progress"):
            yield ProgressBar(total=100, show_eta=False, id="race-bar")
            yield LiveText(id="race-rate")
        yield Chart(id="race-chart")
        yield LiveText(id="race-table")

    def introduce(self, entrants: Sequence[Entrant], game: Game, seen: Seen, budget: int) -> None:
        """Show the entrants before the race starts."""
        self._drawn = None
        self.query_one("#race-bar", ProgressBar).update(total=100, progress=0)
        self.query_one("#race-rate", LiveText).set_text("")
        self.query_one(Chart).log_counts = False
        self._show_chart([], (), seen.text(game, entrants), budget)
        self._show_table(entrants, None, [(ABSENT if seen.misses(entrant) else NOTHING, "") for entrant in entrants])

    def show(self, job: RaceJob, seen: Seen, per_second: float, *, log: bool) -> None:
        """Draw one moment; `per_second` is the rate of the last seconds."""
        standings = job.standings
        if standings is None:
            self.introduce(job.entrants, job.entrants[0].game, seen, job.budget)
            return
        self.query_one("#race-bar", ProgressBar).update(total=standings.total, progress=standings.done)
        left = duration_text(remaining_seconds(standings.done, standings.total, per_second))
        rate = f"{rate_text(per_second)}  {left} left"
        if not job.running:
            rate = f"{rate_text(standings.per_second)}  in {standings.seconds:.2f} s"
        self.query_one("#race-rate", LiveText).set_text(rate)
        what = standings.marks, seen, log, job.state, self.size, self.app.theme
        if what != self._drawn or monotonic() - self._charted >= CHART_PAUSE:
            self._drawn, self._charted = what, monotonic()
            self._show_standings(standings, seen, log=log)

    def _show_standings(self, standings: Standings, seen: Seen, *, log: bool) -> None:
        bands = seen.bands(standings)
        self.query_one(Chart).log_counts = log
        title = seen.text(standings.entrants[0].game, standings.entrants)
        self._show_chart(bands, standings.marks, title, standings.marks[-1])
        at = common_mark(bands)
        here, one = slice(at, at + 1), len(standings.seeds) == 1
        shown = MORE.values() if self._wide else ()
        more = [replace(seen, measure=measure).bands(standings, here) for measure in shown]
        rows = [
            (
                ABSENT if seen.misses(entrant) else band_text(shares[:, at], one=one),
                "".join(f"{share_text(other[number][1, 0]):>{MORE_WIDTH}}" for other in more),
            )
            for number, (shares, entrant) in enumerate(zip(bands, standings.entrants, strict=True))
        ]
        known = any(not isnan(shares[1, at]) for shares in bands)
        self._show_table(standings.entrants, standings.marks[at] if known else None, rows)

    @property
    def _wide(self) -> bool:
        return self._width >= WIDE

    @property
    def _width(self) -> int:
        """The columns of the table."""
        return self.query_one("#race-table").content_size.width

    def _show_chart(self, bands: Sequence[Floats], marks: Sequence[int], title: str, budget: int) -> None:
        chart = self.query_one(Chart)
        chart.title, chart.shares = title[0].upper() + title[1:], True
        chart.curves = tuple(
            Curve(f"{number}", "", COLOURS[number], sign=f"{number + 1}", band=(f"{number} low", f"{number} high"))
            for number in range(len(bands))
        )
        points = []
        for mark, at in enumerate(marks):
            numbers: dict[str, float | None] = {}
            for number, shares in enumerate(bands):
                low, middle, high = (None if isnan(share) else share for share in shares[:, mark].tolist())
                numbers |= {f"{number}": middle, f"{number} low": low, f"{number} high": high}
            points.append((at, numbers))
        chart.show(points, rounds=budget)

    def _show_table(self, entrants: Sequence[Entrant], games: int | None, rows: Sequence[tuple[str, str]]) -> None:
        """A line for each entrant: its sign, name and shares, and the further columns where there is room."""
        more = any(others for _, others in rows)
        room = max(1, self._width - 2 - BAND_WIDTH - MORE_WIDTH * len(MORE) * more)  # there may be none while it opens
        when = "" if games is None else f"after {rounds_text(games, 'game')}"
        if games is not None and len(when) > room:
            when = f"after {short_count(games)}"
        gap = " " * (room + 2 + BAND_WIDTH)
        table = Text(f"{gap}{MORE_HEADING}\n" if more else "", "dim", no_wrap=True)
        titles = "".join(f"{title:>{MORE_WIDTH}}" for title in MORE) if more else ""
        table.append(f"{when:<{room + 2}}{'median [10–90 %]':>{BAND_WIDTH}}{titles}")
        for number, (entrant, (shares, others)) in enumerate(zip(entrants, rows, strict=True)):
            only = only_text(entrant).removeprefix("as") if room >= PART_ROOM else ""
            name = plain(entrant.text, max(1, room - 1 - len(only))) + only
            table.append(f"\n{number + 1} {name:<{room}}", f"not dim bold {theme_colour(self, COLOURS[number])}")
            table.append(f"{shares:>{BAND_WIDTH}}{others}", "not dim")
        self.query_one("#race-table", LiveText).set_text(table)
