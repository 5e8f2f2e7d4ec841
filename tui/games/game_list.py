"""A list of finished games, newest first. Games are read when they become visible, so that there can be thousands."""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, datetime
from operator import neg
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.segment import Segment
from textual.message import Message
from textual.strip import Strip

from engine.game import Side
from lab.review.finished_games import moment_text, players_text, record_ending_text, short_moment_text
from lab.text.columns import cut
from saves.library.game_record import DamagedGame, StoredGame
from tui.widgets.cursor_view import CursorView

WIDTHS: Final = {"when": 16, "game": 12, "first": 0, "second": 0, "ended": 12, "moves": 5}
"""The widths of the columns; those with 0, the two players, share the rest."""
LEFT_OUT: Final = ("game", "moves")
"""The columns that a narrow list leaves out; the screen shows them for the game under the cursor."""
SHORT_DATE: Final = 10
"""The width of the date in a narrow list."""
MIN_NAME: Final = 11
"""The minimum width of the mark and the name of a player; if it would be less, the list is narrow."""
MARGIN: Final = 1
GAP: Final = 2
READ_AHEAD: Final = 50
"""How many games above the visible ones, and how many below them, are read together with them."""
CACHE_SIZE: Final = 2000
"""The number of games beyond which the cache is emptied."""


def layout(width: int) -> dict[str, int]:
    """Return the columns of a list of this width, each with its width."""
    narrow = {column: column_width for column, column_width in WIDTHS.items() if column not in LEFT_OUT}
    narrow["when"] = SHORT_DATE
    for widths in (WIDTHS, narrow):
        name_width = (width - MARGIN - sum(widths.values()) - GAP * (len(widths) - 1)) // 2
        if name_width >= MIN_NAME:
            break
    return {column: column_width or max(1, name_width) for column, column_width in widths.items()}


def entries_of(kept: StoredGame | DamagedGame, now: datetime) -> dict[str, str]:
    """Return the text of a game in each column; for a damaged game, only that it is unreadable."""
    if isinstance(kept, DamagedGame):
        return {"ended": "unreadable"}
    record, game = kept.record, kept.record.game
    first, second = players_text(record.players)
    return {
        "when": moment_text(kept.played),
        "short": short_moment_text(kept.played, now),
        "game": game.title,
        "first": f"{game.mark(Side.FIRST)} {first}",
        "second": f"{game.mark(Side.SECOND)} {second}",
        "ended": record_ending_text(record),
        "moves": str(len(record.moves)),
    }


def line_of(entries: dict[str, str], width: int) -> str:
    parts = []
    for column, column_width in layout(width).items():
        key = "short" if column == "when" and column_width == SHORT_DATE else column
        text = cut(entries.get(key, ""), column_width)
        space = " " * (column_width - cell_len(text))
        parts.append(space + text if column == "moves" else text + space)
    line = " " * MARGIN + (" " * GAP).join(parts)
    return line + " " * (width - cell_len(line))


class GameList(CursorView):
    """A list of games with a cursor.

    Posts `Moved` also when the game under the cursor was read, and `Unread` when games become visible that must be read
    and passed to `add`.
    """

    heading = 1

    COMPONENT_CLASSES: ClassVar[set[str]] = {"game-list--title", "game-list--cursor", "game-list--dim"}
    DEFAULT_CSS = """
    GameList {
        scrollbar-gutter: stable;
        & > .game-list--title { text-style: bold; color: $text-muted; }
        & > .game-list--dim { color: $text-muted; text-style: italic; }
        & > .game-list--cursor { background: $foreground 15%; }
        &:focus > .game-list--cursor { background: $block-cursor-background; color: $block-cursor-foreground; }
    }
    """

    class Unread(Message):
        """Posted when games became visible that have not been read yet; `numbers` are those to read."""

        def __init__(self, numbers: Sequence[int]) -> None:
            super().__init__()
            self.numbers = numbers

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.numbers: list[int] = []
        """The numbers of the listed games in the library, descending."""
        self._games: dict[int, StoredGame | DamagedGame] = {}
        self._entries: dict[int, dict[str, str]] = {}
        self._asked: Sequence[int] = ()

    @property
    def count(self) -> int:
        return len(self.numbers)

    @property
    def number(self) -> int | None:
        return self.numbers[self.cursor] if self.numbers else None

    @property
    def selected(self) -> StoredGame | DamagedGame | None:
        """The game under the cursor, once it has been read."""
        return None if self.number is None else self._games.get(self.number)

    def show(self, numbers: Sequence[int], select: int | None = None) -> None:
        """List the games with these numbers; the cursor goes to `select`, or if it is gone, to the next older one."""
        self.numbers, self._asked = list(numbers), ()
        if select is not None:
            self.cursor = bisect_left(self.numbers, -select, key=neg)
        self.cursor = max(0, min(self.cursor, self.count - 1))
        self.lay_out()
        self.follow()
        self.post_message(self.Moved())

    def add(self, asked: Sequence[int], games: Sequence[StoredGame | DamagedGame]) -> None:
        """Add games that were read. Those `asked` for but missing were deleted: they are no longer listed."""
        if len(self._games) > CACHE_SIZE:
            self._games.clear()
            self._entries.clear()
        now = datetime.now(UTC)
        self._games |= {kept.id: kept for kept in games}
        self._entries |= {kept.id: entries_of(kept, now) for kept in games}
        gone = set(asked).difference(self._games)
        if gone:
            self.show([number for number in self.numbers if number not in gone])
        self.refresh()
        self.post_message(self.Moved())

    def remove_game(self, number: int) -> None:
        self._games.pop(number, None)
        self.show([each for each in self.numbers if each != number])

    def follow(self) -> None:
        super().follow()
        self.call_after_refresh(self._ask_for_visible)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._ask_for_visible()

    def _ask_for_visible(self) -> None:
        """Ask for the visible games and those around them, if some visible ones have not been read."""
        top = self.scroll_offset.y
        visible = self.numbers[top : top + self.size.height]
        if any(number not in self._games for number in visible):
            wanted = self.numbers[max(0, top - READ_AHEAD) : top + self.size.height + READ_AHEAD]
            if wanted != self._asked:
                self._asked = wanted
                self.post_message(self.Unread(wanted))

    def render_line(self, y: int) -> Strip:
        width, index = self.scrollable_content_region.width, y - 1 + self.scroll_offset.y
        if y == 0 and self.numbers:
            titles = {column: column for column in WIDTHS} | {"short": "when"}
            return self._strip(line_of(titles, width), "title")
        if not 0 <= index < len(self.numbers):
            return self._strip(" " * width)
        number = self.numbers[index]
        line = line_of(self._entries.get(number, {"when": "…", "short": "…"}), width)
        styles = []
        if isinstance(self._games.get(number), DamagedGame):
            styles.append("dim")
        if index == self.cursor:
            styles.append("cursor")
        return self._strip(line, *styles)

    def _strip(self, line: str, *styles: str) -> Strip:
        style = self.get_visual_style(*(f"game-list--{name}" for name in styles)).rich_style if styles else None
        strip = Strip([Segment(line, style)]).adjust_cell_length(self.size.width)
        return strip.apply_style(self.visual_style.rich_style)
