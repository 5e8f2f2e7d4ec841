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
    title_wordings,
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
from tui.race.entrant_table import ABSENT, COLOURS, EXTRA_MEASURES, EXTRA_WIDTH, EntrantTable, mark_texts_of
from tui.shell.filters import JOINT
from tui.shell.parts import LiveText, Prose, entitle, fitting_text
from tui.widgets.chart_screen import KEY_TEXTS
from tui.widgets.form import Form
from tui.widgets.line_chart import LineChart
from tui.widgets.palette import theme_colour

CHART_PAUSE: Final = 0.7
"""Seconds between two drawings of the curves."""
CHART_MEASURES: Final = *EXTRA_MEASURES.values(), *LOSS_MEASURES, *reversed(KNOWN_MEASURES)
"""The measures of further charts, where they are known: the first of these that the large chart does not show."""
CHART_TEXT: Final = "A curve: the median of an entrant's machines, in a band with the middle 80 % of them."
"""A description of the chart, shown above it until there are curves."""
ENTRANT_KEYS: Final = "`n` adds · `Del` removes"
"""The keys that change the list of entrants, except during a race."""
FORM_LINES, CHART_LINES = 17, 8
"""The lines of the form with a few entrants, and the minimum for a further chart below them, frames included."""
MAX_EXTRA_CHARTS: Final = 2
"""The maximum number of charts of further measures below the list, where there is room."""
NAME_PART: Final = 3
"""A name at a curve takes at most a third of the width of the chart."""
MIN_NAME: Final = 20
"""The minimum width for a name at a curve, in columns; else the list tells whose number it is."""
MIN_SHARE_LABELS: Final = 10
"""The minimum width beside the plot, in columns, for labels with shares; the list below has them too."""
ESTIMATED_FROM: Final = 0.01
"""From this share of a race on, the time left is estimated: before that, compiling takes much of the time."""
AXIS_WIDTH: Final = 7
"""The width of the axis of shares, in columns."""


def last_common_mark(bands: Sequence[Floats]) -> int:
    """Return the index of the last mark that all entrants have reached, of those that have reached one."""
    reached_marks = [np.flatnonzero(~np.isnan(shares[1])) for shares in bands]
    return min((int(marks[-1]) for marks in reached_marks if len(marks)), default=0)


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

    _drawn_at = 0.0
    """When the curves were drawn last, by the monotonic clock."""
    _drawn: object = None
    """The state that they showed, apart from the shares."""

    def __init__(self, form: Form, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self._form = form
        self.best = ""
        """A sentence on the entrants with the best share; empty before there is one."""

    def compose(self) -> ComposeResult:
        with Vertical(id="race-left"):
            yield self._form
            yield EntrantTable(id="race-table", classes="panel")
            for number in range(MAX_EXTRA_CHARTS):
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
        entitle(self.entrants, "Entrants", "" if running else ENTRANT_KEYS)

    def introduce(
        self,
        entrants: Sequence[Entrant],
        game: Game,
        shown_measure: ShownMeasure,
        course: tuple[range, int] | None,
        earlier: Earlier | None,
    ) -> None:
        """Show the entrants before the race starts, and the dim curves of `earlier` trainings on the race's axes.

        While these are not known, the charts stay as they are, or have only axes. `course` has the seeds and the number
        of games, if the form describes them.
        """
        self._drawn = None
        self._set_begun(begun=False)
        self._show_title(shown_measure.text(game, entrants))
        last = 1 if course is None else course[1]
        main_chart = self.query_one("#race-chart", LineChart)
        whose = "saves"
        for measure, chart in [(shown_measure, main_chart), *self._extra_charts(shown_measure, entrants, game)]:
            if earlier is not None:
                whose = self._show_earlier(chart, entrants, measure, last, earlier) or whose
            elif not chart.series:
                chart.show([], share_axes(EMPTY_TOP, last, log=False))
        sentences = [CHART_TEXT] if self.screen.has_class("-tall") else []
        if course is not None and entrants and not (earlier and self.screen.has_class("-low")):
            sentences.append(size_text(len(entrants), len(course[0]), course[1]).replace(" × ", f"{JOINT}×{JOINT}"))
        if earlier:
            untrained = any(ghost.name == UNTRAINED for ghost in earlier.values())
            sentences.append(f"Dimmed: {'before training' if untrained else f'how {whose} learned'}.")
        self.query_one("#race-about", Static).update(" ".join(sentences))
        rows = [(ABSENT if shown_measure.excludes(entrant) else NOTHING, "") for entrant in entrants]
        self.entrants.show(entrants, [], rows)

    def _show_earlier(
        self, chart: LineChart, entrants: Sequence[Entrant], shown_measure: ShownMeasure, last: int, earlier: Earlier
    ) -> str:
        """Draw the curves of earlier trainings on axes of at least `last`; saves have no colour of an entrant.

        In a narrow terminal, which has no room for names beside the curves, only the best save has one, without a
        label: then return the name of that save, and otherwise nothing.
        """
        only_save, series = "", list[Series]()
        for learner, ghost in earlier.items():
            numbers = [
                number
                for number, entrant in enumerate(entrants)
                if entrant.fixed is None and entrant.kind.spec.name == learner
            ]
            points = earlier_curve(ghost, shown_measure) if numbers else ()
            if not points:
                continue
            name = plain(ghost.name, 20)
            if name == UNTRAINED:
                label = " ".join(f"{number + 1}" for number in numbers)
                colour = theme_colour(self, COLOURS[numbers[0]])
                series.append(Series(label, points, colour, f"{numbers[0] + 1}", dim=True))
            else:  # a save has not the number of an entrant
                series.append(Series(name, points, "", name[:1], dim=True))
        saves = [each for each in series if not each.style]
        if saves and self.screen.has_class("-narrow"):
            best = saves[ranking([each.points[-1][1] for each in saves], shown_measure.measure)[0]]
            only_save = best.label
            series = [replace(each, label="") for each in series if each.style or each is best]
        top = max((share for each in series for _, share in each.points), default=1.0)
        chart.show(series, share_axes(top, max([last, *(each.points[-1][0] for each in series)]), log=False))
        return only_save

    def show(  # noqa: PLR0913  a race, and how it is drawn
        self,
        job: RaceJob,
        standings: Standings,
        shown_measure: ShownMeasure,
        per_second: float,
        *,
        log: bool,
        hidden: int = 0,
    ) -> None:
        """Draw a race as it is now, or while it is replayed, without its last `hidden` marks.

        `per_second` is the number of games per second during the last seconds.
        """
        self._set_begun(begun=True)
        self.set_class(not job.running and not hidden, "-ended")
        marks = len(standings.marks) - hidden
        progress_bar, rate = self.query_one("#race-bar", ProgressBar), self.query_one("#race-rate", LiveText)
        if hidden:
            progress_bar.update(total=len(standings.marks), progress=marks)
            rate.set_text(f"Replay: {rounds_text(standings.marks[marks - 1], 'game')}")
        else:
            progress_bar.update(total=standings.total, progress=standings.done)
            rate.set_text(_rate_text(standings, per_second, running=job.running))
        state = standings.marks, shown_measure, log, job.view.state, self.size, self.app.theme, hidden
        if state != self._drawn or monotonic() - self._drawn_at >= CHART_PAUSE:
            self._drawn, self._drawn_at = state, monotonic()
            self._show_standings(standings.at_mark(marks) if hidden else standings, shown_measure, log=log)

    def _show_standings(self, standings: Standings, shown_measure: ShownMeasure, *, log: bool) -> None:
        bands = shown_measure.bands(standings)
        self._show_title(shown_measure.text(standings.entrants[0].game, standings.entrants))
        self._show_chart(self.query_one("#race-chart", LineChart), standings, bands, log=log)
        for measure, chart in self._extra_charts(shown_measure, standings.entrants, standings.entrants[0].game):
            self._show_chart(chart, standings, measure.bands(standings), log=log)
        self._list_entrants(standings, shown_measure, bands)

    def _list_entrants(self, standings: Standings, shown_measure: ShownMeasure, bands: Sequence[Floats]) -> None:
        """Rank the entrants by their shares at the last mark that all have reached."""
        mark = last_common_mark(bands)
        judged_counts = [np.count_nonzero(~np.isnan(each[:, mark]).all(axis=(1, 2))) for each in standings.judged]
        extra_measures = {}
        if self.entrants.is_wide and not standings.judging.trials:
            extra_measures = {
                title: measure for title, measure in EXTRA_MEASURES.items() if measure != shown_measure.measure
            }
        extra_bands = [
            replace(shown_measure, measure=measure).bands(standings, slice(mark, mark + 1))
            for measure in extra_measures.values()
        ]
        rows = []
        for number, (entrant, shares) in enumerate(zip(standings.entrants, bands, strict=True)):
            share_text = band_text(shares[:, mark], one=judged_counts[number] == 1)
            if shown_measure.excludes(entrant):
                share_text = ABSENT
            extra_texts = [f"{share_figure(extra[number][1, 0]):>{EXTRA_WIDTH}}" for extra in extra_bands]
            rows.append((share_text, "".join(extra_texts)))
        medians = [float(shares[1, mark]) for shares in bands]
        order = ranking(medians, shown_measure.measure)
        mark_texts: list[str] = []
        self.best = ""
        if not all(map(isnan, medians)):
            best_share = share_figure(medians[order[0]])
            leaders = [number for number in order if share_figure(medians[number]) == best_share]
            self.best = best_text(standings.entrants, leaders, best_share)
            fewest, machines = min(filter(None, judged_counts), default=0), len(standings.seeds)
            judged_text = "" if fewest == machines else f", {fewest:,} of {machines:,} machines"
            mark_texts = mark_texts_of(standings.marks[mark], judged_text)
        self.entrants.show(standings.entrants, mark_texts, rows, order, [*extra_measures])

    def _show_title(self, title: str) -> None:
        panel = self.query_one("#race-plot")
        entitle(panel, fitting_text(panel, *title_wordings(title)), fitting_text(panel, *KEY_TEXTS))

    def _extra_charts(
        self, shown_measure: ShownMeasure, entrants: Sequence[Entrant], game: Game
    ) -> Iterator[tuple[ShownMeasure, LineChart]]:
        """Show the charts of further measures, if there is room for them; yield each measure with its chart."""
        count = max(0, (self.size.height - FORM_LINES) // CHART_LINES)
        self.set_class(count > 0, "-more")
        self.entrants.is_whole = count > 0
        known = judging_of(game).measures
        measures = [each for each in CHART_MEASURES if each in known and each != shown_measure.measure][:count]
        panels = [*self.query(".race-more")]
        for number, panel in enumerate(panels):
            panel.display = number < len(measures)
        for panel, measure in zip(panels, measures, strict=False):
            extra_measure = replace(shown_measure, measure=measure)
            titles = title_wordings(extra_measure.text(game, entrants))
            entitle(panel, fitting_text(self.entrants, *titles))  # as wide, and has its width already
            yield extra_measure, panel.query_one(LineChart)

    def _show_chart(self, chart: LineChart, standings: Standings, bands: Sequence[Floats], *, log: bool) -> None:
        room = min(MAX_LABEL, chart.size.width - AXIS_WIDTH - MIN_PLOT)
        name_width = min(chart.size.width // NAME_PART, room - MIN_SHARE_LABELS)
        names = [plain(entrant_text(each, name_width)) for each in standings.entrants]
        reached = last_common_mark(bands) + 1  # so that a curve ends with the share in the list
        bands = [shares[:, :reached] for shares in bands]
        known = [shares[:, ~np.isnan(shares[1])] for shares in bands]
        axes = share_axes(max((float(shares.max()) for shares in known if shares.size), default=1.0), 1, log=log)
        series = []
        for number, shares in enumerate(bands):
            low, middle, high = (
                [
                    (mark, share_height(share, log=log))
                    for mark, share in zip(standings.marks, line.tolist(), strict=False)
                    if not isnan(share)
                ]
                for line in shares
            )
            label = f"{number + 1}"
            if name_width >= MIN_NAME:
                label += f" {names[number]}"
            if middle and room >= MIN_SHARE_LABELS:
                label += f" {share_figure(known[number][1, -1])} %"
            colour = theme_colour(self, COLOURS[number])
            series.append(Series(label, middle, colour, f"{number + 1}", low=low, high=high))
        chart.show(series, replace(axes, rounds=standings.marks[-1]))


def _rate_text(standings: Standings, per_second: float, *, running: bool) -> str:
    """Return the rate of a race with the time left, or, once it has ended, its mean rate with the time it took."""
    if not running:
        return f"{rate_text(standings.per_second, 'game')}  in {standings.seconds:.1f} s"
    steady = per_second if standings.done >= ESTIMATED_FROM * standings.total else 0.0
    time_left = duration_text(remaining_seconds(standings.done, standings.total, steady))
    return f"{rate_text(per_second, 'game')}  {time_left} left"
