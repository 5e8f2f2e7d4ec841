"""The chart of a training, one of several in the same panel: losses, exact results, the memory, and its growth."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum
from textwrap import wrap
from time import monotonic
from typing import Final

import numpy as np
from rich.text import Text
from textual.app import ComposeResult

from engine.game import Side
from engine.plural import counted_noun
from lab.jobs import JobState
from lab.memory.card_filter import last_game_cells
from lab.results.exact_results import ExactResults
from lab.results.score_lines import IN_SENTENCES, READER
from lab.results.tables import untrained_sides, worst_case_text
from lab.text.axes import Axes
from lab.text.curves import Series
from lab.text.numbers import count_text, short_count
from lab.text.sanitise import plain
from lab.training.training_story import Ghost
from learners.core.learner import Learner
from learners.core.snapshot import Memory
from tui.shell.parts import LiveText, SizedPanel, entitle, fitting_text
from tui.train.moment import Moment
from tui.widgets.exact_bars import AIRY_ROWS, SIDE_ROWS, exact_bars
from tui.widgets.line_chart import LineChart
from tui.widgets.loss_chart import OPPONENTS, branch_series, loss_series
from tui.widgets.palette import theme_colour
from tui.widgets.wall import Wall

WALL_PAUSE: Final = 0.5
"""Seconds between two drawings of the whole memory."""
FEW_ROUNDS: Final = 10
"""Changed numbers are highlighted only if at most this many rounds have passed since the last drawing."""
GROWTH_COLOURS: Final = ("role-lit", "role-heat", "role-good", "role-bad")
SIDE_COLOURS: Final = {"{0}": "role-first", "{1}": "role-second"}
BRANCH_COLOURS: Final = ("role-first", "role-second")
"""The colours of a training and of its branch."""
WHOLE_TITLE: Final = 54
"""The minimum width of a chart, in columns, whose title names an opponent in full."""
GHOST_FROM: Final = 14
"""The minimum height of a chart, in lines, that shows an earlier training behind another one."""
MIN_ROUNDS: Final = 10
"""The minimum number of rounds at the end of an axis."""
TOO_LARGE: Final = "{} is too large for exact results"
READER_NOTES: Final = (f"{READER}: {IN_SENTENCES['best_responder']}", f"{READER}: knows its memory")
"""What the name at a curve means, the longest form first."""


class TrainingChart(Enum):
    """A chart that can be shown in the largest panel; its value is the selector of its widget."""

    LOSSES = "#losses"
    EXACT = "#exact"
    WALL = "#live-wall"
    GROWTH = "#growth"


class ChartPanel(SizedPanel):
    """Shows one chart of a training, and gives way to the next one by key."""

    def __init__(self, *, id: str, classes: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id, classes=classes)
        self.ghost: Ghost | None = None
        """An earlier training, drawn behind a training of the same learner in the same game."""
        self.begin(taught=False)

    def begin(self, *, taught: bool) -> None:
        """Prepare for another training. One with a teacher shows its losses to the best responder at first."""
        self.chart = TrainingChart.LOSSES
        self.opponent = "best_responder" if taught else next(iter(OPPONENTS))
        """The key of an opponent: a training and its branch are compared by their losses to it."""
        self._side: Side | None = None
        """The side whose losses were chosen; until then, the first of the learner, or of its course, is drawn."""
        self._drawn_side = Side.FIRST
        self.drawn_at = 0.0
        """The time when the chart was drawn last; 0 to draw it anew."""
        self._moment: Moment | None = None
        """The moment that was drawn last; `None` before a training."""
        self._last_wall: tuple[int, Memory] | None = None
        """The number of rounds and the memory when the wall was drawn last."""

    def compose(self) -> ComposeResult:
        yield LineChart(id="losses")
        yield LiveText(id="exact")
        yield Wall(id="live-wall")
        yield LineChart(id="growth")

    def on_mount(self) -> None:
        self._arrange()

    def _arrange(self) -> None:
        for each in TrainingChart:
            self.query_one(each.value).display = each is self.chart

    @property
    def has_curve(self) -> bool:
        return self.chart in (TrainingChart.LOSSES, TrainingChart.GROWTH)

    @property
    def is_wall(self) -> bool:
        return self.chart is TrainingChart.WALL

    def show_next_chart(self) -> None:
        """Show the next chart at the next drawing."""
        if self._moment is not None:
            charts = self._charts_of(self._moment.learner)
            self.chart, self.drawn_at = charts[(charts.index(self.chart) + 1) % len(charts)], 0.0

    def _charts_of(self, learner: Learner) -> list[TrainingChart]:
        """Return the charts that take turns.

        A game that is too large for exact results begins with the curves of growth.
        """
        if learner.game.learnable:
            return list(TrainingChart)
        return [TrainingChart.GROWTH, TrainingChart.WALL]

    def show_other_side(self) -> None:
        """Show the losses of the other side at the next drawing."""
        self._side, self.drawn_at = self._drawn_side.other, 0.0

    def show_next_opponent(self) -> None:
        """Compare a training with its branch by the losses to another opponent at the next drawing."""
        keys = [*OPPONENTS]
        self.opponent, self.drawn_at = keys[(keys.index(self.opponent) + 1) % len(keys)], 0.0

    def introduce(self, learner: Learner) -> None:
        """Show what is known before a training begins: the curves of an earlier training, or the initial memory."""
        self.chart = TrainingChart.LOSSES if learner.game.learnable else TrainingChart.WALL
        self._arrange()
        if self.chart is TrainingChart.LOSSES:
            self._draw_losses(learner, {}, {}, 0)
        else:
            legend = " · ".join(f"{sign} {meaning}" for sign, meaning in learner.view.words.legend.items())
            self._entitle_chart(f"What it begins with · {TOO_LARGE.format(learner.game.title)}", notes=[legend])
            self._draw_wall(learner)

    def show(self, moment: Moment, learner: Learner) -> None:
        """Show a moment of a training; the whole memory is drawn again only now and then."""
        self._moment, view = moment, moment.view
        charts = self._charts_of(learner)
        if self.chart not in charts:
            self.chart = charts[0]
        self._arrange()
        draws_rarely = self.is_wall and view.state is JobState.RUNNING
        if not draws_rarely or monotonic() - self.drawn_at >= WALL_PAUSE:
            self.drawn_at = monotonic()
            rounds_left = view.total - view.done if view.state.active else 0
            self._draw_chart(moment, learner, learner.rounds + rounds_left)

    def _entitle_chart(self, title: str, *keys: str, notes: Sequence[str] = ()) -> None:
        """Write a title above the chart, and below it the longest of some notes that fits, and the keys."""
        chart_keys = [""] if self._moment is None else ["`m` next chart", "`m` chart"]
        footers = [(*keys, chart_key) for chart_key in chart_keys]
        footers += [(chart_key,) for chart_key in chart_keys]
        footers = [(note, *footer) for footer in footers for note in notes] + footers
        texts = [" · ".join(filter(None, footer)) for footer in footers]
        entitle(self, fitting_text(self, title, title.partition(" · ")[0]), fitting_text(self, *texts))

    def _draw_chart(self, moment: Moment, learner: Learner, rounds: int) -> None:
        words = learner.view.words
        match self.chart:
            case TrainingChart.LOSSES:
                marks = tuple(point.rounds for point in moment.story.told)
                self._draw_losses(learner, moment.story.known, moment.branches, rounds, marks)
            case TrainingChart.EXACT:
                self._draw_exact(learner, moment.story.known, resting=moment.view.state is not JobState.RUNNING)
            case TrainingChart.WALL:
                count = len(learner.view.cards())
                self._entitle_chart(f"All {count:,} {words.noun_for(count)}", "arrows move")
                self._draw_wall(learner)
            case TrainingChart.GROWTH:
                snapshot = moment.view.snapshot
                self._draw_growth(learner, (*snapshot.history, snapshot.stats), rounds)

    def _side_of(self, learner: Learner) -> Side:
        teaching = None if self._moment is None else self._moment.teaching
        games = {} if teaching is None or teaching.course is None else teaching.course.games
        if self._side in learner.sides:
            self._drawn_side = self._side
        else:
            self._drawn_side = next((side for side in games if games[side]), learner.sides[0])
        return self._drawn_side

    def ghost_of(self, learner: Learner) -> Ghost | None:
        """Return the earlier training whose curves are drawn behind this one's; `None` for one by a teacher."""
        ghost, is_taught = self.ghost, self._moment is not None and self._moment.teaching is not None
        if ghost is None or is_taught:
            return None
        is_alike = (type(ghost.learner), ghost.learner.game) == (type(learner), learner.game)
        return ghost if is_alike else None

    def _draw_losses(
        self,
        learner: Learner,
        known: Mapping[int, ExactResults],
        branches: Mapping[str, Mapping[int, ExactResults]],
        rounds: int,
        marks: tuple[int, ...] = (),
    ) -> None:
        chart, side = self.query_one("#losses", LineChart), self._side_of(learner)
        mark = learner.game.mark(side) + (", not trained" if side in untrained_sides(learner) else "")
        side_key = f"`s` as {learner.game.mark(side.other)}" if side.other in learner.sides else ""
        if branches:
            styles = {label: theme_colour(self, name) for label, name in zip(branches, BRANCH_COLOURS, strict=True)}
            opponent = OPPONENTS[self.opponent].short_name
            if chart.size.width >= WHOLE_TITLE:
                opponent = IN_SENTENCES[self.opponent]
            self._entitle_chart(f"Games lost to {opponent} as {mark}", "`o` opponent", side_key)
            rounds = max(rounds, *(max(each, default=0) for each in branches.values()))
            series = branch_series(branches, side, self.opponent, styles)
        else:
            ghost = self._ghost_behind(learner, known, chart.size.height)
            ghost_text = ""
            if ghost is not None:
                preposition = "by " if ghost.learner.rounds else ""
                ghost_text = f" · {'dimmed: ' if any(known) else preposition}{plain(ghost.name, 30)}"
            self._entitle_chart(f"Games lost as {mark}{ghost_text}", side_key, notes=READER_NOTES)
            colours = {opponent.colour: theme_colour(self, opponent.colour) for opponent in OPPONENTS.values()}
            series = loss_series(known, side, colours, chart.size.width)
            if ghost is not None:
                series += loss_series(ghost.known, side, colours, chart.size.width, ghost=True)
            # before a training, as far as one goes, so that the axis is the same when the ghost has been computed
            rounds = rounds or max([learner.spec.rounds_for(learner.preset), *(ghost.known if ghost else ())])
            if any(each.points for each in series if not each.dim):
                series = [replace(each, label="") if each.dim else each for each in series]
        chart.show(series, Axes(max(MIN_ROUNDS, rounds), f"{learner.spec.round_noun}s", marks=marks))

    def _ghost_behind(self, learner: Learner, known: Mapping[int, ExactResults], height: int) -> Ghost | None:
        """Return the earlier training that is drawn behind the curves of a training; `None` if it would hide them."""
        ghost = self.ghost_of(learner)
        has_curve = any(known)  # there is none at the start, before the first round
        if ghost is None or not has_curve:
            return ghost
        crosses = learner.spec.round_noun != "game"  # as the curves of a population would
        is_outgrown = max(known) > max(ghost.known) or not ghost.learner.rounds  # only pieces of it are seen
        return None if crosses or is_outgrown or height < GHOST_FROM else ghost

    def _draw_growth(self, learner: Learner, history: Sequence[Mapping[str, int]], rounds: int) -> None:
        reason = "" if learner.game.learnable else f" · {TOO_LARGE.format(learner.game.title)}"
        self._entitle_chart(f"{learner.view.words.growth_title}{reason}")
        counts = [(stats[learner.spec.round_statistic], learner.view.growth(stats)) for stats in history]
        newest = counts[-1][1]
        series = []
        for number, (label, count) in enumerate(newest.items()):
            name = label.format(*learner.game.marks)
            side_colour = next((colour for mark, colour in SIDE_COLOURS.items() if mark in label), "")
            colour = theme_colour(self, side_colour or GROWTH_COLOURS[number % len(GROWTH_COLOURS)])
            points = [(at, float(growth[label])) for at, growth in counts if at]
            series.append(Series(f"{name} {count_text(count)}", points, colour, name[:1]))
        values = [value for each in series for _, value in each.points]
        low, high = min([0.0, *values]), max([1.0, *values])
        unit = f"{learner.spec.round_noun}s"
        axes = Axes(max(MIN_ROUNDS, rounds), unit, low=low, high=high, step=1.0, number_text=short_count)
        self.query_one("#growth", LineChart).show(series, axes)

    def _draw_exact(self, learner: Learner, known: Mapping[int, ExactResults], *, resting: bool) -> None:
        """Draw the newest exact results. If no training runs (`resting`), dim all but those of the last round."""
        target, game, room = self.query_one("#exact", LiveText), learner.game, self.size
        if not known:
            self._entitle_chart("Exact results")
            target.set_text(Text("They appear here while it trains.", "dim"))
            return
        last_round = max(known)
        exact, is_stale = known[last_round], resting and last_round != learner.rounds
        sentence, side_key = worst_case_text(game, exact).replace(" %", "\N{NO-BREAK SPACE}%"), ""
        lines = wrap(sentence, max(1, room.width))  # as Rich does, but never before a unit
        if room.height < len(lines) + SIDE_ROWS * len(exact) - 1:
            side = self._side_of(learner)
            if len(exact) > 1:
                side_key = f"`s` as {game.mark(side.other)}"
            exact = {side.name.lower(): exact[side.name.lower()]}
        title = f"Exact results after {counted_noun(last_round, learner.spec.round_noun)}"
        self._entitle_chart(f"{title}; computing …" if is_stale else title, side_key)
        styles = [theme_colour(self, "role-good"), "dim", theme_colour(self, "role-bad")]
        airy = room.height > len(lines) + AIRY_ROWS * len(exact)
        bars = exact_bars(learner, exact, room.width, styles, airy=airy)
        text = Text.assemble(("\n".join(lines), "" if is_stale else "bold"), "\n\n" if airy else "\n", bars)
        if is_stale:
            text.stylize("dim")
        target.set_text(text)

    def _draw_wall(self, learner: Learner) -> None:
        wall, rounds = self.query_one(Wall), learner.rounds
        lit = last_game_cells(learner, self._moment.view.gains if self._moment is not None else ())
        wall.show(learner, learner.view.cards().tolist(), lit=lit, empty=learner.view.words.none)
        if self._last_wall is not None and not learner.spec.parameters:
            last_rounds, last_memory = self._last_wall
            if 0 < rounds - last_rounds <= FEW_ROUNDS:
                wall.flash(frozenset(np.flatnonzero(last_memory != learner.memory).tolist()))
        self._last_wall = rounds, learner.memory
