"""A training in progress: curves of its losses, its turning points, its last game, and its memory."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from time import monotonic
from typing import Final

import numpy as np
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import ProgressBar

from engine.game import Game, Side
from lab.jobs import JobState
from lab.memory.card_filter import last_game_cells
from lab.memory.matchbox import board_box
from lab.results.exact_results import ExactResults
from lab.results.tables import (
    WIDE_TABLE,
    by_opponent_text,
    by_opponent_width,
    exact_text,
    untrained,
    worst_case_text,
)
from lab.text.line_charts import Axes, Series
from lab.text.numbers import count_text, duration_text, percent_text, rate_text, remaining_seconds
from lab.text.sanitise import plain
from lab.training.setup import averages_per_game, averages_text
from lab.training.training_job import TrainingStatus
from lab.training.training_story import Ghost, TrainingStory
from learners import LEARNERS, revive
from learners.core.learner import Learner
from learners.core.plural import counted_label, counted_noun
from learners.core.snapshot import Memory
from tui.shell.parts import LiveText
from tui.train.loss_chart import OPPONENTS, branch_series, loss_series
from tui.train.story import StoryList
from tui.widgets.line_chart import LineChart
from tui.widgets.population import SharesView
from tui.widgets.tiles import BARE, lines_of, palette_of, per_row, theme_colour
from tui.widgets.wall import Wall, box_of

TILE_HEIGHT: Final = 5
"""The lines of a tile: a small board, its caption, and the heading or the gap above it."""
MAX_TILES: Final = 24
BOARD_WIDTH: Final = 16
"""The width of the small board of the last game, in columns."""
CHART_PAUSE: Final = 0.5
"""Seconds between two drawings of the curves."""
FEW_ROUNDS: Final = 10
"""Changed numbers are highlighted only if at most this many rounds have passed since the last drawing."""
GROWTH_COLOURS: Final = ("accent", "secondary", "success", "error")
SIDE_COLOURS: Final = {"{0}": "primary", "{1}": "warning"}
BRANCH_COLOURS: Final = ("primary", "warning")
"""The colours of a training and of its branch."""
MIN_ROUNDS: Final = 10
"""The minimum number of rounds at the end of an axis."""


class TrainingFigure(Enum):
    """A figure that can be shown below the chart; its value is the selector of its widget."""

    STORY = "#story"
    EXACT = "#exact"
    NEWEST = "#newest"
    WALL = "#live-wall"
    SHARES = "#live-shares"
    GROWTH = "#growth"


MEMORY: Final = frozenset({TrainingFigure.WALL, TrainingFigure.SHARES})
LARGE: Final = MEMORY | {TrainingFigure.EXACT, TrainingFigure.GROWTH}
"""The figures that need more than a few lines."""


@dataclass(frozen=True)
class Moment:
    """What is drawn: the state of a training at one moment."""

    view: TrainingStatus
    game: Game
    per_second: float
    """The rounds per second during the last seconds."""
    story: TrainingStory
    branches: Mapping[str, TrainingStory]
    """The stories of a training and of its branch, by label; empty if there is no branch."""

    @property
    def learner(self) -> Learner:
        """The learner without its bulk, which is slow to read and not drawn."""
        return revive(replace(self.view.snapshot, bulk=b""), self.game)


EARLIER: Final = "   earlier: "
MIN_NAME: Final = 4
"""The minimum width, in columns, of the name of an earlier training; with less room, it is left out."""
INTRODUCTION: Final = "The turning points of the training are listed here."
LONG_INTRODUCTION: Final = (
    "A curve shows how many games it would lose to one opponent, computed exactly at many moments of its training. "
    "Below it stand the last game and the turning points, such as the game after which it never loses to perfect "
    "play; beside them everything that it remembers."
)
"""The end of the text that is shown before a training, on a small and on a large screen."""


class TrainingView(Vertical):
    """Shows one moment of a training; independent of the thread that trains."""

    DEFAULT_CSS = """
    TrainingView {
        & > #train-progress { height: 1; }
        & ProgressBar, & Bar { width: 1fr; }
        & #rate { width: 32; padding-left: 1; text-align: right; }
        & > #summary { height: 1; color: $text-muted; }
        & > #losses-title { height: 1; margin-top: 1; }
        & > #losses { height: 1fr; min-height: 6; }
        & > #below { height: 5; margin-top: 1; }
        & #train-board { width: 16; height: 100%; }
        & #figures, & #train-memory { width: 1fr; height: 100%; }
        & #train-memory { padding-left: 2; }
        & #newest, & #exact, & #growth-title { height: auto; }
    }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.figure = TrainingFigure.STORY
        self.opponent = next(iter(OPPONENTS))
        """The key of an opponent: a training and its branch are compared by their losses to it."""
        self._side = Side.FIRST
        """The side whose losses are drawn, if the learner plays it."""
        self.ghost: Ghost | None = None
        """An earlier training, drawn behind a training of the same learner in the same game."""
        self._moment: Moment | None = None
        """What was drawn last, if a training has begun."""
        self._charted = 0.0
        self._last: tuple[int, Memory] | None = None
        """The number of rounds and the memory when the wall was last drawn."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="train-progress"):
            yield ProgressBar(total=100, show_eta=False, id="bar")
            yield LiveText(id="rate")
        yield LiveText(id="summary")
        yield LiveText(id="losses-title")
        yield LineChart(id="losses")
        with Horizontal(id="below"):
            yield LiveText(id="train-board")
            with Vertical(id="figures"):
                yield StoryList(id="story")
                yield LiveText(id="exact")
                yield LiveText(id="newest")
                yield LiveText(id="growth-title")
                yield LineChart(id="growth")
            with Vertical(id="train-memory"):
                yield Wall(id="live-wall")
                yield SharesView(id="live-shares")

    def on_mount(self) -> None:
        self._arrange()

    def show_next_figure(self) -> None:
        """Show the next figure at the next drawing."""
        if self._moment is not None:
            figures = self._figures_of(self._moment.learner)
            place = figures.index(self.figure) + 1 if self.figure in figures else 0
            self.figure, self._charted = figures[place % len(figures)], 0.0

    def _figures_of(self, learner: Learner) -> list[TrainingFigure]:
        """The figures that take turns below the chart; a large screen always shows the memory beside them.

        A game that is too large for exact results has no turning points either, and the curves of growth come first.
        """
        memory = TrainingFigure.SHARES if learner.view.words.strand_title else TrainingFigure.WALL
        beside = [] if self._roomy else [memory]
        newest = [] if memory is TrainingFigure.SHARES else [TrainingFigure.NEWEST]
        exact = [TrainingFigure.STORY, TrainingFigure.EXACT] if learner.game.learnable else []
        shown = [*exact, *beside, *newest, TrainingFigure.GROWTH]
        return shown if exact else shown[::-1]

    @property
    def _roomy(self) -> bool:
        """Whether there is room for the memory beside the other figures."""
        return self.screen.has_class("-wide") and self.screen.has_class("-tall")

    def show_other_side(self) -> None:
        """Show the losses of the other side at the next drawing."""
        self._side, self._charted = self._side.other, 0.0

    def show_next_opponent(self) -> None:
        """Compare a training with its branch by the losses to another opponent at the next drawing."""
        keys = [*OPPONENTS]
        self.opponent, self._charted = keys[(keys.index(self.opponent) + 1) % len(keys)], 0.0

    def begin(self) -> None:
        """Prepare for another training."""
        self._side, self._charted, self._last, self._moment = Side.FIRST, 0.0, None, None
        self.figure = TrainingFigure.STORY
        self._arrange()

    def show_ghost(self, learner: Learner) -> None:
        """Before a training: show the curves of an earlier one, if any, dim."""
        self._moment, ghost = None, self.ghost
        self.query_one("#bar", ProgressBar).update(total=100, progress=0)
        self.query_one("#train-progress").visible = False
        self.query_one("#train-board").display = False
        for name in ("summary", "exact", "newest"):
            self.query_one(f"#{name}", LiveText).set_text("")
        self.query_one(StoryList).show((), self._introduction(learner))
        title = Text(f"Share of games lost as {learner.game.mark(self._side_of(learner))}", "bold")
        place = self.query_one("#losses-title", LiveText)
        if ghost is not None:
            room = place.size.width - title.cell_len - len(EARLIER)
            title.append(f"{EARLIER}{plain(ghost.name, min(30, room))}" if room >= MIN_NAME else "", "dim not bold")
        place.set_text(title)
        self._draw_losses(learner, {}, {}, 0)

    def _introduction(self, learner: Learner) -> str:
        """The text before a training: how the learner learns, and what will be shown here."""
        words = [f"{learner.spec.title}: it {learner.spec.summary}."]
        if learner.game.learnable:
            words.append(LONG_INTRODUCTION if self._roomy else INTRODUCTION)
        return ("\n\n" if self._roomy else " ").join(words)

    def show(self, moment: Moment) -> None:
        """Draw one moment."""
        self._moment = moment
        view, learner = moment.view, moment.learner
        figures = self._figures_of(learner)
        if self.figure not in figures:
            self.figure = figures[0]
        self._arrange(type(learner))
        self._draw_progress(view, learner, moment.per_second)
        self._draw_summary(view, learner)
        rounds = learner.rounds + (view.total - view.done if view.state.active else 0)
        if view.state is not JobState.RUNNING or monotonic() - self._charted >= CHART_PAUSE:
            self._charted = monotonic()
            known, branches = moment.story.known, {label: story.known for label, story in moment.branches.items()}
            self.query_one("#losses-title", LiveText).set_text(self._title(learner, known, branched=bool(branches)))
            self._draw_losses(learner, known, branches, rounds)
        self._draw_board(view, learner)
        self._draw_figure(moment, learner, rounds)

    def _arrange(self, kind: type[Learner] = LEARNERS[0]) -> None:
        """Show the figures that fit. On a low screen, a large figure takes the place of the chart."""
        memory = TrainingFigure.SHARES if kind.view_type.words.strand_title else TrainingFigure.WALL
        shown = {self.figure, memory} if self._roomy and self._moment is not None else {self.figure}
        for figure in TrainingFigure:
            self.query_one(figure.value).display = figure in shown
        self.query_one("#growth-title").display = self.figure is TrainingFigure.GROWTH
        self.query_one("#figures").display = not shown <= MEMORY
        self.query_one("#train-memory").display = bool(shown & MEMORY)
        large = self.figure in LARGE and not self.screen.has_class("-tall")
        self.set_class(large, "-large")
        for selector in ("#losses", "#losses-title"):
            self.query_one(selector).display = not large

    def _draw_progress(self, view: TrainingStatus, learner: Learner, per_second: float) -> None:
        self.query_one("#train-progress").visible = True
        total = view.done if view.perfect else view.total or 1
        self.query_one("#bar", ProgressBar).update(total=total, progress=view.done)
        if not view.state.active:
            rate, tail = (view.done / view.seconds if view.seconds else 0.0), f"in {view.seconds:.2f} s"
        else:
            left = view.seconds_left
            left = remaining_seconds(view.done, view.total, per_second) if left is None else left
            rate, tail = per_second, f"{duration_text(left)} left"
        words = f"{rate_text(rate, learner.spec.round_noun)}  {tail}"
        self.query_one("#rate", LiveText).set_text(words if view.total else "")

    def _draw_summary(self, view: TrainingStatus, learner: Learner) -> None:
        """Draw how games ended, and as many statistics of the learner as fit in the line."""
        stats, place = view.snapshot.stats, self.query_one("#summary", LiveText)
        if not learner.rounds:
            place.set_text("")
            return
        ended = ", ".join(
            f"{label.format(*learner.game.marks)} {percent_text(count / max(1, stats['games']))}"
            for label, count in learner.view.endings(stats).items()
        )
        averages = averages_per_game(view.began, stats)
        shown = {learner.spec.round_statistic, *(key for key in learner.spec.stat_labels if f"{key}_share" in averages)}
        own = {key: name for key, name in learner.spec.stat_labels.items() if key not in shown}
        parts = [ended, learner.view.remark(stats) or averages_text(averages)]
        parts += [counted_label(stats[key], name) for key, name in own.items()]
        while len(parts) > 1 and len("   ".join(parts)) > place.size.width:
            parts.pop()
        place.set_text("   ".join(parts))

    def _side_of(self, learner: Learner) -> Side:
        return self._side if self._side in learner.sides else learner.sides[0]

    def _title(self, learner: Learner, known: Mapping[int, ExactResults], *, branched: bool) -> Text:
        """Which losses are drawn; if they fit, also the newest losses as the other side, and the earlier training."""
        side = self._side_of(learner)
        mark = learner.game.mark(side) + (", not trained" if side in untrained(learner) else "")
        if branched:
            title = Text(f"Share of games lost to {OPPONENTS[self.opponent].name} as {mark}", "bold", no_wrap=True)
            return title.append("   o: another opponent   s: other side", "dim not bold")
        title = Text(f"Share of games lost as {mark}", "bold", no_wrap=True)
        if not learner.game.learnable:
            return title.append(f"   {learner.game.title} is too large for exact results", "dim not bold")
        ghost, hint, full = self._ghost_of(learner), "", ""
        earlier = "" if ghost is None else f"{EARLIER}{plain(ghost.name, 30)}"
        if side.other in learner.sides and known:
            last = known[max(known)][side.other.name.lower()].against
            words = ", ".join(
                f"{opponent.short_name} {percent_text(last[key].loss)}" for key, opponent in OPPONENTS.items()
            )
            hint = f"   s: as {learner.game.mark(side.other)}"
            full = f"{hint} ({words})"
        room = self.query_one("#losses-title").size.width - title.cell_len
        texts = (full + earlier, hint + earlier, hint)
        return title.append(next((each for each in texts if len(each) <= room), ""), "dim not bold")

    def _ghost_of(self, learner: Learner) -> Ghost | None:
        """The earlier training whose curves are drawn behind those of this learner, if any."""
        ghost = self.ghost
        alike = ghost is not None and (ghost.learner, ghost.game) == (learner.spec.name, learner.game.name)
        return ghost if alike else None

    def _draw_losses(
        self,
        learner: Learner,
        known: Mapping[int, ExactResults],
        branches: Mapping[str, Mapping[int, ExactResults]],
        rounds: int,
    ) -> None:
        chart, side = self.query_one("#losses", LineChart), self._side_of(learner)
        if branches:
            styles = {label: theme_colour(self, name) for label, name in zip(branches, BRANCH_COLOURS, strict=True)}
            series = branch_series(branches, side, self.opponent, styles)
        else:
            colours = {opponent.colour: theme_colour(self, opponent.colour) for opponent in OPPONENTS.values()}
            series = loss_series(known, side, colours, chart.size.width)
            ghost = self._ghost_of(learner)
            if ghost is not None:
                series += loss_series(ghost.known, side, colours, chart.size.width, ghost=True)
                rounds = rounds or max(ghost.known)
            if any(each.points for each in series if not each.dim):
                series = [replace(each, label="") if each.dim else each for each in series]
        self._show_chart(chart, series, learner, Axes(max(MIN_ROUNDS, rounds)))

    def _show_chart(self, chart: LineChart, series: list[Series], learner: Learner, axes: Axes) -> None:
        words = learner.view.words
        axes = replace(axes, unit=f"{learner.spec.round_noun}s", logarithmic=words.log_rounds)
        chart.show(series, axes)

    def _draw_board(self, view: TrainingStatus, learner: Learner) -> None:
        """Draw the last game, up to the move that the view has reached."""
        board, game = self.query_one("#train-board", LiveText), learner.game
        crowded = self.figure is TrainingFigure.EXACT and self.size.width < BOARD_WIDTH + 1 + by_opponent_width(1)
        board.display = learner.spec.plays_games and not crowded
        if not board.display:
            return
        position = game.start
        for move in view.moves:
            position = game.play(position, move)
        caption = f"game {view.snapshot.stats['games']:,}" if view.moves or view.resigned else ""
        if view.resigned:
            caption += f": {game.mark(game.side(position))} resigns"
        board.set_text(lines_of([board_box(game, position, caption)], BOARD_WIDTH, palette_of(self), BARE))

    def _draw_figure(self, moment: Moment, learner: Learner, rounds: int) -> None:
        running = moment.view.state is JobState.RUNNING
        if self.query_one(Wall).display:
            self._draw_wall(learner)
        if self.query_one(SharesView).display:
            self.query_one(SharesView).show(learner)
        match self.figure:
            case TrainingFigure.STORY:
                over = not moment.view.state.active
                words = "No turning point." if over else INTRODUCTION
                lines = moment.story.lines(learner.spec.round_noun)
                self.query_one(StoryList).show(lines, words)
            case TrainingFigure.EXACT:
                self._draw_exact(learner, moment.story.known, resting=not running)
            case TrainingFigure.NEWEST:
                self._draw_newest(learner)
            case TrainingFigure.GROWTH:
                self._draw_growth(learner, moment.view, rounds)

    def _draw_growth(self, learner: Learner, view: TrainingStatus, rounds: int) -> None:
        self.query_one("#growth-title", LiveText).set_text(Text(learner.view.words.growth_title, "bold"))
        history = (*view.snapshot.history, view.snapshot.stats)
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
        axes = Axes(max(MIN_ROUNDS, rounds), low=ends[0], high=ends[1], number_text=count_text)
        self._show_chart(self.query_one("#growth", LineChart), series, learner, axes)

    def _draw_exact(self, learner: Learner, known: Mapping[int, ExactResults], *, resting: bool) -> None:
        """Draw the newest exact results. If no training runs (`resting`), dim all but those of the last round."""
        target, game = self.query_one("#exact", LiveText), learner.game
        if not known:
            target.set_text(Text("Its exact results appear here while it trains.", "dim"))
            return
        at, room = max(known), self.query_one("#figures").size.width
        exact, behind = known[at], resting and at != learner.rounds
        if room < by_opponent_width(len(exact)):
            side = self._side_of(learner).name.lower()
            exact = {side: exact[side]}
        never = [learner.game.mark(side) for side in untrained(learner) if side.name.lower() in exact]
        moment = f"Exact after {counted_noun(at, learner.spec.round_noun)}"
        moment += "".join(f", {mark} untrained" for mark in never) + ("; computing …" if behind else "")
        table = exact_text(learner, exact, room) if room >= WIDE_TABLE else by_opponent_text(game, exact)
        text = Text.assemble(
            (moment, "dim"), "\n", (worst_case_text(game, exact), "" if behind else "bold"), "\n", table
        )
        if behind:
            text.stylize("dim")
        target.set_text(text)

    def _draw_newest(self, learner: Learner) -> None:
        target, place = self.query_one("#newest", LiveText), self.query_one("#figures")
        lit = last_game_cells(learner)
        tiles = [box_of(learner, edge, lit) for edge in learner.view.newest(MAX_TILES)]
        tiles = tiles[: per_row(tiles, place.size.width) * max(1, place.size.height // TILE_HEIGHT)]
        none = "" if len(learner.view.cards()) else learner.view.words.none
        boards = lines_of(tiles, place.size.width, palette_of(self))
        target.set_text(Text.assemble((f"{learner.view.words.newest}\n" if tiles else none, "dim"), boards))

    def _draw_wall(self, learner: Learner) -> None:
        wall, rounds = self.query_one(Wall), learner.rounds
        wall.show(learner, learner.view.cards().tolist(), lit=last_game_cells(learner), empty=learner.view.words.none)
        of_moves = not learner.spec.parameters
        if of_moves and self._last is not None and 0 < rounds - self._last[0] <= FEW_ROUNDS:
            wall.flash(frozenset(np.flatnonzero(self._last[1] != learner.memory).tolist()))
        self._last = rounds, learner.memory

    @on(Wall.Selected)
    def card_selected(self, message: Wall.Selected) -> None:
        """Select the gene of this card in the genome."""
        self.query_one(SharesView).select(message.edge)
