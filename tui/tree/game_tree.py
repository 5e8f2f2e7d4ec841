"""The game tree as a widget: a line for each node; its children are added when it is opened."""

from collections.abc import Iterable
from typing import ClassVar

from rich.style import Style
from rich.text import Text
from textual import on
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import Static
from textual.widgets import Tree as TreeWidget
from textual.widgets.tree import TreeNode

from engine.game import Move, Outcome
from engine.trees.tree import Node, Tree
from lab.search import ending
from lab.text.numbers import short_count
from tui.tree.tree_text import endings_bar, move_text
from tui.widgets.tiles import palette_of, theme_colour

INDENT = 2
BAR_WIDTH = 7
BAR_GAP = 2
SCROLLBAR_WIDTH = 1
BAR_FROM = 38
"""The minimum width of a line, in columns, with a bar."""
VERDICT_WIDTH = 6
COUNT_WIDTH = 8
"""The widths of the verdict and of the number of games; deep in the tree, a letter replaces the
verdict, and the number is left out."""


class TreeHeading(Static):
    """The column headings for a `GameTree` of the same width."""

    DEFAULT_CSS = "TreeHeading { height: 1; color: $text-muted; }"

    def render(self) -> Text:
        room = self.size.width - SCROLLBAR_WIDTH
        bar = BAR_GAP + BAR_WIDTH if room >= BAR_FROM else 0
        text = Text(f"best play{'games':>{COUNT_WIDTH}}{'endings' if bar else '':>{bar}} ", "dim", no_wrap=True)
        text.pad_left(max(0, room - text.cell_len))
        return text


class GameTree(TreeWidget[Node], inherit_bindings=False):
    """Shows the nodes opened so far. The right arrow opens a node, the left one closes it or goes up."""

    DEFAULT_CSS = """
    GameTree {
        background: transparent; overflow-x: hidden; scrollbar-size-vertical: 1; scrollbar-gutter: stable;
        &:focus { background-tint: transparent; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "open", "Open", tooltip="opens its branches", show=False),
        Binding("left", "close", "Close, or go up", show=False),
        Binding("enter", "select_cursor", "Open or close", tooltip="opens its branches, or closes them", show=False),
        Binding("up", "cursor_up", "Node above", show=False),
        Binding("down", "cursor_down", "Node below", show=False),
        Binding("pageup", "page_up", "Page before", show=False),
        Binding("pagedown", "page_down", "Next page", show=False),
        Binding("home", "scroll_home", "First node", show=False),
        Binding("end", "scroll_end", "Last node", show=False),
    ]

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__("", id=id)
        self.guide_depth = INDENT
        self._was_drawn = False
        self.ending: Outcome | None = None
        """If not `None`, only games with this ending are counted, and only nodes that lead to one are shown."""

    def render_lines(self, crop: Region) -> list[Strip]:
        self._was_drawn = True
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """Draw a line; a blank one if the tree has not been drawn yet.

        Symptom without this guard: `AttributeError` if the user clicks the tree before it has been drawn.
        """
        return super().render_line(y) if self._was_drawn else Strip.blank(self.size.width)

    @property
    def here(self) -> Node | None:
        return self.cursor_node.data if self.cursor_node else None

    def show(self, tree: Tree, ending: Outcome | None = None, path: Iterable[Move] = ()) -> None:
        """Show a tree, and move the cursor along `path` as far as its nodes are shown."""
        self.ending = ending
        self.reset("", tree.root)
        self.root.expand()
        self.fill(self.root)
        self.go_to(path)

    def blank(self) -> None:
        self.reset("", None)

    def fill(self, line: TreeNode[Node]) -> None:
        """Add the children of a node, unless they have been added."""
        if line.data is None or line.children:
            return
        for child in line.data.children:
            if self.ending is None or child.games.ending(self.ending):
                line.add("", child, allow_expand=child.outcome is None)

    def go_to(self, path: Iterable[Move]) -> bool:
        """Open the nodes of a path and move the cursor to the last; returns whether the whole path is shown."""
        line, whole = self.root, True
        for move in path:
            self.fill(line)
            line.expand()
            found = next((child for child in line.children if child.data and child.data.path[-1] == move), None)
            if found is None:
                whole = False
                break
            line = found
        _ = self.last_line  # computes the layout of the lines, which `move_cursor` needs
        self.move_cursor(line)
        return whole

    @on(TreeWidget.NodeExpanded)
    def expanded(self, message: TreeWidget.NodeExpanded[Node]) -> None:
        self.fill(message.node)

    def action_open(self) -> None:
        line = self.cursor_node
        if line is None or not line.allow_expand:
            return
        if line.is_expanded and line.children:
            self.move_cursor(line.children[0])
        else:
            self.fill(line)
            line.expand()

    def action_close(self) -> None:
        line = self.cursor_node
        if line is None:
            return
        if line.is_expanded and line.allow_expand and not line.is_root:
            line.collapse()
        elif line.parent is not None:
            self.move_cursor(line.parent)

    def get_label_width(self, node: TreeNode[Node]) -> int:
        return self._room(node)

    def _room(self, line: TreeNode[Node]) -> int:
        """Return the width of a node's line after its guides, in columns."""
        depth = len(line.data.path) if line.data else 0
        return max(0, self.scrollable_content_region.width - INDENT * depth)

    def render_label(self, node: TreeNode[Node], base_style: Style, style: Style) -> Text:
        data = node.data
        if data is None:
            return Text(" ")  # not empty: an empty text has no style, and then the filter for NO_COLOR fails
        palette, plain = palette_of(self), node is self.cursor_node and self.has_focus
        mark = "  " if not node.allow_expand else "▾ " if node.is_expanded else "▸ "
        name = Text(f"{mark}{move_text(data)}", style)
        if data.path and not plain:
            name.stylize(palette.second if len(data.path) % 2 == 0 else palette.first, len(mark))
        value, word = data.value, ending(data)
        count = data.games.total if self.ending is None else data.games.ending(self.ending)
        counted = f"{count:,}" if data.outcome is None else ""
        counted = counted if len(counted) < COUNT_WIDTH else short_count(count)
        bar = Text()
        if self.scrollable_content_region.width >= BAR_FROM:
            bar = endings_bar(data.games, BAR_WIDTH, palette) if data.outcome is None else Text(" " * BAR_WIDTH)
        beside = BAR_GAP + bar.cell_len if bar else 0
        room = self._room(node) - name.cell_len - 2 - beside - VERDICT_WIDTH  # a column of air at either side
        field = min(COUNT_WIDTH, room)
        tone = Style() if plain or not value else palette.first if value > 0 else palette.second
        tone += Style(bold=data.outcome is not None)
        numbers = Text().append(f"{word:<{VERDICT_WIDTH}}" if room >= 0 else word[0], tone)
        numbers.append(counted.rjust(field) if field > len(counted) else " " * max(0, field))
        numbers.append(" " if bar else "").stylize(style)
        ground = Style(bgcolor=theme_colour(self, "background")) if bar else style
        bar = Text(" " * (BAR_GAP - 1) if bar else "").append_text(bar).append(" ")
        bar.stylize(ground)  # it keeps its colours, its ground and air on the line under the cursor
        space = self._room(node) - name.cell_len - numbers.cell_len - bar.cell_len
        return name.append(" " * max(1, space), style).append_text(numbers).append_text(bar)
