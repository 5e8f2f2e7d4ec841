"""The list of opponents: a line each, drawn as it is seen, so that thousands are as quick as ten."""

from collections.abc import Mapping, Sequence
from time import monotonic
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from lab.board.opponents import Candidate, Key, Known, level_name, meter
from lab.words.columns import cells, cut
from lab.words.sanitise import plain

NAME_WIDTHS: Final = (14, 22)
"""The least and the most columns of the names; between them a quarter of the line."""
LEVEL_WIDTH: Final = 8
METER_FROM: Final = 60
"""The columns from which on a level is drawn as a bar as well."""
LEARNS: Final = "learns"
GAP: Final = 2
NEAR: Final = 10
"""How many lines above and below those in sight are soon to be seen."""
TYPING: Final = 1.0
"""Seconds after which a letter begins a new name."""


class OpponentList(ScrollView, can_focus=True, inherit_bindings=False):
    """Draws who can be played against, and moves a cursor over them; says whom it is on, and who is chosen."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "opponent--cursor",
        "opponent--held",
        "opponent--level",
        "opponent--learns",
    }
    DEFAULT_CSS = """
    OpponentList {
        height: 1fr; min-height: 3; overflow-x: hidden; scrollbar-size-vertical: 1; background: $surface;
        & > .opponent--cursor { background: $foreground 12%; }
        & > .opponent--held { background: $primary 45%; text-style: bold; }
        & > .opponent--level { color: $primary; }
        & > .opponent--learns { color: $accent; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Play", show=False),
        Binding("up", "go(-1)", "Up", show=False),
        Binding("down", "go(1)", "Down", show=False),
        Binding("pageup", "go_pages(-1)", "Page up", show=False),
        Binding("pagedown", "go_pages(1)", "Page down", show=False),
        Binding("home", "go(-1000000)", "First", show=False),
        Binding("end", "go(1000000)", "Last", show=False),
    ]

    class Highlighted(Message):
        """The cursor is on another one, or the list is another."""

    class Chosen(Message):
        """The one under the cursor was chosen."""

    def __init__(self, levels: Mapping[Key, Known], *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.everybody: Sequence[Candidate] = ()
        self.cursor = 0
        self._levels = levels
        self._typed = ""
        self._typed_at = 0.0

    @property
    def selected(self) -> Candidate | None:
        """Whom the cursor is on."""
        return self.everybody[self.cursor] if self.cursor < len(self.everybody) else None

    @property
    def near(self) -> Sequence[Candidate]:
        """Whom the cursor is on, then those who are in sight, or soon may be."""
        top = self.scroll_offset.y
        in_sight = self.everybody[max(0, top - NEAR) : top + self.size.height + NEAR]
        return [*self.everybody[self.cursor : self.cursor + 1], *in_sight]

    def show(self, everybody: Sequence[Candidate], label: str | None = None) -> None:
        """List these; the cursor goes to the one of that label, else it stays where its own one was and is now."""
        wanted = label or (self.selected.label if self.selected else "")
        labels = [each.label for each in everybody]
        line = self.cursor - self.scroll_offset.y
        self.everybody = everybody
        self.cursor = labels.index(wanted) if wanted in labels else min(self.cursor, max(0, len(labels) - 1))
        self.virtual_size = Size(self.size.width, len(everybody))
        if label is None:
            self.scroll_to(y=self.cursor - line, animate=False, immediate=True)
        self._moved()
        self.call_after_refresh(self._follow)  # only then is there room for them all

    def _moved(self) -> None:
        self._follow()
        self.refresh()
        self.post_message(self.Highlighted())

    def _follow(self) -> None:
        """Bring the cursor into sight."""
        self.scroll_to_region(Region(0, self.cursor, 1, 1), animate=False, force=True, immediate=True)

    def on_resize(self) -> None:
        self.virtual_size = Size(self.size.width, len(self.everybody))
        self.call_after_refresh(self._follow)

    def render_line(self, y: int) -> Strip:
        row, width = y + self.scroll_offset.y, self.size.width
        if row >= len(self.everybody):
            return Strip.blank(width, self.rich_style)
        style, held = self.rich_style, row == self.cursor and self.has_focus
        if row == self.cursor:
            style += self.get_component_rich_style(f"opponent--{'held' if held else 'cursor'}", partial=True)
        line = Strip(self._line(self.everybody[row], width, plainly=held))
        return line.adjust_cell_length(width).apply_style(style)

    def _line(self, candidate: Candidate, width: int, *, plainly: bool) -> list[Segment]:
        """The parts of a line, in one colour where it is drawn `plainly`."""
        level, learns = (Style() if plainly else self._foreground(name) for name in ("level", "learns"))
        about = Style(dim=not plainly)
        known = self._levels.get(candidate.key)
        least, most = NAME_WIDTHS
        name = max(least, min(most, width // 4))
        parts = [(" ", Style()), (_filled(candidate.name, name), Style()), (" " * GAP, Style())]
        if width >= METER_FROM:
            parts += [(meter(known), level), (" ", Style())]
        parts += [(_filled(level_name(candidate, known), LEVEL_WIDTH), level), (" " * GAP, Style())]
        mark = f"{' ' * GAP}{LEARNS} " if candidate.learns else " "
        rest = width - sum(cells(text) for text, _ in parts) - len(mark)
        return [Segment(*part) for part in (*parts, (_filled(candidate.about, max(1, rest)), about), (mark, learns))]

    def _foreground(self, name: str) -> Style:
        return Style(color=self.get_component_rich_style(f"opponent--{name}", partial=True).color)

    def _go_to(self, row: int) -> None:
        if self.everybody:
            self.cursor = min(max(0, row), len(self.everybody) - 1)
            self._moved()

    def action_go(self, step: int) -> None:
        self._go_to(self.cursor + step)

    def action_go_pages(self, step: int) -> None:
        self._go_to(self.cursor + step * max(1, self.size.height - 1))

    def action_choose(self) -> None:
        if self.selected is not None:
            self.post_message(self.Chosen())

    def on_click(self, event: events.Click) -> None:
        """A click moves the cursor; one on the cursor chooses."""
        row = event.y + self.scroll_offset.y
        if row == self.cursor:
            self.action_choose()
        elif row < len(self.everybody):
            self._go_to(row)

    def on_key(self, event: events.Key) -> None:
        """Letters go to the next name that begins with them."""
        if event.character is None or not event.is_printable:
            return
        event.stop()
        now = monotonic()
        self._typed = (self._typed if now - self._typed_at < TYPING else "") + event.character.casefold()
        self._typed_at = now
        begin = self.cursor + (len(self._typed) == 1)
        rows = [*range(begin, len(self.everybody)), *range(begin)]
        self._go_to(next((row for row in rows if self._begins(row)), self.cursor))

    def _begins(self, row: int) -> bool:
        return self.everybody[row].name.casefold().startswith(self._typed)


def _filled(text: str, width: int) -> str:
    """A text in exactly so many columns."""
    shown = cut(plain(text), width)
    return shown + " " * (width - cells(shown))
