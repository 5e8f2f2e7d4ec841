"""The game tree as a widget: a line for each node; its children are added when it is opened."""

from collections.abc import Iterable
from typing import ClassVar, Final

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
from lab.search import ending_text
from lab.text.numbers import short_count
from tui.tree.tree_text import endings_bar, move_text
from tui.widgets.palette import palette_of, theme_colour

INDENT: Final = 2
"""The width of a level of the tree, in columns, as all widths here."""
BAR_WIDTH: Final = 7
BAR_GAP: Final = 2
"""The width of the space before a bar."""
SCROLLBAR_WIDTH: Final = 1
BAR_FROM: Final = 38
"""The minimum width of a line with a bar."""
VERDICT_WIDTH: Final = 6
COUNT_WIDTH: Final = 8
"""The widths of the verdict and of the number of games; deep in the tree, a letter replaces the verdict, and the
number is left out."""


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
    def selected_node(self) -> Node | None:
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
        """Open the nodes of a path, move the cursor to the last, and return whether the whole path is shown."""
        line, is_whole = self.root, True
        for move in path:
            self.fill(line)
            line.expand()
            child = next((child for child in line.children if child.data and child.data.path[-1] == move), None)
            if child is None:
                is_whole = False
                break
            line = child
        _ = self.last_line  # computes the layout of the lines, which `move_cursor` needs
        self.move_cursor(line)
        return is_whole

    @on(TreeWidget.NodeExpanded)
    def fill_expanded(self, message: TreeWidget.NodeExpanded[Node]) -> None:
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
        is_selected = node is self.cursor_node and self.has_focus
        name = self._move_text(node, data, style, is_selected=is_selected)
        bar = self._bar(data, style)
        gap = " " if self._has_bars else ""
        room = self._room(node) - name.cell_len - 1 - len(gap) - bar.cell_len - VERDICT_WIDTH
        numbers = self._numbers(data, room, is_selected=is_selected).append(gap)
        numbers.stylize(style)
        space = self._room(node) - name.cell_len - numbers.cell_len - bar.cell_len
        return name.append(" " * max(1, space), style).append_text(numbers).append_text(bar)

    def _move_text(self, line: TreeNode[Node], node: Node, style: Style, *, is_selected: bool) -> Text:
        """Return the arrow of a line, and the last move of its node in the colour of its side."""
        arrow = "  "
        if line.allow_expand:
            arrow = "▾ " if line.is_expanded else "▸ "
        name = Text(f"{arrow}{move_text(node)}", style)
        if node.path and not is_selected:
            palette = palette_of(self)
            name.stylize(palette.first if len(node.path) % 2 else palette.second, len(arrow))
        return name

    def _numbers(self, node: Node, room: int, *, is_selected: bool) -> Text:
        """Return the verdict and the number of games, which has `room` columns, or fewer than 0 if there is none."""
        palette, verdict = palette_of(self), ending_text(node)
        style = Style(bold=node.outcome is not None)
        if node.value and not is_selected:
            style = (palette.first if node.value > 0 else palette.second) + style
        numbers = Text().append(f"{verdict:<{VERDICT_WIDTH}}" if room >= 0 else verdict[0], style)
        count_text = ""
        if node.outcome is None:
            count = node.games.total if self.ending is None else node.games.ending(self.ending)
            count_text = f"{count:,}"
            if len(count_text) >= COUNT_WIDTH:
                count_text = short_count(count)
        width = min(COUNT_WIDTH, room)
        return numbers.append(count_text.rjust(width) if width > len(count_text) else " " * max(0, width))

    def _bar(self, node: Node, style: Style) -> Text:
        """Return the bar of a node between two spaces; one space if there is no room for bars."""
        if not self._has_bars:
            return Text(" ", style)
        bar = Text(" " * BAR_WIDTH)
        if node.outcome is None:
            bar = endings_bar(node.games, BAR_WIDTH, palette_of(self))
        text = Text(" " * (BAR_GAP - 1)).append_text(bar).append(" ")
        # also on the line under the cursor it keeps its colours and its background, with the space around it
        text.stylize(Style(bgcolor=theme_colour(self, "background")))
        return text

    @property
    def _has_bars(self) -> bool:
        return self.scrollable_content_region.width >= BAR_FROM
