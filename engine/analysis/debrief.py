"""The moves that decided a game: what each move gave away, which moves were better, and what it overlooked."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Final

from engine.analysis.rating import PATIENCE_SECONDS, RatedMove, best_of, is_solved, rate_moves
from engine.connect_solver.lasting_threats import LastingThreat, deciding_threats
from engine.game import Game, Move, Outcome, Position, Side
from engine.match import Match
from engine.solve import OUTCOME_VALUE
from engine.stop import Stop, never
from engine.tactics import forks, threats, wins

MOVE_SECONDS: Final = 0.5
"""The seconds for the exact values of one move of a game."""
GAME_SECONDS: Final = 20.0
"""The seconds for the exact values of all moves of a game, before estimates stand in for them."""
THREAT_WIN_PLIES: Final = 3
"""A win by a threat takes three plies: the move that makes the threat, any answer, and the threat itself."""


@dataclass(frozen=True)
class Turn:
    """A move of a game, compared with the other moves of its position."""

    ply: int
    position: Position
    side: Side
    played: RatedMove
    best: tuple[RatedMove, ...]
    moves: int
    """The number of legal moves."""
    as_good: int
    """The number of moves with the value of the best move, however many plies they take."""
    wins: tuple[Move, ...]
    """The moves that would have won at once."""
    forks: tuple[Move, ...]
    """The moves that would have won by a fork."""
    unmet_threats: tuple[Move, ...]
    """The opponent's threats that the move did not stop: each wins at once after the move, too, on the same squares.

    In Connect Four, the piece that stops a threat may enable another one on the square above. That one is not listed.
    """
    allowed_wins: tuple[Move, ...]
    """All moves by which the other side can win at once after the move."""
    allowed_forks: tuple[Move, ...]
    """The forks by which the other side can win after the move; empty if it can win at once."""

    @property
    def value(self) -> int:
        """The value of the position for the side to move; 0 if the search cannot tell."""
        return self.best[0].value or 0

    @property
    def cost(self) -> int:
        """The value that the move gave away: 2 from a win to a loss, 1 between a draw and a win or a loss.

        In a game too large for exact values, the limited search decides: a win that it no longer finds counts as given
        away, and a move that loses within its depth counts as a mistake, even if the other moves lose later.
        """
        return self.value - (self.played.value or 0)

    @property
    def wins_late(self) -> bool:
        """Whether the move keeps a win, but wins later than another move."""
        return self.value == self.played.value == 1 and self.played.merit < self.best[0].merit

    @property
    def is_only_move(self) -> bool:
        """Whether the move was the only one that kept the value, in a position with several moves."""
        return self.as_good == 1 < self.moves and self.cost == 0

    @property
    def has_missed_win(self) -> bool:
        return self.played.move not in self.wins and bool(self.wins)

    @property
    def has_missed_fork(self) -> bool:
        """Whether a fork would have won, and the search finds no win after this move."""
        return self.played.value != 1 and bool(self.forks)


def assess(  # noqa: PLR0913, PLR0917  most have defaults
    game: Game,
    position: Position,
    move: Move,
    ply: int = 0,
    stop: Stop = never,
    seconds: float = PATIENCE_SECONDS,
    rated: tuple[RatedMove, ...] = (),
) -> Turn:
    """Compare a move with the other moves of its position.

    `seconds` are as in `rate_moves`; `rated` are its results, if they are known. Raises `KeyError` for a position of a
    numbered game that play cannot reach, and `Stopped` soon after `stop` returns `True`.
    """
    rated = rated or rate_moves(game, position, stop, seconds)
    value = max(rated_move.value or 0 for rated_move in rated)
    after = game.play(position, move)
    allowed_wins: tuple[Move, ...] = ()
    allowed_forks: tuple[Move, ...] = ()
    if game.outcome(after) is None:
        allowed_wins = wins(game, after)
        if not allowed_wins and forks(game, after):
            allowed_forks = winning_forks(game, after, rate_moves(game, after, stop, seconds))
    return Turn(
        ply=ply,
        position=position,
        side=game.side(position),
        played=next(rated_move for rated_move in rated if rated_move.move == move),
        best=best_of(rated),
        moves=len(rated),
        as_good=sum((rated_move.value or 0) == value for rated_move in rated),
        wins=wins(game, position),
        forks=winning_forks(game, position, rated),
        unmet_threats=tuple(
            threat
            for threat in threats(game, position)
            if threat in allowed_wins and game.board.squares(position, threat) == game.board.squares(after, threat)
        ),
        allowed_wins=allowed_wins,
        allowed_forks=allowed_forks,
    )


def winning_forks(game: Game, position: Position, rated: Sequence[RatedMove]) -> tuple[Move, ...]:
    """Return the forks that win by one of their threats: the answer neither stops both nor wins first."""
    winning = {
        rated_move.move for rated_move in rated if rated_move.value == 1 and rated_move.plies == THREAT_WIN_PLIES
    }
    return tuple(move for move in forks(game, position) if move in winning)


def debrief(match: Match, stop: Stop = never, seconds: float = MOVE_SECONDS) -> tuple[Turn, ...]:
    """Compare every move of a game with the others of its position, in order. Raises the same errors as `assess`."""
    steps = list(_turns_from_end(match, stop, lambda: seconds))
    return steps[-1] if steps else ()


def _turns_from_end(match: Match, stop: Stop, seconds: Callable[[], float]) -> Iterator[tuple[Turn, ...]]:
    """Yield the comparisons of the last move, of the last two, and so on; `seconds()` are as in `assess`.

    The last move is compared first: what a solver learns there serves the moves before it.
    """
    turns: tuple[Turn, ...] = ()
    for ply in reversed(range(len(match.moves))):
        turn = assess(match.game, match.positions[ply], match.moves[ply], ply, stop, seconds())
        turns = (turn, *turns)
        yield turns


def debrief_in_steps(match: Match, stop: Stop = never) -> Iterator[tuple[tuple[Turn, ...], bool]]:
    """Yield the comparisons of the last moves, from the end, and whether better ones follow.

    They are exact, unless a solver needs more than `GAME_SECONDS`: then the first moves are estimated, and compared
    again afterwards. Raises the same errors as `assess`.
    """
    deadline, count = monotonic() + GAME_SECONDS, len(match.moves)
    turns: tuple[Turn, ...] = ()
    for turns in _turns_from_end(match, stop, lambda: max(MOVE_SECONDS, deadline - monotonic())):
        if len(turns) < count:
            yield turns, True
    if is_solved(match.game) and monotonic() > deadline:
        yield turns, True
        for exact_turns in _turns_from_end(match, stop, lambda: inf):
            better_turns = (*turns[: -len(exact_turns)], *exact_turns)
            if better_turns != turns and len(exact_turns) < count:
                yield better_turns, True
            turns = better_turns
    yield turns, False


def mistakes(turns: Sequence[Turn]) -> tuple[Turn, ...]:
    return tuple(turn for turn in turns if turn.cost > 0)


def decisive_mistake(turns: Sequence[Turn], outcome: Outcome | None) -> Turn | None:
    """Return the last mistake; `None` if its side still got the value that the position had before it.

    While `outcome` is `None`, the last mistake counts. A side makes up for its mistake if the opponent then errs
    unseen, resigns, or agrees to a draw too soon.
    """
    last = next(reversed(mistakes(turns)), None)
    if last is None or outcome is None:
        return last
    result = OUTCOME_VALUE[outcome] * (1 if last.side is Side.FIRST else -1)
    return last if result < last.value else None


@dataclass(frozen=True)
class Outlook:
    match: Match
    """The moves of best play, as far as they are needed to see how the game ends."""
    threats: tuple[LastingThreat, ...]
    """The lasting threats that decide the last position; empty if the game is over there."""


def outlook(game: Game, position: Position, stop: Stop = never, seconds: float = PATIENCE_SECONDS) -> Outlook | None:
    """Follow best play from a position; `None` if that takes more than `seconds`. Raises `Stopped`.

    Of several best moves, the leftmost is made, so that the result is always the same.
    """
    match, deadline = Match(game, [position]), monotonic() + seconds
    while match.outcome is None:
        threats = deciding_threats(game, match.position)
        if threats:
            return Outlook(match, threats)
        best = best_of(rate_moves(game, match.position, stop, deadline - monotonic()))[0]
        if best.value is None or monotonic() > deadline:
            return None
        match.play(best.move)
    return Outlook(match, ())
