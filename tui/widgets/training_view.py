"""A training as it goes: progress, running statistics, curves, and what the memory holds."""

from enum import IntEnum
from time import monotonic
from typing import Final

import numpy as np
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import ProgressBar

from engine.game import Game
from learners import revive
from learners.learner import Learner, Memory, Snapshot
from tui.cards import last_game_cells
from tui.figures import duration_text, rate_text, remaining_seconds
from tui.jobs import JobState, JobView
from tui.running_stats import kind_of_games, kind_text, stats_table
from tui.widgets.chart import Chart, Curve
from tui.widgets.palette import palette_of
from tui.widgets.steady import Steady
from tui.widgets.tiles import lines_of, per_row
from tui.widgets.wall import Wall, tile_of

TILE_HEIGHT: Final = 5
"""A little board, its caption, and a line for the heading or the gap above."""
MOST_TILES: Final = 24
CHART_PAUSE: Final = 1.0
"""Seconds between two drawings of the curves: the costliest part, and on a log axis the one that moves least."""
WATCHED: Final = 10
"""The most games between two looks at which an eye can tell what each of them changed."""
RESULTS: Final = (
    Curve("second_wins", "{1}", "warning"),
    Curve("first_wins", "{0}", "primary"),
    Curve("draws", "draws", "success"),
)
SIDE_COLOURS: Final = {"{0}": "primary", "{1}": "warning"}
OTHER_COLOURS: Final = ("error", "accent", "success", "secondary")


class Figure(IntEnum):
    """What takes the room that there is for one."""

    RESULTS = 0
    GROWTH = 1
    WALL = 2


def growth_curves(labels: list[str]) -> tuple[Curve, ...]:
    """A curve for each label, in the colour of the side that it names, else each in another."""
    sides = [next((colour for mark, colour in SIDE_COLOURS.items() if mark in label), None) for label in labels]
    return tuple(
        Curve(label, label, side or OTHER_COLOURS[number % len(OTHER_COLOURS)])
        for number, (label, side) in enumerate(zip(labels, sides, strict=True))
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
        & > #live-wall { height: 1fr; }
    }
    """

    _latest: tuple[JobView, Game, float]
    _charted = 0.0
    _figure = Figure.RESULTS
    _walled: bool | None = None
    """Whether the person wants the wall below both charts."""
    _seen: tuple[int, Memory] | None = None
    """The games and the memory at the last look."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="train-progress"):
            yield ProgressBar(total=100, show_eta=False, id="bar")
            yield Steady(id="rate")
        yield Steady(id="kind")
        yield Steady(id="stats")
        with Horizontal(id="charts"):
            yield Chart("Results", RESULTS, log_counts=True, id="chart-results")
            yield Chart("", (), log_counts=False, id="chart-memory")
        yield Wall(id="live-wall")
        yield Steady(id="newest")

    def turn(self) -> None:
        """Show the next figure, as soon as it is drawn next: below both charts where there is room for them."""
        if self.screen.has_class("-wide"):
            self._walled = not self.has_class("-wall")
        else:
            self._figure = Figure((self._figure + 1) % len(Figure))
        self._charted = 0.0

    def _arrange(self, learner: Learner) -> bool:
        """Make room for what is to be seen; whether that moved anything.

        Without a wish of the person, a memory whose numbers change in place is shown as a wall where there is room.
        """
        charts = self.query_one("#charts")
        before = charts.has_class("-second"), self.has_class("-wall")
        walled = learner.keeps_memories if self._walled is None else self._walled
        after = (
            self._figure is Figure.GROWTH,
            walled if self.screen.has_class("-wide") else self._figure is Figure.WALL,
        )
        charts.set_class(after[0], "-second")
        self.set_class(after[1], "-wall")
        return before != after

    def show(self, view: JobView, game: Game, per_second: float) -> None:
        """Draw one moment; `per_second` is the rate of the last seconds."""
        self._latest = view, game, per_second
        self._draw_latest()

    def _draw_latest(self) -> None:
        view, game, per_second = self._latest
        snapshot = view.snapshot
        learner = revive(snapshot, game)
        if self._arrange(learner):
            self.call_after_refresh(self._draw_latest)  # by then perhaps a later moment
            return
        self.query_one("#bar", ProgressBar).update(total=view.total, progress=view.done)
        if view.state.over:
            rate, tail = (view.done / view.seconds if view.seconds else 0.0), f"in {view.seconds:.2f} s"
        else:
            rate, tail = per_second, f"{duration_text(remaining_seconds(view.done, view.total, per_second))} left"
        self.query_one("#rate", Steady).tell(f"{rate_text(rate)}  {tail}")
        self.query_one("#kind", Steady).tell(kind_text(kind_of_games(view.began, snapshot.stats)) if view.done else "")
        stats = self.query_one("#stats", Steady)
        table = stats_table(snapshot.stats, type(learner), game, stats.size.width)
        if stats.size.height != table.count("\n") + 1:
            stats.styles.height = table.count("\n") + 1
        stats.tell(table)
        if view.state is not JobState.RUNNING or monotonic() - self._charted >= CHART_PAUSE:
            self._charted = monotonic()
            self._show_charts(learner, snapshot, snapshot.stats["games"] - view.done + view.total)
        if self.has_class("-wall"):
            self._show_wall(learner, snapshot)
        else:
            self._show_newest(learner)

    def _show_charts(self, learner: Learner, snapshot: Snapshot, games: int) -> None:
        history = (*snapshot.history, snapshot.stats)
        marks = learner.game.marks
        results, growth = self.query_one("#chart-results", Chart), self.query_one("#chart-memory", Chart)
        if results.display:
            results.show(history, games=games, marks=marks)
        if growth.display:
            growth.title, growth.curves = learner.growth_title, growth_curves([*learner.growth(snapshot.stats)])
            points = [{"games": stats["games"], **learner.growth(stats)} for stats in history]
            growth.show(points, games=games, marks=marks)

    def _show_newest(self, learner: Learner) -> None:
        target = self.query_one("#newest", Steady)
        room = max(1, target.size.height // TILE_HEIGHT)
        lit = last_game_cells(learner)
        tiles = [tile_of(learner, edge, lit) for edge in learner.newest(MOST_TILES)]
        tiles = tiles[: per_row(tiles, target.size.width) * room]
        heading = f"{learner.words.newest}\n" if tiles else learner.words.none
        boards = lines_of(tiles, target.size.width, palette_of(self), apart=True)
        target.tell(Text.assemble((heading, "dim"), boards))

    def _show_wall(self, learner: Learner, snapshot: Snapshot) -> None:
        wall, games = self.query_one(Wall), snapshot.stats["games"]
        wall.show(learner, learner.cards().tolist(), lit=last_game_cells(learner), empty=learner.words.none)
        if self._seen is not None and 0 < games - self._seen[0] <= WATCHED:
            wall.flash(frozenset(np.flatnonzero(self._seen[1] != learner.memory).tolist()))
        self._seen = games, learner.memory
