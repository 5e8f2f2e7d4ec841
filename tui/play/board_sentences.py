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
from tui.widgets.tiles import Palette

Room = tuple[int, int]
"""Columns and lines."""


def result_text(session: Session, outcome: Outcome) -> str:
    if outcome.winner is None:
        return "A draw, agreed." if session.match.agreed else "A draw."
    side, does = (outcome.winner.other, "resign") if session.match.resigned else (outcome.winner, "win")
    if session.seats == (None, None):
        return f"{session.game.mark(side)} {does}s."
    seat = session.seats[side]
    return f"{_subject(seat, 20)} {does}{'' if seat is None else 's'}."


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
    reason = next(reasons_given(session, palette, room, told=told), None)
    begins = session.has_person and len(session.match.moves) == 1 and session.game is not GAMES[0]
    rules = [Text(f"{session.game.summary} {session.game.how_to_move}".rstrip(), "dim")]
    if reason is None:
        return rules
    return [reason] * (told or not listed) + rules * begins


def reasons_given(session: Session, palette: Palette, room: Room | None = None, *, told: bool) -> Iterator[Text]:
    """Yield the reason of each move of a machine in this game, the newest first, as `reason_texts` does."""
    match, reasons, thoughts = session.match, session.current.reasons, session.current.thoughts
    for ply in range(len(reasons) - 1, -1, -1):
        if reason := reasons[ply]:
            mark = session.game.mark(session.game.side(match.positions[ply]))
            what = "resigns"
            if ply < len(match.moves):
                what = session.game.move_words(match.positions[ply], match.moves[ply])
            first, *others = reason.split("; ") if room else [reason]
            for other in others:
                if room and height_of(f"{mark} {what}: {first}; {other}.", room[0]) > room[1]:
                    break
                first += f"; {other}"
            if told or ply == len(match.moves):
                first, clause, more = first.partition("; ")
                text, thought = Text(f"{mark} {what}: {first}" if told else f"{mark} {what}"), thoughts[ply]
                if thought is not None and thought.hue:
                    style = palette.of_bead(thought.hue) + Style(bold=True)
                    text.highlight_regex(rf"\b{COLOURS[thought.hue - 1]}\b", style)
                yield text.append(f"{clause}{more}." if told else ".", "dim" if told and more else "")
            else:
                yield Text(f"{mark} {deed_text(session.game, match.positions[ply], match.moves[ply])}.")


def deed_text(game: Game, position: Position, move: Move) -> str:
    """Return what a move does: `plays b2`, `plays X on b2`, `drops into d`, `takes 2 of heap 1`, `moves a1 to a2`."""
    name, option, squares = (
        game.move_words(position, move),
        game.board.option(position, move),
        game.board.squares(position, move),
    )
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
    called: Sequence[Callable[[Game, Position, Move], str]] = (
        deed_text,
        lambda game, position, move: game.move_words(position, move),
        lambda game, position, move: game.move_label(position, move),
    )
    for tell in called:
        deeds = _deeds(session, tell)
        width = max((deed.cell_len for deed in deeds[::2]), default=0) + 2
        abreast = 2 if width + max((deed.cell_len for deed in deeds[1::2]), default=0) <= room else 1
        if abreast > 1:
            break
    for deed in deeds[::2]:
        deed.pad_right(width - deed.cell_len)
    pairs = [Text.assemble(*deeds[at : at + abreast]) for at in range(0, len(deeds), abreast)]
    return Text("\n").join(pairs[-lines:])


def _deeds(session: Session, tell: Callable[[Game, Position, Move], str]) -> list[Text]:
    game, match = session.game, session.match
    return [
        Text.assemble((f"{ply:>2} ", "dim"), f"{game.mark(game.side(position))} {tell(game, position, move)}")
        for ply, (position, move) in enumerate(zip(match.positions, match.moves, strict=False), 1)
    ]


def moves_text(session: Session, room: int) -> str:
    """Return the moves so far with their numbers, close together or only the last ones if there is little room."""
    match = session.match
    labels = session.game.move_labels(match.positions[0], match.moves)
    moves = [f"{ply}. {label}" for ply, label in enumerate(labels, 1)]
    shown, left = "  ".join(moves) or "No moves yet", len(moves)
    if len(shown) > room:
        shown = " ".join(moves)
    while len(shown) > room and left:
        left -= 1
        shown = "  ".join(["…", *moves[len(moves) - left :]]) if left else ""
    return shown
