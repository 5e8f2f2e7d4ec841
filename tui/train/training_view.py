"""A training while it runs: progress, statistics, curves, and the memory."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from time import monotonic
from typing import Final

import numpy as np
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.widgets import ProgressBar

from engine.game import Game, Side
from lab.memory.card_filter import last_game_cells
from lab.training.exact_history import ExactResults
from lab.training.layout import Part, Room
from lab.training.training_job import JobState, JobView
from lab.words.learner_facts import FULL, exact_text, fares_text, fares_width, untrained, verdict
from lab.words.numbers import duration_text, rate_text, remaining_seconds, rounds_text
from lab.words.running_statistics import kind_of_games, kind_text, stats_table
from learners import LEARNERS, revive
from learners.core.learner import Learner
from learners.core.plural import counted_noun
from learners.core.snapshot import Memory, Snapshot
from tui.shell.live_text import LiveText
from tui.train.exact_chart import ExactChart
from tui.widgets.chart import Chart, Curve, sign_of
from tui.widgets.mark_styles import palette_of
from tui.widgets.shares_view import SharesView
from tui.widgets.tiles import lines_of, per_row
from tui.widgets.wall import Wall, tile_of

TILE_HEIGHT: Final = 5
"""The lines of a small board, its caption, and the heading or the gap above."""
MOST_TILES: Final = 24
CHART_PAUSE: Final = 1.0
"""Seconds between two drawings of the curves, which cost most and on a logarithmic axis change least."""
FEW_ROUNDS: Final = 10
"""The most rounds between two drawings after which changed numbers are highlighted."""
COLOURS: Final = {"{0}": "primary", "{1}": "warning", "draw": "success", "lost": "error", "best": "success"}
"""The theme colours of curves, by a part of their labels."""
OTHER_COLOURS: Final = ("error", "accent", "success", "secondary")


def curves_of(labels: Iterable[str]) -> tuple[Curve, ...]:
    """A curve for each label, each in a colour of its own; with signs if there are several."""
    named = {label: [colour for part, colour in COLOURS.items() if part in label] for label in labels}
    free = [colour for colour in OTHER_COLOURS if [colour] not in named.values()]
    return tuple(
        Curve(
            label, label, colours[0] if colours else free[number % len(free)], sign_of(label) if len(named) > 1 else ""
        )
        for number, (label, colours) in enumerate(named.items())
    )


class TrainingView(Vertical):
    """Shows one moment of a training. It knows nothing of the thread that trains."""

    DEFAULT_CSS = """
    TrainingView {
        & > #train-progress { height: 1; }
        & ProgressBar, & Bar { width: 1fr; }
        & #rate { width: 24; padding-left: 1; text-align: right; }
        & > #kind { height: 1; color: $text-muted; text-align: right; }
        & > #stats { height: 3; }
        &.-below > #stats { margin-bottom: 1; }
        & > #charts, & > #chart-second { height: 6fr; min-height: 6; }
        & > #newest { height: 5; margin-top: 1; }
        & > #exact { height: auto; }
        & > #live-wall, & > #live-shares { height: 7fr; }
        &.-below > #exact, &.-below > #live-wall, &.-below > #live-shares, &.-below > #chart-second { margin-top: 1; }
    }
    .-tall.-wide TrainingView > #newest { height: 10; }
    .-tall TrainingView > #kind { margin-bottom: 1; }
    .-even TrainingView > #stats, .-tall TrainingView > #stats { margin-bottom: 1; }
    """

    _latest: tuple[JobView, Game, float, Mapping[int, ExactResults]]
    _introduced: tuple[type[Learner], Game, tuple[Size, ...]] | None = None
    _charted = 0.0
    _kind = LEARNERS[0]
    _side = Side.FIRST
    """The side whose exact results are drawn, if the learner plays both."""
    _last: tuple[int, Memory] | None = None
    """The rounds and the memory when the wall was drawn last."""

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id, classes="-below")  # the usual layout: else all styles would be computed twice
        self._wanted: dict[bool, Part] = {}
        """The figure that the user chose, on a wide screen (`True`) and on others."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="train-progress"):
            yield ProgressBar(total=100, show_eta=False, id="bar")
            yield LiveText(id="rate")
        yield LiveText(id="kind")
        yield LiveText(id="stats")
        with Horizontal(id="charts"):
            yield Chart(id="chart-first")
            yield ExactChart(id="chart-truth")
        yield LiveText(id="exact")
        yield Chart(id="chart-second")
        yield Wall(id="live-wall")
        yield SharesView(id="live-shares")
        yield LiveText(id="newest")

    def show_next_figure(self) -> None:
        """Show the next figure at the next drawing: below both charts where there is room for them."""
        room, turns = self._room, self._room.turns(self._kind)
        self._wanted[room.wide] = turns[(turns.index(self._figure) + 1) % len(turns)]
        self._charted, self._introduced = 0.0, None

    def show_other_side(self) -> None:
        """Show the exact results of the other side at the next drawing."""
        self._side = self._side.other
        self._charted, self._introduced = 0.0, None

    @property
    def _room(self) -> Room:
        wide, tall, low = (self.screen.has_class(name) for name in ("-wide", "-tall", "-low"))
        return Room(wide, tall, low)

    @property
    def _figure(self) -> Part:
        """The figure that the user chose, if the learner has it and there is room; else the usual one."""
        wanted = self._wanted.get(self._room.wide)
        return wanted if wanted in self._room.turns(self._kind) else self._room.usual(self._kind)

    def _arrange(self) -> bool:
        """Show the parts that there is room for; returns whether that changed anything."""
        shown = {figure.value for figure in self._room.shown(self._figure)}
        charts = bool(shown & {Part.RESULTS.value, Part.TRUTH.value})
        moved = False
        for selector in ("#charts", *(figure.value for figure in Part)):
            part, display = self.query_one(selector), charts if selector == "#charts" else selector in shown
            moved |= part.display != display
            part.display = display
        self.set_class(charts, "-below")
        return moved

    def introduce(self, kind: type[Learner], game: Game) -> None:
        """Show empty charts of a learner that is not trained yet."""
        self._kind = kind
        self._arrange()
        what = kind, game, tuple(self.query_one(figure.value).size for figure in Part)  # a new widget has no size yet
        if what != self._introduced and game.numbered:
            self._introduced = what
            learner = kind(game, (kind.spec.presets_for(game) or [*kind.spec.presets])[0], seed=0)
            self._show_charts(learner, learner.snapshot(), 10)
            self._show_exact_chart(learner, {}, 10)
            self._show_exact(learner, {}, resting=False)
            self._clear(learner)

    def _clear(self, learner: Learner) -> None:
        """Remove all of a training that is no longer shown."""
        self.query_one("#bar", ProgressBar).update(total=100, progress=0)
        for name in ("rate", "kind", "stats", "newest"):
            self.query_one(f"#{name}", LiveText).set_text("")
        self.query_one(Wall).show(learner, (), empty="")
        if self._figure is Part.SHARES:
            self.query_one(SharesView).show(learner)

    def begin(self) -> None:
        """Prepare for another training."""
        self._side, self._charted, self._last = Side.FIRST, 0.0, None

    def show(self, view: JobView, game: Game, per_second: float, known: Mapping[int, ExactResults]) -> None:
        """Draw one moment; `per_second` is the rate of the last seconds, `known` the exact results computed so far."""
        self._latest, self._introduced = (view, game, per_second, known), None
        self._draw_latest()

    def _draw_latest(self) -> None:
        view, game, per_second, known = self._latest
        snapshot = replace(view.snapshot, bulk=b"")  # it takes long to revive, and is not drawn
        learner = revive(snapshot, game)
        self._kind = type(learner)
        if self._arrange():
            self.call_after_refresh(self._draw_latest)
            return
        total = view.done if view.perfect else view.total or 1
        self.query_one("#bar", ProgressBar).update(total=total, progress=view.done)
        if view.state.over:
            rate, tail = (view.done / view.seconds if view.seconds else 0.0), f"in {view.seconds:.2f} s"
        else:
            rate, tail = per_second, f"{duration_text(remaining_seconds(view.done, view.total, per_second))} left"
        self.query_one("#rate", LiveText).set_text(f"{rate_text(rate)}  {tail}" if view.total else "")
        kind = learner.view.remark(snapshot.stats) or kind_text(kind_of_games(view.began, snapshot.stats))
        self.query_one("#kind", LiveText).set_text(kind if view.done else "")
        stats = self.query_one("#stats", LiveText)
        table = stats_table(snapshot.stats, type(learner), game, stats.size.width)
        if stats.size.height != table.count("\n") + 1:
            stats.styles.height = table.count("\n") + 1
        stats.set_text(table)
        if view.state is not JobState.RUNNING or monotonic() - self._charted >= CHART_PAUSE:
            self._charted = monotonic()
            rounds = learner.rounds - view.done + view.total
            self._show_charts(learner, snapshot, rounds)
            self._show_exact_chart(learner, known, rounds)
        self._show_exact(learner, known, resting=view.state is not JobState.RUNNING)
        drawing = {Part.WALL: self._show_wall, Part.SHARES: self.query_one(SharesView).show}
        drawing.get(self._figure, self._show_newest)(learner)

    def _show_charts(self, learner: Learner, snapshot: Snapshot, rounds: int) -> None:
        history = (*snapshot.history, snapshot.stats)
        moments = [(stats[learner.spec.round_statistic], learner.view.curves(stats)) for stats in history]
        for nth, figure in enumerate((Part.RESULTS, Part.GROWTH)):
            chart = self.query_one(figure.value, Chart)
            if chart.display:
                now = moments[-1][1][nth]
                chart.title, chart.curves = now.title, curves_of(now.numbers)
                chart.log_counts, chart.log_rounds = now.log, learner.view.words.log_rounds
                points = [(at, curves[nth].numbers) for at, curves in moments]
                chart.show(points, rounds=rounds, marks=learner.game.marks)

    def _show_exact_chart(self, learner: Learner, known: Mapping[int, ExactResults], rounds: int) -> None:
        chart = self.query_one(ExactChart)
        if chart.display:
            chart.show_side(known, learner, self._side_of(learner), rounds)

    def _show_exact(self, learner: Learner, known: Mapping[int, ExactResults], *, resting: bool) -> None:
        """Show the newest exact results; with `resting` dimly, while those of the last round are being computed."""
        target, game = self.query_one(Part.EXACT.value, LiveText), learner.game
        if not target.display:
            return
        if not known:
            target.set_text(Text("Its exact results appear here while it trains.", "dim"))
            return
        at, room = max(known), target.size.width
        exact, behind = known[at], resting and at != learner.rounds
        if room < fares_width(len(exact)):
            side = self._side_of(learner).name.lower()
            exact = {side: exact[side]}
        moment = self._moment(learner, at, exact, room) + ("; computing …" if behind else "")
        table = exact_text(learner, exact, room) if room >= FULL else fares_text(game, exact)
        text = Text.assemble((moment, "dim"), "\n", (verdict(game, exact), "" if behind else "bold"), "\n", table)
        if behind:
            text.stylize("dim")
        target.set_text(text)

    @staticmethod
    def _moment(learner: Learner, rounds: int, exact: ExactResults, room: int) -> str:
        """After how much training these are the results, and on which sides it was not trained."""
        never = [learner.game.mark(side) for side in untrained(learner) if side.name.lower() in exact]
        long, short = counted_noun(rounds, learner.spec.round_noun), rounds_text(rounds, learner.spec.round_noun)
        text = f"Exact after {long}" + "".join(f", none of them as {mark}" for mark in never)
        return text if len(text) <= room else f"After {short}" + "".join(f", none as {mark}" for mark in never)

    def _side_of(self, learner: Learner) -> Side:
        return self._side if self._side in learner.sides else learner.sides[0]

    def _show_newest(self, learner: Learner) -> None:
        target = self.query_one("#newest", LiveText)
        room = max(1, target.size.height // TILE_HEIGHT)
        lit = last_game_cells(learner)
        tiles = [tile_of(learner, edge, lit) for edge in learner.view.newest(MOST_TILES)]
        tiles = tiles[: per_row(tiles, target.size.width) * room]
        none = "" if len(learner.view.cards()) else learner.view.words.none
        heading = f"{learner.view.words.newest}\n" if tiles else none
        boards = lines_of(tiles, target.size.width, palette_of(self), apart=True)
        target.set_text(Text.assemble((heading, "dim"), boards))

    def _show_wall(self, learner: Learner) -> None:
        wall, rounds = self.query_one(Wall), learner.rounds
        wall.show(learner, learner.view.cards().tolist(), lit=last_game_cells(learner), empty=learner.view.words.none)
        if self._last is not None and 0 < rounds - self._last[0] <= FEW_ROUNDS:
            wall.flash(frozenset(np.flatnonzero(self._last[1] != learner.memory).tolist()))
        self._last = rounds, learner.memory

    @on(Wall.Selected)
    def card_selected(self, message: Wall.Selected) -> None:
        """Go to the same gene in the genome."""
        self.query_one(SharesView).select(message.edge)
