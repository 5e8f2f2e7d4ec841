"""Advice at the board: hints, the X-ray, who is ahead, a check for blunders; and giving up, or offering a draw."""

from contextlib import suppress

from textual import work
from textual.worker import get_current_worker

from engine.debrief import Turn, examined
from engine.game import Game, Move, Position
from engine.match import Match
from engine.prospects import Prospect, best_of, prospects
from engine.stop import Stopped
from lab.board.advice import Hint, accepts_draw, hint, warning_text
from lab.board.evaluation_bar import bar_text
from lab.board.xray import MIND, OFF, Lens, lenses
from lab.words.board_game import seat_name
from tui.play.seated_screen import SittingScreen
from tui.shell.live_text import Steady
from tui.widgets.xray_board import XrayBoard

ON = "on"
RESIGN = "Press f once more to resign."
AGREE = "Press = once more if the other side agrees to a draw."


class AdvisedScreen(SittingScreen):
    """The half of Play that knows more than the players. A subclass draws the board."""

    advice = ""
    """What is said of the position."""
    advised: tuple[Match, Position] | None = None
    """The game and the position that it is said of: of another game it may be untrue."""
    weighing: tuple[Game, Position] | None = None
    """The position of which it is sought who is ahead."""
    ahead: tuple[Game, Position, Prospect | None] | None = None
    """The position of which that is told, and a best move in it."""
    hint: Hint | None = None
    """The hint given, its first step at least."""
    held: tuple[Position, Move] | None = None
    """A move that is held back."""
    other_mind = False
    """Whether the X-ray shows the mind of the second of two machines."""

    def is_chosen(self, key: str) -> bool:
        return self.lab.choice(key, OFF) == ON

    @property
    def checking(self) -> bool:
        return self.is_chosen("blunder check")

    @property
    def lens(self) -> Lens:
        """What the board is looked at through now."""
        kind = self.lab.choice("x-ray", OFF)
        fitting = [lens for lens in lenses(self.session.seats) if lens.kind == kind]
        return fitting[-1 if self.other_mind else 0] if fitting else Lens(OFF)

    def action_xray(self) -> None:
        """Look through the next of all that the board can be looked at through."""
        every = lenses(self.session.seats)
        lens = every[(every.index(self.lens) + 1) % len(every)]
        self.other_mind = lens.kind == MIND and every[every.index(lens) - 1].kind == MIND
        self.lab.choose("x-ray", lens.kind)
        self.draw()

    def action_bar(self) -> None:
        self.lab.choose("who is ahead", OFF if self.is_chosen("who is ahead") else ON)
        self.draw()

    def action_check(self) -> None:
        self.lab.choose("blunder check", OFF if self.checking else ON)
        self.say("Moves that give something away are held back." if self.checking else "No move is held back.")

    def say(self, words: str) -> None:
        """Say something of the position; it is gone with it."""
        match = self.session.match
        self.advice, self.advised = words, (match, match.position)
        self.draw()

    def draw_advice(self) -> None:
        """Bring up to the position what is known of it."""
        board, match = self.query_one(XrayBoard), self.session.match
        if self.advised is None or self.advised[0] is not match or self.advised[1] != match.position:
            self.advice, self.advised, self.hint, self.held, board.hinted = "", (match, match.position), None, None, ()
        place = self.query_one("#advice", Steady)
        place.display = bool(self.advice)
        place.tell(self.advice)
        board.look(self.lens)
        bar = self.query_one("#bar", Steady)
        bar.display = self.is_chosen("who is ahead")
        if not bar.display:
            self.weighing = self.ahead = None
        elif self.weighing != (match.game, match.position):
            self.weighing, self.ahead = (match.game, match.position), None
            bar.tell("" if match.game.numbered else "…")  # a search takes its time
            self.weigh(match, match.position)
        else:
            self.draw_bar()

    @work(thread=True, exclusive=True, group="bar", exit_on_error=False)
    def weigh(self, match: Match, position: Position) -> None:
        """Find out who is ahead."""
        worker = get_current_worker()
        with suppress(Stopped):
            rated = prospects(match.game, position, lambda: worker.is_cancelled)
            best = best_of(rated)[0] if rated else None
            self.app.call_from_thread(self.weighed, match, position, best)

    def weighed(self, match: Match, position: Position, best: Prospect | None) -> None:
        if self.session.match is match and match.position == position:
            self.ahead = match.game, position, best
            self.draw_bar()

    def draw_bar(self) -> None:
        if self.ahead is not None:
            room = self.query_one("#play-left").content_size.width  # the bar has no size yet if it has just appeared
            self.query_one("#bar", Steady).tell(bar_text(*self.ahead, max(30, room)))

    def _to_move(self) -> bool:
        """Whether a person is to move."""
        return self.session.match.outcome is None and self.session.player is None and not self.loading

    def _decline(self, over: str) -> None:
        """Tell why a person who asks cannot do anything now; `over` where it is the end of the game."""
        waits = "The players are still to come." if self.loading else "It is not your turn."
        self.lab.warn(waits if self.loading or self.session.match.outcome is None else over)

    def action_hint(self) -> None:
        match = self.session.match
        if not self._to_move():
            self._decline("The game is over: d tells what decided it.")
        elif self.hint is None:
            self.find_hint(match, match.position)
        else:
            self.query_one(XrayBoard).hinted = self.session.game.board.squares(match.position, self.hint.move)
            self.say(f"{self.hint.where}\n{self.hint.what}")

    @work(thread=True, exclusive=True, group="advice", exit_on_error=False)
    def find_hint(self, match: Match, position: Position) -> None:
        worker = get_current_worker()
        with suppress(Stopped):
            found = hint(match.game, position, lambda: worker.is_cancelled)
            self.app.call_from_thread(self.hinted, match, position, found)

    def hinted(self, match: Match, position: Position, found: Hint) -> None:
        if self.is_now(match, position):
            self.hint = found
            self.say(f"{found.where}\nh: the move")

    @work(thread=True, exclusive=True, group="check", exit_on_error=False)
    def check(self, match: Match, position: Position, move: Move) -> None:
        """Look at a person's move before it is played."""
        worker = get_current_worker()
        with suppress(Stopped):
            turn = examined(match.game, position, move, stop=lambda: worker.is_cancelled)
            self.app.call_from_thread(self.checked, match, turn)

    def checked(self, match: Match, turn: Turn) -> None:
        if not self.is_now(match, turn.position):
            return
        if turn.cost:
            self.held = turn.position, turn.played.move
            self.say(f"{warning_text(match.game, turn)}\nPick it again to play it all the same. b: no more checks")
        else:
            self.play(turn.played.move)

    def action_resign(self) -> None:
        if not self._to_move():
            self._decline("The game is over.")
        elif self.advice == RESIGN:
            self.advised = None  # no key does it once more
            self.play(None)
        else:
            self.say(RESIGN)

    def action_offer_draw(self) -> None:
        session = self.session
        match = session.match
        if not match.game.has_draws:
            self.lab.warn(f"{match.game.title} has no draws.")
        elif not self._to_move() or session.draw_is_early:
            self.lab.warn("A draw can be offered when it is your turn, once both sides have moved.")
        elif session.seats[match.side.other] is not None:
            self.consider(match, match.position)
        elif self.advice == AGREE:
            self.agree()
        else:
            self.say(AGREE)

    @work(thread=True, exclusive=True, group="advice", exit_on_error=False)
    def consider(self, match: Match, position: Position) -> None:
        """Let a machine answer the offer of a draw."""
        worker = get_current_worker()
        with suppress(Stopped):
            best = best_of(prospects(match.game, position, lambda: worker.is_cancelled))[0]
            self.app.call_from_thread(self.considered, match, position, best)

    def considered(self, match: Match, position: Position, best: Prospect) -> None:
        if not self.is_now(match, position):
            return
        if accepts_draw(best):
            self.agree()
        else:
            self.say(f"{seat_name(self.session.seats[match.side.other])} declines the draw.")

    def agree(self) -> None:
        self.advised = None
        self.session.agree()
        self.played()
