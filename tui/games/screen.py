"""Games: the finished games of people, newest first, to view, to debrief and to delete."""

from asyncio import Lock, to_thread
from collections.abc import Iterable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Static
from textual.worker import get_current_worker

from engine.games import parse_game
from engine.match import replayed
from lab.board.game_review import PlayOn, review_of_record
from lab.words.columns import columns
from lab.words.finished_games import (
    amount_text,
    damage_text,
    ending_text,
    moment_text,
    next_game,
    next_opponent,
    plies_text,
    seats_lines,
    summary_text,
    turns,
    which_text,
)
from lab.words.sanitise import plain
from saves.errors import LibraryError
from saves.library.game_record import ALL, DamagedGame, KeptGame, Tally, Which
from tui.games.debrief_screen import DebriefScreen
from tui.games.game_list import GameList
from tui.widgets.library_screen import KeepingScreen
from tui.widgets.mark_styles import palette_of
from tui.widgets.panel import Panel
from tui.widgets.tiles import Palette, Tile, lines_of


class GamesScreen(KeepingScreen):
    """Lists the games, and reads those that become visible."""

    mode = "play"
    home = "#games"
    HELP = """\
# Games

Every finished game in which a person played, the newest first: when, which game, who played each side, how it ended,
and after how many plies. *You* is the person who played against a machine; of two people, each is *a person*.

Beside the list, or below it, is the game you are on: how the board stood at the end, and its moves. **Enter** goes
through it move by move. **g** lists the games of one kind only, **o** those against one opponent, the most frequent
first, and **O** goes back among them; after the last, all are listed again. A deleted game comes back with **u** while
the program runs.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("enter", "open", "Go through"),
        Binding("g", "game", "Game"),
        Binding("o", "opponent(1)", "Opponent"),
        Binding("O", "opponent(-1)", "Opponent before", show=False),
        Binding("d,delete", "delete", "Delete"),
        Binding("u", "undelete", "Undo", show=False),
    ]
    DEFAULT_CSS = """
    GamesScreen {
        & #games-screen { padding: 1 1 0 1; }
        &.-low #games-screen { padding: 0 1; }
        & #games-trouble { display: none; color: $error; height: auto; margin-bottom: 1; }
        & #games-which { height: 1; margin: 0 0 1 1; }
        &.-low #games-which { margin: 0 0 0 1; }
        & #games-both { height: 1fr; }
        & #games { width: 1fr; height: 100%; background: $background; }
        & #games-side { width: 21; height: 100%; padding: 0 0 0 2; }
        &.-wide #games-side { width: 34; padding: 0 0 0 4; }
        &.-narrow #games-side { display: none; }
        & #games-line { display: none; height: 2; margin: 0 1; color: $text-muted; }
        &.-narrow #games-line { display: block; }
        & #games-note { display: none; height: auto; padding: 0 1; color: $text-muted; }
    }
    """

    which: Which = ALL
    """Which games are listed."""
    tally: Tally
    told = ""
    """The message about the last action."""
    sought: int | None = None
    """The game to move the cursor to, once the list has been read."""
    changing: Lock
    """Lets changes of the library happen one at a time, in order."""
    leaving: set[int]
    """The games that are being deleted, which are no longer listed."""

    def body(self) -> Iterable[Widget]:
        self.tally, self.changing, self.leaving = {}, Lock(), set()
        with Vertical(id="games-screen"):
            yield Static("", id="games-trouble", markup=False)
            yield Static("Loading …", id="games-which", markup=False)
            with Horizontal(id="games-both"):
                yield GameList(id="games")
                with Panel(id="games-side"):
                    yield Static("", id="games-game", markup=False)
            yield Static("", id="games-line", markup=False)
            yield Static("", id="games-note", markup=False)

    @property
    def games(self) -> GameList:
        return self.query_one(GameList)

    @property
    def selected(self) -> KeptGame | DamagedGame | None:
        return self.games.selected

    def open_up(self) -> None:
        super().open_up()
        self.reload(self.which)

    def read_again(self) -> None:
        self.reload(self.which, self.sought or self.games.number)

    def reload(self, wanted: Which, select: int | None = None) -> None:
        """Read the list of games; the cursor goes to the game `select`, or next to its place."""
        self.which, self.sought = wanted, select
        self.find(wanted, select)

    @work(thread=True, exclusive=True, group="find", exit_on_error=False)
    def find(self, wanted: Which, select: int | None) -> None:
        library, trouble = self.lab.library, ""
        tally: Tally = {}
        numbers: Sequence[int] = ()
        try:
            tally, numbers = library.tally(), library.game_numbers(wanted)
        except LibraryError as error:
            trouble = str(error)
        if not get_current_worker().is_cancelled:  # another list was asked for since
            self.app.call_from_thread(self.show, tally, numbers, select, trouble)

    def show(self, tally: Tally, numbers: Sequence[int], select: int | None, trouble: str) -> None:
        if not self.made:  # it was closed meanwhile
            return
        self.tally = tally
        self.sought = None if select == self.sought else self.sought
        self.games.show([number for number in numbers if number not in self.leaving], select)
        banner = self.query_one("#games-trouble", Static)
        banner.display = bool(trouble)
        banner.update(plain(trouble, 400))
        self.draw()

    @on(GameList.Unread)
    def came_into_sight(self, message: GameList.Unread) -> None:
        self.read(message.numbers)

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def read(self, numbers: Sequence[int]) -> None:
        try:
            games = self.lab.library.kept_games(numbers)
        except LibraryError as error:
            self.app.call_from_thread(self.lab.warn, str(error))
            return
        if not get_current_worker().is_cancelled:  # the user has moved on
            self.app.call_from_thread(self.bring, numbers, games)

    def bring(self, numbers: Sequence[int], games: Sequence[KeptGame | DamagedGame]) -> None:
        if self.made:
            self.games.bring(numbers, games)
            self.draw()

    def draw(self) -> None:
        """Show which games are listed, the last message, and the game under the cursor."""
        count = len(self.games.numbers)
        line = Text(amount_text(count), "bold", no_wrap=True, overflow="ellipsis")
        line.append(f"   {which_text(self.which)}", "not bold dim")
        self.query_one("#games-which", Static).update(line)
        note = self.query_one("#games-note", Static)
        words = self.told or self._emptiness(count)
        note.display = bool(words)
        note.update(words)
        self._draw_game()
        self.refresh_bindings()

    def _emptiness(self, count: int) -> str:
        """The reason why no game is listed; empty if one is."""
        if count or self.query_one("#games-trouble").display:
            return ""
        if self.tally:
            return "None of these games is left: g and o choose others."
        return "No games yet: each game that you finish at the board is kept, and listed here."

    @on(GameList.Moved)
    def moved(self) -> None:
        self._draw_game()

    @on(GameList.Opened)
    def opened(self) -> None:
        self.action_open()

    def resized(self) -> None:
        super().resized()
        self._draw_game()

    def _draw_game(self) -> None:
        width = max(12, self.query_one(Panel).scrollable_content_region.width)
        selected, whole, line = self.selected, Text(), ""
        if isinstance(selected, KeptGame):
            whole, line = game_text(selected, width, palette_of(self)), summary_text(selected)
        elif selected is not None:
            line = damage_text(selected)
            whole = Text(line)
        self.query_one("#games-game", Static).update(whole)
        self.query_one("#games-line", Static).update(line)

    def action_open(self) -> None:
        if isinstance(self.selected, KeptGame):
            self.open_game(self.selected)
        elif self.selected is not None:
            self.lab.warn(damage_text(self.selected))

    def open_game(self, kept: KeptGame) -> None:
        """Open the debrief of a game, and pass on its result, the position to play on from."""
        self.app.push_screen(DebriefScreen(review_of_record(kept.record)), self.dismiss_with)

    def dismiss_with(self, play_on: PlayOn | None) -> None:
        if play_on is not None:
            self.dismiss(play_on)

    def action_game(self) -> None:
        self._choose(next_game(self.tally, self.which))

    def action_opponent(self, step: int) -> None:
        self._choose(next_opponent(self.tally, self.which, step))

    def _choose(self, wanted: Which) -> None:
        self.told = ""
        self.reload(wanted, self.games.number)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Undo is available only after something was deleted, or while it is being deleted."""
        if action == "undelete" and self.made and not (self.lab.library.deleted_games or self.changing.locked()):
            return False
        return super().check_action(action, parameters)

    def action_delete(self) -> None:
        number, kept = self.games.number, self.selected
        if number is not None:
            self.leaving.add(number)
            self.games.take_off(number)  # at once, so that two quick keys delete two games
            when = f"the game of {moment_text(kept.played)}" if isinstance(kept, KeptGame) else "that game"
            self.delete(number, when)

    @work(exit_on_error=False)
    async def delete(self, number: int, what: str) -> None:
        """Delete a game that is no longer listed; if that fails, list it again."""
        async with self.changing:
            try:
                await to_thread(self.lab.library.delete_game, number)
                self.told = f"Deleted {what}: u brings it back."
            except LibraryError as error:
                self.lab.warn(str(error))
                self.sought = number
            self.leaving.discard(number)
        self.read_again()

    @work(exit_on_error=False)
    async def action_undelete(self) -> None:
        async with self.changing:
            try:
                number = await to_thread(self.lab.library.undelete_game)
            except LibraryError as error:
                self.lab.warn(str(error))
                return
        self.told = ""
        self.reload(self.which, number)

    async def action_back(self) -> None:
        async with self.changing:  # what was deleted just now is to be deleted
            self.dismiss(None)


def game_text(kept: KeptGame, width: int, palette: Palette) -> Text:
    """A whole game in `width` columns: who played, how the board stood at the end, and the moves."""
    record, game = kept.record, parse_game(kept.record.game)
    parts = [
        Text(game.title, "bold"),
        Text(moment_text(kept.played), "dim"),
        Text(),
        *map(Text, seats_lines(record)),
        Text(),
        lines_of([Tile(game, replayed(game, record).position)], width, palette),
        Text(f"{ending_text(record)}, {plies_text(record)}", "bold"),
        Text(),
    ]
    pairs = turns(record)
    each = max(1, (width + 2) // (max(map(len, pairs), default=0) + 2))
    rows = [pairs[start : start + each] for start in range(0, len(pairs), each)]
    lines = columns([[*row, *[""] * (each - len(row))] for row in rows], "<" * each) if rows else []
    return Text("\n").join([*parts, *(Text(line, "dim", no_wrap=True) for line in lines)])
