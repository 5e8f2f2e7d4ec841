"""A training in progress, in panels: its curves, its turning points, the game now, and the boxes opened last."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from textwrap import wrap
from typing import Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.geometry import Size

from engine.game import Game, Move, Position
from engine.games.tictactoe import TICTACTOE
from lab.memory.card_filter import cells_of, last_game_cells
from lab.memory.matchbox import Matchbox, Square, SquareKind, board_box
from lab.text.numbers import short_count
from lab.text.sanitise import plain
from lab.training.teaching_job import TeachingJob
from lab.training.training_job import TrainingStatus
from lab.training.training_story import Ghost, ghost_for
from learners import LEARNERS
from learners.core.learner import Learner
from learners.menace.learner import Menace
from learners.menace.matchboxes import COLOURS
from saves.library.library import Library
from tui.shell.background import Background
from tui.shell.parts import FRAME, LiveText, SizedPanel, entitle, fitting, numbered
from tui.train.chart_panel import ChartPanel
from tui.train.moment import Moment
from tui.train.story import StoryList
from tui.widgets.board import BoardView
from tui.widgets.board_shape import USUAL_LEAST, board_size, largest_cell
from tui.widgets.line_chart import LineChart
from tui.widgets.tiles import SMALL, BoxForm, box_height, lines_of, palette_of, per_row
from tui.widgets.wall import box_of

AROUND: Final = 6
"""The lines of the screen above and below the view."""
MAX_BOXES: Final = 120
EXAMPLE: Final = 13
"""The number of the card that is the example before a training: one with a few pieces."""
BOXES_SHARE: Final = 0.42
"""The largest share of the height that the boxes take on a tall screen; on others they have one row."""
SLIM_SHARE: Final = 0.25
"""The largest share of the height that the boxes take where the turning points are below the curves."""
LARGE: Final = replace(SMALL, square=USUAL_LEAST, gap=3, leading=1)
"""The form of the example before a training on a vast screen."""
LARGE_FROM: Final = 44
"""The minimum width of its panel, in columns."""
MAX_LARGE: Final = 9
"""The maximum number of squares of a board in this form."""
GAP: Final = "   "
"""The space between the board of the last game and its moves."""
BESIDE: Final = 30
"""The columns beside a large board of the last game, for the moves, with the `MARGIN` between them."""
MARGIN: Final = 2
NARROWEST: Final = 3
"""The fewest columns of its squares: with fewer, it would be no larger than the small board."""
RUNNING_LINES, BOARD_LINES = 20, 14
"""The most lines of that board on a vast screen: during a training, and after it, when there are more turning points
to list."""
TALL_LINES: Final = 9
"""Those on another tall screen during a training; after it, there is no large board."""
SLIM, TALL_SLIM = 64, 90
"""With fewer columns, on a low and on a tall screen, the turning points are below the curves and not beside them."""
FORM: Final = 43
"""The columns of the form on a wide screen, where it is open at first."""
OPENS: Final = "Enter: its memory then"
WAITING: Final = "What it learns is listed here, with the game after which it holds."
UNFOUND: Final = "The games of the course are listed here once it is found, each with what it teaches."
OF_CURVES: Final = "A curve shows in how many games it loses to one opponent, computed exactly at many moments."


def _about(learner: Learner) -> str:
    return f"{learner.spec.title}: it {learner.spec.summary}."


class TrainingView(Vertical, Background):
    """Shows one moment of a training; independent of the thread that trains."""

    DEFAULT_CSS = """
    TrainingView {
        & > Horizontal { height: 1fr; }
        & #train-chart { width: 1fr; height: 100%; }
        & #exact { height: auto; }
        & #train-side { width: 32; height: 100%; margin-left: 1; }
        & #story { height: 1fr; min-height: 3; }
        & #train-now { height: auto; }
        & #train-now > Horizontal { height: auto; }
        & #train-position { display: none; margin-top: 1; }
        & #train-board { width: 1fr; height: auto; }
        & .-large #train-position { display: block; }
        & .-large #train-board { width: 28; margin-left: 2; }
        & > #train-boxes { height: 7; }
        &.-slim > Horizontal { layout: vertical; }
        &.-slim #train-chart { width: 100%; height: 1fr; }
        &.-slim #train-side { width: 100%; height: 6; margin-left: 0; }
    }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self._seeks_ghost = False
        """Whether an earlier training is looked for: its boxes have their room already."""
        self._width = 0
        """The width for which the panels are arranged, before they have it."""
        self._invited: Learner | None = None
        """The learner that is shown before a training."""
        self._moment: Moment | None = None
        """The moment that was drawn last; `None` before a training."""
        self._opened: list[int] = []
        """The edges of the cards used in the last games that were drawn, those of the last game first."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="train-top"):
            yield ChartPanel(id="train-chart", classes="panel")
            with Vertical(id="train-side"):
                yield StoryList(id="story")
                with SizedPanel(id="train-now", classes="panel"), Horizontal():
                    yield BoardView(TICTACTOE, id="train-position")
                    yield LiveText(id="train-board")
        with SizedPanel(id="train-boxes", classes="panel"):
            newest = LiveText(id="newest")
            newest.auto_links = False  # a card that can be clicked keeps its colours
            yield newest

    @property
    def chart(self) -> ChartPanel:
        return self.query_one(ChartPanel)

    def on_mount(self) -> None:
        self.query_one(BoardView).can_focus = False
        self.arrange_for(self.app.size.width - FORM)
        self._arrange(LEARNERS[0])

    def arrange_for(self, width: int) -> None:
        """Arrange the panels for the width that the view has or will have, so that none is drawn elsewhere first.

        Once a training has ended, its turning points have whole lines on a screen that is not tall.
        """
        tall, ended = self.screen.has_class("-tall"), self._moment is not None and not self._moment.view.state.active
        listing = ended and not (tall or self.screen.has_class("-touring"))
        self._width = width
        self.set_class(width < (TALL_SLIM if tall else SLIM) or listing, "-slim")

    def on_resize(self) -> None:
        self.arrange_for(self.size.width)
        self.draw_again()

    @on(LineChart.Chosen, "#losses")
    def choose_turning_point(self, message: LineChart.Chosen) -> None:
        self.query_one(StoryList).go_to(message.rounds)

    @on(SizedPanel.Sized)
    def draw_again(self) -> None:
        """Draw the last drawing again, for the present size of each panel and the present theme."""
        if self._moment is not None:
            self.chart.charted = 0.0
            self.show(self._moment)
        elif self._invited is not None:
            self._draw_invited(self._invited)

    def begin(self, *, taught: bool) -> None:
        """Prepare for another training; `taught` is true for one with a teacher."""
        self.chart.begin(taught=taught)
        self._moment, self._invited, self._opened = None, None, []

    def introduce(self, learner: Learner, library: Library) -> None:
        """Show a learner before its training, and the dim curves of an earlier training once a thread has found one."""
        self.begin(taught=False)
        self._invited = learner
        self._show_ghost(learner, None, seeks=True)
        self.in_background("ghost", partial(ghost_for, library, learner), partial(self._show_ghost, learner))

    def _show_ghost(self, learner: Learner, ghost: Ghost | None, *, seeks: bool = False) -> None:
        """Show an earlier training of a learner; also behind its training, if that has begun meanwhile."""
        self.chart.ghost, self._seeks_ghost = ghost, seeks
        if self._invited is learner:
            self._draw_invited(learner)
        self.screen.refresh_bindings()  # there may be a curve to export now

    def _draw_invited(self, learner: Learner) -> None:
        """Draw a learner before its training.

        A large screen also has boxes: those of the earlier training, or those with which the learner begins.
        """
        self.begin(taught=False)
        self._invited = learner
        ghost = self.chart.ghost_of(learner)
        self.chart.introduce(learner)
        self._arrange(type(learner))
        words = [_about(learner)]
        if learner.game.learnable and self.screen.has_class("-tall"):
            words.append(OF_CURVES)
        if self.screen.has_class("-vast"):
            named = learner.shown.preset_words
            words += [f"{each}: {named.get(each, '')}." for each in learner.spec.presets_for(learner.game)]
        story = self.query_one(StoryList)
        entitle(story, "How it learns")
        story.show((), "\n\n".join(words))
        trained = ghost is not None and ghost.learner.rounds > 0
        shown, whose = (ghost.learner, plain(ghost.name, 30)) if ghost is not None and trained else (learner, "it")
        self._draw_boxes(shown, f"What {whose} {'knows' if trained else 'begins with'}")
        if self.query_one("#train-now").display:
            entitle(self.query_one("#train-now"), "One position of it")
            edges = shown.view.cards()[:EXAMPLE].tolist()
            box = box_of(shown, edges[-1]) if edges else board_box(shown.game, shown.game.start)
            roomy = (self.query_one("#train-now").size.width or LARGE_FROM) >= LARGE_FROM
            form = LARGE if roomy and len(box.squares) <= MAX_LARGE and not box.discs else SMALL
            self._show_box(box, shown.view.words.drawing, form=form)

    def show(self, moment: Moment) -> None:
        self._moment = moment
        learner = moment.learner
        self.arrange_for(self._width)
        self.chart.show(moment, learner)
        self._arrange(type(learner))
        self._draw_story(moment, learner)
        self._draw_board(moment.view, learner, moment.teaching)
        self._draw_boxes(learner, gains=moment.view.gains)

    def _draw_story(self, moment: Moment, learner: Learner) -> None:
        """List the turning points of a training, or the games of a course."""
        story, teaching = self.query_one(StoryList), moment.teaching
        if teaching is not None:
            lines, at = teaching.lines(moment.view.done)
            entitle(story, "The course", OPENS if moment.view.done else "")
            story.show(lines, UNFOUND, at)
            return
        points = moment.story.lines(learner.spec.round_noun)
        count = f" · {len(moment.story.told)}" if points else ""
        whose = f" · {next(iter(moment.branches))}" if moment.branches else ""  # the branch has its curve
        entitle(story, f"Turning points{count}{whose}", OPENS if points else "")
        waiting = f"{WAITING}\n\n{_about(learner)}" if self.screen.has_class("-tall") else WAITING
        story.show(points, "No turning point." if moment.story.complete else waiting)

    def _arrange(self, kind: type[Learner]) -> None:
        """Show the panels that fit. Except on a tall screen, a chart other than a curve takes the place of all."""
        begun, tall = self._moment is not None, self.screen.has_class("-tall")
        self.set_class(not begun, "-inviting")
        roomy, slim = self.chart.has_curve or tall or not begun, self.has_class("-slim")
        touring = self.screen.has_class("-touring")  # the tour speaks of the curve and of its turning points
        crowded = slim and touring and self.screen.has_class("-low")
        self.query_one("#train-side").display = roomy and not crowded
        shown = begun or (tall and self.screen.has_class("-vast"))
        self.query_one("#train-now").display = kind.spec.plays_games and shown and (tall or not (slim or touring))
        fits = roomy and not (self.chart.is_wall or (slim and not tall) or self.screen.has_class("-low"))
        self.query_one("#train-boxes").display = (begun or tall) and fits

    def _draw_board(self, view: TrainingStatus, learner: Learner, teaching: TeachingJob | None) -> None:
        """Draw the last game, up to the move that the view has reached; with a teacher, the aim of the next game."""
        panel, game = self.query_one("#train-now"), learner.game
        if not panel.display:
            return
        aim = None if teaching is None else teaching.aim(view.done)
        if teaching is not None and aim is not None:
            position, move = aim
            entitle(panel, f"Game {view.done + 1:,} aims here", teaching.remaining_text(view.done))
            learned = teaching.learned_text(view.done)
            text = f"to lose by {game.move_words(position, move)}" + (f". Learned last: {learned}" if learned else "")
            self._show_position(game, position, text, aimed=game.board.squares(position, move)[-1])
            return
        position, draws = game.start, list[Text]()
        gains = view.gains if view.moves == learner.last_game else ()  # a game being played has given nothing yet
        for move, gain in zip_longest(view.moves, gains, fillvalue=0):
            if isinstance(learner, Menace):
                draws += self._draw_told(learner, position, move, gain)
            position = game.play(position, move)
        shown, outcome = bool(view.moves) or view.resigned, game.outcome(position)
        winner = None if outcome is None else outcome.winner
        end = "" if outcome is None else "a draw" if winner is None else f"{game.mark(winner)} wins"
        end = f"{game.mark(game.side(position))} resigns" if view.resigned else end
        # counted as the panel above counts: a save has played other games before
        number = view.snapshot.stats["games"] - view.began["games"] + (outcome is None and not view.resigned)
        entitle(panel, f"Game {number:,}" if shown else "The game now", end)
        moves = " ".join(numbered(game.move_labels(game.start, view.moves)))
        self._show_position(game, position, moves, draws)

    def _draw_told(self, learner: Learner, position: Position, move: Move, gained: int) -> list[Text]:
        """Return the bead that was drawn for a move, and its share of the box at that time; empty if none was drawn.

        The move has `gained` beads since.
        """
        game, thoughts = learner.game, learner.thoughts(position)
        side, drawn = game.side(position), next(each for each in thoughts if each.move == move)
        if drawn.beads is None or side not in learner.training_sides:
            return []
        cells = cells_of(learner, position, thoughts)
        in_box = sum({cells[each.move]: each.beads or 0 for each in thoughts}.values())
        colour = Text(COLOURS[drawn.hue - 1], palette_of(self).of_bead(drawn.hue))
        kept = learner.memory[[*cells.values()]].any()  # of a box that was emptied, the next beads are shown
        share = f", {short_count(drawn.beads - gained)} of {short_count(in_box - gained)}" if kept else ""
        return [Text.assemble(f"{game.mark(side)} {game.move_name(move)}: ", colour, share)]

    def _show_position(
        self, game: Game, position: Position, text: str, draws: Sequence[Text] = (), aimed: int | None = None
    ) -> None:
        """Show a position with one square marked if it is `aimed` at: on a tall screen, on a large board if that fits.

        Beside it are the last draws; if there are none, as much of a text as fits.
        """
        width, view = self.query_one("#train-now").size.width or LARGE_FROM, self.query_one(BoardView)
        running, vast = self._moment is not None and self._moment.view.state.active, self.screen.has_class("-vast")
        lines = (RUNNING_LINES if running else BOARD_LINES) if vast else TALL_LINES * running
        high = self.screen.has_class("-tall") and not self.has_class("-slim")
        room = Size(width - BESIDE, lines if high else 0)
        cell = largest_cell(game, room)
        size = board_size(game, *cell)
        if cell[0] < NARROWEST or size.width > room.width or size.height > room.height:
            on = {} if aimed is None else {aimed: Square(SquareKind.SIGN, "×")}
            self._show_box(board_box(game, position, on=on), text, draws)
            return
        self.query_one("#train-now").add_class("-large")
        view.show(game, position)
        view.hinted = () if aimed is None else (aimed,)
        view.fit(room)
        told = draws or [Text(line, "dim") for line in wrap(text, BESIDE - MARGIN)]
        self.query_one("#train-board", LiveText).set_text(Text("\n").join([Text(), *told]))

    def _show_box(self, box: Matchbox, text: str, draws: Sequence[Text] = (), form: BoxForm = SMALL) -> None:
        """Show a small board in a form, and what is told beside it."""
        self.query_one("#train-now").remove_class("-large")
        width = self.query_one("#train-now").size.width or LARGE_FROM
        board = lines_of([box], width, palette_of(self), form).split()
        room = max(8, width - board[0].cell_len - len(GAP))
        told = draws[-len(board) :] or [Text(line, "dim") for line in wrap(text, room)]
        told = [line if line.cell_len <= room else line[: line.plain.find(", ")] for line in told]
        rows = zip_longest(board, told[: len(board)], fillvalue="")
        lines = [Text.assemble(row, GAP, words, no_wrap=True) for row, words in rows]
        self.query_one("#train-board", LiveText).set_text(Text("\n" * form.leading).append(Text("\n").join(lines)))

    def _draw_boxes(self, learner: Learner, title: str = "", gains: Sequence[int] = ()) -> None:
        """Draw the boxes that were opened last, those of the last game first, and then others where there is room.

        Before a training the panel has a `title`, and is shown only if there is a box, or may be one soon.
        """
        panel, cards = self.query_one("#train-boxes"), learner.view.cards()
        expected = [board_box(learner.game, learner.game.start)] if self._seeks_ghost or not title else []
        panel.display = panel.display and bool(not title or len(cards) or expected)
        if not panel.display:
            return
        words, lit = learner.view.words, last_game_cells(learner, gains)
        count = f"{len(cards):,} {words.noun_for(len(cards))}"
        explained = " · ".join(filter(None, (words.drawing, count)))
        entitle(panel, title or f"{words.newest} first", fitting(panel, explained, count))
        self._opened = [*dict.fromkeys((*learner.view.newest(MAX_BOXES), *self._opened))][:MAX_BOXES]
        edges = [*dict.fromkeys((*self._opened, *cards[:MAX_BOXES].tolist()))][:MAX_BOXES]
        under = self.screen.has_class("-vast", "-tall")  # then the form lies over the view
        whole = self.app.size.width if under else self._width
        width = panel.size.width or whole - panel.gutter.width  # one that was hidden has no size yet
        share = SLIM_SHARE if self.has_class("-slim") else BOXES_SHARE
        air = int(self.screen.has_class("-tall"))  # above the cards
        room = round(share * (self.size.height or self.app.size.height - AROUND)) - FRAME - air if air else 0
        boxes: list[Matchbox] = []
        rows = lines = most = 1
        for _ in range(2):  # the first box tells how many there is room for
            boxes = [box_of(learner, edge, lit) for edge in edges[:most]]
            lines = max(map(box_height, boxes or expected), default=1)
            rows = max(1, room // lines)
            most = per_row(boxes or expected, width) * rows
        panel.styles.height = rows * lines + FRAME + air  # whole rows: the chart has the rest
        shown = boxes[:most]
        if self._seeks_ghost or (self._moment is not None and self._moment.view.state.active):
            to_come = [replace(each, below=shown[0].below and (Square(),)) if shown else each for each in expected]
            shown += to_come * (most - len(shown))
        links = [] if title else [f"screen.open_box({edge})" for edge in edges]
        self.query_one("#newest", LiveText).set_text(lines_of(shown, width, palette_of(self), links=links))

    def position_of(self, edge: int) -> Position | None:
        """Return the position of a box of the training; `None` if the card belongs to no position."""
        learner = None if self._moment is None else self._moment.learner
        return None if learner is None or learner.spec.parameters else learner.view.card(edge).position
