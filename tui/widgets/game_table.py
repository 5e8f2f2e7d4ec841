"""Finished games as a table, newest first, with as many columns as there is room for."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import ClassVar, Final

from rich.text import Text
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.widgets import DataTable

from engine import parse_game
from engine.game import Side
from saves.games import PAGE, DamagedGame, KeptGame
from tui.games_text import ending_text, moment_text, players_text, short_moment_text
from tui.safe import label

WIDTHS: Final = {"when": 16, "game": 11, "first": 0, "second": 0, "ended": 12, "plies": 5}
"""The columns of the table; both players share what is left."""
LEFT_OUT: Final = ("game", "plies")
"""What a narrow table goes without: it is told of the game under the cursor as well."""
SHORT: Final = 10
"""The columns of a moment in a narrow table."""
LEAST_NAME: Final = 11
"""The columns that a player needs at least, mark and all."""
AHEAD: Final = 30
"""So many games before the end of the table more are asked for."""


def cells_of(kept: KeptGame | DamagedGame, now: datetime, *, roomy: bool) -> dict[str, Text]:
    """What each column shows of a game."""
    if isinstance(kept, DamagedGame):
        return {column: Text("unreadable" if column == "ended" else "", "dim italic") for column in WIDTHS}
    record, game = kept.record, parse_game(kept.record.game)
    first, second = players_text(record)
    return {
        "when": Text(moment_text(kept.played) if roomy else short_moment_text(kept.played, now)),
        "game": Text(game.name),
        "first": label(f"{game.mark(Side.FIRST)} {first}", 60),
        "second": label(f"{game.mark(Side.SECOND)} {second}", 60),
        "ended": Text(ending_text(record)),
        "plies": Text(str(len(record.moves)), justify="right"),
    }


class GameTable(DataTable[Text]):
    """Lists games, a row each; tells when its end comes near."""

    DEFAULT_CSS = """
    GameTable { overflow-x: hidden; scrollbar-gutter: stable; scrollbar-size-vertical: 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "select_cursor", "Go through", show=True),
        Binding("home", "scroll_top", "Newest", show=False),
        Binding("end", "scroll_bottom", "Further back", show=False),
    ]

    class NearEnd(Message):
        """More games should be read, if there are any."""

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id, cursor_type="row")
        self.games: list[KeptGame | DamagedGame] = []
        self._laid_out: tuple[bool, int] | None = None
        """Whether the columns are those of a roomy table, and the width of a name in them."""

    def on_mount(self) -> None:
        self._lay_out()  # Textual 8.2.8 fails where the header of a table without columns is clicked

    @property
    def selected(self) -> KeptGame | DamagedGame | None:
        return self.games[self.cursor_row] if 0 <= self.cursor_row < len(self.games) else None

    def fill(self, games: Sequence[KeptGame | DamagedGame], row: int = 0) -> None:
        """List these games; the cursor goes to a row."""
        self.games = []
        self._lay_out()
        self.extend(games)
        self.move_cursor(row=min(row, len(self.games) - 1))

    def extend(self, games: Sequence[KeptGame | DamagedGame]) -> None:
        """List these games behind those that are listed."""
        now, (roomy, _) = datetime.now(UTC), self._room()
        columns = [column.value or "" for column in self.columns]
        for kept in games:
            cells = cells_of(kept, now, roomy=roomy)
            self.add_row(*(cells[column] for column in columns), key=str(kept.id))
        self.games += games
        self.call_after_refresh(self._look_ahead)

    def take_off(self, number: int) -> None:
        """Take a game off the list."""
        self.games = [kept for kept in self.games if kept.id != number]
        self.remove_row(str(number))
        self.call_after_refresh(self._look_ahead)

    def refit(self) -> None:
        """Lay the columns out for another width, and list only as many games again as are of use."""
        if self._laid_out != self._room():
            self.fill(self.games[: max(PAGE, self.cursor_row + self.size.height)], self.cursor_row)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._look_ahead()

    def on_data_table_row_highlighted(self) -> None:
        self._look_ahead()

    def _look_ahead(self) -> None:
        if max(self.cursor_row, self.scroll_offset.y + self.size.height) >= self.row_count - AHEAD:
            self.post_message(self.NearEnd())

    def _room(self) -> tuple[bool, int]:
        """Whether there is room for all columns, and how wide each player's is."""
        padding, width = 2 * self.cell_padding, self.outer_size.width - 1 - 1  # the scroll bar, and a column of air
        whole = width - sum(WIDTHS.values()) - padding * len(WIDTHS)
        if whole >= 2 * LEAST_NAME:
            return True, whole // 2
        kept = [column for column in WIDTHS if column not in LEFT_OUT]
        rest = width - sum(map(self._narrow, kept)) - padding * len(kept)
        return False, max(LEAST_NAME, rest // 2)

    def _narrow(self, column: str) -> int:
        return SHORT if column == "when" else WIDTHS[column]

    def _lay_out(self) -> None:
        """Empty the table, with the columns there is room for."""
        self.clear(columns=True)
        self._laid_out = roomy, name = self._room()
        for column in WIDTHS:
            if roomy or column not in LEFT_OUT:
                width = WIDTHS[column] if roomy else self._narrow(column)
                title = Text(column, justify="right" if column == "plies" else "left")
                self.add_column(title, key=column, width=width or name)
