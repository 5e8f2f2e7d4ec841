"""A game in words: what decided it, and each move compared with the other moves."""

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.text import Text

from engine.analysis.debrief import Turn, decisive_mistake, mistakes, outlook
from engine.analysis.rating import PATIENCE_SECONDS, RatedMove, horizon_of, rate_moves
from engine.connect_solver.games import shape_of
from engine.connect_solver.lasting_threats import LastingThreat, deciding_threats
from engine.game import Game, Side
from engine.match import Match
from engine.plural import in_moves, listed, own_moves
from engine.stop import Stop, never
from lab.advice.advice import names_text, rated_move_text, row_name, threat_place, win_text
from lab.text.axes import Axes, column_of
from lab.text.curves import Series, draw_curves
from lab.text.line_charts import AXIS, TICKED
from lab.text.numbers import percent_text
from lab.text.sanitise import plain

MOST_NAMED: Final = 4
"""How many mistakes before the last one are named; the list of moves marks all of them."""
MARKS: Final = {"??": "loses", "?": "misses a win", "?!": "slow", "!": "only way"}
"""The marks of moves, with their meanings in a few words."""


def mark_of(turn: Turn) -> str:
    """Return `??` for a losing move, `?` for another mistake, `?!` for a late win, `!` for the only way, or none."""
    if turn.cost and turn.played.value == -1:
        return "??"
    if turn.cost:
        return "?"
    if turn.wins_late:
        return "?!"
    return "!" if turn.is_only_move and turn.value >= 0 and not turn.wins else ""


def move_text(game: Game, turn: Turn) -> str:
    """Return a move with its side: `X b1`."""
    return f"{game.mark(turn.side)} {game.move_label(turn.position, turn.played.move)}"


def leads_text(game: Game, turn: Turn) -> str:
    """Return the result that a move leads to; an estimate is given for the side that moved."""
    text = rated_move_text(turn.played)
    return f"{text} for {game.mark(turn.side)}" if turn.played.estimate else text


def move_lines(match: Match, turns: Sequence[Turn], names: tuple[str, str], width: int) -> list[Text]:
    """Return a line for each move: where it leads, if that is among `turns`, and the player's name if there is room."""
    known = {turn.ply: turn for turn in turns}
    game, moves = match.game, match.game.move_labels(match.positions[0], match.moves)
    longest = max(map(len, moves), default=0)
    room = width - longest - LEADS
    room = 0 if room < max(map(cell_len, names)) else room  # a name that is cut says less than the mark of its side
    ways = [leads_text(game, turn) for turn in turns]
    for cut in (" move", " "):
        if max(map(len, ways), default=0) > width - longest - BEFORE_LEADS:
            ways = [way.replace("at once", "now").partition(cut)[0] for way in ways]
    told = dict(zip(known, ways, strict=True))
    lines = []
    for ply, move in enumerate(moves):
        side = game.side(match.positions[ply])
        turn, leads = known.get(ply), told.get(ply, "")
        sign, cost = ("", 0) if turn is None else (mark_of(turn), turn.cost)
        line = Text(f"{ply + 1:>2} {game.mark(side)} {move:<{longest}} {sign:<3}", "bold" if cost else "", no_wrap=True)
        line.append(f"{leads:<{LEADS_WIDTH}}" if room > 0 else leads, "not bold")
        lines.append(line.append(plain(names[side], room) if room > 0 else "", "not bold dim"))
    return lines


def match_ending_text(match: Match, names: tuple[str, str]) -> str:
    """Say how the game ended, as in `O (michie) wins with the right column.`"""
    game, outcome = match.game, match.outcome
    if outcome is None:
        return "The game is not over."
    if match.agreed:
        return "A draw was agreed."
    if outcome.winner is None:
        return "A draw."
    who = f"{game.mark(outcome.winner)} ({names[outcome.winner]})"
    verb = "win" if names[outcome.winner] == "you" else "wins"
    if match.resigned:
        loser = outcome.winner.other
        return f"{game.mark(loser)} ({names[loser]}) resigned."
    return f"{who} {verb}{_row_text(match, outcome.winner)}."


def _row_text(match: Match, winner: Side) -> str:
    """Return the row by which a game was won, as the end of a sentence; empty in a game without rows."""
    game, made = match.game, match.game.board.completed(match.position)
    if not made:
        return ""
    if match.side.other is winner:
        return f" with {row_name(game, made[0])}"
    return f": {game.mark(winner.other)} completed {row_name(game, made[0])}"


def verdict_text(match: Match, turns: Sequence[Turn], stop: Stop = never, seconds: float = PATIENCE_SECONDS) -> str:
    """Return what decided the game and why, in a few sentences. Raises `Stopped`."""
    return " ".join(filter(None, verdict_parts(match, turns, stop, seconds)))


def verdict_parts(
    match: Match, turns: Sequence[Turn], stop: Stop = never, seconds: float = PATIENCE_SECONDS
) -> tuple[str, str, str]:
    """Return what decided the game and why, the mistakes before that, and what is left to say. Raises `Stopped`."""
    final = _final_text(match, stop)
    if not turns:
        return "", "", final
    why = _threat_text(match, turns)
    if not mistakes(turns):
        final = "" if match.outcome is None and turns[0].value == 0 else final  # it is a draw still
        return f"{_no_mistake_text(match.game, turns[0])} {why}".rstrip(), "", final
    last = decisive_mistake(turns, match.outcome)
    why = why or (_outlook_text(match.game, last, stop, seconds) if last is not None else "")
    return f"{decided_text(match, last)} {why}".rstrip(), _earlier_text(match.game, turns, last), final


def _threat_text(match: Match, turns: Sequence[Turn]) -> str:
    """Return which lasting threat, a winner's own, decided the game after the last mistake; empty without one."""
    game, made = match.game, mistakes(turns)
    if shape_of(game) is None:
        return ""
    for ply, position in enumerate(match.positions):
        threats = deciding_threats(game, position) if not made or ply > made[-1].ply else ()
        if threats and (match.outcome is None or match.outcome.winner is threats[0].side):
            return f"After move {ply}, {_decides(game, threats)}."
    return ""


def _decides(game: Game, threats: Sequence[LastingThreat]) -> str:
    winner, loser = game.mark(threats[0].side), game.mark(threats[0].side.other)
    names = listed([game.board.grid.name(each.square) for each in threats], "and")
    if len(threats) > 1:
        return f"the threats of {winner} at {names} decide: {loser} must play below one of them in the end"
    return f"the threat of {winner} at {names} decides: {loser} must play below it in the end"


def _outlook_text(game: Game, turn: Turn, stop: Stop, seconds: float) -> str:
    """Return how the opponent wins after a mistake, or how its side would have won without it. Raises `Stopped`.

    Empty where `turn_text` gives a reason that can be seen at once, or where best play takes long to find.
    """
    seen = turn.allowed_wins or turn.allowed_forks or turn.unmet_threats or turn.has_missed_win or turn.has_missed_fork
    if shape_of(game) is None or turn.played.value is None or seen:
        return ""
    lost = turn.played.value == -1
    move = (turn.played if lost else turn.best[0]).move
    found = outlook(game, game.play(turn.position, move), stop, seconds)
    if found is None:
        return ""
    play = "Best play" if lost else f"After {game.move_words(turn.position, move)}, best play"
    play += f" would go on to move {turn.ply + 1 + len(found.match.moves)}"
    if found.threats:
        return f"{play}, where {_decides(game, found.threats)}."
    made = game.board.completed(found.match.position)
    return f"{play}, where {game.mark(found.match.side.other)} completes {row_name(game, made[0])}."


def decided_text(match: Match, last: Turn | None) -> str:
    """Return the move that decided the game, which is the `last` mistake, and what it gave away."""
    game = match.game
    if last is None:
        by = (
            "the resignation"
            if match.resigned
            else "agreement"
            if match.agreed
            else f"moves that a search of {horizon_of(game)} moves does not see"
        )
        return f"Decided by {by}."
    by = "So far: move" if match.outcome is None else "Decided by move"
    return f"{by} {last.ply + 1}, {move_text(game, last)}: it {_cost_text(game, last)}."


def _earlier_text(game: Game, turns: Sequence[Turn], last: Turn | None) -> str:
    """Return the moves before the last mistake that gave something away; empty if there are none."""
    cost: dict[str, list[str]] = {}
    for turn in mistakes(turns):
        if turn is not last:
            cost.setdefault(_cost_text(game, turn), []).append(f"{turn.ply + 1} ({move_text(game, turn)})")
    count = sum(map(len, cost.values()))
    if count > MOST_NAMED:
        return f"Before it, {count} other moves gave something away."
    told = (f"{'moves' if len(moves) > 1 else 'move'} {listed(moves, 'and')} {what}" for what, moves in cost.items())
    return f"Before it, {'; '.join(told)}." if cost else ""


def _no_mistake_text(game: Game, first: Turn) -> str:
    if first.played.value is None:
        return f"No move gave anything away that can be seen {horizon_of(game)} moves ahead."
    if first.value == 0:
        return "No move gave anything away: with best play it is a draw."
    loser = first.side if first.value < 0 else first.side.other
    return f"No move gave anything away: with best play {game.mark(loser)} loses from the start."


def _final_text(match: Match, stop: Stop) -> str:
    """Return the value of the last position under best play, if the game did not end by the rules."""
    game = match.game
    if game.outcome(match.position) is not None:
        return ""
    rated = rate_moves(game, match.position, stop)
    mark, left = game.mark(match.side), _open_text(match, max(rated, key=lambda rated_move: rated_move.merit))
    if match.resigned:
        return f"{mark} resigned where {left}."
    return f"A draw was agreed where {left}." if match.agreed else f"Now {left}."


def _open_text(match: Match, best: RatedMove) -> str:
    game, over = match.game, match.outcome is not None
    if best.value is None:
        return f"nothing {'was' if over else 'is'} decided that can be seen {horizon_of(game)} moves ahead"
    if best.value == 0:
        return "best play leads to a draw"
    if best.value < 0 and best.plies == 1:  # possible in misère games
        return f"every move of {game.mark(match.side)} {'lost' if over else 'loses'} at once"
    winner = match.side if best.value > 0 else match.side.other
    return f"{game.mark(winner)} {'could' if over else 'can'} {win_text(best.plies)}"


def _cost_text(game: Game, turn: Turn) -> str:
    if turn.value == 1:
        after = {-1: "turned a win into a loss", 0: "gave a win away", None: "may have given a win away"}
        return after[turn.played.value]
    if turn.best[0].value is not None:
        return "threw the draw away"
    return f"lost, where other moves hold out for at least {own_moves(horizon_of(game))} moves"


def turn_text(
    game: Game, turn: Turn, follow: Turn | None = None, name: str = "", chance: float | None = None
) -> list[str]:
    """Return sentences about a move and its answer `follow`, which player `name` gave with probability `chance`."""
    sentences = [f"{move_text(game, turn)} {_cost_text(game, turn)}."] if turn.cost else [_good_move_text(game, turn)]
    if turn.has_missed_win:
        sentences.append(f"It could have won at once with {names_text(game, turn.position, turn.wins)}.")
    elif turn.has_missed_fork:
        sentences.append(f"A fork by {names_text(game, turn.position, turn.forks)} would have won.")
    if turn.cost:
        sentences += _harm_text(game, turn)
        sentences.append(f"Better: {_best_text(game, turn)}.")
        if follow is not None:
            sentences.append(_answer_text(game, follow, name, chance))
    return sentences


def _harm_text(game: Game, turn: Turn) -> list[str]:
    enemy, after = game.mark(turn.side.other), game.play(turn.position, turn.played.move)
    if turn.played.plies == 1:
        return ["It ends the game."]
    if turn.unmet_threats:
        where = threat_place(game, turn.position, turn.unmet_threats[0]) if len(turn.unmet_threats) == 1 else ""
        threats = names_text(game, turn.position, turn.unmet_threats)
        return [f"{enemy} threatened {threats}{where}, and the move did not stop it."]
    if turn.allowed_wins:
        return [f"It allowed {names_text(game, after, turn.allowed_wins)}, which wins at once."]
    if turn.allowed_forks:
        return [f"It allowed a fork by {names_text(game, after, turn.allowed_forks)}."]
    if turn.played.value == -1:
        return [f"{enemy} can now force a win {in_moves(max(0, turn.played.plies - 1))}."]
    return []


def _best_text(game: Game, turn: Turn) -> str:
    moves = names_text(game, turn.position, [rated_move.move for rated_move in turn.best])
    best = turn.best[0]
    what = "nothing lost as far as can be seen" if best.value is None else rated_move_text(best)
    return f"{moves} ({what})"


def _answer_text(game: Game, follow: Turn, name: str, chance: float | None) -> str:
    verb = "answered" if not follow.cost else "let that pass with"
    likely = "" if chance is None else f", as it does here in {percent_text(chance)} of games"
    likely = ", as it always does here" if chance == 1 else likely
    who = name if name not in PERSON_WORDS else name.capitalize()
    return f"{who} {verb} {game.move_words(follow.position, follow.played.move)}{likely}."


def _good_move_text(game: Game, turn: Turn) -> str:
    what = move_text(game, turn)
    if turn.played.move in turn.wins:
        return f"{what} wins at once."
    if turn.value == -1:
        others = "" if turn.played in turn.best else ", others later"
        return f"{what} loses {in_moves(turn.played.plies)}; every move loses{others}."
    if turn.played.value is None:
        return f"{what} gives nothing away that can be seen {horizon_of(game)} moves ahead."
    if turn.value == 1:
        ending = "."
        if turn.wins_late:
            sooner = "" if turn.wins else f" Sooner: {_best_text(game, turn)}."
            ending = f", later than it could.{sooner}"
        return f"{what} wins {in_moves(turn.played.plies)}{ending}"
    if turn.moves == 1:
        return f"{what} was the only move; it keeps the draw."
    return f"{what} keeps the draw{', the only move that does' if turn.is_only_move else ''}."


LEADS_WIDTH: Final = 20
"""The width of what a move leads to, in columns, with some spaces after it: `loses in 20 moves`."""
BEFORE_LEADS: Final = len("12 X  ?? ")
"""The columns before what a move leads to, besides its name."""
LEADS: Final = LEADS_WIDTH + 11
"""The columns reserved for the line of a move, except for the names of the move and the player."""
PERSON_WORDS: Final = ("you", "a person")
VALUE_ROWS: Final = 3
"""The number of lines of a small curve of a game."""
VALUE_HEADS: Final = 8
"""The columns before a small curve, with the axis."""


def marks_text(turns: Sequence[Turn], room: int) -> str:
    """Return the meaning of the marks beside the moves, for the marks that occur."""
    seen = {mark_of(turn) for turn in turns}
    told = [f"{mark} {meaning}" for mark, meaning in MARKS.items() if mark in seen]
    ways = [gap.join(told[:count]) for count in range(len(told), 0, -1) for gap in ("  ", " ")]
    return next((way for way in ways if len(way) <= room), "")


def worth(turn: Turn) -> int:
    """Return who is winning after a move: 1 for the first side, −1 for the second, 0 if it is a draw or not known."""
    return (turn.played.value or 0) * (1 if turn.side is Side.FIRST else -1)


Chart = tuple[list[Series], Axes]


def value_chart(match: Match, turns: Sequence[Turn], signs: tuple[str, str], style: str) -> Chart:
    """Return the curve of a game: who is winning after each move, with its mistakes numbered on the axis of moves.

    `turns` are its last moves, as far as they are evaluated, `signs` stand for the two sides.
    """
    game = match.game
    first, second = signs
    ends = {1: f"{first} wins", 0: "draw" if game.has_draws else "", -1: f"{second} wins"}
    marks = tuple(turn.ply + 1 for turn in mistakes(turns))
    begun = [(turn.ply, float(turn.value * (1 if turn.side is Side.FIRST else -1))) for turn in turns[:1]]
    points = [*begun, *((turn.ply + 1, float(worth(turn))) for turn in turns)]
    axes = Axes(
        len(match.moves),
        unit="moves",
        logarithmic=False,
        low=-1.0,
        high=1.0,
        step=1.0,
        number_text=lambda number: ends.get(round(number), ""),
        marks=marks,
    )
    return [Series("", points, style, "*", steps=True)], axes


def value_lines(chart: Chart, at: int, room: int, style: str, *, letters: bool) -> Text:
    """Return the curve of `value_chart` in three lines of `room` columns, move `at` marked; with `letters`, no dots."""
    series, axes = chart
    columns = max(2, room - VALUE_HEADS)
    here, lines = column_of(at, axes, columns), []
    curve = draw_curves(series, axes, columns, VALUE_ROWS, letters=letters)
    for value, drawn in zip((1, 0, -1), curve, strict=True):
        row = drawn.copy()
        row.pad_right(columns - row.cell_len)
        before, sign, after = row.divide([here, here + 1])
        blank = sign.plain in " \u2800"
        middle = Text(AXIS, "dim") if blank else Text(sign.plain, f"bold {style}")
        lines.append(
            Text.assemble((f"{axes.number_text(value):>{VALUE_HEADS - 1}}{TICKED}", "dim"), before, middle, after)
        )
    return Text("\n", no_wrap=True).join(lines)
