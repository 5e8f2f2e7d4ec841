"""A game at the board in words: the players, the reasons of a machine, the moves so far, and the result."""

from collections.abc import Callable, Iterator, Sequence

from rich.style import Style
from rich.text import Text

from engine.game import Game, Move, Outcome, Position, Side
from engine.games import GAMES
from lab.board.event_sentences import seat_name
from lab.board.session import Session
from lab.text.sanitise import plain
from learners.core.learner import Learner
from learners.core.player import Player
from learners.menace.matchboxes import COLOURS
from tui.shell.parts import height_of
from tui.widgets.palette import Palette

Room = tuple[int, int]
"""Columns and lines."""


def result_text(session: Session, outcome: Outcome) -> str:
    if outcome.winner is None:
        return "A draw, agreed." if session.match.agreed else "A draw."
    side, verb = outcome.winner, "win"
    if session.match.resigned:
        side, verb = outcome.winner.other, "resign"
    if session.seats == (None, None):
        return f"{session.game.mark(side)} {verb}s."
    seat = session.seats[side]
    return f"{_subject(seat, 20)} {verb}." if seat is None else f"{_subject(seat, 20)} {verb}s."


def _subject(seat: Player | None, width: int) -> str:
    """Return a player as the first word of a sentence: a save keeps its name as it is."""
    name = plain(seat_name(seat), width)
    return name if isinstance(seat, Learner) else name[:1].upper() + name[1:]


def status_text(session: Session, activity: str, digits: int, *, chosen: bool) -> str:
    """Return whose turn it is, or how the game ended.

    `activity` says what the machine to move is doing. The first `digits` digits pick a square now. `chosen` is true if
    only a part of a move has been picked.
    """
    match = session.match
    if match.outcome is not None:
        return result_text(session, match.outcome).rstrip(".")  # a state in a frame
    if session.player is not None:
        return f"{plain(seat_name(session.player), 16)} {activity} …"
    if chosen:
        return "now the next square"
    turn = "your move" if session.seats != (None, None) else f"{session.game.mark(match.side)} to move"
    board = session.game.board
    all_have_digits = board.discs or len(board.cells(match.position)) <= len("123456789")
    if digits < 2 or (all_have_digits and not board.heaps):
        return turn
    return f"{turn} · 1–{digits}: {'how many' if board.heaps else 'this row'}"


def series_text(session: Session) -> Text:
    """Return the number of the game in the series, and at the end who won the series."""
    if not session.series_over:
        number = session.games + (session.match.outcome is None)
        return Text(f"Game {number} of {session.length}", "dim")
    first, second = session.points
    if first == second:
        return Text(f"The series of {session.length} is drawn.", "bold")
    winner = session.seats[Side.FIRST if first > second else Side.SECOND]
    verb = "win" if winner is None else "wins"
    return Text(f"{_subject(winner, 16)} {verb} the series of {session.length}.", "bold")


def reason_texts(
    session: Session, palette: Palette, room: Room | None = None, *, told: bool = True, listed: bool = False
) -> list[Text]:
    """Return the reason for a machine's last move or resignation, then the rules, before the first move of a side.

    Without a reason, the rules stand for it. Unless `told` is true, the reason is only the move, and left out if the
    moves are `listed` below. A reason has no more clauses than fit into `room`, if that is given; all but the first are
    dim. The name of the bead that was drawn is in its colour. Of the usual game, the rules are told only before its
    first move.
    """
    if session.match.agreed:
        return [Text("Both sides agreed to a draw.")]
    reason = next(each_reason(session, palette, room, told=told), None)
    begins = session.has_person and len(session.match.moves) == 1 and session.game is not GAMES[0]
    rules = [Text(f"{session.game.summary} {session.game.how_to_move}".rstrip(), "dim")]
    if reason is None:
        return rules
    texts = [reason] if told or not listed else []
    return texts + rules if begins else texts


def each_reason(session: Session, palette: Palette, room: Room | None = None, *, told: bool) -> Iterator[Text]:
    """Yield the reason of each move of a machine in this game, the newest first, as `reason_texts` does."""
    for ply in range(len(session.current.reasons) - 1, -1, -1):
        if session.current.reasons[ply]:
            yield _reason_text(session, ply, palette, room, told=told)


def _reason_text(session: Session, ply: int, palette: Palette, room: Room | None, *, told: bool) -> Text:
    """Return the reason of a machine for a move or a resignation; unless `told` is true, only what it did."""
    game, match, thought = session.game, session.match, session.current.thoughts[ply]
    position, has_resigned = match.positions[ply], ply == len(match.moves)
    mark = game.mark(game.side(position))
    if not told:
        return Text(f"{mark} resigns." if has_resigned else f"{mark} {deed_text(game, position, match.moves[ply])}.")
    move_words = "resigns" if has_resigned else game.move_words(position, match.moves[ply])
    reason = _fitting_reason(session.current.reasons[ply], f"{mark} {move_words}: ", room)
    first_clause, separator, more = reason.partition("; ")
    text = Text(f"{mark} {move_words}: {first_clause}")
    if thought is not None and thought.hue:
        style = palette.of_bead(thought.hue) + Style(bold=True)
        text.highlight_regex(rf"\b{COLOURS[thought.hue - 1]}\b", style)
    return text.append(f"{separator}{more}.", "dim" if more else "")


def _fitting_reason(reason: str, before: str, room: Room | None) -> str:
    """Return as many clauses of a reason as fit into `room`, with a text before them; at least the first one."""
    if room is None:
        return reason
    fitting, *clauses = reason.split("; ")
    for clause in clauses:
        if height_of(f"{before}{fitting}; {clause}.", room[0]) > room[1]:
            break
        fitting += f"; {clause}"
    return fitting


def deed_text(game: Game, position: Position, move: Move) -> str:
    """Return what a move does: `plays b2`, `plays X on b2`, `drops into d`, `takes 2 of heap 1`, `moves a1 to a2`."""
    name, squares = game.move_words(position, move), game.board.squares(position, move)
    option = game.board.option(position, move)
    if option:
        return f"plays {option} on {game.board.grid.name(squares[-1])}"
    if len(squares) > 1:
        return f"lays {name}" if game.board.any_order else f"moves {name}"
    if game.board.heaps:
        return f"takes {name}"
    return f"drops into {name}" if game.board.discs else f"plays {name}"


def move_list(session: Session, lines: int, room: int) -> Text:
    """Return the moves so far, a pair in a line, the newest last, in at most `lines` lines of `room` columns.

    The moves are described in words if all pairs fit, and otherwise named; each has its own line if no pairs fit.
    """
    descriptions: Sequence[Callable[[Game, Position, Move], str]] = (
        deed_text,
        lambda game, position, move: game.move_words(position, move),
        lambda game, position, move: game.move_label(position, move),
    )
    for describe in descriptions:
        moves = _described_moves(session, describe)
        width = max((each.cell_len for each in moves[::2]), default=0) + 2
        second_width = max((each.cell_len for each in moves[1::2]), default=0)
        per_line = 2 if width + second_width <= room else 1
        if per_line > 1:
            break
    for text in moves[::2]:
        text.pad_right(width - text.cell_len)
    pairs = [Text.assemble(*moves[start : start + per_line]) for start in range(0, len(moves), per_line)]
    return Text("\n").join(pairs[-lines:])


def _described_moves(session: Session, describe: Callable[[Game, Position, Move], str]) -> list[Text]:
    """Return each move with its number and its side."""
    game, match = session.game, session.match
    return [
        Text.assemble((f"{ply:>2} ", "dim"), f"{game.mark(game.side(position))} {describe(game, position, move)}")
        for ply, (position, move) in enumerate(zip(match.positions, match.moves, strict=False), 1)
    ]


def moves_text(session: Session, room: int) -> str:
    """Return the moves so far with their numbers, close together or only the last ones if there is little room."""
    match = session.match
    labels = session.game.move_labels(match.positions[0], match.moves)
    moves = [f"{ply}. {label}" for ply, label in enumerate(labels, 1)]
    texts = ["  ".join(moves) or "No moves yet", " ".join(moves)]
    texts += ["  ".join(["…", *moves[first:]]) for first in range(1, len(moves))]
    return next((text for text in texts if len(text) <= room), "")
