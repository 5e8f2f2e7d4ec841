"""What each move of a position leads to under best play: exactly in a numbered game, else as far as a search sees."""

from dataclasses import dataclass
from functools import cache
from typing import Final

from engine.found import WON, Algorithm, Found
from engine.game import Game, Move, Position, Side
from engine.search import Search
from engine.solve import FAR, scores
from engine.space import space_of
from engine.stop import Stop, never

HORIZON: Final = 6
"""How many plies of a game that is too large to be numbered are looked ahead."""
REMEMBERED: Final = 50_000
"""Answers kept from one position to the next, some 20 MB: more would make it hardly faster."""


@dataclass(frozen=True)
class Prospect:
    """What a move leads to when both sides play as well as they can, as the side that makes it sees it."""

    move: Move
    worth: int | None
    """1 won, 0 drawn, −1 lost; `None` where that lies beyond the horizon."""
    plies: int = 0
    """Of a move that wins or loses, after how many plies the game is over, this move counted."""
    estimate: int = 0
    """What the heuristic says where nothing is sure."""

    @property
    def merit(self) -> tuple[int, int]:
        """The larger the better: a win, the sooner the better; what is drawn or open; a loss, the later the better."""
        return self.worth or 0, self.estimate - (self.worth or 0) * self.plies


def prospects(game: Game, position: Position, stop: Stop = never) -> tuple[Prospect, ...]:
    """What each legal move leads to, in the order of the moves; nothing where the game is over.

    Raises `KeyError` for a position of a numbered game that play cannot reach, `Stopped` soon after `stop` says so.
    """
    if game.outcome(position) is not None:
        return ()
    return _known(game, position) if game.numbered else _looked_up(game, position, stop)


def _known(game: Game, position: Position) -> tuple[Prospect, ...]:
    space = space_of(game)
    edges = space.edges(position)
    sign = 1 if game.side(position) is Side.FIRST else -1
    rows = slice(edges.start, edges.stop)
    after = (scores(space)[space.target[rows]] * sign).tolist()
    return tuple(
        Prospect(move, (score > 0) - (score < 0), FAR - abs(score) + 1 if score else 0)
        for move, score in zip(space.move[rows].tolist(), after, strict=True)
    )


@cache
def _searcher(game: Game) -> Search:
    """One for all: what one has found another need not."""
    return Search(game, Algorithm.ALPHABETA, HORIZON, order="centre", every_move=True, remembered=REMEMBERED)


def _looked_up(game: Game, position: Position, stop: Stop) -> tuple[Prospect, ...]:
    found = _searcher(game).found(position, stop)
    return tuple(sorted(_rated(found), key=lambda prospect: prospect.move))


def _rated(found: Found) -> list[Prospect]:
    sign = 1 if found.game.side(found.position) is Side.FIRST else -1
    rated = []
    for each in found.moves:
        value = each.value * sign
        if abs(value) >= WON:
            rated.append(Prospect(each.move, 1 if value > 0 else -1, found.plies_to_win(value) or 0))
        else:
            rated.append(Prospect(each.move, None, estimate=value) if each.guessed else Prospect(each.move, 0))
    return rated


def best_of(rated: tuple[Prospect, ...]) -> tuple[Prospect, ...]:
    """Those that nothing is better than."""
    most = max(prospect.merit for prospect in rated)
    return tuple(prospect for prospect in rated if prospect.merit == most)
