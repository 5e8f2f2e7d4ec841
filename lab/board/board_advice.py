"""What a person at the board is told about the position: hints, moves that the blunder check holds back, and the X-ray.

As at the table, commands return the steps that follow, and all methods must be called in the same thread.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from engine.analysis.debrief import Turn, assess
from engine.game import Move, Outcome, Position
from engine.match import Match
from engine.stop import Stop
from lab.advice.advice import Hint, find_hint
from lab.advice.xray import MIND, OFF, Lens, lenses
from lab.board import events
from lab.board.session import Session

CHECKING: Final = "checking"
HINTING: Final = "hinting"


@dataclass
class PositionState:
    """The hints, warnings and offers in one position. They are forgotten when another position is on the board."""

    match: Match
    position: Position
    outcome: Outcome | None
    hint: Hint | None = None
    hint_steps: int = 0
    held_back: Move | None = None
    draw_offered: bool = False

    @classmethod
    def of(cls, match: Match) -> "PositionState":
        return cls(match, match.position, match.outcome)


class BoardAdvice:
    def __init__(self, at_board: Callable[[], Session], *, checking: bool) -> None:
        """Make it for a table: `at_board` returns its session, `checking` tells whether moves are checked."""
        self._at_board = at_board
        self.checking = checking
        """Whether the blunder check is on."""
        self.lens_kind = OFF
        """What the X-ray shows: `off`, `mind` or `truth`."""
        self._second_mind = False
        """Whether the X-ray shows the second of two machines."""
        self._state = PositionState.of(at_board().match)

    @property
    def state(self) -> PositionState:
        match, state = self._at_board().match, self._state
        if state.match is not match or (state.position, state.outcome) != (match.position, match.outcome):
            self._state = PositionState.of(match)
        return self._state

    def task(
        self,
        name: str,
        find: Callable[[Stop], events.Result],
        use: Callable[[events.Result], events.Steps],
        failed: events.Finish = lambda: (),
    ) -> events.Task:
        """Return a task about the position at the board, whose result is used only if it is still there."""
        state = self.state

        def is_wanted() -> bool:
            return self._state is state and self._at_board().is_now(state.match, state.position)

        return events.make_task(name, find, use, is_wanted, failed)

    def give_hint(self) -> events.Steps:
        """Give a hint: the first call in a position says what to look for, the second names the move."""
        state = self.state
        state.hint_steps = min(2, state.hint_steps + 1)
        if state.hint is not None:
            return [events.HintGiven(state.hint, state.hint_steps)]
        if state.hint_steps > 1:  # the hint is still being searched for
            return []

        def use(hint: Hint) -> events.Steps:
            state.hint = hint
            return [events.HintGiven(hint, step) for step in range(1, state.hint_steps + 1)]

        def forget_request() -> events.Steps:
            state.hint_steps = 0
            return []

        return [self.task(HINTING, lambda stop: find_hint(state.match.game, state.position, stop), use, forget_request)]

    def check(self, move: Move, play: Callable[[Move], events.Steps]) -> events.Steps:
        """Play a person's move, unless the blunder check holds it back. Raises `IllegalMove`."""
        state, game = self.state, self.state.match.game
        if not self.checking or state.held_back == move:
            return play(move)
        game.play(state.position, move)  # raises for an illegal move, which needs no check

        def use(turn: Turn) -> events.Steps:
            if not turn.cost:
                return play(move)
            state.held_back = move
            return [events.MoveHeldBack(turn)]

        return [self.task(CHECKING, lambda stop: assess(game, state.position, move, stop=stop), use)]

    def switch_check(self) -> events.Steps:
        self.checking = not self.checking
        return [events.CheckSwitched(self.checking)]

    @property
    def lens(self) -> Lens:
        """The lens that the X-ray uses for the players at the board."""
        of_kind = [lens for lens in self._lenses() if lens.kind == self.lens_kind]
        if not of_kind:
            return Lens(OFF)
        return of_kind[-1] if self._second_mind else of_kind[0]

    def _lenses(self) -> list[Lens]:
        session = self._at_board()
        return lenses(session.seats, session.game, session.match.side)

    def turn_xray(self) -> None:
        """Show the next lens in the X-ray, in the order of `lenses`."""
        all_lenses, present = self._lenses(), self.lens
        following = all_lenses[(all_lenses.index(present) + 1) % len(all_lenses)]
        self._second_mind = present.kind == MIND and following.kind == MIND
        self.lens_kind = following.kind
