"""A training as it goes: progress, running statistics, curves, and what the memory holds."""

from collections.abc import Iterable
from dataclasses import replace
from enum import IntEnum
from time import monotonic
from typing import Final

import numpy as np
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.widgets import ProgressBar

from engine.game import Game
from learners import revive
from learners.learner import Learner
from learners.snapshot import Memory, Snapshot
from tui.cards import last_game_cells
from tui.figures import duration_text, rate_text, remaining_seconds
from tui.jobs import JobState, JobView
from tui.running_stats import kind_of_games, kind_text, stats_table
from tui.widgets.chart import Chart, Curve
from tui.widgets.palette import palette_of
from tui.widgets.shares_view import SharesView
from tui.widgets.steady import Steady
from tui.widgets.tiles import lines_of, per_row
from tui.widgets.wall import Wall, tile_of

TILE_HEIGHT: Final = 5
"""A little board, its caption, and a line for the heading or the gap above."""
MOST_TILES: Final = 24
CHART_PAUSE: Final = 1.0
"""Seconds between two drawings of the curves: the costliest part, and on a log axis the one that moves least."""
WATCHED: Final = 10
"""The most rounds between two looks at which an eye can tell what each of them changed."""
COLOURS: Final = {"{0}": "primary", "{1}": "warning", "draw": "success", "lost": "error", "best": "success"}
"""By what a label holds."""
OTHER_COLOURS: Final = ("error", "accent", "success", "secondary")


class Figure(IntEnum):
    """What takes the room that there is for one."""

    FIRST = 0
    SECOND = 1
    WALL = 2
    SHARES = 3


class Below(IntEnum):
    """What is below both charts where there is room for them."""

    NEWEST = 0
    WALL = 1
    SHARES = 2


def curves_of(labels: Iterable[str]) -> tuple[Curve, ...]:
    """A curve for each label, in the colour of what it names, else each in another."""
    named = {label: [colour for part, colour in COLOURS.items() if part in label] for label in labels}
    free = [colour for colour in OTHER_COLOURS if [colour] not in named.values()]
    return tuple(
        Curve(label, label, colours[0] if colours else free[number % len(free)])
        for number, (label, colours) in enumerate(named.items())
    )


class TrainingView(Vertical):
    """Draws one moment of a training; knows nothing of the thread behind it."""

    DEFAULT_CSS = """
    TrainingView {
        & > #train-progress { height: 1; }
        & ProgressBar, & Bar { width: 1fr; }
        & #rate { width: 24; padding-left: 1; text-align: right; }
        & > #kind { height: 1; color: $text-muted; text-align: right; }
        & > #stats { height: 3; margin: 0 0 1 0; }
        & > #charts { height: 1fr; min-height: 6; }
        & > #newest { height: 5; margin-top: 1; }
        & > #live-wall, & > #live-shares { height: 1fr; }
    }
    """

    _latest: tuple[JobView, Game, float]
    _introduced: tuple[type[Learner], Game, Size] | None = None
    _charted = 0.0
    _figure = Figure.FIRST
    _below: Below | None = None
    """What the person wants below both charts."""
    _seen: tuple[int, Memory] | None = None
    """The rounds and the memory at the last look."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="train-progress"):
            yield ProgressBar(total=100, show_eta=False, id="bar")
            yield Steady(id="rate")
        yield Steady(id="kind")
        yield Steady(id="stats")
        with Horizontal(id="charts"):
            yield Chart(id="chart-first")
            yield Chart(id="chart-second")
        yield Wall(id="live-wall")
        yield SharesView(id="live-shares")
        yield Steady(id="newest")

    def turn(self) -> None:
        """Show the next figure, as soon as it is drawn next: below both charts where there is room for them."""
        if self.screen.has_class("-wide"):
            shown = [self.has_class("-wall"), self.has_class("-shares")]
            self._below = Below((shown.index(True) + 2 if any(shown) else 1) % len(Below))
        else:
            self._figure = Figure((self._figure + 1) % len(Figure))
        self._charted = 0.0

    def _arrange(self, learner: Learner) -> bool:
        """Make room for what is to be seen; whether that moved anything.

        Without a wish of the person, a memory whose numbers change in place is shown as a wall where there is room, or
        as its strand. What the learner does not have gives way to the first figure.
        """
        charts, has_strand = self.query_one("#charts"), bool(learner.strand_title)
        before = charts.has_class("-second"), self.has_class("-wall"), self.has_class("-shares")
        figure, below = self._figure, self._below
        if figure is Figure.SHARES and not has_strand:
            figure = self._figure = Figure.FIRST
        if below is None:
            below = Below.SHARES if has_strand else Below(learner.keeps_memories)
        elif below is Below.SHARES and not has_strand:
            below = self._below = Below.NEWEST
        wide = self.screen.has_class("-wide")
        after = (
            figure is Figure.SECOND,
            below is Below.WALL if wide else figure is Figure.WALL,
            below is Below.SHARES if wide else figure is Figure.SHARES,
        )
        charts.set_class(after[0], "-second")
        self.set_class(after[1], "-wall")
        self.set_class(after[2], "-shares")
        return before != after

    def introduce(self, kind: type[Learner], game: Game) -> None:
        """Name what the charts will show of a learner before there is anything to show."""
        what = kind, game, self.query_one(Chart).size
        if what != self._introduced and game.numbered:
            self._introduced = what
            learner = kind(game, (kind.presets_for(game) or [*kind.presets])[0], seed=0)
            self._show_charts(learner, learner.snapshot(), 10)

    def show(self, view: JobView, game: Game, per_second: float) -> None:
        """Draw one moment; `per_second` is the rate of the last seconds."""
        self._latest = view, game, per_second
        self._draw_latest()

    def _draw_latest(self) -> None:
        view, game, per_second = self._latest
        snapshot = replace(view.snapshot, bulk=b"")  # which takes long to go over, and is not drawn
        learner = revive(snapshot, game)
        if self._arrange(learner):
            self.call_after_refresh(self._draw_latest)  # by then perhaps a later moment
            return
        self.query_one("#bar", ProgressBar).update(total=view.done if view.perfect else view.total, progress=view.done)
        if view.state.over:
            rate, tail = (view.done / view.seconds if view.seconds else 0.0), f"in {view.seconds:.2f} s"
        else:
            rate, tail = per_second, f"{duration_text(remaining_seconds(view.done, view.total, per_second))} left"
        self.query_one("#rate", Steady).tell(f"{rate_text(rate)}  {tail}")
        kind = learner.remark(snapshot.stats) or kind_text(kind_of_games(view.began, snapshot.stats))
        self.query_one("#kind", Steady).tell(kind if view.done else "")
        stats = self.query_one("#stats", Steady)
        table = stats_table(snapshot.stats, type(learner), game, stats.size.width)
        if stats.size.height != table.count("\n") + 1:
            stats.styles.height = table.count("\n") + 1
        stats.tell(table)
        if view.state is not JobState.RUNNING or monotonic() - self._charted >= CHART_PAUSE:
            self._charted = monotonic()
            self._show_charts(learner, snapshot, learner.rounds - view.done + view.total)
        if self.has_class("-wall"):
            self._show_wall(learner)
        elif self.has_class("-shares"):
            self.query_one(SharesView).show(learner)
        else:
            self._show_newest(learner)

    def _show_charts(self, learner: Learner, snapshot: Snapshot, rounds: int) -> None:
        history = (*snapshot.history, snapshot.stats)
        moments = [(stats[learner.counted], learner.curves(stats)) for stats in history]
        for nth, chart in enumerate(self.query(Chart)):
            if chart.display:
                now = moments[-1][1][nth]
                chart.title, chart.curves = now.title, curves_of(now.numbers)
                chart.log_counts, chart.log_rounds = now.log, learner.log_rounds
                points = [(at, curves[nth].numbers) for at, curves in moments]
                chart.show(points, rounds=rounds, marks=learner.game.marks)

    def _show_newest(self, learner: Learner) -> None:
        target = self.query_one("#newest", Steady)
        room = max(1, target.size.height // TILE_HEIGHT)
        lit = last_game_cells(learner)
        tiles = [tile_of(learner, edge, lit) for edge in learner.newest(MOST_TILES)]
        tiles = tiles[: per_row(tiles, target.size.width) * room]
        none = "" if len(learner.cards()) else learner.words.none
        heading = f"{learner.words.newest}\n" if tiles else none
        boards = lines_of(tiles, target.size.width, palette_of(self), apart=True)
        target.tell(Text.assemble((heading, "dim"), boards))

    def _show_wall(self, learner: Learner) -> None:
        wall, rounds = self.query_one(Wall), learner.rounds
        wall.show(learner, learner.cards().tolist(), lit=last_game_cells(learner), empty=learner.words.none)
        if self._seen is not None and 0 < rounds - self._seen[0] <= WATCHED:
            wall.flash(frozenset(np.flatnonzero(self._seen[1] != learner.memory).tolist()))
        self._seen = rounds, learner.memory

    @on(Wall.Selected)
    def card_selected(self, message: Wall.Selected) -> None:
        """Go to the same situation in the other figure of the memory."""
        self.query_one(SharesView).select(message.edge)
