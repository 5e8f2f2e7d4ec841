"""The tree that a search builds, with a line for each node."""

from collections.abc import Callable
from math import ceil
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.strip import Strip

from engine.game import Game, MoveSequence, Side
from engine.plural import counted_noun
from engine.search_result import Step, StepKind
from lab.memory.matchbox import board_box
from learners.players.plain import VERDICT
from learners.uct.search import UctNode
from tui.tree.search_text import NOT_REACHED, VALUE_WIDTH, Columns, move_name, search_columns, uct_columns
from tui.tree.step_replay import Replay, UctReplay
from tui.widgets.cursor_view import CursorView
from tui.widgets.motion import Motion
from tui.widgets.palette import Palette, ground_of, palette_of
from tui.widgets.tiles import SMALL, box_lines

ROOMY_FROM: Final = (34, 20)
"""From this size of the view on (columns, lines), nodes are drawn as small boards."""
MAX_BOARD_COLUMNS: Final = 5
"""The maximum number of columns of a game whose nodes are drawn as small boards."""
FALL_STEP: Final = 0.15
"""Seconds in which a branch that is cut falls by one line."""


class SearchView(CursorView, inherit_bindings=False):
    """Shows the tree of a replay, with a cursor. Home and End are keys of the screen: they go through the steps."""

    DEFAULT_CSS = "SearchView { scrollbar-gutter: stable; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "go(-1)", "Node above", show=False),
        Binding("down", "go(1)", "Node below", show=False),
        Binding("pageup", "go_pages(-1)", "Page before", show=False),
        Binding("pagedown", "go_pages(1)", "Next page", show=False),
    ]

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.replay: Replay | UctReplay = Replay(())
        self._game: Game | None = None
        self._start = Side.FIRST
        self._columns: Callable[[MoveSequence], Columns] = lambda _: NOT_REACHED
        self._last_children: set[MoveSequence] = set()
        """For each node, its last child in the whole search: the guide ends there."""
        self._fall = Motion(self)

    def show(self, replay: Replay | UctReplay, game: Game, start: Side, depth: int | None) -> None:
        self.replay, self._game, self._start = replay, game, start
        if isinstance(replay, UctReplay):
            self._columns = lambda path: uct_columns(replay.visited[path])
        else:
            columns = search_columns(depth, game)
            self._columns = lambda path: columns(replay.visited[path]) if path in replay.visited else NOT_REACHED
        self._last_children = set({path[:-1]: path for path in replay.positions}.values())
        self.update()

    def update(self) -> None:
        """Draw the tree after the current step, with the cursor on the node of that step."""
        step = self.replay.step
        self.cursor = 0 if step is None else self.replay.lines.index(step.path)
        self.lay_out()
        around = self.size.height // 3  # so that what comes next is seen
        region = self.region_of(self.cursor).grow((around, 0, around, 0))
        self.scroll_to_region(region, animate=False, force=True, immediate=True)
        skips = isinstance(step, Step) and step.kind is StepKind.SKIP
        self._fall.play(self._height if skips else 0, FALL_STEP)

    @property
    def _height(self) -> int:
        """The lines of a node: those of a small board where there is room for one, else one."""
        columns, lines = ROOMY_FROM
        if self._game is None or self.size.width < columns or self.size.height < lines:
            return 1
        board = self._game.board
        return board.rows if board.columns <= MAX_BOARD_COLUMNS else 1

    @property
    def draws_boards(self) -> bool:
        return self._height > 1

    @property
    def cursor_path(self) -> MoveSequence:
        """The path of the node under the cursor."""
        lines = self.replay.lines
        return lines[self.cursor] if self.cursor < len(lines) else ()

    @property
    def count(self) -> int:
        return len(self.replay.lines)

    @property
    def lines(self) -> int:
        rest = self.size.height % self._height  # lines below the last whole node stay empty
        return max(1, self._height * self.count + rest)

    @property
    def page(self) -> int:
        return self.size.height // self._height - 1

    def validate_scroll_y(self, value: float) -> float:
        """Keep a whole node at the top."""
        return float(ceil(super().validate_scroll_y(value) / self._height) * self._height)

    def region_of(self, place: int) -> Region:
        height = self._height
        if place < self.count and self._columns(self.replay.lines[place]).skipped:
            height = height // 2 + 1  # down to its middle line
        return Region(0, self._height * place, 1, height)

    def place_at(self, _x: int, y: int) -> int | None:
        place = (y + self.scroll_offset.y) // self._height
        return place if place < self.count else None

    def render_line(self, y: int) -> Strip:
        line, part = divmod(y + self.scroll_offset.y, self._height)
        width = self.scrollable_content_region.width - 1  # no number touches the scrollbar
        game, lines = self._game, self.replay.lines
        if game is None or line >= len(lines):
            return Strip([]).adjust_cell_length(self.size.width).apply_style(self.visual_style.rich_style)
        path, selected = lines[line], line == self.cursor
        if self.draws_boards:
            segments = self._board_line(game, path, part, width, selected=selected)
        else:
            segments = self._line(game, path, width, selected=selected)
        return Strip(segments).adjust_cell_length(self.size.width).apply_style(self.visual_style.rich_style)

    def _guides(self, path: MoveSequence, part: int) -> str:
        """Return the guides drawn in front of a line of a node."""
        if not path:
            return ""
        ancestors = (path[:length] for length in range(1, len(path)))
        guides = "".join("   " if each in self._last_children else "│  " for each in ancestors)
        middle, is_last = self._height // 2, path in self._last_children
        if part == middle:
            return guides + ("└─" if is_last else "├─")
        return guides + ("  " if is_last and part > middle else "│ ")

    def _board(self, game: Game, path: MoveSequence, part: int, *, skipped: bool) -> list[Segment]:
        """Return a line of the small board of a node; the board of a branch that was just cut falls out of view."""
        width, box = 2 * game.board.columns - 1, board_box(game, self.replay.positions[path])
        lines = box_lines(box, width, palette_of(self), SMALL)
        if path not in self.replay.visited:
            lines = [[Segment(each.text, palette_of(self).quiet) for each in line] for line in lines]
        if skipped:
            falls = path == self.replay.lines[self.cursor]
            part -= self._height - self._fall.steps_left if falls else self._height
        line = lines[part] if 0 <= part < len(lines) else [Segment(" " * width)]
        return [Segment(" "), *line, Segment(" ")]

    def _line(self, game: Game, path: MoveSequence, width: int, *, selected: bool) -> list[Segment]:
        palette = palette_of(self)
        note, value, known, skipped, _ = self._columns(path)
        style = Style(bold=True) if known else palette.quiet
        name = self._name_parts(game, path, palette, skipped=skipped, selected=selected)
        guides = self._guides(path, 0)
        room = width - len(guides) - sum(each.cell_length for each in name)
        guides = guides[max(0, len(value) + 1 - room) :]  # a deep node keeps its value
        segments = [Segment(guides, palette.quiet), *name]
        if note and room > len(note) + 2 + VALUE_WIDTH:
            note_segment = Segment(f"{note:>{room - 2 - VALUE_WIDTH}}  ", palette.quiet)
            return [*segments, note_segment, Segment(f"{value:>{VALUE_WIDTH}}", style)]
        return [*segments, Segment(f"{value:>{max(room, len(value) + 1)}}", style)]

    def _board_line(self, game: Game, path: MoveSequence, part: int, width: int, *, selected: bool) -> list[Segment]:
        """Return a line of a node that is drawn as a board: beside it the name and the value, below them the window.

        What explains them is left out where `width` has no room for it.
        """
        palette, (note, value, known, skipped, bracket) = palette_of(self), self._columns(path)
        segments = [Segment(self._guides(path, part), palette.quiet), *self._board(game, path, part, skipped=skipped)]
        middle = self._height // 2
        if part == middle:
            worth = f"worth {value}" if known else ""
            if skipped or value in VERDICT.values():
                worth = value
            explanation = ""
            if known and not bracket:
                node = self.replay.visited.get(path)
                explanation = counted_noun(node.visits, "visit") if isinstance(node, UctNode) else note.strip()
                explanation = f" · {explanation}"
            segments += self._name_parts(game, path, palette, skipped=skipped, selected=selected)
            segments += [Segment(f"  {worth}", palette.quiet if skipped else Style(bold=True))]
            segments += [Segment(explanation, palette.quiet)]
        elif part == middle + 1 and bracket:
            segments += [Segment(f" {bracket}", palette.quiet), Segment(f"  still open {note.strip()}", palette.quiet)]
        else:
            return segments
        return segments if sum(each.cell_length for each in segments) <= width else segments[:-1]

    def _name_parts(
        self, game: Game, path: MoveSequence, palette: Palette, *, skipped: bool, selected: bool
    ) -> list[Segment]:
        """Return the name of a node between two spaces, in the style of the side that made its move.

        At the root, it is the side to move. Nodes that are not reached are dim, and skipped ones are struck out.
        """
        name = move_name(game, self._start, path)
        if selected:
            return [Segment(f" {name} ", ground_of(self))]
        side = self._start if not path or len(path) % 2 else self._start.other
        style = palette.first if side is Side.FIRST else palette.second
        if skipped or path not in self.replay.visited:
            style = palette.quiet + Style(strike=skipped)
        return [Segment(" "), Segment(name, style), Segment(" ")]
