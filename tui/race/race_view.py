"""A race in progress: the progress, a chart of all entrants, and a list of them, ranked by their shares."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isnan
from time import monotonic
from typing import Final

import numpy as np
from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import OptionList, ProgressBar, Static

from engine.game import Game
from engine.plural import listed
from lab.race.race_job import Earlier, RaceJob, earlier_curve, size_text
from lab.race.race_text import (
    BOTH_SIDES,
    NOTHING,
    SHORT_SIDES,
    ShownMeasure,
    band_text,
    entrant_text,
    ranking,
    share_figure,
)
from lab.results.score_lines import READER
from lab.text.axes import share_axes, share_height
from lab.text.curves import Series
from lab.text.line_charts import MAX_LABEL, MIN_PLOT
from lab.text.numbers import duration_text, percent_text, rate_text, remaining_seconds, rounds_text, short_count
from lab.text.sanitise import plain
from lab.training.training_story import UNTRAINED
from learners.race.entrants import Entrant
from learners.race.measures import KNOWN, LOST, MEMORY_READER, Floats, judging_of, parse_measure
from learners.race.race import Standings
from tui.shell.parts import LiveText, Options, Prose, entitle, fitting
from tui.widgets.chart_screen import KEYS_SHOWN
from tui.widgets.form import Form
from tui.widgets.line_chart import LineChart
from tui.widgets.tiles import theme_colour

FRAME: Final = 6
"""The columns of a frame that its title leaves: two corners, two dashes and two spaces."""
CHART_PAUSE: Final = 0.7
"""Seconds between two drawings of the curves."""
COLOURS: Final = ("role-first", "role-second", "role-good", "role-bad", "lilac", "silver", "pink", "gold")
"""The theme colours of the entrants, in order."""
MOVES: Final = "moves, %"
MORE_MEASURES: Final = {
    "random": parse_measure("loss-random"),
    "perfect": parse_measure("loss-perfect"),
    "reader": parse_measure("loss-best"),
    MOVES: parse_measure("perfect-moves"),
}
"""The measures of additional columns of the list, if they fit, by heading; the measure shown needs none."""
CHARTED: Final = *MORE_MEASURES.values(), *LOST, *reversed(KNOWN)
"""The measures of further charts, where they are known: the first of these that the large chart does not show."""
MORE_WIDTH: Final = 9
BAND_WIDTH: Final = 16
BAND_HEADINGS: Final = "median % [middle 80 %]", "median % [80 %]"
MEDIAN_WIDTH: Final = 7
MEDIAN_HEADING: Final = "median %"
ABOUT: Final = "A curve will be the median of the machines of an entrant, in a band that holds the middle 80 % of them."
"""A description of the chart, shown above it until there are curves."""
ABSENT: Final = "plays other side"
"""The sign in place of a share of an entrant that does not play the chosen side."""
MORE_CHARTS: Final = 2
"""How many charts of further measures stand below the list, where there is room."""
WIDE: Final = 70
"""The minimum width of the list, in columns, with the additional columns."""
LABELLED: Final = 26
"""The minimum width beside the plot, in columns, for labels of curves that name their entrants."""
SHARED: Final = 10
"""The minimum width beside the plot, in columns, for labels with shares; the list below has them too."""
EMPTY_TOP: Final = 0.5
"""The share at the top of the axis of a chart without curves: about that of learners before their training."""
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
        & #race-rate { width: 24; padding-left: 1; text-align: right; color: $text-muted; }
        & > #race-left { width: 40; height: 100%; margin-right: 1; }
        & > #race-plot { width: 1fr; height: 100%; }
        &.-ended ProgressBar { display: none; }
        &.-ended #race-rate { width: 1fr; }
        & #race-about { height: auto; max-width: 90; color: $text-muted; }
        & LineChart { height: 1fr; min-height: 4; }
        & #race-table { height: 1fr; }
        & .race-more { display: none; height: 1fr; }
        &.-more { & #race-table, & #race-entrants { height: auto; } & .race-more { display: block; } }
        & #race-heads { height: auto; max-width: 100; color: $text-muted; }
        & #race-entrants {
            height: 1fr; max-width: 100; padding: 0; border: none;
            text-wrap: nowrap; text-overflow: ellipsis; background: $background;
        }
    }
    """

    _charted = 0.0
    _drawn: object = None

    def __init__(self, form: Form, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self._form = form
        self.order: Sequence[int] = ()
        """The numbers of the entrants, from 0, in the order of the list: the best first."""
        self.best = ""
        """The entrants with the best share, and this share; empty before there is one."""

    def compose(self) -> ComposeResult:
        with Vertical(id="race-left"):
            yield self._form
            with entitle(Vertical(id="race-table", classes="panel"), "Entrants", "`n` adds · `Del` removes"):
                yield LiveText(id="race-heads")
                yield Options(id="race-entrants", compact=True, markup=False)
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
    def chosen_entrant(self) -> int | None:
        """The number of the entrant under the cursor, from 0."""
        row = self.query_one("#race-entrants", OptionList).highlighted
        return None if row is None or row >= len(self.order) else self.order[row]

    def _set_begun(self, *, begun: bool) -> None:
        """Show the progress if the race has `begun`; otherwise what the chart will show."""
        self.query_one("#race-progress").display = begun
        self.query_one("#race-about").display = not begun

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
        charts = [(seen, self.query_one("#race-chart", LineChart)), *self._more_charts(seen, entrants)]
        for seen_too, chart in charts:
            if earlier is not None:
                self._show_earlier(chart, entrants, seen_too, last, earlier)
            elif not chart.series:
                chart.show([], share_axes(EMPTY_TOP, last, log=False))
        parts = [ABOUT] if self.screen.has_class("-tall") else []
        if course is not None and entrants and not (earlier and self.screen.has_class("-low")):
            parts.append(size_text(len(entrants), len(course[0]), course[1]))
        if earlier:
            fresh = any(ghost.name == UNTRAINED for ghost in earlier.values())
            parts.append(f"Dim: {'before training' if fresh else 'how saves trained'}.")
        self.query_one("#race-about", Static).update(" ".join(parts))
        self._list(entrants, [], [(ABSENT if seen.excludes(entrant) else NOTHING, "") for entrant in entrants])

    def _show_earlier(
        self, chart: LineChart, entrants: Sequence[Entrant], seen: ShownMeasure, last: int, earlier: Earlier
    ) -> None:
        """Draw the curves of earlier trainings on axes of at least `last`; saves have no colour of an entrant."""
        series, mixed = list[Series](), seen.side is None and any(each.only is None for each in entrants)
        for learner, ghost in earlier.items():
            of = [at for at, each in enumerate(entrants) if each.fixed is None and each.kind.spec.name == learner]
            points = earlier_curve(ghost, seen) if of else ()
            if points:
                name = plain(ghost.name, 20)
                is_entrant = name == UNTRAINED  # a save has not the number of an entrant
                called = [f"{at + 1}" for at in of] if is_entrant else [name]
                side = [f"as {entrants[0].game.mark(*ghost.sides)}"] if mixed and len(ghost.sides) == 1 else []
                label = " ".join([*called, *side, percent_text(points[-1][1])])
                letter = f"{of[0] + 1}" if is_entrant else name[:1]
                colour = theme_colour(self, COLOURS[of[0]]) if is_entrant else ""
                series.append(Series(label, points, colour, letter, dim=True))
        top = max((share for each in series for _, share in each.points), default=1.0)
        chart.show(series, share_axes(top, max([last, *(each.points[-1][0] for each in series)]), log=False))

    def show(  # noqa: PLR0913  a race, and how it is drawn
        self, job: RaceJob, standings: Standings, seen: ShownMeasure, per_second: float, *, log: bool, hidden: int = 0
    ) -> None:
        """Draw a race as it is now, or while it is replayed, without its last `hidden` marks.

        `per_second` is the number of games per second during the last seconds.
        """
        self._set_begun(begun=True)
        self.set_class(not job.running, "-ended")
        self.query_one("#race-bar", ProgressBar).update(total=standings.total, progress=standings.done)
        known = per_second if standings.done >= ESTIMATED_FROM * standings.total else 0.0
        left = duration_text(remaining_seconds(standings.done, standings.total, known))
        rate = f"{rate_text(per_second)}  {left} left"
        if not job.running:
            rate = f"{rate_text(standings.per_second)}  in {standings.seconds:.2f} s"
        self.query_one("#race-rate", LiveText).set_text(rate)
        what = standings.marks, seen, log, job.view.state, self.size, self.app.theme, hidden
        if what != self._drawn or monotonic() - self._charted >= CHART_PAUSE:
            self._drawn, self._charted = what, monotonic()
            shown = standings.at_mark(len(standings.marks) - hidden) if hidden else standings
            self._show_standings(shown, seen, log=log)

    def _show_standings(self, standings: Standings, seen: ShownMeasure, *, log: bool) -> None:
        bands = seen.bands(standings)
        self._show_title(seen.text(standings.entrants[0].game, standings.entrants))
        self._show_chart(self.query_one("#race-chart", LineChart), standings, bands, log=log)
        for seen_too, chart in self._more_charts(seen, standings.entrants):
            self._show_chart(chart, standings, seen_too.bands(standings), log=log)
        at = common_mark(bands)
        here = slice(at, at + 1)
        counts = [np.count_nonzero(~np.isnan(each[:, at]).all(axis=(1, 2))) for each in standings.judged]
        roomy = self._wide and not standings.judging.trials
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
        best = [standings.entrants[number].text for number in order if share_figure(bands[number][1, at]) == share]
        self.best = f"{listed(best, 'and')}, {share} %" if known else ""
        fewest, machines = min(filter(None, counts), default=0), len(standings.seeds)
        moments = moment_texts(standings.marks[at], "" if fewest == machines else f", {fewest:,} of {machines:,}")
        self._list(standings.entrants, moments if known else [], rows, order, [*shown])

    @property
    def _wide(self) -> bool:
        return self._width >= WIDE

    @property
    def _width(self) -> int:
        return self.query_one("#race-heads").content_size.width

    def _show_title(self, title: str) -> None:
        place = self.query_one("#race-plot")
        entitle(place, self._title(title, place), fitting(place, *KEYS_SHOWN))

    def _title(self, title: str, place: Widget) -> str:
        """Return the title for the panel of a chart."""
        room = place.outer_size.width - FRAME
        shortened = title.replace(MEMORY_READER, f"a {READER}")
        shortest = shortened.replace(" against ", " to ")
        sides = BOTH_SIDES, *SHORT_SIDES
        ways = [each.replace(BOTH_SIDES, both) for each in (title, shortened, shortest) for both in sides]
        title = next((each for each in ways if len(each) <= room), ways[-1])
        return title[0].upper() + title[1:]

    def _more_charts(self, seen: ShownMeasure, entrants: Sequence[Entrant]) -> Iterator[tuple[ShownMeasure, LineChart]]:
        """Show the charts of further measures, if there is room for them; yield each measure with its chart."""
        shown = bool(entrants) and self.screen.has_class("-wide", "-tall")
        self.set_class(shown, "-more")
        known = judging_of(entrants[0].game).measures if shown else ()
        others = [each for each in CHARTED if each in known and each != seen.measure][:MORE_CHARTS]
        for number, measure in enumerate(others):
            other, place = replace(seen, measure=measure), self.query_one(f"#race-more-{number}")
            words = other.text(entrants[0].game, entrants)
            entitle(place, self._title(words, self.query_one("#race-table")))  # as wide, and has its width already
            yield other, place.query_one(LineChart)

    def _show_chart(self, chart: LineChart, standings: Standings, bands: Sequence[Floats], *, log: bool) -> None:
        room = min(MAX_LABEL, chart.size.width - AXIS - MIN_PLOT)
        # long names would take the room of the curves: what was typed is shorter
        names = [entrant_text(each) for each in standings.entrants]
        if max(map(len, names)) > chart.size.width // 4:
            names = [each.text for each in standings.entrants]
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
            words = f" {plain(names[number], room - len(share) - 3)}" if room >= LABELLED else ""
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

    def _list(
        self,
        entrants: Sequence[Entrant],
        moments: Sequence[str],
        rows: Sequence[tuple[str, str]],
        order: Sequence[int] | None = None,
        more: Sequence[str] = (),
    ) -> None:
        """List the entrants in `order`; the cursor stays on its entrant, or else in its line.

        `moments` says when the shares were measured, in ways that become shorter; `more` has the headings of the
        additional columns.
        """
        listed = self.query_one("#race-entrants", OptionList)
        before, row = self.chosen_entrant, listed.highlighted
        self.order = range(len(entrants)) if order is None else order
        # the width is 0 while the screen opens
        scrolls = not self.has_class("-more") and len(entrants) > listed.size.height
        room = max(1, self._width - scrolls - 2 - BAND_WIDTH - MORE_WIDTH * len(more))
        shown, longest = BAND_WIDTH, max((len(plain(each.text)) for each in entrants), default=0)
        if longest >= room and ABSENT not in dict(rows):  # a whole name is worth more than a band
            rows, shown = [(shares.partition(" [")[0], others) for shares, others in rows], MEDIAN_WIDTH
            room += BAND_WIDTH - MEDIAN_WIDTH
        heads = self._headings(moments, room, shown, more) if self._width else ""  # known once it is laid out
        self.query_one("#race-heads", LiveText).set_text(heads)
        names = names_in([(entrant_text(each), plain(each.text)) for each in entrants], room)
        texts = [self._row(number, names[number], rows[number], room, shown) for number in self.order]
        if texts != [option.prompt for option in listed.options]:
            listed.set_options(texts)
            if before is not None and before in self.order:
                listed.highlighted = list(self.order).index(before)
            elif row is not None:
                listed.highlighted = min(row, len(entrants) - 1)

    def _headings(self, moments: Sequence[str], room: int, shown: int, more: Sequence[str]) -> str:
        """Return the headings of the list, whose names take `room` columns, and whose shares take `shown`."""
        headings, width = BAND_HEADINGS if shown == BAND_WIDTH else (MEDIAN_HEADING,), room + 2 + shown
        ways = [(each, heading) for heading in headings for each in moments[:2]]
        ways += [(each, headings[0]) for each in moments[2:]]  # without the number of machines
        when, heading = next((way for way in ways if sum(map(len, way)) + 1 < width), ("", headings[0]))
        against = MORE_WIDTH * sum(title != MOVES for title in more)
        perfect = f"{'perfect':>{MORE_WIDTH}}" if MOVES in more else ""
        above = f"{' ' * width} {' lost against, % ':─^{against - 1}}{perfect}\n" if more else ""
        return f"{above}{when}{heading.rjust(width - len(when))}{''.join(f'{title:>{MORE_WIDTH}}' for title in more)}"

    def _row(self, number: int, name: tuple[str, str], share: tuple[str, str], room: int, shown: int) -> Text:
        """Return a line of the list: the number that labels the curve, the name of the entrant, and its shares."""
        shares, others = share
        colour, (words, written) = theme_colour(self, COLOURS[number]), name
        mark = Style(color=colour, bold=True, bgcolor=theme_colour(self, "background"))  # also under the cursor
        line = Text(no_wrap=True, overflow="ellipsis").append(f"{number + 1}", mark).append(" ")
        line.append(words).append(written.ljust(room - len(words)), "not bold dim")
        return line.append(f"{shares:>{shown}}{others}", "not bold")


def moment_texts(games: int, machines: str) -> list[str]:
    """Return when shares were measured, in ways that become shorter; `machines` says how many, unless it was all."""
    short = f"after {short_count(games)}"
    return [f"after {rounds_text(games, 'game')}{machines}", f"{short}{machines}", short]


def names_in(names: Sequence[tuple[str, str]], room: int) -> list[tuple[str, str]]:
    """Return the names of entrants as shown in `room` columns; each name is given in words and as typed.

    Both forms are shown if they fit; otherwise the words if they fit; otherwise the typed form, which is shorter.
    """
    words, written = (max(map(len, column), default=0) for column in zip(*names, strict=True)) if names else (0, 0)
    if words + written + 3 <= room:
        return [(f"{name:<{words}}  ", text) for name, text in names]
    if words < room:
        return [(name, "") for name, _ in names]
    return [(plain(text, max(1, room - 1)), "") for _, text in names]
