"""Advice on a position, found and in words: a hint in two steps, what moves lead to, mistakes, and who is ahead."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import tanh
from typing import TYPE_CHECKING, Final

from engine.analysis.debrief import Turn, assess, winning_forks
from engine.analysis.rating import RatedMove, best_of, horizon_of, rate_moves
from engine.game import Game, Move, Outcome, Position, Side
from engine.plural import in_moves, listed, own_moves, signed_text
from engine.stop import Stop, never
from engine.tactics import forks, row_of, threats

if TYPE_CHECKING:
    from rich.text import Text

OBVIOUS_PLIES: Final = 2
"""The maximum number of plies of an obvious loss: the side moves, and the opponent wins at once."""


@dataclass(frozen=True)
class Hint:
    """The move to suggest in a position, and what every move leads to. `lab.advice.advice` puts it into words."""

    game: Game
    rated: tuple[RatedMove, ...]
    """What each legal move leads to, in the order of the moves."""
    turn: Turn
    """The suggested move, compared with the other moves."""

    @property
    def move(self) -> Move:
        return self.turn.played.move


def find_hint(game: Game, position: Position, stop: Stop = never) -> Hint:
    """Find a hint for the side to move. Raises `KeyError` for a position that play cannot reach, `Stopped`."""
    rated = rate_moves(game, position, stop)
    move = _choose_move(game, position, rated, stop)
    return Hint(game, rated, assess(game, position, move, stop=stop, rated=rated))


def _choose_move(game: Game, position: Position, rated: tuple[RatedMove, ...], stop: Stop) -> Move:
    """Choose the best move: of several, the one that sets the most traps, or in a large game the middle one."""
    best = best_of(rated)
    if len(best) == 1 or not game.numbered:
        return best[len(best) // 2].move
    return max(best, key=lambda rated_move: count_traps(game, game.play(position, rated_move.move), stop)).move


def count_traps(game: Game, position: Position, stop: Stop = never) -> int:
    """Count the moves that lose, but not obviously; 0 if every move loses. Raises `Stopped`."""
    rated = rate_moves(game, position, stop)
    if all(rated_move.value == -1 for rated_move in rated):
        return 0
    return sum(rated_move.value == -1 and rated_move.plies > OBVIOUS_PLIES for rated_move in rated)


COLUMN_NAMES: Final = "left", "middle", "right"
ROW_NAMES: Final = "top", "middle", "bottom"
"""The names of the columns and of the rows of a board of 3 × 3 squares."""


def row_name(game: Game, squares: Sequence[int]) -> str:
    """Return the name of a row of squares: `the right column`, `row 2`, `a diagonal`, `the diagonal b1–e4`."""
    board = game.board
    rows = {square // board.columns for square in squares}
    columns = {square % board.columns for square in squares}
    is_small = board.rows == board.columns == 3
    if len(columns) == 1:
        column = columns.pop()
        return f"the {COLUMN_NAMES[column]} column" if is_small else f"column {board.grid.name(column)[0]}"
    if len(rows) == 1:
        row = rows.pop()
        return f"the {ROW_NAMES[row]} row" if is_small else f"row {board.rows - row}"
    if is_small:
        return "a diagonal"
    left, right = sorted((squares[0], squares[-1]), key=lambda square: square % board.columns)
    return f"the diagonal {board.grid.name(left)}–{board.grid.name(right)}"


def names_text(game: Game, position: Position, moves: Iterable[Move], last: str = "or") -> str:
    """List moves: `a1`, `a1 or c3`, `a1, b2 or c3`."""
    return listed([game.move_words(position, move) for move in moves], last)


def win_text(plies: int) -> str:
    """Return how a side can win within this many plies: `win at once`, `force a win in 2 moves`."""
    return "win at once" if plies == 1 else f"force a win {in_moves(plies)}"


def rated_move_text(rated_move: RatedMove) -> str:
    """Return what a move leads to: `wins in 2 moves`, `draws`, `value +2`."""
    match rated_move.value:
        case None:
            return f"value {signed_text(rated_move.estimate)}"
        case 0:
            return "draws"
        case worth:
            verb = "wins" if worth > 0 else "loses"
            return f"{verb} {in_moves(rated_move.plies)}"


def hint_text(hint: Hint) -> str:
    """Return the first step of a hint: what to look for, without the move."""
    if len(hint.rated) == 1 and hint.rated[0].plies != 1:
        return "There is only one move."
    return _what_to_look_for(hint.game, hint.turn.position, hint.rated)


def hint_move_text(hint: Hint) -> str:
    """Return the second step of a hint: the name of the move, and the reason to play it."""
    return f"{hint.game.move_words(hint.turn.position, hint.move)} {effect_text(hint.game, hint.turn)}"


def _what_to_look_for(game: Game, position: Position, rated: tuple[RatedMove, ...]) -> str:
    best = best_of(rated)[0]
    if best.value == 1:
        return _winning_text(best, fork=bool(winning_forks(game, position, rated)))
    enemy = game.mark(game.side(position).other)
    threatened = threats(game, position)
    if len(threatened) > 1:
        return f"{enemy} threatens to win in {len(threatened)} ways."
    is_lost = best.value == -1
    if threatened:
        threat = f"{enemy} threatens to win{threat_place(game, position, threatened[0])}"
        return f"{threat}, and every move loses against best play: make it last." if is_lost else f"{threat}."
    if is_lost:
        return "Every move loses against best play: make it last."
    passed = game.null_move(position)
    if passed is not None and forks(game, passed) and any(rated_move.value == -1 for rated_move in rated):
        return f"Look out for a fork that {enemy} could make next."
    return _safe_moves_text(game, rated)


def _winning_text(best: RatedMove, *, fork: bool) -> str:
    if best.plies == 1:
        return "You can win at once."
    if fork and best.plies == 3:
        return "You can make a fork: two threats at once."
    return f"You can force a win {in_moves(best.plies)}."


def _safe_moves_text(game: Game, rated: Sequence[RatedMove]) -> str:
    safe = sum(rated_move.value != -1 for rated_move in rated)
    is_exact = all(rated_move.value is not None for rated_move in rated)
    if is_exact and safe == len(rated):
        return "Nothing is decided yet: no move loses."
    within = "" if is_exact else f" within {own_moves(horizon_of(game))} moves"
    if safe == len(rated):
        return f"No move loses{within}."
    return f"{safe} of {len(rated)} moves {'does' if safe == 1 else 'do'} not lose{within}."


def threat_place(game: Game, position: Position, threat: Move) -> str:
    """Return where a threat is, to follow its name: ` in the left column`; empty in a game without rows."""
    passed = game.null_move(position)
    if passed is None:
        return ""
    row = row_of(game, passed, threat)
    return f" in {row_name(game, row)}" if row else ""


def effect_text(game: Game, turn: Turn) -> str:
    """Return what a move does, as the second half of a sentence: `makes a fork: it threatens a1 and c3`."""
    position, move = turn.position, turn.played.move
    enemy, after = game.mark(turn.side.other), game.play(position, move)
    row = row_of(game, position, move)
    if move in turn.wins:
        return f"completes {row_name(game, row)} and wins." if row else "wins at once."
    if turn.played.value == -1:
        others = "lasts longer" if turn.played.plies else "is better"
        return f"loses {in_moves(turn.played.plies)}; no other move {others}."
    parts = []
    enemy_threats = threats(game, position)
    if enemy_threats and not turn.allowed_wins:
        parts.append(f"stops {enemy}{threat_place(game, position, enemy_threats[0])}")
    own_threats = threats(game, after) if game.outcome(after) is None else ()
    if own_threats:
        fork = "makes a fork: it " if len(own_threats) > 1 and move in turn.forks else ""
        parts.append(f"{fork}threatens {names_text(game, after, own_threats, 'and')}")
    if turn.played.value == 1:
        parts.append(f"wins {in_moves(turn.played.plies)}")
    elif turn.played.value == 0:
        parts.append("keeps the draw")
    elif not parts and turn.played.estimate:
        parts.append(f"looks best ({signed_text(turn.played.estimate)})")
    elif not parts:
        parts.append("looks as good as any")
    effects = f"{listed(parts, 'and')}."
    trap_count = count_traps(game, after) if game.numbered and turn.played.value == 0 else 0
    if trap_count:
        verb = "loses" if trap_count == 1 else "lose"
        effects += f" {trap_count} of {enemy}'s {len(game.moves(after))} answers {verb}, though not at once."
    return effects


def warning_text(game: Game, turn: Turn) -> str:
    """Say what is wrong with a mistake, as in `b3 loses in 3 moves.`"""
    name = game.move_words(turn.position, turn.played.move)
    if turn.allowed_wins:
        return f"{name} lets {game.mark(turn.side.other)} win at once."
    if turn.has_missed_win:
        return f"{name} misses an immediate win."
    if turn.played.value == -1:
        return f"{name} loses {in_moves(turn.played.plies)}."
    return f"{name} {'may give a win away' if turn.played.value is None else 'gives a win away'}."


ESTIMATE_SCALE: Final = 10
"""The estimate of the heuristic at which about three quarters of a side's half are filled."""


def first_side_share(game: Game, position: Position, best: RatedMove | None) -> float:
    """Return the first side's share of the evaluation bar, from 0 to 1; `best` is `None` when the game is over."""
    if best is None:
        match game.outcome(position):
            case Outcome.FIRST_WINS:
                return 1.0
            case Outcome.SECOND_WINS:
                return 0.0
            case _:
                return 0.5
    ahead = float(best.value) if best.value is not None else tanh(best.estimate / ESTIMATE_SCALE)
    return (1 + (ahead if game.side(position) is Side.FIRST else -ahead)) / 2


def ahead_text(game: Game, position: Position, best: RatedMove | None) -> str:
    """Return who is ahead, in words: `draw`, `X wins in 3 moves`, `X looks ahead`."""
    if best is None:
        outcome = game.outcome(position)
        winner = None if outcome is None else outcome.winner
        return "draw" if winner is None else f"{game.mark(winner)} has won"
    side = game.side(position)
    ahead = best.value if best.value is not None else (best.estimate > 0) - (best.estimate < 0)
    if not ahead:
        return "draw" if best.value == 0 else "even"
    mark = game.mark(side if ahead > 0 else side.other)
    return f"{mark} wins {in_moves(best.plies)}" if best.value is not None else f"{mark} looks ahead"


MIN_BAR: Final = 4
MAX_BAR: Final = 30
"""The smallest and the largest width of the evaluation bar, in columns."""
LOOKING: Final = "still looking"
"""The words beside a provisional answer, which a better answer will replace."""


def bar_text(  # noqa: PLR0913  the position, and how the bar is drawn
    game: Game,
    position: Position,
    best: RatedMove | None,
    width: int,
    styles: tuple[str, str],
    *,
    looking: bool = False,
) -> "Text":
    """Return the evaluation bar as one line: the first side's share from the left, then who is ahead in words.

    `styles` are those of the sides. With little room, the words are shortened first, and then the bar.
    """
    from rich.text import Text  # slow to import, and most commands need none

    first_mark, second_mark = game.marks
    words = ahead_text(game, position, best)
    wordings = [words, words.partition(" move")[0]]  # the longest first
    if looking:
        wordings.insert(0, f"{words}, {LOOKING}")
    room = width - len(f"{first_mark}  {second_mark}   ")
    wording = next((each for each in wordings if len(each) + MIN_BAR <= room), wordings[-1])
    columns = max(MIN_BAR, min(MAX_BAR, room - len(wording))) // 2 * 2  # even, so that a draw has equal halves
    filled = round(first_side_share(game, position, best) * columns)
    return Text.assemble(
        (f"{first_mark} ", f"bold {styles[0]}"),
        ("█" * filled, styles[0]),
        ("▓" * (columns - filled), styles[1]),
        (f" {second_mark}", f"bold {styles[1]}"),
        f"   {wording}",
    )
