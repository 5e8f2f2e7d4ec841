"""A training while it runs: what it loses to whom, what happened, the last game, and what it has learned."""

from collections.abc import Mapping
from dataclasses import replace
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
from lab.memory.card_filter import last_game_cells
from lab.training.exact_history import Exact
from lab.training.training_job import JobState, JobView
from lab.training.training_story import TrainingStory
from lab.words.learner_facts import FULL, exact_text, fares_text, fares_width, untrained, verdict
from lab.words.numbers import count_text, duration_text, percent_text, rate_text, remaining_seconds, rounds_text
from lab.words.running_statistics import kind_of_games, kind_text
from learners import revive
from learners.core.learner import Learner
from learners.core.snapshot import Memory
from tui.shell.live_text import Steady
from tui.train.loss_chart import loss_series
from tui.train.story_list import StoryList
from tui.widgets.line_chart import Axes, LineChart, Series
from tui.widgets.mark_styles import palette_of, theme_colour
from tui.widgets.shares_view import SharesView
from tui.widgets.tiles import Tile, lines_of, per_row
from tui.widgets.wall import Wall, tile_of

TILE_HEIGHT: Final = 5
"""The lines of a small board, its caption, and the heading or gap above."""
MOST_TILES: Final = 24
BOARD_WIDTH: Final = 16
"""The columns of the small board of the last game."""
CHART_PAUSE: Final = 0.5
"""Seconds between two drawings of the curves."""
WATCHED: Final = 10
"""The most rounds between two drawings of the wall for which changed numbers are highlighted."""
COLOURS: Final = {"perfect": "foreground", "random": "success", "best_responder": "error"}
"""The theme colour of each opponent's curve."""
GROWTH_COLOURS: Final = ("accent", "secondary", "success", "error")
SIDE_COLOURS: Final = {"{0}": "primary", "{1}": "warning"}


class Figure(Enum):
    """What is drawn below the chart, by the selector of its widget."""

    STORY = "#story"
    EXACT = "#exact"
    NEWEST = "#newest"
    WALL = "#live-wall"
    SHARES = "#live-shares"
    GROWTH = "#growth"


class TrainingView(Vertical):
    """Draws one moment of a training; knows nothing of the thread behind it."""

    DEFAULT_CSS = """
    TrainingView {
        & > #train-progress { height: 1; }
        & ProgressBar, & Bar { width: 1fr; }
        & #rate { width: 26; padding-left: 1; text-align: right; }
        & > #summary { height: 1; color: $text-muted; }
        & > #losses-title { height: 1; margin-top: 1; }
        & > #losses { height: 1fr; min-height: 6; }
        & > #below { height: 5; margin-top: 1; }
        & #train-board { width: 16; height: 100%; }
        & #figures { width: 1fr; height: 100%; }
        & #newest, & #exact { height: auto; }
    }
    .-low TrainingView > #losses-title { margin-top: 0; }
    .-low TrainingView > #below { height: 4; margin-top: 0; }
    .-tall TrainingView > #below { height: 1fr; }
    .-tall TrainingView > #summary { margin-top: 1; }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        """A view without a training."""
        super().__init__(id=id)
        self.figure = Figure.STORY
        self._side = Side.FIRST
        """The side whose losses are drawn, of a learner that plays both."""
        self._ghost: Mapping[int, Exact] = {}
        self._latest: tuple[JobView, Game, float, TrainingStory] | None = None
        self._charted = 0.0
        self._seen: tuple[int, Memory] | None = None
        """The rounds and the memory when the wall was drawn last."""

    def compose(self) -> ComposeResult:
        """Progress and a summary; the chart of losses; below it the last game and one figure."""
        with Horizontal(id="train-progress"):
            yield ProgressBar(total=100, show_eta=False, id="bar")
            yield Steady(id="rate")
        yield Steady(id="summary")
        yield Steady(id="losses-title")
        yield LineChart(id="losses")
        with Horizontal(id="below"):
            yield Steady(id="train-board")
            with Vertical(id="figures"):
                yield StoryList(id="story")
                yield Steady(id="exact")
                yield Steady(id="newest")
                yield Wall(id="live-wall")
                yield SharesView(id="live-shares")
                yield LineChart(id="growth")

    def on_mount(self) -> None:
        """Show one figure only."""
        self._arrange()

    def figures_of(self, kind: type[Learner]) -> list[Figure]:
        """The figures of a learner, in the order in which they take turns."""
        memory = [Figure.SHARES] if kind.strand_title else [Figure.WALL, Figure.NEWEST]
        return [Figure.STORY, Figure.EXACT, *memory, Figure.GROWTH]

    def turn(self) -> None:
        """Show the next figure when the training is drawn next."""
        if self._latest is None:
            return
        kind = type(self._revived())
        figures = self.figures_of(kind)
        self.figure = figures[(figures.index(self.figure) + 1) % len(figures)] if self.figure in figures else figures[0]
        self._charted = 0.0
        self._arrange()

    def turn_side(self) -> None:
        """Show the losses of the other side when the training is drawn next."""
        self._side, self._charted = self._side.other, 0.0

    def begin(self) -> None:
        """Show another training from now on."""
        self._side, self._charted, self._seen, self._latest = Side.FIRST, 0.0, None, None
        self.figure = Figure.STORY
        self._arrange()

    def show_ghost(self, learner: Learner, ghost: Mapping[int, Exact], name: str) -> None:
        """Before a training: the curves of an earlier one of the same kind, dim; none where there is none."""
        self._ghost = ghost
        self._clear()
        title = Text("Share of games lost", "bold")
        if ghost:
            title.append(f"   an earlier training: {name}", "dim")
        self.query_one("#losses-title", Steady).tell(title)
        self._draw_losses(learner, {}, max(ghost, default=10))

    def _clear(self) -> None:
        self.query_one("#bar", ProgressBar).update(total=100, progress=0)
        for name in ("rate", "summary", "train-board", "exact", "newest"):
            self.query_one(f"#{name}", Steady).tell("")
        self.query_one(StoryList).show((), "game", "What happens in the training is listed here.")

    def show(self, view: JobView, game: Game, per_second: float, story: TrainingStory) -> None:
        """Draw one moment; `per_second` is the rate of the last seconds."""
        self._latest = view, game, per_second, story
        learner = self._revived()
        if self.figure not in self.figures_of(type(learner)):
            self.figure = Figure.STORY
        self._arrange()
        self._draw_progress(view, per_second)
        self._draw_summary(view, learner)
        rounds = learner.rounds - view.done + view.total
        if view.state is not JobState.RUNNING or monotonic() - self._charted >= CHART_PAUSE:
            self._charted = monotonic()
            self.query_one("#losses-title", Steady).tell(self._title(learner, story.known))
            self._draw_losses(learner, story.known, rounds)
        self._draw_board(game, view, learner)
        self._draw_figure(view, learner, story, rounds)

    def _revived(self) -> Learner:
        assert self._latest is not None  # noqa: S101  callers have drawn a moment
        view, game, _, _ = self._latest
        return revive(replace(view.snapshot, bulk=b""), game)  # the bulk is large, and is not drawn

    def _arrange(self) -> None:
        for figure in Figure:
            self.query_one(figure.value).display = figure is self.figure

    def _draw_progress(self, view: JobView, per_second: float) -> None:
        total = view.done if view.perfect else view.total or 1
        self.query_one("#bar", ProgressBar).update(total=total, progress=view.done)
        if view.state.over:
            rate, tail = (view.done / view.seconds if view.seconds else 0.0), f"in {view.seconds:.2f} s"
        else:
            left = view.seconds_left
            left = remaining_seconds(view.done, view.total, per_second) if left is None else left
            rate, tail = per_second, f"{duration_text(left)} left"
        self.query_one("#rate", Steady).tell(f"{rate_text(rate)}  {tail}" if view.total else "")

    def _draw_summary(self, view: JobView, learner: Learner) -> None:
        """How games ended, and the learner's own statistics, as far as they fit in a line."""
        stats, game = view.snapshot.stats, learner.game
        if not learner.rounds:
            self.query_one("#summary", Steady).tell("")
            return
        kind = learner.remark(stats) or kind_text(kind_of_games(view.began, stats))
        ended = [
            f"{label.format(*game.marks)} {percent_text(count / max(1, stats['games']))}"
            for label, count in learner.endings(stats).items()
        ]
        own = [f"{count_text(stats[key])} {name}" for key, name in learner.own_stats.items() if name]
        place, parts = self.query_one("#summary", Steady), [", ".join(ended), kind, *own]
        while len(parts) > 1 and len("   ".join(parts)) > place.size.width:
            parts.pop()
        place.tell("   ".join(parts))

    def _side_of(self, learner: Learner) -> Side:
        return self._side if self._side in learner.sides else learner.sides[0]

    def _title(self, learner: Learner, known: Mapping[int, Exact]) -> Text:
        """Whose losses are drawn, and the last ones of the other side."""
        side = self._side_of(learner)
        never = ", not trained" if side in untrained(learner) else ""
        title = Text(f"Share of games lost as {learner.game.mark(side)}{never}", "bold", no_wrap=True)
        if side.other in learner.sides and known:
            last = known[max(known)][side.other.name.lower()].against
            words = ", ".join(
                f"{name} {percent_text(last[key].loss)}"
                for key, name in (("perfect", "perfect"), ("random", "random"), ("best_responder", "by heart"))
            )
            title.append(f"   o: as {learner.game.mark(side.other)} ({words})", "dim not bold")
        return title

    def _colour(self, name: str) -> str:
        return theme_colour(self, name)

    def _draw_losses(self, learner: Learner, known: Mapping[int, Exact], rounds: int) -> None:
        chart = self.query_one("#losses", LineChart)
        colours = {key: self._colour(name) for key, name in COLOURS.items()}
        series = loss_series(known, self._side_of(learner), colours, chart.size.width, self._ghost)
        axes = Axes(max(10, rounds), f"{learner.round_noun}s", logarithmic=learner.log_rounds)
        chart.show(series, axes, letters=self._letters)

    @property
    def _letters(self) -> bool:
        """Whether curves are drawn with letters, since there are no colours."""
        return self.app.no_color if hasattr(self.app, "no_color") else False

    def _draw_board(self, game: Game, view: JobView, learner: Learner) -> None:
        """The last game, as far as it has been shown."""
        board = self.query_one("#train-board", Steady)
        board.display = learner.learns_records
        if not learner.learns_records:
            return
        position = game.start
        for move in view.moves:
            position = game.play(position, move)
        caption = f"game {view.snapshot.stats['games']:,}" if view.moves or view.resigned else ""
        if view.resigned:
            caption += f": {game.mark(game.side(position))} resigns"
        board.tell(lines_of([Tile(game, position, {}, caption)], BOARD_WIDTH, palette_of(self)))

    def _draw_figure(self, view: JobView, learner: Learner, story: TrainingStory, rounds: int) -> None:
        match self.figure:
            case Figure.STORY:
                words = "Turning points are listed here." if view.state is JobState.RUNNING else "No turning point."
                self.query_one(StoryList).show(story.points, learner.round_noun, words)
            case Figure.EXACT:
                self._draw_exact(learner, story.known, resting=view.state is not JobState.RUNNING)
            case Figure.NEWEST:
                self._draw_newest(learner)
            case Figure.WALL:
                self._draw_wall(learner)
            case Figure.SHARES:
                self.query_one(SharesView).show(learner)
            case Figure.GROWTH:
                self._draw_growth(learner, view, rounds)

    def _draw_growth(self, learner: Learner, view: JobView, rounds: int) -> None:
        history = (*view.snapshot.history, view.snapshot.stats)
        numbers = [(stats[learner.counted], learner.growth(stats)) for stats in history]
        labels = [*numbers[-1][1]]
        series = [
            Series(
                f"{label.format(*learner.game.marks)} {count_text(numbers[-1][1][label])}",
                [(rounds, float(grown[label])) for rounds, grown in numbers if rounds],
                self._growth_colour(label, number),
                label.format(*learner.game.marks)[:1],
            )
            for number, label in enumerate(labels)
        ]
        values = [value for each in series for _, value in each.points]
        axes = Axes(
            max(10, rounds),
            f"{learner.round_noun}s",
            logarithmic=learner.log_rounds,
            low=min([0.0, *values]),
            high=max([1.0, *values]),
            number_text=count_text,
        )
        self.query_one("#growth", LineChart).show(series, axes, letters=self._letters)

    def _growth_colour(self, label: str, number: int) -> str:
        side = next((colour for mark, colour in SIDE_COLOURS.items() if mark in label), "")
        return self._colour(side or GROWTH_COLOURS[number % len(GROWTH_COLOURS)])

    def _draw_exact(self, learner: Learner, known: Mapping[int, Exact], *, resting: bool) -> None:
        """The last moment that is judged; with `resting` say so if it is not the last one."""
        target, game = self.query_one("#exact", Steady), learner.game
        if not known:
            target.tell(Text("The exact results come here while it trains.", "dim"))
            return
        at, room = max(known), self.query_one("#figures").size.width
        exact, behind = known[at], resting and at != learner.rounds
        if room < fares_width(len(exact)):
            side = self._side_of(learner).name.lower()
            exact = {side: exact[side]}
        moment = f"Exact after {rounds_text(at, learner.round_noun, short=False)}"
        moment += "".join(
            f", none as {learner.game.mark(side)}" for side in untrained(learner) if side.name.lower() in exact
        )
        moment += "; computing …" if behind else ""
        table = exact_text(learner, exact, room) if room >= FULL else fares_text(game, exact)
        text = Text.assemble((moment, "dim"), "\n", (verdict(game, exact), "" if behind else "bold"), "\n", table)
        if behind:
            text.stylize("dim")
        target.tell(text)

    def _draw_newest(self, learner: Learner) -> None:
        target, place = self.query_one("#newest", Steady), self.query_one("#figures")
        lit = last_game_cells(learner)
        tiles = [tile_of(learner, edge, lit) for edge in learner.newest(MOST_TILES)]
        tiles = tiles[: per_row(tiles, place.size.width) * max(1, place.size.height // TILE_HEIGHT)]
        none = "" if len(learner.cards()) else learner.words.none
        boards = lines_of(tiles, place.size.width, palette_of(self), apart=True)
        target.tell(Text.assemble((f"{learner.words.newest}\n" if tiles else none, "dim"), boards))

    def _draw_wall(self, learner: Learner) -> None:
        wall, rounds = self.query_one(Wall), learner.rounds
        wall.show(learner, learner.cards().tolist(), lit=last_game_cells(learner), empty=learner.words.none)
        if self._seen is not None and 0 < rounds - self._seen[0] <= WATCHED:
            wall.flash(frozenset(np.flatnonzero(self._seen[1] != learner.memory).tolist()))
        self._seen = rounds, learner.memory

    @on(Wall.Selected)
    def card_selected(self, message: Wall.Selected) -> None:
        """Go to the same situation in the other figure of the memory."""
        self.query_one(SharesView).select(message.edge)
