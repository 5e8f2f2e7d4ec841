"""Play: a board, two seats, and what the machine in one of them holds of the position."""

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import work
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widget import Widget

from engine.game import Move
from lab.board.game_review import Onward, story_of
from lab.board.session import Seating, seating_choices
from lab.words.board_game import moves_text, reason_text, seat_name, seats_text, status_text
from tui.play.advised_screen import AdvisedScreen
from tui.play.fares_view import FaresView
from tui.play.lessons_view import Lessons
from tui.play.memory_view import MemoryView
from tui.play.players_dialog import PlayersDialog
from tui.shell.live_text import Steady
from tui.shell.requests import DebriefGame, ListGames
from tui.widgets.board import Board
from tui.widgets.panel import Panel
from tui.widgets.xray_board import XrayBoard


class PlayScreen(AdvisedScreen):
    mode = "play"
    home = "#board"
    HELP = """\
# Play

Pick a square by its digit, with the arrows and Enter, or with the mouse. In hexapawn pick a pawn, then where it goes.

On the right you see who plays, why the machine made its last move, and what it holds of the position on the board:
each move with how likely it would play it. Below that stands how it fares against whom, exactly, over all games
that can be played: where that is out of sight, Tab goes there, and the arrows scroll.

**h** gives a hint: first what to look for, then the move. **x** is the X-ray: it writes into the squares what the
machine sees there, once more what best play makes of them, and once more nothing. **v** shows who is ahead. With **b**
a move that gives something away is held back, and you are told why; pick it again to play it all the same.

**d** goes through the game, during it or after it: what decided it, what was better and why, and what was learned from
it; from any moment you can play on. **g** lists all your games. **c** copies the position or the game as text, or takes
another one to play on from. Games that begin in their midst are practice: they count in no score and are not kept.

**u** takes back, also a resignation, and a new game that was begun by mistake. **f** resigns, **=** offers a draw,
which a machine accepts unless best play wins for it.

With **i** a save of your own learns while it plays: after each game you are told what that changed in its memory, and
it is kept. The curve tells how it has grown since then. What it has learned is not taken back.
"""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new_game", "New game"),
        Binding("u", "take_back", "Undo"),
        Binding("h", "hint", "Hint"),
        Binding("x", "xray", "X-ray"),
        Binding("d", "debrief", "Debrief"),
        Binding("o", "players", "Opponent"),
        Binding("s", "swap", "Swap sides", show=False),
        Binding("i", "learn", "Learn", show=False),
        Binding("g", "games", "Games", show=False),
        Binding("v", "bar", "Who is ahead", show=False),
        Binding("b", "check", "Blunder check", show=False),
        Binding("c", "copy", "Copy and paste", show=False),
        Binding("f", "resign", "Resign", show=False),
        Binding("equals_sign", "offer_draw", "Offer a draw", key_display="=", show=False),
        Binding("w", "pause", "Pause", show=False),
        *(Binding(str(digit), f"pick({digit - 1})", show=False, system=True) for digit in range(1, 10)),
    ]

    refused = ""
    """The square that was picked last, where no move leads."""

    def body(self) -> Iterable[Widget]:
        with Horizontal():
            with Vertical(id="play-left"):
                yield Steady(id="status")
                yield Steady(id="bar")
                yield XrayBoard(self.lab.game, id="board")
                yield Steady(id="moves")
            with Panel(id="play-right"):
                yield Steady(id="seats")
                yield Steady(id="advice")
                yield Steady(id="reason")
                yield Lessons(id="lessons")
                yield MemoryView()
                yield FaresView(id="fares-view")

    def action_pick(self, square: int) -> None:  # by a digit, wherever the keys go
        self.query_one(Board).action_pick_square(square)

    def on_board_picked(self, message: Board.Picked) -> None:
        session, board = self.session, self.query_one(Board)
        self.refused = ""
        if session.match.outcome is not None:
            if message.entered:  # a digit may be meant for the game that has just ended
                self.action_new_game()
            return
        if session.player is not None or self.loading:
            return
        moves = session.moves_with_squares()
        square = session.game.board.pointed(session.match.position, message.square)
        for chosen in ((*board.chosen, square), (square,)):
            if chosen in moves:
                board.chosen = ()
                self.choose(moves[chosen])
                return
            if chosen != board.chosen and any(squares[: len(chosen)] == chosen for squares in moves):
                board.chosen = chosen
                self.draw()
                return
        board.chosen = ()
        self.refused = session.game.board.grid.name(message.square)
        self.draw()

    def choose(self, move: Move) -> None:
        """Play a person's move, unless it is to be looked at before."""
        if self.checking and self.held != (self.session.match.position, move):
            self.check(self.session.match, self.session.match.position, move)
        else:
            self.play(move)

    def resized(self) -> None:
        super().resized()
        self.draw()

    def restart(self) -> None:
        self.refused = ""
        self.query_one(Board).chosen = ()
        super().restart()

    @work
    async def action_players(self) -> None:
        session = self.session
        seating = Seating(session.game, *session.labels, session.sides, session.length, self.learning)
        chosen = await self.ask(PlayersDialog(seating))
        if chosen is not None:
            self.seat(chosen)
            for key, value in seating_choices(chosen).items():
                self.lab.choose(key, value)

    @work
    async def action_debrief(self) -> None:
        """Go through the game; where the person wants to play on from one of its moments, from there."""
        if not self.session.match.moves:
            self.lab.warn("There is nothing to go through yet: g lists earlier games.")
            return
        story = story_of(self.session, self.lessons if self.session.match is self.learned_from else ())
        self.go_on(await self.request(DebriefGame(story)))

    @work
    async def action_games(self) -> None:
        self.go_on(await self.request(ListGames()))

    @work
    async def action_copy(self) -> None:
        from tui.widgets.copy_dialog import CopyDialog

        labels = self.session.labels
        match = await self.ask(CopyDialog(self.session.match))
        self.go_on(None if match is None else (match, labels))

    def go_on(self, onward: Onward | None) -> None:
        if onward is not None:
            self.practise(*onward)

    def draw(self) -> None:
        """Bring every part up to the position."""
        session, board = self.session, self.query_one(XrayBoard)
        game, match = session.game, session.match
        board.show(game, match.position)
        board.last = game.board.squares(match.positions[-2], match.moves[-1]) if match.moves else ()
        board.row = tuple(square for row in game.board.completed(match.position) for square in row)
        reach = len(board.chosen)
        board.open_squares = (
            frozenset(squares[reach] for squares in session.moves_with_squares() if squares[:reach] == board.chosen)
            if session.player is None and not self.loading
            else frozenset()
        )
        self.draw_advice()
        self.query_one("#status", Steady).tell(self._status())
        seats = self.query_one("#seats", Steady)
        seats.tell(seats_text(session, seats.size.width or 40))
        self.query_one("#reason", Steady).tell(reason_text(session))
        moves = self.query_one("#moves", Steady)
        moves.tell(moves_text(session, max(12, moves.size.width), self.lens.title))
        side = match.side if session.player is not None else match.side.other
        watched = session.seats[side]
        turns = zip(match.positions, match.moves, strict=False)
        played = [turn for turn in turns if session.seats[game.side(turn[0])] is watched]
        self.query_one(MemoryView).show(watched, match.position, seat_name(watched), played[-1] if played else None)
        self.query_one(FaresView).show(watched, side)

    def _status(self) -> Text:
        if self.loading:
            return Text("Loading …", "dim")
        does = "is held" if self.paused else "is thinking" if self.taught else "is learning"
        room = self.query_one("#status", Steady).size.width
        return status_text(self.session, does, self.refused, room or 80, chosen=bool(self.query_one(Board).chosen))
