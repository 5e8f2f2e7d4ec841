"""A game at the board in words: who plays, why a machine moved as it did, the moves so far, how it ended."""

from rich.text import Text

from engine.game import Outcome, Side
from lab.board.event_sentences import seat_name
from lab.board.session import Session
from lab.text.sanitise import plain


def result_text(session: Session, outcome: Outcome) -> str:
    if outcome.winner is None:
        return "A draw, agreed." if session.match.agreed else "A draw."
    side, does = (outcome.winner.other, "resign") if session.match.resigned else (outcome.winner, "win")
    seat = session.seats[side]
    if session.seats == (None, None):
        return f"{session.game.mark(side)} {does}s."
    return f"You {does}." if seat is None else f"{plain(seat_name(seat), 20)} {does}s."


def status_text(session: Session, activity: str, refused: str, *, chosen: bool) -> str:
    """Return whose turn it is, or that the game is over.

    `activity` says what the machine to move is doing. `refused` says why no move uses the square picked last; it is
    empty if one does. `chosen` is true if only a part of a move has been picked.
    """
    match = session.match
    if match.outcome is not None:
        return "the game is over"
    if refused:
        return refused
    if session.player is not None:
        return f"{plain(seat_name(session.player), 16)} {activity} …"
    turn = "your move" if session.seats != (None, None) else f"{session.game.mark(match.side)} to move"
    return f"{turn}: now the next square" if chosen else turn


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
    return Text(f"{plain(seat_name(winner), 16).capitalize()} {verb} the series of {session.length}.", "bold")


def reason_text(session: Session, *, told: bool = True) -> Text:
    """Return why a machine made its last move, or resigned; before its first move, the rules.

    If the reason is not to be `told`, only the move.
    """
    match = session.match
    if match.agreed:
        return Text("Both sides agreed to a draw.")
    reasons = session.current.reasons
    for ply in range(len(reasons) - 1, -1, -1):
        if reasons[ply]:
            mark = session.game.mark(session.game.side(match.positions[ply]))
            what = session.game.move_name(match.moves[ply]) if ply < len(match.moves) else "resigns"
            return Text(f"{mark} {what}: {reasons[ply]}." if told else f"{mark} {what}.")
    return Text(f"{session.game.summary} {session.game.how_to_move}".rstrip(), "dim")


def moves_text(session: Session, room: int) -> str:
    """Return the moves so far, or the last ones if there is little room."""
    names = [session.game.move_name(move) for move in session.match.moves]
    pairs = [f"{turn + 1}. {' '.join(names[2 * turn : 2 * turn + 2])}" for turn in range((len(names) + 1) // 2)]
    shown, left = "   ".join(pairs) or "No moves yet", len(pairs)
    while len(shown) > room and left:
        left -= 1
        shown = "   ".join(["…", *pairs[len(pairs) - left :]]) if left else ""
    return shown
