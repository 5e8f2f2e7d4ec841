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
KEEPS: Final = "value kept"
"""The heading of levels in games so large that they say in how many positions a player keeps the value."""
LEAST_LINES: Final = 3
METER_FROM: Final = 60
"""The minimum width of a line, in columns, in which levels are also shown as bars."""
LEARNS: Final = "can learn"
PRESENT: Final = "▸"
"""Marks the opponent that is at the board."""
BEATEN: Final = "✓"
"""Marks the opponents that a person has beaten."""
GAP: Final = 2
NEAR: Final = 10
"""The number of lines above and below the visible ones whose levels are computed in advance."""
TYPING: Final = 1.0
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
        visible = self.everybody[max(0, top - NEAR) : top + self.size.height + NEAR]
        return [*self.everybody[self.cursor : self.cursor + 1], *visible]

    def show(self, everybody: Sequence[Candidate], label: str | None = None) -> None:
        """List these opponents. The cursor goes to `label`; without one, it stays on its opponent, at its height."""
        wanted = label or (self.selected.label if self.selected else "")
        labels = [each.label for each in everybody]
        line = self.cursor - self.scroll_offset.y
        self.everybody = everybody
        self.styles.max_height = self.heading + max(LEAST_LINES, len(everybody))
        least, most = NAME_WIDTHS
        self._name_width = min(most, max((least, *(cell_len(candidate_name(each)) for each in everybody))))
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
            return Strip([Segment(self._head(width))], width).apply_style(
                self.get_component_rich_style("opponent--head")
            )
        if row >= len(self.everybody):
            return Strip.blank(width, self.rich_style)
        style, focused = self.rich_style, row == self.cursor and self.has_focus
        if row == self.cursor:
            style += self.get_component_rich_style(f"opponent--{'focused' if focused else 'cursor'}")
        line = Strip(self._line(self.everybody[row], width, one_colour=row == self.cursor))
        return line.adjust_cell_length(width).apply_style(style)

    def _head(self, width: int) -> str:
        """Return what stands in the columns."""
        line = " " * (2 + self._name_width + GAP)
        keeps = any(isinstance(self._levels.get(each.key), Accuracy) for each in self.everybody)
        room = LEVEL_WIDTH + GAP + (METER_WIDTH + 1 if width >= METER_FROM else 0)
        return _filled(f"{line}{KEEPS if keeps else 'strength':<{room}}what it is", width)

    def _line(self, candidate: Candidate, width: int, *, one_colour: bool) -> list[Segment]:
        """Return the parts of a line; one part if `one_colour`, so that its drawings get the contrast of its text."""
        styles = (self.get_component_rich_style(f"opponent--{name}", partial=True) for name in ("level", "learns"))
        level, learns = (Style(color=style.color) for style in styles)
        known = self._levels.get(candidate.key)
        level = level if known else Style(dim=True)
        ticked = PRESENT if candidate.label == self.present else BEATEN if candidate.label in self.beaten else " "
        parts = [(ticked, level), (f" {_filled(candidate_name(candidate), self._name_width)}{' ' * GAP}", Style())]
        if width >= METER_FROM:
            parts += [(meter(known), level), (" ", Style())]
        name = known.share_text if isinstance(known, Accuracy) else level_name(candidate, known)
        parts += [(_filled(name, LEVEL_WIDTH), level), (" " * GAP, Style())]
        mark = f"{' ' * GAP}{LEARNS} " if candidate.learns else " "
        rest = width - sum(cell_len(text) for text, _ in parts) - len(mark)
        parts += [(_filled(about_text(candidate, rest), max(1, rest)), Style(dim=True)), (mark, learns)]
        return [Segment("".join(text for text, _ in parts))] if one_colour else [Segment(*part) for part in parts]

    def on_key(self, event: events.Key) -> None:
        """Move the cursor to the next name that begins with the typed letters."""
        if event.character is None or not event.is_printable:
            return
        event.stop()
        now = monotonic()
        self._typed = (self._typed if now - self._typed_at < TYPING else "") + event.character.casefold()
        self._typed_at = now
        begin = self.cursor + (len(self._typed) == 1)
        rows = [*range(begin, len(self.everybody)), *range(begin)]
        names = (candidate_name(self.everybody[row]).casefold() for row in rows)
        found = (row for row, name in zip(rows, names, strict=True) if name.startswith(self._typed))
        self.go_to(next(found, self.cursor))


def _filled(text: str, width: int) -> str:
    """Return a text cut or padded to `width` columns."""
    shown = cut(plain(text), width)
    return shown + " " * (width - cell_len(shown))
