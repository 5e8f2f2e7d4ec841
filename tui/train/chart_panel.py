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
from lab.results.tables import untrained, worst_case_text
from lab.text.axes import Axes
from lab.text.curves import Series
from lab.text.numbers import count_text, short_count
from lab.text.sanitise import plain
from lab.training.training_story import Ghost
from learners.core.learner import Learner
from learners.core.snapshot import Memory
from tui.shell.parts import LiveText, SizedPanel, entitle, fitting
from tui.train.moment import Moment
from tui.widgets.exact_bars import AIRY_ROWS, SIDE_ROWS, exact_bars
from tui.widgets.line_chart import LineChart
from tui.widgets.loss_chart import OPPONENTS, branch_series, loss_series
from tui.widgets.tiles import theme_colour
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
        self.charted = 0.0
        """The time when the chart was drawn last; 0 to draw it anew."""
        self._moment: Moment | None = None
        """The moment that was drawn last; `None` before a training."""
        self._last: tuple[int, Memory] | None = None
        """The number of rounds and the memory when the wall was last drawn."""

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
            self.chart, self.charted = charts[(charts.index(self.chart) + 1) % len(charts)], 0.0

    def _charts_of(self, learner: Learner) -> list[TrainingChart]:
        """Return the charts that take turns.

        A game that is too large for exact results begins with the curves of growth.
        """
        exact = [TrainingChart.LOSSES, TrainingChart.EXACT] if learner.game.learnable else []
        shown = [*exact, TrainingChart.WALL, TrainingChart.GROWTH]
        return shown if exact else shown[::-1]

    def show_other_side(self) -> None:
        """Show the losses of the other side at the next drawing."""
        self._side, self.charted = self._drawn_side.other, 0.0

    def show_next_opponent(self) -> None:
        """Compare a training with its branch by the losses to another opponent at the next drawing."""
        keys = [*OPPONENTS]
        self.opponent, self.charted = keys[(keys.index(self.opponent) + 1) % len(keys)], 0.0

    def introduce(self, learner: Learner) -> None:
        """Show what is known before a training begins: the curves of an earlier training, or the initial memory."""
        self.chart = TrainingChart.LOSSES if learner.game.learnable else TrainingChart.WALL
        self._arrange()
        if self.chart is TrainingChart.LOSSES:
            self._draw_losses(learner, {}, {}, 0)
        else:
            legend = " · ".join(f"{sign} {means}" for sign, means in learner.view.words.legend.items())
            self._entitle_chart(f"What it begins with · {TOO_LARGE.format(learner.game.title)}", notes=[legend])
            self._draw_wall(learner)

    def show(self, moment: Moment, learner: Learner) -> None:
        """Show a moment of a training; the whole memory is drawn again only now and then."""
        self._moment, view = moment, moment.view
        charts = self._charts_of(learner)
        if self.chart not in charts:
            self.chart = charts[0]
        self._arrange()
        pauses = self.is_wall and view.state is JobState.RUNNING
        if not pauses or monotonic() - self.charted >= WALL_PAUSE:
            self.charted = monotonic()
            self._draw_chart(moment, learner, learner.rounds + (view.total - view.done if view.state.active else 0))

    def _entitle_chart(self, title: str, *keys: str, notes: Sequence[str] = ()) -> None:
        """Write a title above the chart, and below it the longest of some notes that fits, and the keys."""
        own = [*filter(None, keys)]
        last = () if self._moment is None else ("`m` next chart", "`m` chart")
        told = [[*some, *each] for some in (own, []) for each in ([[way] for way in last] or [[]])]
        ways = [[note, *words] for words in told for note in notes] + told
        entitle(self, fitting(self, title, title.partition(" · ")[0]), fitting(self, *map(" · ".join, ways)))

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
        first = next((side for side in games if games[side]), learner.sides[0])
        self._drawn_side = self._side if self._side in learner.sides else first
        return self._drawn_side

    def ghost_of(self, learner: Learner) -> Ghost | None:
        """Return the earlier training whose curves are drawn behind this one's; `None` for one by a teacher."""
        ghost = None if self._moment is not None and self._moment.teaching is not None else self.ghost
        alike = ghost is not None and (type(ghost.learner), ghost.learner.game) == (type(learner), learner.game)
        return ghost if alike else None

    def _draw_losses(
        self,
        learner: Learner,
        known: Mapping[int, ExactResults],
        branches: Mapping[str, Mapping[int, ExactResults]],
        rounds: int,
        marks: tuple[int, ...] = (),
    ) -> None:
        chart, side, ghost = self.query_one("#losses", LineChart), self._side_of(learner), self.ghost_of(learner)
        mark = learner.game.mark(side) + (", not trained" if side in untrained(learner) else "")
        other = f"`s` as {learner.game.mark(side.other)}" if side.other in learner.sides else ""
        if branches:
            styles = {label: theme_colour(self, name) for label, name in zip(branches, BRANCH_COLOURS, strict=True)}
            whom = (
                IN_SENTENCES[self.opponent] if chart.size.width >= WHOLE_TITLE else OPPONENTS[self.opponent].short_name
            )
            self._entitle_chart(f"Games lost to {whom} as {mark}", "`o` opponent", other)
            rounds = max(rounds, *(max(each, default=0) for each in branches.values()))
            series = branch_series(branches, side, self.opponent, styles)
        else:
            jumps = learner.spec.round_noun != "game"  # the curves of a population would cross those of another one
            begun = any(known)  # after the first round: before, no curve is seen
            if begun and ghost:
                outgrown = max(known) > max(ghost.known) or not ghost.learner.rounds  # only pieces of it are seen
                ghost = None if chart.size.height < GHOST_FROM or jumps or outgrown else ghost
            how = "dimmed: " if begun else "by " if ghost is not None and ghost.learner.rounds else ""
            behind = "" if ghost is None else f" · {how}{plain(ghost.name, 30)}"
            self._entitle_chart(f"Games lost as {mark}{behind}", other, notes=READER_NOTES)
            colours = {opponent.colour: theme_colour(self, opponent.colour) for opponent in OPPONENTS.values()}
            series = loss_series(known, side, colours, chart.size.width)
            if ghost is not None:
                series += loss_series(ghost.known, side, colours, chart.size.width, ghost=True)
            # before a training, as far as one goes, so that the axis is the same when the ghost has been computed
            rounds = rounds or max([learner.spec.rounds_for(learner.preset), *(ghost.known if ghost else ())])
            if any(each.points for each in series if not each.dim):
                series = [replace(each, label="") if each.dim else each for each in series]
        chart.show(series, Axes(max(MIN_ROUNDS, rounds), f"{learner.spec.round_noun}s", marks=marks))

    def _draw_growth(self, learner: Learner, history: Sequence[Mapping[str, int]], rounds: int) -> None:
        unknown = "" if learner.game.learnable else f" · {TOO_LARGE.format(learner.game.title)}"
        self._entitle_chart(f"{learner.view.words.growth_title}{unknown}")
        numbers = [(stats[learner.spec.round_statistic], learner.view.growth(stats)) for stats in history]
        series = []
        for number, label in enumerate(numbers[-1][1]):
            name = label.format(*learner.game.marks)
            side = next((colour for mark, colour in SIDE_COLOURS.items() if mark in label), "")
            colour = theme_colour(self, side or GROWTH_COLOURS[number % len(GROWTH_COLOURS)])
            points = [(at, float(grown[label])) for at, grown in numbers if at]
            series.append(Series(f"{name} {count_text(numbers[-1][1][label])}", points, colour, name[:1]))
        values = [value for each in series for _, value in each.points]
        ends = min([0.0, *values]), max([1.0, *values])
        unit, (low, high) = f"{learner.spec.round_noun}s", ends
        axes = Axes(max(MIN_ROUNDS, rounds), unit, low=low, high=high, step=1.0, number_text=short_count)
        self.query_one("#growth", LineChart).show(series, axes)

    def _draw_exact(self, learner: Learner, known: Mapping[int, ExactResults], *, resting: bool) -> None:
        """Draw the newest exact results. If no training runs (`resting`), dim all but those of the last round."""
        target, game, room = self.query_one("#exact", LiveText), learner.game, self.size
        if not known:
            self._entitle_chart("Exact results")
            target.set_text(Text("They appear here while it trains.", "dim"))
            return
        at = max(known)
        exact, behind = known[at], resting and at != learner.rounds
        sentence, other = worst_case_text(game, exact).replace(" %", "\N{NO-BREAK SPACE}%"), ""
        told = wrap(sentence, max(1, room.width))  # as Rich does, but never before a unit
        if room.height < len(told) + SIDE_ROWS * len(exact) - 1:
            side = self._side_of(learner)
            other = f"`s` as {game.mark(side.other)}" if len(exact) > 1 else ""
            exact = {side.name.lower(): exact[side.name.lower()]}
        moment = f"Exact results after {counted_noun(at, learner.spec.round_noun)}"
        self._entitle_chart(f"{moment}; computing …" if behind else moment, other)
        styles = [theme_colour(self, "role-good"), "dim", theme_colour(self, "role-bad")]
        airy = room.height > len(told) + AIRY_ROWS * len(exact)
        bars = exact_bars(learner, exact, room.width, styles, airy=airy)
        text = Text.assemble(("\n".join(told), "" if behind else "bold"), "\n\n" if airy else "\n", bars)
        if behind:
            text.stylize("dim")
        target.set_text(text)

    def _draw_wall(self, learner: Learner) -> None:
        wall, rounds = self.query_one(Wall), learner.rounds
        lit = last_game_cells(learner, self._moment.view.gains if self._moment is not None else ())
        wall.show(learner, learner.view.cards().tolist(), lit=lit, empty=learner.view.words.none)
        of_moves = not learner.spec.parameters
        if of_moves and self._last is not None and 0 < rounds - self._last[0] <= FEW_ROUNDS:
            wall.flash(frozenset(np.flatnonzero(self._last[1] != learner.memory).tolist()))
        self._last = rounds, learner.memory
