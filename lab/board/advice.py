"""What to look for in a position, in words: a hint in two steps, and what a move would do."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.debrief import Turn, examined, winning_forks
from engine.game import Game, Move, Position
from engine.prospects import HORIZON, Prospect, best_of, prospects
from engine.stop import Stop, never
from engine.tactics import forks, row_of, threats
from learners.core.plural import counted_noun

SEEN: Final = 2
"""A loss after so many plies anybody sees: the other side answers, and wins."""
THIRDS: Final = ("left", "middle", "right"), ("top", "middle", "bottom")
"""Columns and rows of a board of three by three."""


@dataclass(frozen=True)
class Hint:
    """A hint in two steps."""

    where: str
    """What to look for."""
    move: Move
    what: str
    """The move, and what speaks for it."""


def row_name(game: Game, squares: Sequence[int]) -> str:
    """A row of squares as a person would point at it: `the right column`, `row 2`, `a diagonal`."""
    places = [divmod(square, game.board.columns) for square in squares]
    downs, acrosses = ({place[axis] for place in places} for axis in (0, 1))
    small = game.board.rows == game.board.columns == 3
    if len(acrosses) == 1:
        across = acrosses.pop()
        return f"the {THIRDS[0][across]} column" if small else f"column {game.board.grid.name(across)[0]}"
    if len(downs) == 1:
        down = downs.pop()
        return f"the {THIRDS[1][down]} row" if small else f"row {game.board.rows - down}"
    return "a diagonal"


def names_text(game: Game, moves: Sequence[Move]) -> str:
    """Moves in a list: `a1`, `a1 or c3`, `a1, b2 or c3`."""
    *most, last = [game.move_name(move) for move in moves]
    return f"{', '.join(most)} or {last}" if most else last


def in_moves(plies: int) -> str:
    return f"in {counted_noun(plies, 'move')}"


def win_text(plies: int) -> str:
    """What a side can do that wins after so many moves."""
    return "win at once" if plies == 1 else f"force a win {in_moves(plies)}"


def prospect_text(prospect: Prospect) -> str:
    """What a move leads to: `wins in 3 moves`, `draws`, `looks +2`."""
    match prospect.worth:
        case None:
            return f"looks {prospect.estimate:+}" if prospect.estimate else "looks even"
        case 0:
            return "draws"
        case worth:
            verb = "wins" if worth > 0 else "loses"
            return f"{verb} at once" if prospect.plies == 1 else f"{verb} {in_moves(prospect.plies)}"


def accepts_draw(best: Prospect) -> bool:
    """Whether a machine takes the draw of a side to move whose best move that is: unless it wins, or looks ahead."""
    return (best.worth or best.estimate) >= 0


def hint(game: Game, position: Position, stop: Stop = never) -> Hint:
    """A hint for the side to move. Raises `KeyError` for a position that play cannot reach, `Stopped`."""
    rated = prospects(game, position, stop)
    move = _suggested(game, position, rated, stop)
    forced = len(rated) == 1 and rated[0].plies != 1
    where = "There is only one move." if forced else _where(game, position, rated)
    return Hint(where, move, f"{game.move_name(move)} {effect_text(game, examined(game, position, move, stop=stop))}")


def _suggested(game: Game, position: Position, rated: tuple[Prospect, ...], stop: Stop) -> Move:
    """Of the best moves the one that sets the most traps: beyond threats, which anybody meets."""
    best = best_of(rated)
    if len(best) == 1:
        return best[0].move
    return max(best, key=lambda prospect: _traps(game, game.play(position, prospect.move), stop)[0]).move


def _traps(game: Game, position: Position, stop: Stop) -> tuple[int, int]:
    """How many moves of a position that need not be lost lose, though not at once; and how many moves there are."""
    rated = prospects(game, position, stop)
    safe = any(prospect.worth != -1 for prospect in rated)
    return sum(safe and prospect.worth == -1 and prospect.plies > SEEN for prospect in rated), len(rated)


def _where(game: Game, position: Position, rated: tuple[Prospect, ...]) -> str:
    """What to look for, without the move."""
    best = best_of(rated)[0]
    if best.worth == 1:
        return _winning_text(best, fork=bool(winning_forks(game, position, rated)))
    enemy, threatened, passed = game.mark(game.side(position).other), threats(game, position), game.passed(position)
    if len(threatened) > 1:
        return f"{enemy} threatens to win in {len(threatened)} ways."
    if best.worth == -1:
        lost = "every move loses against best play: make it last."
        there = _threat_place(game, position, threatened[0]) if threatened else ""
        return f"{enemy} threatens to win{there}, and {lost}" if threatened else f"{lost[0].upper()}{lost[1:]}"
    if threatened:
        return f"{enemy} threatens to win{_threat_place(game, position, threatened[0])}."
    if passed is not None and forks(game, passed) and _some_lose(rated):
        return f"Look out for a fork that {enemy} could make next."
    return _how_many_hold(rated)


def _winning_text(best: Prospect, *, fork: bool) -> str:
    if best.plies == 1:
        return "You can win at once."
    if fork and best.plies == 3:
        return "You can make a fork: two threats at once."
    return f"You can force a win {in_moves(best.plies)}."


def _some_lose(rated: Sequence[Prospect]) -> bool:
    return any(prospect.worth == -1 for prospect in rated)


def _how_many_hold(rated: Sequence[Prospect]) -> str:
    holding = sum(prospect.worth != -1 for prospect in rated)
    within = f" within {HORIZON} moves" if any(prospect.worth is None for prospect in rated) else ""
    if holding == len(rated):
        return f"No move loses{within}." if within else "Nothing is decided yet: no move loses."
    return f"Only {holding} of {len(rated)} moves {'does' if holding == 1 else 'do'} not lose{within}."


def _threat_place(game: Game, position: Position, threat: Move) -> str:
    passed = game.passed(position)
    row = row_of(game, passed, threat) if passed is not None else ()
    return f" in {row_name(game, row)}" if row else ""


def effect_text(game: Game, turn: Turn) -> str:
    """What a move does, as the second half of a sentence: `makes a fork: it threatens a1 and c3`."""
    position, move = turn.position, turn.played.move
    enemy, after = game.mark(turn.side.other), game.play(position, move)
    row = row_of(game, position, move)
    if move in turn.wins:
        return f"completes {row_name(game, row)} and wins." if row else "wins at once."
    if turn.played.worth == -1:
        return f"loses {in_moves(turn.played.plies)}, and none lasts longer."
    own, met = threats(game, after) if game.outcome(after) is None else (), threats(game, position)
    parts = []
    if met and not turn.allowed:
        parts.append(f"stops {enemy}{_threat_place(game, position, met[0])}")
    if own:
        fork = "makes a fork: it " if len(own) > 1 and move in turn.forks else ""
        parts.append(f"{fork}threatens {' and '.join(game.move_name(each) for each in own)}")
    if turn.played.worth == 1:
        parts.append(f"wins {in_moves(turn.played.plies)}")
    elif turn.played.worth == 0:
        parts.append("keeps the draw")
    elif not parts:
        parts.append(f"looks best ({turn.played.estimate:+})" if turn.played.estimate else "looks as good as any")
    *most, last = parts
    told = f"{', '.join(most)} and {last}." if most else f"{last}."
    traps, answers = _traps(game, after, never) if game.numbered else (0, 0)
    if traps and turn.played.worth == 0:
        told += f" {traps} of the {answers} answers {'loses' if traps == 1 else 'lose'}, though not at once."
    return told


def warning_text(game: Game, turn: Turn) -> str:
    """What is wrong with a move that gives something away, before it is played."""
    name = game.move_name(turn.played.move)
    if turn.allowed:
        return f"{name} lets {game.mark(turn.side.other)} win at once."
    if turn.missed_win:
        return f"{name} misses a win at once."
    if turn.played.worth == -1:
        return f"{name} loses {in_moves(turn.played.plies)}."
    return f"{name} {'lets a win out of sight' if turn.played.worth is None else 'gives a win away'}."
