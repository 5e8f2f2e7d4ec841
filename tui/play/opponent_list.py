"""The list of opponents. Only visible lines are drawn, so that thousands are as fast as ten."""

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.strip import Strip

from lab.board.opponent_strength import about_text, candidate_name, level_name, meter
from lab.board.opponents import Candidate, LevelKey, LevelOrReason
from lab.text.columns import cut
from lab.text.sanitise import plain
from learners.players.levels import RANKS, Accuracy
from tui.widgets.cursor_view import CursorView

NAME_WIDTHS: Final = (14, 22)
"""The minimum and maximum width of a name, in columns; in between, it is that of the longest."""
LEVEL_WIDTH: Final = 10
METER_WIDTH: Final = len(RANKS) - 1
LEVEL_HEADING: Final = "strength"
ACCURACY_HEADING: Final = "value kept"
"""The heading of levels in games so large that they say in how many positions a player keeps the value."""
MIN_LINES: Final = 3
METER_FROM: Final = 60
"""The minimum width of a line, in columns, in which levels are also shown as bars."""
LEARNS: Final = "can learn"
PRESENT: Final = "▸"
"""Marks the opponent that is at the board."""
BEATEN: Final = "✓"
"""Marks the opponents that a person has beaten."""
GAP: Final = 2
NEAR_LINES: Final = 10
"""The number of lines above and below the visible ones whose levels are computed in advance."""
TYPING_PAUSE: Final = 1.0
"""Seconds without a key press after which a typed letter starts a new search."""


class OpponentList(CursorView):
    """Lists the opponents, with a cursor. Posts `Moved` also when the list changes. Typed letters search for a name."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "opponent--head",
        "opponent--cursor",
        "opponent--focused",
        "opponent--level",
        "opponent--learns",
    }
    DEFAULT_CSS = """
    OpponentList {
        background: $surface;
        & > .opponent--head { color: $text-muted; }
        & > .opponent--cursor { background: $block-cursor-blurred-background; }
        & > .opponent--focused {
            background: $block-cursor-background; color: $block-cursor-foreground; text-style: $block-cursor-text-style;
        }
        & > .opponent--level { color: $role-good; }
        & > .opponent--learns { color: $role-lit; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "open", "Play", tooltip="plays against it", show=False)]

    heading = 1

    def __init__(self, levels: Mapping[LevelKey, LevelOrReason], *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.everybody: Sequence[Candidate] = ()
        self.present = ""
        """The label of the opponent at the board; a checkpoint has that of its save."""
        self.beaten: frozenset[str] = frozenset()
        """The labels of the opponents that a person has beaten."""
        self._levels = levels
        self._name_width = NAME_WIDTHS[0]
        self._centres = False
        """Whether the cursor goes to the middle of the list once that has lines."""
        self._typed = ""
        self._typed_at = 0.0

    @property
    def count(self) -> int:
        return len(self.everybody)

    @property
    def selected(self) -> Candidate | None:
        return self.everybody[self.cursor] if self.cursor < len(self.everybody) else None

    @property
    def near(self) -> Sequence[Candidate]:
        """The opponent under the cursor, then those in and near the visible lines."""
        top = self.scroll_offset.y
        visible = self.everybody[max(0, top - NEAR_LINES) : top + self.size.height + NEAR_LINES]
        return [*self.everybody[self.cursor : self.cursor + 1], *visible]

    def show(self, everybody: Sequence[Candidate], label: str | None = None) -> None:
        """List these opponents. The cursor goes to `label`; without one, it stays on its opponent, at its height."""
        wanted = label or (self.selected.label if self.selected else "")
        labels = [each.label for each in everybody]
        line = self.cursor - self.scroll_offset.y
        self.everybody = everybody
        self.styles.max_height = self.heading + max(MIN_LINES, len(everybody))
        min_width, max_width = NAME_WIDTHS
        longest_name = max((cell_len(candidate_name(each)) for each in everybody), default=0)
        self._name_width = min(max_width, max(min_width, longest_name))
        self.cursor = labels.index(wanted) if wanted in labels else min(self.cursor, max(0, len(labels) - 1))
        self.lay_out()
        self._centres = label is not None
        if label is None:
            self.scroll_to(y=self.cursor - line, animate=False, immediate=True)
        self.follow()
        self.post_message(self.Moved())
        self.call_after_refresh(self.follow)  # only then does the list have its new height

    def follow(self) -> None:
        if self._centres and self.size.height:
            self._centres = False
            self.scroll_to(y=self.cursor - self.size.height // 2, animate=False, immediate=True)
        super().follow()

    def render_line(self, y: int) -> Strip:
        row, width = y - self.heading + self.scroll_offset.y, self.scrollable_content_region.width
        if y < self.heading:
            head_style = self.get_component_rich_style("opponent--head")
            return Strip([Segment(self._head(width))], width).apply_style(head_style)
        if row >= len(self.everybody):
            return Strip.blank(width, self.rich_style)
        style = self.rich_style
        if row == self.cursor:
            style += self.get_component_rich_style(f"opponent--{'focused' if self.has_focus else 'cursor'}")
        line = Strip(self._line(self.everybody[row], width, one_colour=row == self.cursor))
        return line.adjust_cell_length(width).apply_style(style)

    def _head(self, width: int) -> str:
        """Return what stands in the columns."""
        indent = " " * (2 + self._name_width + GAP)
        has_accuracies = any(isinstance(self._levels.get(each.key), Accuracy) for each in self.everybody)
        level_heading = ACCURACY_HEADING if has_accuracies else LEVEL_HEADING
        level_width = LEVEL_WIDTH + GAP + (METER_WIDTH + 1 if width >= METER_FROM else 0)
        return _fill(f"{indent}{level_heading:<{level_width}}what it is", width)

    def _line(self, candidate: Candidate, width: int, *, one_colour: bool) -> list[Segment]:
        """Return the parts of a line; one part if `one_colour`, so that its drawings get the contrast of its text."""
        level = self._levels.get(candidate.key)
        level_style = Style(color=self.get_component_rich_style("opponent--level", partial=True).color)
        if not level:
            level_style = Style(dim=True)
        name = f" {_fill(candidate_name(candidate), self._name_width)}{' ' * GAP}"
        segments = [Segment(self._tick(candidate), level_style), Segment(name, Style())]
        if width >= METER_FROM:
            segments += [Segment(meter(level), level_style), Segment(" ", Style())]
        level_text = level.share_text if isinstance(level, Accuracy) else level_name(candidate, level)
        segments += [Segment(_fill(level_text, LEVEL_WIDTH), level_style), Segment(" " * GAP, Style())]
        mark = f"{' ' * GAP}{LEARNS} " if candidate.learns else " "
        rest = width - sum(cell_len(segment.text) for segment in segments) - len(mark)
        learns_style = Style(color=self.get_component_rich_style("opponent--learns", partial=True).color)
        about = _fill(about_text(candidate, rest), max(1, rest))
        segments += [Segment(about, Style(dim=True)), Segment(mark, learns_style)]
        return [Segment("".join(segment.text for segment in segments))] if one_colour else segments

    def _tick(self, candidate: Candidate) -> str:
        """Return the mark of the opponent at the board, or of one that a person has beaten."""
        if candidate.label == self.present:
            return PRESENT
        return BEATEN if candidate.label in self.beaten else " "

    def on_key(self, event: events.Key) -> None:
        """Move the cursor to the next name that begins with the typed letters."""
        if event.character is None or not event.is_printable:
            return
        event.stop()
        now = monotonic()
        if now - self._typed_at >= TYPING_PAUSE:
            self._typed = ""
        self._typed += event.character.casefold()
        self._typed_at = now
        first = self.cursor + 1 if len(self._typed) == 1 else self.cursor
        for row in (*range(first, len(self.everybody)), *range(first)):
            if candidate_name(self.everybody[row]).casefold().startswith(self._typed):
                self.go_to(row)
                return
        self.go_to(self.cursor)


def _fill(text: str, width: int) -> str:
    """Return a text cut or padded to `width` columns."""
    fitting = cut(plain(text), width)
    return fitting + " " * (width - cell_len(fitting))
