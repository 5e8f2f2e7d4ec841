"""The board: large marks, an X-ray, a cursor, and squares that are picked by arrows, digits or mouse."""

from collections.abc import Collection, Mapping, Sequence
from functools import partial
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from engine.game import Game, Piece, Position
from lab.advice.xray import OFF, Lens
from tui.shell.background import Background
from tui.widgets.board_cursor import (
    cursor_after_arrow,
    middle_of,
    nearest_cursor_square,
    squares_of_digits,
    squares_pointed_at,
)
from tui.widgets.board_motion import BoardMotion
from tui.widgets.board_shape import (
    GAP,
    GUTTER,
    board_size,
    gutter_width,
    largest_cell,
    letters_below,
    line_left_of,
    region_of,
    row_pitch,
    rule_between_rows,
    square_at,
    walls,
)
from tui.widgets.board_square import BoardSquare, SquareDrawing
from tui.widgets.line_chart import uses_letters
from tui.widgets.palette import shade_of
from tui.widgets.xray_notes import NOTHING, Note, Notes, Tone, note_texts, notes_in_steps


class BoardView(Widget, Background, can_focus=True):
    """Shows one position as large as fits. Posts `Picked` when a square is picked. It knows no rules."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "board--line",
        "board--hint",
        "board--digit",
        "board--first",
        "board--second",
        "board--cursor",
        "board--tick",
        "board--chosen",
        "board--last",
        "board--row",
        "board--hinted",
        *(f"board--{tone}" for tone in Tone),
    }
    DEFAULT_CSS = """
    BoardView {
        width: 1fr; height: 1fr;
        & > .board--line { color: $foreground 35%; }
        & > .board--hint { color: $foreground 45%; }
        & > .board--digit { color: $foreground 90%; }
        & > .board--first { color: $role-first; text-style: bold; }
        & > .board--second { color: $role-second; text-style: bold; }
        & > .board--cursor { background: $foreground 12%; }
        & > .board--tick { color: $role-lit; text-style: bold; }
        & > .board--chosen { background: $accent 40%; }
        & > .board--last { background: $foreground 6%; }
        & > .board--row { background: $role-good 30%; }
        &.-lost > .board--row { background: $role-bad 30%; }
        & > .board--hinted { background: $accent 40%; }
        &:ansi > .board--line, &:ansi > .board--hint { color: ansi_bright_black; }
        &:ansi > .board--hinted { color: ansi_bright_white; background: ansi_blue; }
        & > .board--plain { color: $foreground; }
        & > .board--quiet { color: $text-muted; }
        & > .board--good { color: $text-success; text-style: bold; }
        & > .board--even { color: $foreground; }
        & > .board--bad { color: $text-error; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1, 0)", "Up", show=False),
        Binding("down", "move(1, 0)", "Down", show=False),
        Binding("left", "move(0, -1)", "Left", show=False),
        Binding("right", "move(0, 1)", "Right", show=False),
        Binding("enter", "pick", "Play here", tooltip="plays the chosen square", show=False),
        Binding(
            "1", "pick_square(0)", "Pick the square", tooltip="by the digit in it", show=False, key_display="1 … 9"
        ),
        *(Binding(str(digit), f"pick_square({digit - 1})", show=False, system=True) for digit in range(2, 10)),
    ]

    position: reactive[Position] = reactive(0)
    cursor: reactive[int] = reactive(4, repaint=False)
    chosen: reactive[tuple[int, ...]] = reactive(())
    """The squares picked so far, for a move that takes more than one."""
    last: reactive[tuple[int, ...]] = reactive(())
    """The squares of the last move."""
    open_squares: reactive[frozenset[int]] = reactive(frozenset[int])
    """The squares that can be picked now: their digits are shown."""
    row: reactive[tuple[int, ...]] = reactive(())
    """The squares of the row that ended the game, if one did."""
    pointing: reactive[bool] = reactive(default=True)
    """Whether the square under the cursor is marked while the board has the focus."""
    hinted: reactive[tuple[int, ...]] = reactive(())
    """The squares of the move that a hint proposes."""
    notes: reactive[Notes] = reactive(dict[int, Note])
    """The X-ray text, by square."""
    numbers: reactive[Mapping[int, str]] = reactive(dict[int, str])
    """The number of the move that made the mark, by square."""

    class Picked(Message):
        """Posted when the user picked a square."""

        def __init__(self, square: int, *, entered: bool) -> None:
            super().__init__()
            self.square = square
            self.entered = entered
            """Whether the square was picked by Enter or a click, not by a digit."""

    class Missed(Message):
        """Posted when a digit picks no square."""

        def __init__(self, digit: int, count: int) -> None:
            """Tell that only the digits up to `count` pick a square."""
            super().__init__()
            self.digit = digit
            self.count = count

    class LookingChanged(Message):
        """Posted when what is said below the board may change.

        Then the X-ray begins or ceases to look for better answers, is found to show nothing, or tells the answer to
        another move; or other digits pick a square.
        """

    digit_count = 0
    """How many digits pick a square."""
    is_looking = False
    """Whether better answers of the X-ray are being computed."""
    is_bare = False
    """Whether the X-ray has found nothing to show."""

    def __init__(self, game: Game, *, id: str | None = None, animates: bool = False) -> None:  # noqa: A002  as Textual's
        """Make a board. If it `animates`, the squares of the row that ends the game light up one after the other."""
        super().__init__(id=id)
        self.game = game
        self._styles: dict[tuple[str, ...], Style] = {}
        self.motion = BoardMotion(self, animates=animates)
        self._digits: dict[int, str] = {}
        """The keys that pick squares, by square."""
        self._xray: object = None
        """The lens and position of the X-ray that is shown or being computed."""
        self.set_reactive(BoardView.position, game.start)
        self.set_reactive(BoardView.cursor, middle_of(game))

    def show(self, game: Game, position: Position) -> None:
        """Draw a position; the game may differ from the one before."""
        if game is not self.game:  # not by assignment, which would redraw a square that the new board may lack
            self.set_reactive(BoardView.cursor, middle_of(game))
        self.game, self.position = game, position
        self.cursor = self.validate_cursor(self.cursor)
        self._assign_digits()
        self.refresh()

    def show_row(self, people: Sequence[bool]) -> None:
        """Light the completed rows, as bad ones if a machine won against a person; `people` are the human sides."""
        outcome = self.game.outcome(self.position)
        winner = None if outcome is None else outcome.winner
        self.set_class(any(people) and winner is not None and not people[winner], "-lost")
        self.row = tuple(square for row in self.game.board.completed(self.position) for square in row)

    def fit(self, room: Size) -> None:
        """Be as high as a board with the largest squares that fit into a room."""
        self.styles.height = board_size(self.game, *largest_cell(self.game, room)).height

    def watch_row(self, row: tuple[int, ...]) -> None:
        """Light up the squares of the row in turn, or all at once without animation."""
        self.motion.light(len(row))

    @property
    def lit_count(self) -> int:
        """The number of squares of the row that are lit so far."""
        return len(self.row) - self.motion.unlit_count

    def arrive(self, bead: Style | None) -> None:
        """Let the piece of the last move fall into its square, or a bead of this style become it."""
        self.motion.arrive(self.game, self.position, self.last, bead)

    def show_xray(self, lens: Lens) -> None:
        """Show the notes of a lens in the squares, computed in the background, since some players think for long."""
        wanted = None if lens.kind == OFF else (lens, self.game.name, self.position, self.chosen)
        if wanted == self._xray:
            return
        self._xray, self.notes, self.is_looking, self.is_bare = wanted, {}, False, False
        if wanted is not None:
            find = partial(notes_in_steps, lens, self.game, self.position, self.chosen)
            self.run_in_steps("xray", find, partial(self._show_notes, wanted))

    def _show_notes(self, wanted: object, result: tuple[Notes, bool]) -> None:
        if wanted != self._xray:
            return
        before = self.is_looking, self.is_bare, self.notes
        self.notes, self.is_looking = result
        self.is_bare = not self.notes
        if before != (self.is_looking, self.is_bare, self.notes):
            self.post_message(self.LookingChanged())

    @property
    def cell_size(self) -> tuple[int, int]:
        """The columns and lines of one square."""
        return largest_cell(self.game, self.size)

    @property
    def _origin(self) -> tuple[int, int]:
        """The column and line of the board in the widget: in its middle, a single spare line above."""
        size = board_size(self.game, *self.cell_size)
        return max(0, (self.size.width - size.width) // 2), max(0, (self.size.height - size.height + 1) // 2)

    def render_line(self, y: int) -> Strip:
        left, top = self._origin
        width, height = self.cell_size
        line, letters_line = y - top, board_size(self.game, width, height).height - 1
        if 0 <= line < letters_line:
            row, line_of_row = divmod(line, row_pitch(self.game, width, height))
            if line_of_row == height:
                segments = [Segment(rule_between_rows(self.game, width), self._style("line"))]
            else:
                segments = self._row(row, line_of_row)
        elif line == letters_line and not self.game.board.heaps:
            segments = [Segment(letters_below(self.game, width), self._style("hint"))]
        else:
            segments = []
        strip = Strip([Segment(" " * left), *segments])
        return strip.adjust_cell_length(self.size.width).apply_style(self.visual_style.rich_style)

    def _style(self, *names: str) -> Style:
        style = self._styles.get(names)
        if style is None:  # cached, since Textual computes each style from all ancestors, and squares share few styles
            style = self._styles[names] = self.get_visual_style(*(f"board--{name}" for name in names)).rich_style
        return style

    def notify_style_update(self) -> None:
        self._styles.clear()
        super().notify_style_update()

    def validate_cursor(self, square: int) -> int:
        return nearest_cursor_square(self.game, self.position, square)

    def watch_cursor(self, before: int, after: int) -> None:
        """Redraw some squares, not the whole board: the cursor moves as fast as its key repeats."""
        changed = self._assign_digits()
        for cursor in (before, after):
            changed |= squares_pointed_at(self.game, self.position, cursor)
        old_answer, new_answer = self._answer_at(before), self._answer_at(after)
        if old_answer != new_answer:
            changed.update(old_answer.squares, new_answer.squares)
            self.post_message(self.LookingChanged())
        self.refresh(*map(self._region_of, changed))

    @property
    def is_pointing(self) -> bool:
        """Whether the square under the cursor is marked now."""
        return self.has_focus and self.pointing

    @property
    def answer(self) -> Note:
        """The answer of a machine to the move under the cursor, which is marked on the board and said in the frame."""
        return self._answer_at(self.cursor) if self.is_pointing else NOTHING

    def _answer_at(self, cursor: int) -> Note:
        note = self.notes.get(self.pointed(cursor), NOTHING)
        return note if note.answered else NOTHING

    def watch_open_squares(self) -> None:
        self._assign_digits()

    def _assign_digits(self) -> set[int]:
        """Give each square that a digit picks its digit; return the squares whose digit has changed."""
        before = self._digits
        digits = {self.pointed(square): str(digit) for digit, square in enumerate(self._squares_of_digits()[:9], 1)}
        if len(digits) != self.digit_count:
            self.digit_count = len(digits)
            self.post_message(self.LookingChanged())
        self._digits = {square: digit for square, digit in digits.items() if square in self.open_squares}
        return {square for square, _ in before.items() ^ self._digits.items()}

    def _squares_of_digits(self) -> Sequence[int]:
        return squares_of_digits(self.game, self.position, self.cursor, self.open_squares)

    def pointed(self, square: int) -> int:
        """Return the square meant by pointing at `square`; where pieces fall, the square to which a piece falls."""
        return self.game.board.pointed(self.position, square)

    def _region_of(self, square: int) -> Region:
        return region_of(self.game, *self.cell_size, square).translate(self._origin)

    def _row(self, row: int, line: int) -> list[Segment]:
        """Return a line of a row of squares."""
        width, height = self.cell_size
        drawing = SquareDrawing(
            self.game,
            width,
            height,
            self._style,
            solid=uses_letters(self),
            lost=self.has_class("-lost"),
            low=height > 1 and self._has_notes_on_pieces,
        )
        number = f"{self.game.board.rows - row} " if line == height // 2 else ""
        segments = [Segment(number.ljust(GUTTER)[: gutter_width(self.game)], self._style("hint"))]
        grounds = {
            "hinted": {*self.hinted, *self.answer.squares},
            "cursor": squares_pointed_at(self.game, self.position, self.cursor) if self.is_pointing else (),
            "chosen": self.chosen,
        }
        cells, texts = self.game.board.cells(self.position), self.texts
        for column in range(self.game.board.columns):
            square = row * self.game.board.columns + column
            if column:
                segments.append(Segment(line_left_of(self.game, column, "│"), self._style("line")))
            if column in walls(self.game):
                segments.append(Segment(" " * GAP))
            else:
                segments += drawing.segments(self._square(square, cells, grounds, texts), line)
        return segments

    def _square(
        self,
        square: int,
        cells: Sequence[Piece | None],
        grounds: Mapping[str, Collection[int]],
        texts: Mapping[int, str],
    ) -> BoardSquare:
        """Return what a square shows at this moment of all motions; `cells`, `grounds` and `texts` are of all squares.

        `grounds` are the squares that have each background, besides those of the last move and of a row.
        """
        piece, is_bead = self.motion.content(self.game, cells, self.last, square)
        is_lit = square in self.row[: self.lit_count]
        applying = []
        if square in self.last and not is_lit and (is_bead or piece is cells[square]):
            applying.append("last")
        if is_lit:
            applying.append("row")
        applying += [name for name, squares in grounds.items() if square in squares]
        return BoardSquare(
            piece,
            tuple(applying),
            bead=self.motion.bead if is_bead else None,
            note=self._note(square, texts.get(square), applying),
            digit=self._digits.get(square) or self.numbers.get(square, ""),
            is_numbered=square in self.numbers,
            was_taken=self.game.board.heaps and self.game.board.cells(self.game.start)[square] is not None,
        )

    def _note(self, square: int, text: str | None, grounds: Sequence[str]) -> tuple[str, Style] | None:
        """Return the X-ray text of a square, and its style.

        The line with the text is shaded: over the whole square, the shade would drown the board.
        """
        note = self.notes.get(square)
        if note is None or not text:
            return None
        style = self._style(note.tone, *grounds)
        if note.share and "hinted" not in grounds:
            shade = shade_of(self, note.share)
            style += Style(bgcolor=shade.bgcolor, reverse=shade.reverse)
        return text, style

    @property
    def texts(self) -> Mapping[int, str]:
        """The X-ray text by square.

        In squares of one line, the text shares the line with the mark of a piece, which takes one column.
        """
        width, height = self.cell_size
        if height == 1 and self._has_notes_on_pieces:
            width -= 1
        return note_texts(self.notes, width)

    @property
    def _has_notes_on_pieces(self) -> bool:
        """Whether an X-ray text stands on a piece."""
        if not self.notes:
            return False
        cells = self.game.board.cells(self.position)
        return any(cells[square] is not None and bool(note.texts[0]) for square, note in self.notes.items())

    def square_at(self, x: int, y: int) -> int | None:
        """Return the square at a point of the widget, if any."""
        left, top = self._origin
        return square_at(self.game, *self.cell_size, x - left, y - top)

    def on_click(self, event: events.Click) -> None:
        square = self.square_at(event.x, event.y)
        if square is not None:
            self.cursor = square
            self.post_message(self.Picked(square, entered=True))

    def action_move(self, down: int, right: int) -> None:
        self.cursor = cursor_after_arrow(self.game, self.position, self.cursor, down, right)

    def action_pick(self) -> None:
        self.post_message(self.Picked(self.cursor, entered=True))

    def action_pick_square(self, number: int) -> None:
        """Pick one of the squares that the digits pick, counted from 0."""
        squares = self._squares_of_digits()
        if number < len(squares):
            self.cursor = squares[number]
            self.post_message(self.Picked(self.cursor, entered=False))
        else:
            self.post_message(self.Missed(number + 1, len(squares)))
