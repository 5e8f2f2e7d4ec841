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

MAX_NAMED: Final = 4
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
    turn_by_ply = {turn.ply: turn for turn in turns}
    game, moves = match.game, match.game.move_labels(match.positions[0], match.moves)
    longest = max(map(len, moves), default=0)
    name_room = width - longest - LEADS
    shows_names = name_room >= max(map(cell_len, names))  # a name that is cut says less than the mark of its side
    leads_texts = [leads_text(game, turn) for turn in turns]
    for cut in (" move", " "):
        if max(map(len, leads_texts), default=0) > width - longest - BEFORE_LEADS:
            leads_texts = [text.replace("at once", "now").partition(cut)[0] for text in leads_texts]
    leads_by_ply = dict(zip(turn_by_ply, leads_texts, strict=True))
    lines = []
    for ply, move in enumerate(moves):
        side = game.side(match.positions[ply])
        turn, leads = turn_by_ply.get(ply), leads_by_ply.get(ply, "")
        sign, style = "", ""
        if turn is not None:
            sign, style = mark_of(turn), "bold" if turn.cost else ""
        line = Text(f"{ply + 1:>2} {game.mark(side)} {move:<{longest}} {sign:<3}", style, no_wrap=True)
        line.append(f"{leads:<{LEADS_WIDTH}}" if shows_names else leads, "not bold")
        if shows_names:
            line.append(plain(names[side], name_room), "not bold dim")
        lines.append(line)
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
    winner, loser = outcome.winner, outcome.winner.other
    if match.resigned:
        return f"{game.mark(loser)} ({names[loser]}) resigned."
    verb = "win" if names[winner] == "you" else "wins"
    return f"{game.mark(winner)} ({names[winner]}) {verb}{_row_text(match, winner)}."


def _row_text(match: Match, winner: Side) -> str:
    """Return the row by which a game was won, as the end of a sentence; empty in a game without rows."""
    game, rows = match.game, match.game.board.completed(match.position)
    if not rows:
        return ""
    if match.side.other is winner:
        return f" with {row_name(game, rows[0])}"
    return f": {game.mark(winner.other)} completed {row_name(game, rows[0])}"


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
        is_draw_still = match.outcome is None and turns[0].value == 0
        no_mistake = f"{_no_mistake_text(match.game, turns[0])} {why}".rstrip()
        return no_mistake, "", "" if is_draw_still else final
    last = decisive_mistake(turns, match.outcome)
    if not why and last is not None:
        why = _outlook_text(match.game, last, stop, seconds)
    return f"{decided_text(match, last)} {why}".rstrip(), _earlier_text(match.game, turns, last), final


def _threat_text(match: Match, turns: Sequence[Turn]) -> str:
    """Return which lasting threat, a winner's own, decided the game after the last mistake; empty without one."""
    game, turns_with_mistake = match.game, mistakes(turns)
    if shape_of(game) is None:
        return ""
    first = turns_with_mistake[-1].ply + 1 if turns_with_mistake else 0
    for ply, position in enumerate(match.positions[first:], first):
        threats = deciding_threats(game, position)
        if threats and (match.outcome is None or match.outcome.winner is threats[0].side):
            return f"After move {ply}, {_deciding_text(game, threats)}."
    return ""


def _deciding_text(game: Game, threats: Sequence[LastingThreat]) -> str:
    winner, loser = game.mark(threats[0].side), game.mark(threats[0].side.other)
    names = listed([game.board.grid.name(each.square) for each in threats], "and")
    if len(threats) > 1:
        return f"the threats of {winner} at {names} decide: {loser} must play below one of them in the end"
    return f"the threat of {winner} at {names} decides: {loser} must play below it in the end"


def _outlook_text(game: Game, turn: Turn, stop: Stop, seconds: float) -> str:
    """Return how the opponent wins after a mistake, or how its side would have won without it. Raises `Stopped`.

    Empty where `turn_text` gives a reason that can be seen at once, or where best play takes long to find.
    """
    has_visible_reason = (
        turn.allowed_wins or turn.allowed_forks or turn.unmet_threats or turn.has_missed_win or turn.has_missed_fork
    )
    if shape_of(game) is None or turn.played.value is None or has_visible_reason:
        return ""
    is_lost = turn.played.value == -1
    move = turn.played.move if is_lost else turn.best[0].move
    best_play = outlook(game, game.play(turn.position, move), stop, seconds)
    if best_play is None:
        return ""
    subject = "Best play" if is_lost else f"After {game.move_words(turn.position, move)}, best play"
    text = f"{subject} would go on to move {turn.ply + 1 + len(best_play.match.moves)}"
    if best_play.threats:
        return f"{text}, where {_deciding_text(game, best_play.threats)}."
    row = game.board.completed(best_play.match.position)[0]
    return f"{text}, where {game.mark(best_play.match.side.other)} completes {row_name(game, row)}."


def decided_text(match: Match, last: Turn | None) -> str:
    """Return the move that decided the game, which is the `last` mistake, and what it gave away."""
    game = match.game
    if last is not None:
        by = "So far: move" if match.outcome is None else "Decided by move"
        return f"{by} {last.ply + 1}, {move_text(game, last)}: it {_cost_text(game, last)}."
    if match.resigned:
        return "Decided by the resignation."
    if match.agreed:
        return "Decided by agreement."
    return f"Decided by moves that a search of {horizon_of(game)} moves does not see."


def _earlier_text(game: Game, turns: Sequence[Turn], last: Turn | None) -> str:
    """Return the moves before the last mistake that gave something away; empty if there are none."""
    costs: dict[str, list[str]] = {}
    for turn in mistakes(turns):
        if turn is not last:
            costs.setdefault(_cost_text(game, turn), []).append(f"{turn.ply + 1} ({move_text(game, turn)})")
    count = sum(map(len, costs.values()))
    if not count:
        return ""
    if count > MAX_NAMED:
        return f"Before it, {count} other moves gave something away."
    clauses = (
        f"{'moves' if len(moves) > 1 else 'move'} {listed(moves, 'and')} {what}" for what, moves in costs.items()
    )
    return f"Before it, {'; '.join(clauses)}."


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
    value = _value_text(match, max(rated, key=lambda rated_move: rated_move.merit))
    if match.resigned:
        return f"{game.mark(match.side)} resigned where {value}."
    return f"A draw was agreed where {value}." if match.agreed else f"Now {value}."


def _value_text(match: Match, best: RatedMove) -> str:
    """Return what best play from the last position leads to, as a clause."""
    game, is_over = match.game, match.outcome is not None
    if best.value is None:
        return f"nothing {'was' if is_over else 'is'} decided that can be seen {horizon_of(game)} moves ahead"
    if best.value == 0:
        return "best play leads to a draw"
    if best.value < 0 and best.plies == 1:  # possible in misère games
        return f"every move of {game.mark(match.side)} {'lost' if is_over else 'loses'} at once"
    winner = match.side if best.value > 0 else match.side.other
    return f"{game.mark(winner)} {'could' if is_over else 'can'} {win_text(best.plies)}"


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
    sentences = []
    if turn.cost:
        sentences.append(f"{move_text(game, turn)} {_cost_text(game, turn)}.")
    else:
        sentences.append(_good_move_text(game, turn))
    if turn.has_missed_win:
        sentences.append(f"It could have won at once with {names_text(game, turn.position, turn.wins)}.")
    elif turn.has_missed_fork:
        sentences.append(f"A fork by {names_text(game, turn.position, turn.forks)} would have won.")
    if turn.cost:
        sentences += _harm_sentences(game, turn)
        sentences.append(f"Better: {_best_text(game, turn)}.")
        if follow is not None:
            sentences.append(_answer_text(game, follow, name, chance))
    return sentences


def _harm_sentences(game: Game, turn: Turn) -> list[str]:
    """Return what a mistake does for the opponent, as a sentence; none if it cannot be seen."""
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
    who = name if name not in PERSON_WORDS else name.capitalize()
    text = f"{who} {verb} {game.move_words(follow.position, follow.played.move)}"
    if chance is None:
        return f"{text}."
    if chance == 1:
        return f"{text}, as it always does here."
    return f"{text}, as it does here in {percent_text(chance)} of games."


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
        sooner = f" Sooner: {_best_text(game, turn)}." if turn.wins_late and not turn.wins else ""
        late = ", later than it could" if turn.wins_late else ""
        return f"{what} wins {in_moves(turn.played.plies)}{late}.{sooner}"
    if turn.moves == 1:
        return f"{what} was the only move; it keeps the draw."
    return f"{what} keeps the draw, the only move that does." if turn.is_only_move else f"{what} keeps the draw."


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
    marks = {mark_of(turn) for turn in turns}
    meanings = [f"{mark} {meaning}" for mark, meaning in MARKS.items() if mark in marks]
    wordings = (gap.join(meanings[:count]) for count in range(len(meanings), 0, -1) for gap in ("  ", " "))
    return next((wording for wording in wordings if len(wording) <= room), "")


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
    points = [(turn.ply + 1, float(worth(turn))) for turn in turns]
    if turns:
        sign = 1 if turns[0].side is Side.FIRST else -1
        points.insert(0, (turns[0].ply, float(sign * turns[0].value)))
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
    marked_column, lines = column_of(at, axes, columns), []
    curve = draw_curves(series, axes, columns, VALUE_ROWS, letters=letters)
    for value, drawn in zip((1, 0, -1), curve, strict=True):
        row = drawn.copy()
        row.pad_right(columns - row.cell_len)
        before, sign, after = row.divide([marked_column, marked_column + 1])
        is_blank = sign.plain in " \u2800"
        middle = Text(AXIS, "dim") if is_blank else Text(sign.plain, f"bold {style}")
        head = f"{axes.number_text(value):>{VALUE_HEADS - 1}}{TICKED}"
        lines.append(Text.assemble((head, "dim"), before, middle, after))
    return Text("\n", no_wrap=True).join(lines)
