"""A training in progress, in panels: its curves, its turning points, the game now, and the boxes opened last."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import zip_longest
from textwrap import wrap
from time import monotonic
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message

from engine.game import Game, Move, Side
from engine.plural import counted_noun
from lab.jobs import JobState
from lab.memory.card_filter import cells_of, last_game_cells
from lab.memory.matchbox import Matchbox, Square, SquareKind, board_box
from lab.results.exact_results import ExactResults
from lab.results.score_lines import IN_SENTENCES, READER
from lab.results.tables import untrained, worst_case_text
from lab.text.line_charts import Axes, Series, tick_text
from lab.text.numbers import count_text
from lab.text.sanitise import plain
from lab.training.teaching_job import TeachingJob
from lab.training.training_job import TrainingStatus
from lab.training.training_story import Ghost, TrainingStory
from learners import LEARNERS, revive
from learners.core.learner import Learner
from learners.core.snapshot import Memory
from tui.shell.parts import FRAME, LiveText, entitle, fitting
from tui.train.exact_bars import AIRY_ROWS, SIDE_ROWS, exact_bars
from tui.train.loss_chart import OPPONENTS, branch_series, loss_series
from tui.train.story import StoryList
from tui.widgets.line_chart import LineChart
from tui.widgets.tiles import SMALL, box_height, lines_of, palette_of, per_row, theme_colour
from tui.widgets.wall import Wall, box_of

MAX_BOXES: Final = 120
BOXES_SHARE: Final = 0.42
"""The most of the height that the boxes take on a tall screen; on others they have one row."""
GAP: Final = "   "
"""Stands between the board of the last game and its moves."""
CHART_PAUSE: Final = 0.5
"""Seconds between two drawings of the curves."""
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
SLIM, TALL_SLIM = 64, 90
"""With fewer columns, on a low and on a tall screen, the turning points are below the curves and not beside them."""
FORM: Final = 43
"""The columns beside the form on a wide screen, which is open at first: the first frame is drawn for them."""
OPENS: Final = "Enter: its memory then"
WAITING: Final = "Turning points of the training are listed here, with the game after which each holds."
UNFOUND: Final = "The games of the course are listed here once it is found, each with what it teaches."
READER_NOTES: Final = (f"{READER}: {IN_SENTENCES['best_responder']}", f"{READER}: has read its memory")
"""What the name at a curve means, the longest form first."""
LONG_INTRODUCTION: Final = (
    "A curve shows how many games it would lose to one opponent, computed exactly at many moments of its training. "
    "Beside it stand the turning points, such as the game after which it never loses to perfect play, and the game "
    "that it plays now; below, the boxes that it opened last."
)
"""The end of the text that is shown before a training on a large screen."""


def game_names(game: Game, moves: Sequence[Move]) -> list[str]:
    """Return the moves of a game in words, numbered where a pair of moves begins: `1. b2`, `a1`, `2. c3` …"""
    numbers = (f"{ply // 2 + 1}.\u00a0" if ply % 2 == 0 else "" for ply in range(len(moves)))
    return [f"{number}{game.move_name(move)}" for number, move in zip(numbers, moves, strict=True)]


class TrainingFigure(Enum):
    """A figure that can be shown in the largest panel; its value is the selector of its widget."""

    LOSSES = "#losses"
    EXACT = "#exact"
    WALL = "#live-wall"
    GROWTH = "#growth"


@dataclass(frozen=True)
class Moment:
    """What is drawn: the state of a training at one moment."""

    view: TrainingStatus
    game: Game
    story: TrainingStory
    branches: Mapping[str, Mapping[int, ExactResults]]
    """The exact results of a training and of its branch, or of one without its teacher, by label; empty if alone."""
    teaching: TeachingJob | None = None
    """The training, if a teacher trains it."""

    @property
    def learner(self) -> Learner:
        """The learner without its bulk, which is slow to read and not drawn."""
        return revive(replace(self.view.snapshot, bulk=b""))


class SizedPanel(Vertical):
    """A panel whose content is drawn for its size. Posts `Sized` when it has got another one."""

    class Sized(Message):
        """Posted when the panel has another size, also after it was hidden."""

    def on_resize(self) -> None:
        self.post_message(self.Sized())


class TrainingView(Vertical):
    """Shows one moment of a training; independent of the thread that trains."""

    DEFAULT_CSS = """
    TrainingView {
        & > Horizontal { height: 1fr; }
        & #train-chart { width: 1fr; height: 100%; }
        & #train-chart > LineChart { min-height: 3; }
        & #exact { height: auto; }
        & #train-side { width: 32; height: 100%; margin-left: 1; }
        & #story { height: 1fr; min-height: 3; }
        & #train-now { height: auto; }
        & #train-board { height: auto; }
        & > #train-boxes { height: 7; }
        &.-slim > Horizontal { layout: vertical; }
        &.-slim #train-chart { width: 100%; height: 1fr; }
        &.-slim #train-side { width: 100%; height: 6; margin-left: 0; }
    }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.figure = TrainingFigure.LOSSES
        self.opponent = next(iter(OPPONENTS))
        """The key of an opponent: a training and its branch are compared by their losses to it."""
        self._side = Side.FIRST
        """The side whose losses are drawn, if the learner plays it."""
        self._invited: Learner | None = None
        """The learner that is shown before a training."""
        self.ghost: Ghost | None = None
        """An earlier training, drawn behind a training of the same learner in the same game."""
        self._moment: Moment | None = None
        """What was drawn last, if a training has begun."""
        self._charted = 0.0
        self._last: tuple[int, Memory] | None = None
        """The number of rounds and the memory when the wall was last drawn."""
        self._held: tuple[int, Memory] | None = None
        """The number of rounds and the memory when the boxes were last drawn after another round."""
        self._gains: NDArray[np.int_] | None = None
        """What each number of the memory has gained between the last two drawings."""
        self._opened: list[int] = []
        """The edges of the cards used in the last games that were drawn, those of the last game first."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="train-top"):
            with SizedPanel(id="train-chart", classes="panel"):
                yield LineChart(id="losses")
                yield LiveText(id="exact")
                yield Wall(id="live-wall")
                yield LineChart(id="growth")
            with Vertical(id="train-side"):
                yield StoryList(id="story")
                with SizedPanel(id="train-now", classes="panel"):
                    yield LiveText(id="train-board")
        with SizedPanel(id="train-boxes", classes="panel"):
            yield LiveText(id="newest")

    def on_mount(self) -> None:
        self._fit(self.app.size.width - FORM)
        self._arrange(LEARNERS[0])

    def _fit(self, width: int) -> None:
        self.set_class(width < (TALL_SLIM if self.screen.has_class("-tall") else SLIM), "-slim")

    def on_resize(self) -> None:
        self._fit(self.size.width)
        self._draw_again()

    @on(SizedPanel.Sized)
    def _draw_again(self) -> None:
        """Draw what was drawn last for the present size of each panel."""
        if self._moment is not None:
            self._charted = 0.0
            self.show(self._moment)
        elif self._invited is not None:
            self.show_ghost(self._invited)

    def show_next_figure(self) -> None:
        """Show the next figure at the next drawing."""
        if self._moment is not None:
            figures = self._figures_of(self._moment.learner)
            self.figure, self._charted = figures[(figures.index(self.figure) + 1) % len(figures)], 0.0

    def _figures_of(self, learner: Learner) -> list[TrainingFigure]:
        """Return the figures that take turns.

        A game that is too large for exact results begins with the curves of growth.
        """
        exact = [TrainingFigure.LOSSES, TrainingFigure.EXACT] if learner.game.learnable else []
        shown = [*exact, TrainingFigure.WALL, TrainingFigure.GROWTH]
        return shown if exact else shown[::-1]

    def show_other_side(self) -> None:
        """Show the losses of the other side at the next drawing."""
        self._side, self._charted = self._side.other, 0.0

    def show_next_opponent(self) -> None:
        """Compare a training with its branch by the losses to another opponent at the next drawing."""
        keys = [*OPPONENTS]
        self.opponent, self._charted = keys[(keys.index(self.opponent) + 1) % len(keys)], 0.0

    def begin(self, *, taught: bool) -> None:
        """Prepare for another training. One with a teacher shows its losses to the best responder at first."""
        self.opponent = "best_responder" if taught else next(iter(OPPONENTS))
        self._side, self._charted, self._last, self._moment, self._opened = Side.FIRST, 0.0, None, None, []
        self._held = self._gains = None
        self.figure = TrainingFigure.LOSSES

    def show_ghost(self, learner: Learner) -> None:
        """Show how the learner learns, and the dim curves of an earlier training if there is one, before one begins.

        A large screen also has boxes: those of the earlier training, or those with which the learner begins.
        """
        self.begin(taught=False)
        self._invited = learner
        ghost = self._ghost_of(learner)
        self._arrange(type(learner))
        words = [f"{learner.spec.title}: it {learner.spec.summary}."]
        if learner.game.learnable and self.screen.has_class("-tall"):
            words.append(LONG_INTRODUCTION)
        if self.screen.has_class("-vast"):
            named = learner.shown.preset_words
            words += [f"{each}: {named.get(each, '')}." for each in learner.spec.presets_for(learner.game)]
        story = self.query_one(StoryList)
        entitle(story, "How it learns")
        story.show((), "\n\n".join(words))
        self._draw_losses(learner, {}, {}, 0)
        if ghost is None:
            self._draw_boxes(learner, "What it begins with")
        else:
            self._draw_boxes(ghost.learner, f"What {plain(ghost.name, 30)} knows")

    def show(self, moment: Moment) -> None:
        self._moment = moment
        view, learner = moment.view, moment.learner
        figures = self._figures_of(learner)
        if self.figure not in figures:
            self.figure = figures[0]
        self._arrange(type(learner))
        rounds = learner.rounds + (view.total - view.done if view.state.active else 0)
        if view.state is not JobState.RUNNING or monotonic() - self._charted >= CHART_PAUSE:
            self._charted = monotonic()
            self._draw_figure(moment, learner, rounds)
        self._draw_story(moment, learner)
        self._draw_board(view, learner, moment.teaching)
        self._draw_boxes(learner)

    def _draw_story(self, moment: Moment, learner: Learner) -> None:
        """List the turning points of a training, or the games of a course."""
        story, teaching = self.query_one(StoryList), moment.teaching
        if teaching is not None:
            lines, at = teaching.lines(moment.view.done)
            entitle(story, "The course", OPENS if moment.view.done else "")
            story.show(lines, UNFOUND, at)
            return
        points = moment.story.lines(learner.spec.round_noun)
        entitle(story, "Turning points", OPENS if points else "")
        story.show(points, WAITING if moment.view.state.active else "No turning point.")

    def _arrange(self, kind: type[Learner]) -> None:
        """Show the panels that fit. On a low screen, a figure other than a curve takes the place of all."""
        figure, begun, tall = self.figure, self._moment is not None, self.screen.has_class("-tall")
        for each in TrainingFigure:
            self.query_one(each.value).display = each is figure
        curve, slim = figure in (TrainingFigure.LOSSES, TrainingFigure.GROWTH), self.has_class("-slim")
        crowded = slim and self.screen.has_class("-low", "-touring")  # the tour speaks of the curve
        self.query_one("#train-side").display = (curve or tall) and not crowded
        self.query_one("#train-now").display = kind.spec.plays_games and begun and (tall or not slim)
        fits = curve and not (slim or self.screen.has_class("-low"))
        self.query_one("#train-boxes").display = (begun or tall) and fits

    def _entitle_chart(self, title: str, *keys: str, notes: Sequence[str] = ()) -> None:
        """Write a title above the figure, and below it the longest of some notes that fits, and the keys."""
        keys = () if self._moment is None else (*keys, "m next figure")
        place, words = self.query_one("#train-chart"), [*filter(None, keys)]
        letters = [word[0] for word in words]
        ways = [" · ".join([note, *told]) for told in (words, letters) for note in notes]
        entitle(place, title, fitting(place, *ways, " · ".join(words)))

    def _draw_figure(self, moment: Moment, learner: Learner, rounds: int) -> None:
        words = learner.view.words
        match self.figure:
            case TrainingFigure.LOSSES:
                marks = tuple(point.rounds for point in moment.story.told)
                self._draw_losses(learner, moment.story.known, moment.branches, rounds, marks)
            case TrainingFigure.EXACT:
                self._draw_exact(learner, moment.story.known, resting=moment.view.state is not JobState.RUNNING)
            case TrainingFigure.WALL:
                count = len(learner.view.cards())
                self._entitle_chart(f"All {count:,} {words.noun_for(count)}", "arrows move")
                self._draw_wall(learner)
            case TrainingFigure.GROWTH:
                self._draw_growth(learner, moment.view, rounds)

    def _side_of(self, learner: Learner) -> Side:
        return self._side if self._side in learner.sides else learner.sides[0]

    def _ghost_of(self, learner: Learner) -> Ghost | None:
        """Return the earlier training whose curves are drawn behind this one's; none behind those of a teacher."""
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
        chart, side, ghost = self.query_one("#losses", LineChart), self._side_of(learner), self._ghost_of(learner)
        mark = learner.game.mark(side) + (", not trained" if side in untrained(learner) else "")
        other = f"s as {learner.game.mark(side.other)}" if side.other in learner.sides else ""
        if branches:
            styles = {label: theme_colour(self, name) for label, name in zip(branches, BRANCH_COLOURS, strict=True)}
            whom = (
                IN_SENTENCES[self.opponent] if chart.size.width >= WHOLE_TITLE else OPPONENTS[self.opponent].short_name
            )
            self._entitle_chart(f"Games lost to {whom} as {mark}", "o opponent", other)
            rounds = max(rounds, *(max(each, default=0) for each in branches.values()))
            series = branch_series(branches, side, self.opponent, styles)
        else:
            if known and chart.size.height < GHOST_FROM:
                ghost = None
            behind = f" · dim: {plain(ghost.name, 30)}" if ghost is not None else ""
            self._entitle_chart(f"Games lost as {mark}{behind}", other, notes=READER_NOTES)
            colours = {opponent.colour: theme_colour(self, opponent.colour) for opponent in OPPONENTS.values()}
            series = loss_series(known, side, colours, chart.size.width)
            if ghost is not None:
                series += loss_series(ghost.known, side, colours, chart.size.width, ghost=True)
                rounds = rounds or max(ghost.known)
            if any(each.points for each in series if not each.dim):
                series = [replace(each, label="") if each.dim else each for each in series]
        self._show_chart(chart, series, learner, Axes(max(MIN_ROUNDS, rounds), marks=marks))

    def _show_chart(self, chart: LineChart, series: list[Series], learner: Learner, axes: Axes) -> None:
        chart.show(series, replace(axes, unit=f"{learner.spec.round_noun}s"))

    def _draw_growth(self, learner: Learner, view: TrainingStatus, rounds: int) -> None:
        unknown = "" if learner.game.learnable else f" · {learner.game.title} is too large for exact results"
        self._entitle_chart(f"{learner.view.words.growth_title}{unknown}")
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
        axes = Axes(max(MIN_ROUNDS, rounds), low=ends[0], high=ends[1], step=1.0, number_text=tick_text)
        self._show_chart(self.query_one("#growth", LineChart), series, learner, axes)

    def _draw_exact(self, learner: Learner, known: Mapping[int, ExactResults], *, resting: bool) -> None:
        """Draw the newest exact results. If no training runs (`resting`), dim all but those of the last round."""
        target, game, room = self.query_one("#exact", LiveText), learner.game, self.query_one("#train-chart").size
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
            other = f"s as {game.mark(side.other)}" if len(exact) > 1 else ""
            exact = {side.name.lower(): exact[side.name.lower()]}
        moment = f"Exact results after {counted_noun(at, learner.spec.round_noun)}"
        self._entitle_chart(moment + "; computing …" * behind, other)
        styles = [theme_colour(self, "role-good"), "dim", theme_colour(self, "role-bad")]
        airy = room.height >= len(told) + AIRY_ROWS * len(exact)
        bars = exact_bars(learner, exact, room.width, styles, airy=airy)
        text = Text.assemble(("\n".join(told), "" if behind else "bold"), "\n", bars)
        if behind:
            text.stylize("dim")
        target.set_text(text)

    def _draw_board(self, view: TrainingStatus, learner: Learner, teaching: TeachingJob | None) -> None:
        """Draw the last game, up to the move that the view has reached; or at what the next game of a course aims."""
        panel, game = self.query_one("#train-now"), learner.game
        if not panel.display:
            return
        aim = None if teaching is None else teaching.aim(view.done)
        if teaching is not None and aim is not None:
            position, move = aim
            entitle(panel, f"Game {view.done + 1:,} aims here", teaching.left_text(view.done))
            aimed = {game.board.squares(position, move)[-1]: Square(SquareKind.SIGN, "×")}
            learned = teaching.learned_text(view.done)
            text = f"to lose by {game.move_name(move)}" + (f". Learned last: {learned}" if learned else "")
            self._show_board(board_box(game, position, on=aimed), text)
            return
        position = game.start
        for move in view.moves:
            position = game.play(position, move)
        shown, outcome = bool(view.moves) or view.resigned, game.outcome(position)
        winner = None if outcome is None else outcome.winner
        end = "" if outcome is None else "a draw" if winner is None else f"{game.mark(winner)} wins"
        end = f"{game.mark(game.side(position))} resigns" if view.resigned else end
        # counted as the panel above counts: a save has played other games before
        number = view.snapshot.stats["games"] - view.began["games"]
        entitle(panel, f"Game {number:,}" if shown else "The game now", end)
        self._show_board(board_box(game, position), " ".join(game_names(game, view.moves)))

    def _show_board(self, box: Matchbox, text: str) -> None:
        """Show a board, and beside it as much of a text as fits."""
        width = self.query_one("#train-now").size.width
        board = lines_of([box], width, palette_of(self), SMALL).split()
        told = wrap(text, max(8, width - board[0].cell_len - len(GAP)))
        rows = zip_longest(board, told[: len(board)], fillvalue="")
        lines = [Text.assemble(row, GAP, (words, "dim"), no_wrap=True) for row, words in rows]
        self.query_one("#train-board", LiveText).set_text(Text("\n").join(lines))

    def _draw_boxes(self, learner: Learner, title: str = "") -> None:
        """Draw the boxes that were opened last, those of the last game first, and then others where there is room.

        Before a training the panel has a `title`.
        """
        panel = self.query_one("#train-boxes")
        if not panel.display:
            return
        words, cards, lit = learner.view.words, learner.view.cards(), last_game_cells(learner)
        count = f"{len(cards):,} {words.noun_for(len(cards))}"
        entitle(panel, title or f"{words.newest} first", count if title else f"{count} · m all of them")
        if self._held is None or self._held[0] != learner.rounds:
            self._gains = None if self._held is None else learner.memory.astype(int) - self._held[1]
            self._held = learner.rounds, learner.memory
        self._opened = [*dict.fromkeys((*learner.view.newest(MAX_BOXES), *self._opened))][:MAX_BOXES]
        edges = [*dict.fromkeys((*self._opened, *cards[:MAX_BOXES].tolist()))][:MAX_BOXES]
        boxes = [self._with_gain(learner, edge, box_of(learner, edge, lit)) for edge in edges]
        width, lines = panel.size.width, max(map(box_height, boxes), default=1)
        share = BOXES_SHARE if self.screen.has_class("-tall") else 0.0
        rows = max(1, (round(share * self.size.height) - FRAME) // lines)
        panel.styles.height = rows * lines + FRAME  # whole rows: the chart has the rest
        boxes = boxes[: per_row(boxes, width) * rows]
        self.query_one("#newest", LiveText).set_text(
            lines_of(boxes, width, palette_of(self)) if boxes else Text(words.none, "dim")
        )

    def _with_gain(self, learner: Learner, edge: int, box: Matchbox) -> Matchbox:
        """Return a box of the last game with the beads that its move has gained or lost since the last drawing."""
        drawn = [square for square in (*box.squares, *box.below) if square.drawn and square.kind is SquareKind.BEAD]
        if self._gains is None or len(drawn) != 1:
            return box
        card = learner.view.card(edge)
        lit, cells = last_game_cells(learner), cells_of(learner, card.position, card.thoughts)
        gained = sum(int(self._gains[cell]) for cell in {*cells.values()} & lit)
        return replace(box, gained=gained, gained_hue=drawn[0].hue)

    def _draw_wall(self, learner: Learner) -> None:
        wall, rounds = self.query_one(Wall), learner.rounds
        wall.show(learner, learner.view.cards().tolist(), lit=last_game_cells(learner), empty=learner.view.words.none)
        of_moves = not learner.spec.parameters
        if of_moves and self._last is not None and 0 < rounds - self._last[0] <= FEW_ROUNDS:
            wall.flash(frozenset(np.flatnonzero(self._last[1] != learner.memory).tolist()))
        self._last = rounds, learner.memory
