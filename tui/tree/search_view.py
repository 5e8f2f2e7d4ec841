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
from tui.widgets.tiles import SMALL, Palette, box_lines, ground_of, palette_of

ROOMY_FROM: Final = (34, 20)
"""From this size of the view on (columns, lines), nodes are drawn as small boards."""
MOST_COLUMNS: Final = 5
"""The most columns of a game whose nodes are drawn as small boards."""
FALLING: Final = 0.15
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
        self._last: set[MoveSequence] = set()
        self._fall = Motion(self)

    def show(self, replay: Replay | UctReplay, game: Game, start: Side, depth: int | None) -> None:
        self.replay, self._game, self._start = replay, game, start
        if isinstance(replay, UctReplay):
            self._columns = lambda path: uct_columns(replay.seen[path])
        else:
            columns = search_columns(depth, game)
            self._columns = lambda path: columns(replay.seen[path]) if path in replay.seen else NOT_REACHED
        # for each node, its last child in the whole search: the guide ends there
        self._last = set({path[:-1]: path for path in replay.positions}.values())
        self.update()

    def update(self) -> None:
        """Draw the tree after the current step, with the cursor on the node of that step."""
        step = self.replay.step
        self.cursor = 0 if step is None else self.replay.lines.index(step.path)
        self.lay_out()
        around = self.size.height // 3  # so that what comes next is seen
        region = self.region_of(self.cursor).grow((around, 0, around, 0))
        self.scroll_to_region(region, animate=False, force=True, immediate=True)
        self._fall.play(self._height if isinstance(step, Step) and step.kind is StepKind.SKIP else 0, FALLING)

    @property
    def _height(self) -> int:
        """The lines of a node: those of a small board where there is room for one, else one."""
        (columns, lines), board = ROOMY_FROM, None if self._game is None else self._game.board
        roomy = self.size.width >= columns and self.size.height >= lines
        return board.rows if roomy and board is not None and board.columns <= MOST_COLUMNS else 1

    @property
    def draws_boards(self) -> bool:
        return self._height > 1

    @property
    def here(self) -> MoveSequence:
        """The node under the cursor, as its path."""
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
        skipped = place < self.count and self._columns(self.replay.lines[place]).skipped  # only its middle line
        return Region(0, self._height * place, 1, self._height // 2 + 1 if skipped else self._height)

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
            segments = self._beside_board(game, path, part, width, selected=selected)
        else:
            segments = self._line(game, path, width, selected=selected)
        return Strip(segments).adjust_cell_length(self.size.width).apply_style(self.visual_style.rich_style)

    def _guides(self, path: MoveSequence, part: int) -> str:
        """Return the guides drawn in front of a line of a node."""
        if not path:
            return ""
        through = ("   " if path[:length] in self._last else "│  " for length in range(1, len(path)))
        middle, last = self._height // 2, path in self._last
        own = ("└─" if last else "├─") if part == middle else "  " if last and part > middle else "│ "
        return "".join(through) + own

    def _board(self, game: Game, path: MoveSequence, part: int, *, skipped: bool) -> list[Segment]:
        """Return a line of the small board of a node; the board of a branch that was just cut falls out of view."""
        wide, box = 2 * game.board.columns - 1, board_box(game, self.replay.positions[path])
        lines = box_lines(box, wide, palette_of(self), SMALL)
        if path not in self.replay.seen:
            lines = [[Segment(each.text, palette_of(self).quiet) for each in line] for line in lines]
        fallen = self._height - self._fall.left if path == self.replay.lines[self.cursor] else self._height
        part -= fallen * skipped
        blank = [Segment(" " * wide)]
        return [Segment(" "), *(lines[part] if 0 <= part < len(lines) else blank), Segment(" ")]

    def _line(self, game: Game, path: MoveSequence, width: int, *, selected: bool) -> list[Segment]:
        palette = palette_of(self)
        note, value, known, skipped, _ = self._columns(path)
        style = Style(bold=True) if known else palette.quiet
        name = self._name_parts(game, path, palette, skipped=skipped, selected=selected)
        guides = self._guides(path, 0)
        room = width - len(guides) - sum(each.cell_length for each in name)
        right = note if room > len(note) + 2 + VALUE_WIDTH else ""
        guides = guides[max(0, len(value) + 1 - room) :]  # a deep node keeps its value
        return [
            Segment(guides, palette.quiet),
            *name,
            Segment(f"{right:>{room - 2 - VALUE_WIDTH}}  " if right else "", palette.quiet),
            Segment(f"{value:>{VALUE_WIDTH if right else max(room, len(value) + 1)}}", style),
        ]

    def _beside_board(self, game: Game, path: MoveSequence, part: int, width: int, *, selected: bool) -> list[Segment]:
        """Return a line of a node that is drawn as a board: beside it the name and the value, below them the window.

        What explains them is left out where `width` has no room for it.
        """
        palette, (note, value, known, skipped, bracket) = palette_of(self), self._columns(path)
        parts = [Segment(self._guides(path, part), palette.quiet), *self._board(game, path, part, skipped=skipped)]
        middle = self._height // 2
        if part == middle:
            name = self._name_parts(game, path, palette, skipped=skipped, selected=selected)
            words = value if skipped or value in VERDICT.values() else f"worth {value}" if known else ""
            node = self.replay.seen.get(path)
            told = counted_noun(node.visits, "visit") if isinstance(node, UctNode) else note.strip()
            leaf = f" · {told}" if known and not bracket else ""
            style = palette.quiet if skipped else Style(bold=True)
            parts += [*name, Segment(f"  {words}", style), Segment(leaf, palette.quiet)]
        elif part == middle + 1 and bracket:
            parts += [Segment(f" {bracket}", palette.quiet), Segment(f"  still open {note.strip()}", palette.quiet)]
        else:
            return parts
        return parts if sum(each.cell_length for each in parts) <= width else parts[:-1]

    def _name_parts(
        self, game: Game, path: MoveSequence, palette: Palette, *, skipped: bool, selected: bool
    ) -> list[Segment]:
        """Return the name of a node between two spaces, in the style of the side that made its move.

        At the root, it is the side to move. Nodes that are not reached are dim, and skipped ones are struck out.
        """
        name = move_name(game, self._start, path)
        if selected:
            return [Segment(f" {name} ", ground_of(self))]
        second = (self._start is Side.SECOND) == (len(path) % 2 == 1) if path else self._start is Side.SECOND
        style = palette.second if second else palette.first
        if skipped or path not in self.replay.seen:
            style = palette.quiet + Style(strike=skipped)
        return [Segment(" "), Segment(name, style), Segment(" ")]
