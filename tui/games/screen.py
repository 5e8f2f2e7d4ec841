"""Games: the finished games of people, newest first, to view, review and delete."""

from asyncio import Lock, to_thread
from collections.abc import Iterable, Sequence
from functools import partial
from typing import ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Size
from textual.widget import Widget
from textual.widgets import Static

from engine.games import find_game
from engine.match import replay_record
from lab.board.session import PlayOn, review_of_record
from lab.memory.matchbox import board_box
from lab.pictures.game_pictures import game_picture
from lab.review import finished_games
from lab.text.columns import columns
from learners.core.learner import PERSON
from saves.errors import LibraryError
from saves.library.game_record import ALL, DamagedGame, GameFilter, StoredGame, Tally
from tui.games.debrief_screen import DebriefScreen
from tui.games.game_list import GameList
from tui.games.yourself_screen import YourselfScreen
from tui.shell.files import Export
from tui.shell.parts import FRAME, Panel, Prose, entitle, numbered_moves
from tui.shell.screen import LabScreen
from tui.widgets.board import BoardView
from tui.widgets.game_boards import GameBoards
from tui.widgets.library_tools import LIBRARY_BINDINGS, LibraryTools, Trouble
from tui.widgets.palette import Palette, palette_of
from tui.widgets.tiles import BARE, boxes_text

NONE_YET: Final = """\
No games yet. Each game that you finish is saved and listed here:

  Enter   goes through it, move by move
  m       shows what you gave away, beside MENACE

Positions that you gave away come back until you hold them.
Escape: back to the board."""
"""The text that is shown as long as there is no game."""
AROUND: Final = 4
"""The lines of the panel of the list besides the games: its frame, which games are listed, and the names of columns."""
BOARDS_FROM: Final = 6 + FRAME
"""The least number of lines in which the moves of a game are drawn."""


class GamesScreen(LabScreen):
    """Lists the finished games. Its result is the position to play on from, if one was chosen in a debrief."""

    mode = "play"
    AUTO_FOCUS = "#games"
    HELP = """\
# Games

Every finished game in which a person played, the newest first: when, which game, who played each side, how it ended,
and after how many moves. **You** is the person who played against a machine; of two people, each is **a person**.

Beside the list, or below it, is the selected game: the final board and the moves, each drawn where there is room.
**Enter** goes through it move by move. **b** lists only the games of one
kind, **o** only those against one opponent, beginning with the most frequent one; after the last, all games are listed
again. **m** shows in which positions you gave something away, beside MENACE, and those that come back as exercises.
**u** restores the game that was deleted last, as long as the program runs. **K** backs up the whole library. If the
library is damaged, **V** sets it aside and recovers what can be read.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave", "Back"),
        Binding("enter", "open", "Go through", tooltip="goes through the game, move by move"),
        Binding("b", "game", "Game", tooltip="chooses the game"),
        Binding("o", "opponent", "Opponent", tooltip="shows one opponent's games"),
        Binding("m", "yourself", "You", tooltip="shows your play over time"),
        Binding("delete,backspace", "delete", "Delete", tooltip="deletes it; u brings it back", key_display="Del"),
        Binding("u", "undelete", "Undo", tooltip="restores what was deleted"),
        *LIBRARY_BINDINGS,
    ]
    DEFAULT_CSS = """
    GamesScreen {
        & #games-which { height: 1; }
        & #games-left { width: 1fr; height: 100%; }
        & #games-all { height: 1fr; }
        & #games-moves { display: none; height: 1fr; }
        &.-few #games-all { height: auto; }
        &.-few #games { height: auto; max-height: 17; }
        &.-few #games-moves { display: block; }
        & #games-both { height: 1fr; }
        & #games { width: 100%; height: 1fr; background: $background; }
        & #games-side { width: 24; height: 100%; margin-left: 1; }
        &.-wide #games-side { width: 48; }
        &.-narrow #games-side { display: none; }
        & #games-board { display: none; margin-top: 2; }
        &.-vast #games-left { width: 104; }
        &.-vast #games-side { width: 1fr; }
        & #games-line { display: none; height: 2; color: $text-muted; }
        &.-narrow #games-line { display: block; margin-top: 1; }
        &.-few #games-line { margin-top: 0; }
        &.-no-games #games { height: 1; }
        &.-no-games #games-line, &.-no-games #games-side { display: none; }
        &.-no-games.-wide.-tall #games-side { display: block; }
        & #games-note { display: none; height: auto; color: $text-muted; }
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.which: GameFilter = ALL
        """Which games are listed."""
        self.tally: Tally = {}
        self.note = ""
        """The message about the last action."""
        self.awaited: int | None = None
        """The number of the game to which the cursor moves once the list has been read."""
        self.changing = Lock()
        """Held during a change of the library, so that changes happen one after the other."""
        self.being_deleted: set[int] = set()
        """The numbers of games that are being deleted, and so no longer listed."""

    def body(self) -> Iterable[Widget]:
        with Vertical(id="games-screen"):
            yield Trouble()
            with Horizontal(id="games-both"):
                with Vertical(id="games-left"):
                    with entitle(Vertical(id="games-all", classes="panel"), "Games"):
                        yield Static("", id="games-which", markup=False)
                        yield GameList(id="games")
                        yield Static("", id="games-line", markup=False)
                        yield Prose("", id="games-note", markup=False)
                    with entitle(Vertical(id="games-moves", classes="panel"), "Move by move"):
                        yield GameBoards()
                with entitle(Panel(id="games-side", classes="panel"), "This game"):
                    yield Static("", id="games-game", markup=False)
                    yield BoardView(self.lab.game, id="games-board")

    @property
    def games(self) -> GameList:
        return self.query_one(GameList)

    @property
    def selected(self) -> StoredGame | DamagedGame | None:
        return self.games.selected

    def set_up(self) -> None:
        self.tools = LibraryTools(self)
        super().set_up()
        self.query_one(BoardView).can_focus = False
        self.reload(self.which)

    def show_changes(self) -> None:
        if self.is_ready and self.tools.has_changed():
            self.read_again()

    def read_again(self) -> None:
        self.reload(self.which, self.awaited or self.games.number)

    def reload(self, wanted: GameFilter, select: int | None = None) -> None:
        """Read the list of games that match `wanted`; the cursor goes to the game `select`, or near its place."""
        self.which, self.awaited = wanted, select
        games = self.lab.library.games
        self.run_in_background(
            "find",
            lambda _: (games.tally(), games.numbers(wanted)),
            lambda found: self.show(*found, select),
            lambda trouble: self.show({}, (), select, trouble),
        )

    def show(self, tally: Tally, numbers: Sequence[int], select: int | None, trouble: str = "") -> None:
        self.tally = tally
        if select == self.awaited:
            self.awaited = None
        self.games.show([number for number in numbers if number not in self.being_deleted], select)
        self.query_one(Trouble).show(trouble)
        self.draw()

    @on(GameList.Unread)
    def read_games(self, message: GameList.Unread) -> None:
        games, numbers = self.lab.library.games, message.numbers
        self.run_in_background("read", lambda _: games.read(numbers), partial(self.add_games, numbers))

    def add_games(self, numbers: Sequence[int], games: Sequence[StoredGame | DamagedGame]) -> None:
        self.games.add(numbers, games)
        self.draw()

    def draw(self) -> None:
        """Show which games are listed, the last message, and the game under the cursor."""
        count = len(self.games.numbers)
        self.query_one("#games-which").display = bool(count or self.tally)
        line = Text(finished_games.amount_text(count), "bold", no_wrap=True, overflow="ellipsis")
        line.append(f"   {finished_games.filter_text(self.which)}", "not bold dim")
        self.query_one("#games-which", Static).update(line)
        self.set_class(not count, "-no-games")
        listed = AROUND + (count or len(NONE_YET.splitlines())) + self.query_one("#games-line").size.height
        self.set_class(
            self.has_class("-tall") or self.query_one("#games-left").size.height >= listed + BOARDS_FROM, "-few"
        )
        entitle(self.query_one("#games-all"), "Games", "`Enter` goes through one" if count else "")
        note = self.query_one("#games-note", Static)
        words = self.note or self._empty_text(count)
        note.display = bool(words)
        note.update(words)
        self._draw_game()
        self.refresh_bindings()

    def _empty_text(self, count: int) -> str:
        """Return the reason why no game is listed; empty if there are games."""
        if count or self.query_one(Trouble).display:
            return ""
        if self.tally:
            return "No game matches: b and o change which are listed."
        return NONE_YET

    @on(GameList.Moved)
    def draw_selected(self) -> None:
        self._draw_game()

    @on(GameList.Opened)
    def open_selected(self) -> None:
        self.action_open()

    def _draw_game(self) -> None:
        width = max(12, self.query_one(Panel).scrollable_content_region.width)
        selected, whole, line = self.selected, Text(), ""
        if isinstance(selected, StoredGame):
            beside = self._is_roomy  # a large board shows the position instead
            whole, line = (
                game_text(selected, width, palette_of(self), drawn=not beside),
                finished_games.summary_text(selected),
            )
        elif selected is not None:
            line = finished_games.damage_text(selected)
            whole = Text(line)
        elif not self.games.numbers:
            whole = Text(self.lab.game.title, "bold")
        entitle(self.query_one("#games-side"), "This game" if self.games.numbers else "The beginning")
        self.query_one("#games-game", Static).update(whole)
        self._draw_board(selected)
        self.query_one("#games-line", Static).update(line)

    @property
    def _is_roomy(self) -> bool:
        return self.has_class("-wide") and self.has_class("-tall")

    def current_export(self) -> Export | None:
        selected = self.selected
        return Export("game", partial(game_picture, selected)) if isinstance(selected, StoredGame) else None

    def _draw_board(self, selected: StoredGame | DamagedGame | None) -> None:
        """Draw a game move by move, and its final position on a large board, where there is room."""
        moves = self.query_one(GameBoards)
        moves.display = not isinstance(selected, DamagedGame)
        if not self.games.numbers:
            moves.show_example(self.lab.game)
        board, room = self.query_one(BoardView), self.query_one(Panel).scrollable_content_region
        shown, labels = (self.lab.game, self.lab.game.start) if not self.games.numbers else None, ("", "")
        if isinstance(selected, StoredGame):
            labels = selected.record.players
            match = replay_record(selected.record)
            moves.show(match, len(match.moves))
            shown = (match.game, match.position) if match.moves else None
        board.display = shown is not None and self._is_roomy
        if shown is not None and board.display:
            game, position = shown
            board.show(game, position)
            board.show_row([label == PERSON for label in labels])
            board.fit(Size(room.width, room.height * 3 // 5))

    def action_open(self) -> None:
        if isinstance(self.selected, StoredGame):
            self.app.push_screen(DebriefScreen(review_of_record(self.selected.record)), self.dismiss_with)
        elif self.selected is not None:
            self.lab.warn(finished_games.damage_text(self.selected))

    def dismiss_with(self, result: PlayOn | None) -> None:
        """Return the position to play on from, if a debrief ends with one."""
        if result is not None:
            self.dismiss(result)

    def action_yourself(self) -> None:
        """Show where the person gave something away, in the game of the filter or else of the selected game."""
        selected = self.selected
        game = None if self.which.game is None else find_game(self.which.game)
        if game is None:
            game = selected.record.game if isinstance(selected, StoredGame) else self.lab.game
        self.app.push_screen(YourselfScreen(game), self.dismiss_with)

    def action_game(self) -> None:
        self._choose(finished_games.next_game(self.tally, self.which))

    def action_opponent(self) -> None:
        self._choose(finished_games.next_opponent(self.tally, self.which))

    def _choose(self, wanted: GameFilter) -> None:
        self.note = ""
        self.reload(wanted, self.games.number)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer Undo only if a game was or is being deleted, and other actions on a game only if one is listed."""
        if action in {"open", "delete"} and self.is_ready and not self.games.numbers:
            return False
        if action in {"game", "opponent"} and self.is_ready and not self.tally:
            return False
        if action == "undelete" and self.is_ready and not (self.lab.library.games.deleted or self.changing.locked()):
            return False
        return super().check_action(action, parameters)

    def undo_target(self) -> str:
        return "the deletion of a game" if self.is_ready and self.lab.library.games.deleted else ""

    def action_delete(self) -> None:
        number, game = self.games.number, self.selected
        if number is None:
            return
        self.being_deleted.add(number)
        self.games.remove_game(number)  # at once, so that two quick keys delete two games
        name = "that game"
        if isinstance(game, StoredGame):
            name = f"the game of {finished_games.moment_text(game.played)}"
        self.delete(number, name)

    @work(exit_on_error=False)
    async def delete(self, number: int, what: str) -> None:
        """Delete a game that has been removed from the list; if that fails, list it again."""
        async with self.changing:
            try:
                await to_thread(self.lab.library.games.delete, number)
                self.note = f"Deleted {what}: u restores it."
            except LibraryError as error:
                self.lab.warn(str(error))
                self.awaited = number
            self.being_deleted.discard(number)
        self.read_again()

    @work(exit_on_error=False)
    async def action_undelete(self) -> None:
        async with self.changing:
            try:
                number = await to_thread(self.lab.library.games.undelete)
            except LibraryError as error:
                self.lab.warn(str(error))
                return
        self.note = ""
        self.reload(self.which, number)

    async def action_leave(self) -> None:
        async with self.changing:  # let a deletion finish first
            self.dismiss(None)

    def action_back_up(self) -> None:
        self.tools.back_up()

    def action_recover(self) -> None:
        self.tools.recover()


def game_text(kept: StoredGame, width: int, palette: Palette, *, drawn: bool) -> Text:
    """Return a whole game in `width` columns: the players, the final position if `drawn`, and the moves."""
    record, game = kept.record, kept.record.game
    end = [board_box(game, replay_record(record).position)] if drawn and record.moves else []
    parts = [
        Text(game.title, "bold"),
        Text(finished_games.moment_text(kept.played), "dim"),
        Text(),
        *map(Text, finished_games.seats_lines(record)),
        Text(),
        *([boxes_text(end, width, palette, BARE)] if end else []),
        Text(finished_games.record_end_text(record), "bold"),
        Text(),
    ]
    moves = numbered_moves(game.move_labels(game.start, record.moves))
    each = max(1, (width + 2) // (max(map(len, moves), default=0) + 2))
    rows = [moves[start : start + each] for start in range(0, len(moves), each)]
    lines = columns([[*row, *[""] * (each - len(row))] for row in rows], "<" * each) if rows else []
    return Text("\n").join([*parts, *(Text(line, "dim", no_wrap=True) for line in lines)])
