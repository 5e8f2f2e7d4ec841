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
from tui.shell.parts import FRAME, LiveText, SizedPanel, entitle, fitting_text, numbered_moves
from tui.train.chart_panel import ChartPanel
from tui.train.moment import Moment
from tui.train.story import StoryList
from tui.widgets.board import BoardView
from tui.widgets.board_shape import USUAL_LEAST, board_size, largest_cell
from tui.widgets.line_chart import LineChart
from tui.widgets.palette import palette_of
from tui.widgets.tiles import SMALL, BoxForm, box_height, boxes_per_row, boxes_text
from tui.widgets.wall import card_matchbox

LINES_AROUND: Final = 6
"""The lines of the screen above and below the view."""
MAX_BOXES: Final = 120
EXAMPLE_CARD: Final = 13
"""The number of the card that is the example before a training: one with a few pieces."""
BOXES_SHARE: Final = 0.42
"""The largest share of the height that the boxes take on a tall screen; on others they have one row."""
SLIM_SHARE: Final = 0.25
"""The largest share of the height that the boxes take where the turning points are below the curves."""
LARGE: Final = replace(SMALL, square=USUAL_LEAST, gap=3, leading=1)
"""The form of the example before a training on a vast screen."""
LARGE_FROM: Final = 44
"""The minimum width of its panel, in columns."""
MAX_LARGE_SQUARES: Final = 9
"""The maximum number of squares of a board in this form."""
BOARD_GAP: Final = "   "
"""The space between the board of the last game and its moves."""
MOVES_WIDTH: Final = 30
"""The columns beside a large board of the last game, for the moves, with the `MOVES_MARGIN` between them."""
MOVES_MARGIN: Final = 2
MIN_SQUARE_WIDTH: Final = 3
"""The minimum number of columns of its squares: with fewer, it would be no larger than the small board."""
RUNNING_BOARD_LINES, ENDED_BOARD_LINES = 20, 14
"""The maximum number of lines of that board on a vast screen: during a training, and after it, when there are more
turning points to list."""
TALL_BOARD_LINES: Final = 9
"""The same for another tall screen during a training; after it, there is no large board."""
SLIM_BELOW, TALL_SLIM_BELOW = 64, 90
"""With fewer columns, on a low and on a tall screen, the turning points are below the curves and not beside them."""
FORM_WIDTH: Final = 43
"""The columns of the form on a wide screen, where it is open at first."""
OPENS_TEXT: Final = "Enter: its memory then"
WAITING_TEXT: Final = "What it learns is listed here, with the game after which it holds."
NO_COURSE_TEXT: Final = "The games of the course are listed here once it is found, each with what it teaches."
CURVES_TEXT: Final = "A curve shows in how many games it loses to one opponent, computed exactly at many moments."


def _learner_text(learner: Learner) -> str:
    return f"{learner.spec.title}: it {learner.spec.summary}."


def _end_text(game: Game, position: Position, *, resigned: bool) -> str:
    """Return how a game has ended; empty while it is played."""
    if resigned:
        return f"{game.mark(game.side(position))} resigns"
    outcome = game.outcome(position)
    if outcome is None:
        return ""
    return "a draw" if outcome.winner is None else f"{game.mark(outcome.winner)} wins"


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
        self._introduced: Learner | None = None
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

    @property
    def _is_active(self) -> bool:
        """Whether the training that is shown waits or runs."""
        return self._moment is not None and self._moment.view.state.active

    def on_mount(self) -> None:
        self.query_one(BoardView).can_focus = False
        self.arrange_for(self.app.size.width - FORM_WIDTH)
        self._arrange(LEARNERS[0])

    def arrange_for(self, width: int) -> None:
        """Arrange the panels for the width that the view has or will have, so that none is drawn elsewhere first.

        Once a training has ended, its turning points have whole lines on a screen that is not tall.
        """
        self._width = width
        if self.screen.has_class("-tall"):
            is_slim = width < TALL_SLIM_BELOW
        else:
            has_ended = self._moment is not None and not self._is_active
            is_slim = width < SLIM_BELOW or (has_ended and not self.screen.has_class("-touring"))
        self.set_class(is_slim, "-slim")

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
            self.chart.drawn_at = 0.0
            self.show(self._moment)
        elif self._introduced is not None:
            self._draw_introduced(self._introduced)

    def begin(self, *, taught: bool) -> None:
        """Prepare for another training; `taught` is true for one with a teacher."""
        self.chart.begin(taught=taught)
        self._moment, self._introduced, self._opened = None, None, []

    def introduce(self, learner: Learner, library: Library) -> None:
        """Show a learner before its training, and the dim curves of an earlier training once a thread has found one."""
        self.begin(taught=False)
        self._introduced = learner
        self._show_ghost(learner, None, seeks=True)
        self.run_in_background("ghost", partial(ghost_for, library, learner), partial(self._show_ghost, learner))

    def _show_ghost(self, learner: Learner, ghost: Ghost | None, *, seeks: bool = False) -> None:
        """Show an earlier training of a learner; also behind its training, if that has begun meanwhile."""
        self.chart.ghost, self._seeks_ghost = ghost, seeks
        if self._introduced is learner:
            self._draw_introduced(learner)
        self.screen.refresh_bindings()  # there may be a curve to export now

    def _draw_introduced(self, learner: Learner) -> None:
        """Draw a learner before its training.

        A large screen also has boxes: those of the earlier training, or those with which the learner begins.
        """
        self.begin(taught=False)
        self._introduced = learner
        ghost = self.chart.ghost_of(learner)
        self.chart.introduce(learner)
        self._arrange(type(learner))
        self._show_description(learner)
        if ghost is not None and ghost.learner.rounds > 0:
            learner = ghost.learner
            self._draw_boxes(learner, f"What {plain(ghost.name, 30)} knows")
        else:
            self._draw_boxes(learner, "What it begins with")
        panel = self.query_one("#train-now")
        if panel.display:
            entitle(panel, "One position of it")
            edges = learner.view.cards()[:EXAMPLE_CARD].tolist()
            box = card_matchbox(learner, edges[-1]) if edges else board_box(learner.game, learner.game.start)
            is_wide = (panel.size.width or LARGE_FROM) >= LARGE_FROM
            form = LARGE if is_wide and len(box.squares) <= MAX_LARGE_SQUARES and not box.discs else SMALL
            self._show_box(box, learner.view.words.drawing, form=form)

    def _show_description(self, learner: Learner) -> None:
        """Describe a learner in place of its turning points; on a large screen, the curves and its presets too."""
        paragraphs = [_learner_text(learner)]
        if learner.game.learnable and self.screen.has_class("-tall"):
            paragraphs.append(CURVES_TEXT)
        if self.screen.has_class("-vast"):
            preset_words = learner.shown.preset_words
            presets = learner.spec.presets_for(learner.game)
            paragraphs += [f"{preset}: {preset_words.get(preset, '')}." for preset in presets]
        story = self.query_one(StoryList)
        entitle(story, "How it learns")
        story.show((), "\n\n".join(paragraphs))

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
            entitle(story, "The course", OPENS_TEXT if moment.view.done else "")
            story.show(lines, NO_COURSE_TEXT, at)
            return
        points = moment.story.lines(learner.spec.round_noun)
        count = f" · {len(moment.story.told)}" if points else ""
        whose = f" · {next(iter(moment.branches))}" if moment.branches else ""  # the branch has its curve
        entitle(story, f"Turning points{count}{whose}", OPENS_TEXT if points else "")
        waiting = f"{WAITING_TEXT}\n\n{_learner_text(learner)}" if self.screen.has_class("-tall") else WAITING_TEXT
        story.show(points, "No turning point." if moment.story.complete else waiting)

    def _arrange(self, kind: type[Learner]) -> None:
        """Show the panels that fit. Except on a tall screen, a chart other than a curve takes the place of all."""
        begun, tall, low = self._moment is not None, self.screen.has_class("-tall"), self.screen.has_class("-low")
        self.set_class(not begun, "-inviting")
        shares_room, slim = self.chart.has_curve or tall or not begun, self.has_class("-slim")
        touring = self.screen.has_class("-touring")  # the tour speaks of the curve and of its turning points
        self.query_one("#train-side").display = shares_room and not (slim and touring and low)
        has_position = kind.spec.plays_games and (begun or (tall and self.screen.has_class("-vast")))
        self.query_one("#train-now").display = has_position and (tall or not (slim or touring))
        has_boxes = shares_room and (begun or tall) and not self.chart.is_wall
        self.query_one("#train-boxes").display = has_boxes and not low and (tall or not slim)

    def _draw_board(self, view: TrainingStatus, learner: Learner, teaching: TeachingJob | None) -> None:
        """Draw the last game, up to the move that the view has reached; with a teacher, the aim of the next game."""
        panel, game = self.query_one("#train-now"), learner.game
        if not panel.display:
            return
        aim = None if teaching is None else teaching.aim(view.done)
        if teaching is not None and aim is not None:
            position, move = aim
            entitle(panel, f"Game {view.done + 1:,} aims here", teaching.remaining_text(view.done))
            text = f"to lose by {game.move_words(position, move)}"
            learned = teaching.learned_text(view.done)
            if learned:
                text += f". Learned last: {learned}"
            self._show_position(game, position, text, target=game.board.squares(position, move)[-1])
            return
        position, beads = game.start, list[Text]()
        gains = view.gains if view.moves == learner.last_game else ()  # a game being played has given nothing yet
        for move, gain in zip_longest(view.moves, gains, fillvalue=0):
            if isinstance(learner, Menace):
                bead = self._bead_text(learner, position, move, gain)
                if bead is not None:
                    beads.append(bead)
            position = game.play(position, move)
        end = _end_text(game, position, resigned=view.resigned)
        # counted as the panel above counts: a save has played other games before
        number = view.snapshot.stats["games"] - view.began["games"]
        if not end:
            number += 1
        entitle(panel, f"Game {number:,}" if view.moves or view.resigned else "The game now", end)
        moves = " ".join(numbered_moves(game.move_labels(game.start, view.moves)))
        self._show_position(game, position, moves, beads)

    def _bead_text(self, learner: Learner, position: Position, move: Move, gain: int) -> Text | None:
        """Return the bead that was drawn for a move, and its share of the box at that time; `None` if none was drawn.

        The move has gained `gain` beads since.
        """
        game, thoughts = learner.game, learner.thoughts(position)
        side, drawn = game.side(position), next(each for each in thoughts if each.move == move)
        if drawn.beads is None or side not in learner.training_sides:
            return None
        text = Text(f"{game.mark(side)} {game.move_name(move)}: ")
        text.append(COLOURS[drawn.hue - 1], palette_of(self).of_bead(drawn.hue))
        cells = cells_of(learner, position, thoughts)
        if learner.memory[[*cells.values()]].any():  # not if the box was emptied: then these are its next beads
            in_box = sum({cells[each.move]: each.beads or 0 for each in thoughts}.values())
            text.append(f", {short_count(drawn.beads - gain)} of {short_count(in_box - gain)}")
        return text

    def _show_position(
        self, game: Game, position: Position, text: str, beads: Sequence[Text] = (), target: int | None = None
    ) -> None:
        """Show a position, with the square `target` marked: on a tall screen, on a large board if that fits.

        Beside it are the last beads drawn; if there are none, as much of a text as fits.
        """
        panel, view = self.query_one("#train-now"), self.query_one(BoardView)
        room = Size((panel.size.width or LARGE_FROM) - MOVES_WIDTH, self._board_lines)
        cell = largest_cell(game, room)
        size = board_size(game, *cell)
        if cell[0] < MIN_SQUARE_WIDTH or size.width > room.width or size.height > room.height:
            on = {} if target is None else {target: Square(SquareKind.SIGN, "×")}
            self._show_box(board_box(game, position, on=on), text, beads)
            return
        panel.add_class("-large")
        view.show(game, position)
        view.hinted = () if target is None else (target,)
        view.fit(room)
        lines = beads or [Text(line, "dim") for line in wrap(text, MOVES_WIDTH - MOVES_MARGIN)]
        self.query_one("#train-board", LiveText).set_text(Text("\n").join([Text(), *lines]))

    @property
    def _board_lines(self) -> int:
        """The maximum number of lines of the large board of the last game; 0 if there is none."""
        if not self.screen.has_class("-tall") or self.has_class("-slim"):
            return 0
        if self.screen.has_class("-vast"):
            return RUNNING_BOARD_LINES if self._is_active else ENDED_BOARD_LINES
        return TALL_BOARD_LINES if self._is_active else 0

    def _show_box(self, box: Matchbox, text: str, beads: Sequence[Text] = (), form: BoxForm = SMALL) -> None:
        """Show a small board in a form, and beside it the last beads drawn, or else a text."""
        panel = self.query_one("#train-now")
        panel.remove_class("-large")
        width = panel.size.width or LARGE_FROM
        board = boxes_text([box], width, palette_of(self), form).split()
        room = max(8, width - board[0].cell_len - len(BOARD_GAP))
        lines = beads[-len(board) :] or [Text(line, "dim") for line in wrap(text, room)]
        lines = [line if line.cell_len <= room else line[: line.plain.find(", ")] for line in lines]
        rows = zip_longest(board, lines[: len(board)], fillvalue="")
        whole_lines = [Text.assemble(row, BOARD_GAP, line, no_wrap=True) for row, line in rows]
        text_above = Text("\n" * form.leading)
        self.query_one("#train-board", LiveText).set_text(text_above.append(Text("\n").join(whole_lines)))

    def _draw_boxes(self, learner: Learner, title: str = "", gains: Sequence[int] = ()) -> None:
        """Draw the boxes that were opened last, those of the last game first, and then others where there is room.

        Before a training the panel has a `title`, and is shown only if there is a box, or may be one soon.
        """
        panel, cards = self.query_one("#train-boxes"), learner.view.cards()
        empty_box = board_box(learner.game, learner.game.start) if self._seeks_ghost or not title else None
        if len(cards) == 0 and empty_box is None:
            panel.display = False
        if not panel.display:
            return
        words, lit = learner.view.words, last_game_cells(learner, gains)
        count = f"{len(cards):,} {words.noun_for(len(cards))}"
        explanation = f"{words.drawing} · {count}" if words.drawing else count
        entitle(panel, title or f"{words.newest} first", fitting_text(panel, explanation, count))
        self._opened = [*dict.fromkeys((*learner.view.newest(MAX_BOXES), *self._opened))][:MAX_BOXES]
        edges = [*dict.fromkeys((*self._opened, *cards[:MAX_BOXES].tolist()))][:MAX_BOXES]
        is_below_form = self.screen.has_class("-vast", "-tall")
        outer_width = self.app.size.width if is_below_form else self._width
        width = panel.size.width or outer_width - panel.gutter.width  # one that was hidden has no size yet
        padding = 1 if self.screen.has_class("-tall") else 0  # above the cards
        room = self._boxes_height - FRAME - padding
        boxes: list[Matchbox] = []
        rows = lines = max_boxes = 1
        for _ in range(2):  # the first box tells how many there is room for
            boxes = [card_matchbox(learner, edge, lit) for edge in edges[:max_boxes]]
            measured_boxes = boxes
            if not boxes and empty_box is not None:
                measured_boxes = [empty_box]
            lines = max(map(box_height, measured_boxes), default=1)
            rows = max(1, room // lines)
            max_boxes = boxes_per_row(measured_boxes, width) * rows
        panel.styles.height = rows * lines + FRAME + padding  # whole rows: the chart has the rest
        boxes = boxes[:max_boxes]
        if empty_box is not None and (self._seeks_ghost or self._is_active):
            if boxes:
                empty_box = replace(empty_box, below=boxes[0].below and (Square(),))
            boxes += [empty_box] * (max_boxes - len(boxes))
        links = [] if title else [f"screen.open_box({edge})" for edge in edges]
        self.query_one("#newest", LiveText).set_text(boxes_text(boxes, width, palette_of(self), links=links))

    @property
    def _boxes_height(self) -> int:
        """The maximum height of the panel of the boxes; 0 for one row of them."""
        if not self.screen.has_class("-tall"):
            return 0
        share = SLIM_SHARE if self.has_class("-slim") else BOXES_SHARE
        return round(share * (self.size.height or self.app.size.height - LINES_AROUND))

    def position_of(self, edge: int) -> Position | None:
        """Return the position of a box of the training; `None` if the card belongs to no position."""
        if self._moment is None or self._moment.learner.spec.parameters:
            return None
        return self._moment.learner.view.card(edge).position
