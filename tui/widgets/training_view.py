"""A training as it goes: progress, running statistics, curves, and the newest failures."""

from time import monotonic
from typing import Final

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import ProgressBar

from engine.game import Game
from engine.space import space_of
from learners import parse_learner
from learners.learner import Snapshot
from tui.failure_pages import failure_tile, newest
from tui.figures import duration_text, rate_text, remaining_seconds
from tui.jobs import JobState, JobView
from tui.running_stats import stats_table
from tui.widgets.chart import Chart, Curve
from tui.widgets.palette import palette_of
from tui.widgets.steady import Steady
from tui.widgets.tiles import lines_of, per_row

TILE_HEIGHT: Final = 5
"""A little board, its caption, and a line for the heading or the gap above."""
MOST_TILES: Final = 24
CHART_PAUSE: Final = 1.0
"""Seconds between two drawings of the curves: the costliest part, and on a log axis the one that moves least."""
RESULTS: Final = (
    Curve("second_wins", "{1}", "warning"),
    Curve("first_wins", "{0}", "primary"),
    Curve("draws", "draws", "success"),
)


class TrainingView(Vertical):
    """Draws one moment of a training; knows nothing of the thread behind it."""

    DEFAULT_CSS = """
    TrainingView {
        & > #train-progress { height: 1; }
        & ProgressBar, & Bar { width: 1fr; }
        & #rate { width: 24; padding-left: 1; text-align: right; }
        & > #stats { height: 3; margin: 1 0; }
        & > #charts { height: 1fr; min-height: 6; }
        & > #newest { height: 5; margin-top: 1; }
    }
    """

    _charted = 0.0

    def compose(self) -> ComposeResult:
        with Horizontal(id="train-progress"):
            yield ProgressBar(total=100, show_eta=False, id="bar")
            yield Steady(id="rate")
        yield Steady(id="stats")
        with Horizontal(id="charts"):
            yield Chart("Results", RESULTS, log_counts=True, id="chart-results")
            yield Chart("Memory", (), log_counts=False, id="chart-memory")
        yield Steady(id="newest")

    def turn(self) -> None:
        """Show the other chart, where there is room for one, as soon as it is drawn next."""
        self.query_one("#charts").toggle_class("-second")
        self._charted = 0.0

    def show(self, view: JobView, game: Game, per_second: float) -> None:
        """Draw one moment; `per_second` is the rate of the last seconds."""
        snapshot = view.snapshot
        self.query_one("#bar", ProgressBar).update(total=view.total, progress=view.done)
        if view.state.over:
            rate, tail = (view.done / view.seconds if view.seconds else 0.0), f"in {view.seconds:.2f} s"
        else:
            rate, tail = per_second, f"{duration_text(remaining_seconds(view.done, view.total, per_second))} left"
        self.query_one("#rate", Steady).tell(f"{rate_text(rate)}  {tail}")
        stats = self.query_one("#stats", Steady)
        stats.tell(stats_table(snapshot.stats, parse_learner(snapshot.learner), game, stats.size.width))
        if view.state is not JobState.RUNNING or monotonic() - self._charted >= CHART_PAUSE:
            self._charted = monotonic()
            self._show_charts(snapshot, game, snapshot.stats["games"] - view.done + view.total)
        self._show_newest(snapshot, game)

    def _show_charts(self, snapshot: Snapshot, game: Game, games: int) -> None:
        learner = parse_learner(snapshot.learner)
        history = (*snapshot.history, snapshot.stats)
        size = Curve(learner.size_stat, learner.own_stats[learner.size_stat], "error")
        self.query_one("#chart-memory", Chart).curves = (size,)
        for chart in self.query(Chart):
            if chart.display:
                chart.show(history, games=games, marks=game.marks)

    def _show_newest(self, snapshot: Snapshot, game: Game) -> None:
        target = self.query_one("#newest", Steady)
        room = max(1, target.size.height // TILE_HEIGHT)
        edges = newest(snapshot.memory, MOST_TILES)
        tiles = [failure_tile(space_of(game), snapshot.memory, edge) for edge in edges]
        tiles = tiles[: per_row(tiles, target.size.width) * room]
        heading = Text("Newest failures\n" if tiles else "No failure recorded yet", "dim")
        target.tell(heading + lines_of(tiles, target.size.width, palette_of(self), apart=True))
