"""A race in progress: the progress, a chart of all entrants, and a list of them, ranked by their shares."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isnan
from time import monotonic
from typing import Final

import numpy as np
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import ProgressBar, Static

from engine.game import Game
from lab.race.race_job import Earlier, RaceJob, earlier_curve, size_text
from lab.race.race_text import (
    NOTHING,
    ShownMeasure,
    band_text,
    best_text,
    entrant_text,
    ranking,
    share_figure,
    title_ways,
)
from lab.text.axes import EMPTY_TOP, share_axes, share_height
from lab.text.curves import Series
from lab.text.line_charts import MAX_LABEL, MIN_PLOT
from lab.text.numbers import duration_text, rate_text, remaining_seconds, rounds_text
from lab.text.sanitise import plain
from lab.training.training_story import UNTRAINED
from learners.race.entrants import Entrant
from learners.race.measures import KNOWN_MEASURES, LOSS_MEASURES, Floats, judging_of
from learners.race.race import Standings
from tui.race.entrant_table import ABSENT, COLOURS, MORE_MEASURES, MORE_WIDTH, EntrantTable, moment_texts
from tui.shell.filters import JOINT
from tui.shell.parts import LiveText, Prose, entitle, fitting
from tui.widgets.chart_screen import KEYS_SHOWN
from tui.widgets.form import Form
from tui.widgets.line_chart import LineChart
from tui.widgets.tiles import theme_colour

CHART_PAUSE: Final = 0.7
"""Seconds between two drawings of the curves."""
CHARTED: Final = *MORE_MEASURES.values(), *LOSS_MEASURES, *reversed(KNOWN_MEASURES)
"""The measures of further charts, where they are known: the first of these that the large chart does not show."""
ABOUT: Final = "A curve: the median of an entrant's machines, in a band with the middle 80 % of them."
"""A description of the chart, shown above it until there are curves."""
CHANGES: Final = "`n` adds · `Del` removes"
"""The keys that change the list of entrants, except during a race."""
FORM_LINES, CHART_LINES = 17, 8
"""The lines of the form and of a few entrants, and the fewest of a further chart below them, with their frames."""
MORE_CHARTS: Final = 2
"""How many charts of further measures stand below the list, where there is room."""
NAMED: Final = 3
"""A name at a curve takes at most this part of the width of the chart."""
LABELLED: Final = 20
"""The minimum width for a name at a curve, in columns; else the list tells whose number it is."""
SHARED: Final = 10
"""The minimum width beside the plot, in columns, for labels with shares; the list below has them too."""
ESTIMATED_FROM: Final = 0.01
"""The least share of a race from which the rest of the time is estimated: compiling takes part of it."""
AXIS: Final = 7
"""The width of the axis of shares, in columns."""


def common_mark(bands: Sequence[Floats]) -> int:
    """Return the index of the last mark that all entrants have reached.

    Entrants that have reached no mark do not count.
    """
    reached = [np.flatnonzero(~np.isnan(shares[1])) for shares in bands]
    return min((int(known[-1]) for known in reached if len(known)), default=0)


class RaceView(Horizontal):
    """Shows one moment of a race beside its form; independent of the threads that run it."""

    DEFAULT_CSS = """
    RaceView {
        & #race-progress { display: none; height: 1; }
        & ProgressBar, & Bar { width: 1fr; }
        & #race-rate { width: 26; padding-left: 1; text-align: right; color: $text-muted; }
        & > #race-left { width: 40; height: 100%; margin-right: 1; }
        & > #race-plot { width: 1fr; height: 100%; }
        &.-ended ProgressBar { display: none; }
        &.-ended #race-rate { width: 1fr; }
        & #race-about { height: auto; max-width: 90; color: $text-muted; }
        & LineChart { height: 1fr; min-height: 4; }
        & #race-table { height: 1fr; }
        & .race-more { display: none; height: 1fr; }
        &.-more { & #race-table, & #race-entrants { height: auto; } }
        &.-more #race-entrants { min-height: 5; }
    }
    """

    _charted = 0.0
    _drawn: object = None

    def __init__(self, form: Form, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self._form = form
        self.best = ""
        """A sentence on the entrants with the best share; empty before there is one."""

    def compose(self) -> ComposeResult:
        with Vertical(id="race-left"):
            yield self._form
            yield EntrantTable(id="race-table", classes="panel")
            for number in range(MORE_CHARTS):
                with Vertical(classes="panel race-more", id=f"race-more-{number}"):
                    yield LineChart()
        with Vertical(id="race-plot", classes="panel"):
            with Horizontal(id="race-progress"):
                yield ProgressBar(total=100, show_percentage=False, show_eta=False, id="race-bar")
                yield LiveText(id="race-rate")
            yield Prose("", id="race-about", markup=False)
            yield LineChart(id="race-chart")

    @property
    def entrants(self) -> EntrantTable:
        return self.query_one(EntrantTable)

    def _set_begun(self, *, begun: bool) -> None:
        """Show the progress if the race has `begun`; otherwise what the chart will show."""
        self.query_one("#race-progress").display = begun
        self.query_one("#race-about").display = not begun

    def show_keys(self, *, running: bool) -> None:
        """Name the keys that change the entrants, except during a race."""
        entitle(self.entrants, "Entrants", "" if running else CHANGES)

    def introduce(
        self,
        entrants: Sequence[Entrant],
        game: Game,
        seen: ShownMeasure,
        course: tuple[range, int] | None,
        earlier: Earlier | None,
    ) -> None:
        """Show the entrants before the race starts, and the dim curves of `earlier` trainings on the race's axes.

        While these are not known, the charts stay as they are, or have only axes. `course` has the seeds and the number
        of games, if the form describes them.
        """
        self._drawn = None
        self._set_begun(begun=False)
        self._show_title(seen.text(game, entrants))
        last = 1 if course is None else course[1]
        charts = [(seen, self.query_one("#race-chart", LineChart)), *self._more_charts(seen, entrants, game)]
        whose = "saves"
        for seen_too, chart in charts:
            if earlier is not None:
                whose = self._show_earlier(chart, entrants, seen_too, last, earlier) or whose
            elif not chart.series:
                chart.show([], share_axes(EMPTY_TOP, last, log=False))
        parts = [ABOUT] if self.screen.has_class("-tall") else []
        if course is not None and entrants and not (earlier and self.screen.has_class("-low")):
            parts.append(size_text(len(entrants), len(course[0]), course[1]).replace(" × ", f"{JOINT}×{JOINT}"))
        if earlier:
            fresh = any(ghost.name == UNTRAINED for ghost in earlier.values())
            parts.append(f"Dimmed: {'before training' if fresh else f'how {whose} learned'}.")
        self.query_one("#race-about", Static).update(" ".join(parts))
        self.entrants.show(entrants, [], [(ABSENT if seen.excludes(entrant) else NOTHING, "") for entrant in entrants])

    def _show_earlier(
        self, chart: LineChart, entrants: Sequence[Entrant], seen: ShownMeasure, last: int, earlier: Earlier
    ) -> str:
        """Draw the curves of earlier trainings on axes of at least `last`; saves have no colour of an entrant.

        In a narrow terminal, which has no room for names beside the curves, only the best save has one, without a
        label: then return the name of that save, and otherwise nothing.
        """
        alone, series = "", list[Series]()
        for learner, ghost in earlier.items():
            of = [at for at, each in enumerate(entrants) if each.fixed is None and each.kind.spec.name == learner]
            points = earlier_curve(ghost, seen) if of else ()
            if points:
                name = plain(ghost.name, 20)
                is_entrant = name == UNTRAINED  # a save has not the number of an entrant
                label = " ".join(f"{at + 1}" for at in of) if is_entrant else name
                letter = f"{of[0] + 1}" if is_entrant else name[:1]
                colour = theme_colour(self, COLOURS[of[0]]) if is_entrant else ""
                series.append(Series(label, points, colour, letter, dim=True))
        saves = [each for each in series if not each.style]
        if saves and self.screen.has_class("-narrow"):
            best = ranking([each.points[-1][1] for each in saves], seen.measure)[0]
            alone = saves[best].label
            series = [replace(each, label="") for each in series if each.style or each is saves[best]]
        top = max((share for each in series for _, share in each.points), default=1.0)
        chart.show(series, share_axes(top, max([last, *(each.points[-1][0] for each in series)]), log=False))
        return alone

    def show(  # noqa: PLR0913  a race, and how it is drawn
        self, job: RaceJob, standings: Standings, seen: ShownMeasure, per_second: float, *, log: bool, hidden: int = 0
    ) -> None:
        """Draw a race as it is now, or while it is replayed, without its last `hidden` marks.

        `per_second` is the number of games per second during the last seconds.
        """
        self._set_begun(begun=True)
        self.set_class(not job.running and not hidden, "-ended")
        marks = len(standings.marks) - hidden
        done, total = (marks, len(standings.marks)) if hidden else (standings.done, standings.total)
        self.query_one("#race-bar", ProgressBar).update(total=total, progress=done)
        known = per_second if standings.done >= ESTIMATED_FROM * standings.total else 0.0
        left = duration_text(remaining_seconds(standings.done, standings.total, known))
        rate = f"{rate_text(per_second, 'game')}  {left} left"
        if not job.running:
            rate = f"{rate_text(standings.per_second, 'game')}  in {standings.seconds:.1f} s"
        rate = f"Replay: {rounds_text(standings.marks[marks - 1], 'game')}" if hidden else rate
        self.query_one("#race-rate", LiveText).set_text(rate)
        what = standings.marks, seen, log, job.view.state, self.size, self.app.theme, hidden
        if what != self._drawn or monotonic() - self._charted >= CHART_PAUSE:
            self._drawn, self._charted = what, monotonic()
            self._show_standings(standings.at_mark(marks) if hidden else standings, seen, log=log)

    def _show_standings(self, standings: Standings, seen: ShownMeasure, *, log: bool) -> None:
        bands = seen.bands(standings)
        self._show_title(seen.text(standings.entrants[0].game, standings.entrants))
        self._show_chart(self.query_one("#race-chart", LineChart), standings, bands, log=log)
        for seen_too, chart in self._more_charts(seen, standings.entrants, standings.entrants[0].game):
            self._show_chart(chart, standings, seen_too.bands(standings), log=log)
        at = common_mark(bands)
        here = slice(at, at + 1)
        counts = [np.count_nonzero(~np.isnan(each[:, at]).all(axis=(1, 2))) for each in standings.judged]
        roomy = self.entrants.is_wide and not standings.judging.trials
        shown = {title: each for title, each in MORE_MEASURES.items() if roomy and each != seen.measure}
        more = [replace(seen, measure=measure).bands(standings, here) for measure in shown.values()]
        rows = [
            (
                ABSENT if seen.excludes(entrant) else band_text(shares[:, at], one=counts[number] == 1),
                "".join(f"{share_figure(other[number][1, 0]):>{MORE_WIDTH}}" for other in more),
            )
            for number, (shares, entrant) in enumerate(zip(bands, standings.entrants, strict=True))
        ]
        known = any(not isnan(shares[1, at]) for shares in bands)
        order = ranking([float(shares[1, at]) for shares in bands], seen.measure)
        share = share_figure(bands[order[0]][1, at])
        ahead = [number for number in order if share_figure(bands[number][1, at]) == share]
        self.best = best_text(standings.entrants, ahead, share) if known else ""
        fewest, machines = min(filter(None, counts), default=0), len(standings.seeds)
        those = "" if fewest == machines else f", {fewest:,} of {machines:,} machines"
        moments = moment_texts(standings.marks[at], those)
        self.entrants.show(standings.entrants, moments if known else [], rows, order, [*shown])

    def _show_title(self, title: str) -> None:
        place = self.query_one("#race-plot")
        entitle(place, fitting(place, *title_ways(title)), fitting(place, *KEYS_SHOWN))

    def _more_charts(
        self, seen: ShownMeasure, entrants: Sequence[Entrant], game: Game
    ) -> Iterator[tuple[ShownMeasure, LineChart]]:
        """Show the charts of further measures, if there is room for them; yield each measure with its chart."""
        count = (self.size.height - FORM_LINES) // CHART_LINES
        shown = count > 0
        self.set_class(shown, "-more")
        self.entrants.is_whole = shown
        known = judging_of(game).measures if shown else ()
        others = [each for each in CHARTED if each in known and each != seen.measure][: max(count, 0)]
        places = [*self.query(".race-more")]
        for number, place in enumerate(places):
            place.display = number < len(others)
        for place, measure in zip(places, others, strict=False):
            other = replace(seen, measure=measure)
            words = title_ways(other.text(game, entrants))
            entitle(place, fitting(self.entrants, *words))  # as wide, and has its width already
            yield other, place.query_one(LineChart)

    def _show_chart(self, chart: LineChart, standings: Standings, bands: Sequence[Floats], *, log: bool) -> None:
        room = min(MAX_LABEL, chart.size.width - AXIS - MIN_PLOT)
        widest = min(chart.size.width // NAMED, room - SHARED)
        names = [plain(entrant_text(each, widest)) for each in standings.entrants]
        reached = common_mark(bands) + 1  # so that a curve ends with the share in the list
        bands = [shares[:, :reached] for shares in bands]
        known = [shares[:, ~np.isnan(shares[1])] for shares in bands]
        axes = share_axes(max((float(shares.max()) for shares in known if shares.size), default=1.0), 1, log=log)
        series = []
        for number, shares in enumerate(bands):
            lines = [
                [
                    (at, share_height(share, log=log))
                    for at, share in zip(standings.marks, line.tolist(), strict=False)
                    if not isnan(share)
                ]
                for line in shares
            ]
            low, middle, high = lines
            share = f"{share_figure(known[number][1, -1])} %" if middle and room >= SHARED else ""
            words = f" {names[number]}" if widest >= LABELLED else ""
            series.append(
                Series(
                    f"{number + 1}{words} {share}".rstrip(),
                    middle,
                    theme_colour(self, COLOURS[number]),
                    f"{number + 1}",
                    low=low,
                    high=high,
                )
            )
        chart.show(series, replace(axes, rounds=standings.marks[-1]))
