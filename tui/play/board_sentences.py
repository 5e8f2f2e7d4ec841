"""A game at the board in words: who plays, why a machine moved as it did, the moves so far, how it ended."""

from rich.text import Text

from engine.game import Game, Move, Outcome, Side
from lab.board.event_sentences import seat_name
from lab.board.session import Session, winning_side
from lab.text.sanitise import plain


def result_text(session: Session, outcome: Outcome) -> str:
    """How the game ended."""
    if outcome.winner is None:
        return " A draw, agreed. " if session.match.agreed else " A draw. "
    if session.match.resigned:
        verb = "resign" if session.player is None else "resigns"
        return f" {session.game.mark(outcome.winner.other)}: {seat_name(session.player)} {verb}. "
    winner = session.seats[outcome.winner]
    verb = "win" if winner is None else "wins"
    return f" {session.game.mark(outcome.winner)}: {seat_name(winner)} {verb}. "


def status_text(session: Session, activity: str, refused: str, room: int, *, chosen: bool) -> Text:
    """Whose turn it is, or how the game ended, in at most `room` columns if possible.

    `activity` says what the machine to move is doing. `refused` says why no move uses the square picked last; it is
    empty if one does. `chosen` is true if only a part of a move has been picked.
    """
    match = session.match
    if match.outcome is not None:
        result = result_text(session, match.outcome)
        following = f"   Enter: new {'series' if session.series_over else 'game'}"
        return Text(result + (following if len(result + following) <= room else ""), style="bold reverse")
    if refused:
        return Text(refused, "bold")
    mark, who = session.game.mark(match.side), seat_name(session.player)
    if session.player is not None:
        return Text(f"{mark} to move: {who} {activity} …")
    return Text(f"{mark} to move: {who}" + ("   now the next square" if chosen else ""))


def seats_text(session: Session, room: int) -> Text:
    """Both players, who is to move, and the score, in lines of `room` columns."""
    outcome, drawn, points = session.match.outcome, f"{session.draws:>4} drawn", session.points
    won = outcome.winner if outcome is not None and session.counted else None
    scores = {side: f"{points[side] - 1:>3} → {points[side]}" if side is won else f"{points[side]:>3}" for side in Side}
    width = max(8, min(18, room - 5 - max(len(scores[Side.FIRST]), len(scores[Side.SECOND]) + len(drawn))))
    rows = []
    for side in Side:
        active = outcome is None and session.match.side is side
        name = plain(seat_name(session.seats[side]), width - 1)
        row = f"{'▸' if active else ' '} {session.game.mark(side)}  {name:<{width}}"
        rows.append(Text(row, "bold" if active or side is won else "").append(scores[side]))
    rows[Side.SECOND].append(drawn, "dim")
    if session.current.practice:
        rows.append(Text("Practice: this game does not count.", "dim"))
    elif session.length:
        rows.append(series_text(session))
    return Text("\n").join(rows)


def series_text(session: Session) -> Text:
    """The number of the game in the series, and at the end who won the series."""
    if not session.series_over:
        number = session.games + (session.match.outcome is None)
        return Text(f"Game {number} of {session.length}", "dim")
    first, second = session.points
    if first == second:
        return Text(f"The series of {session.length} is drawn.", "bold")
    winner = session.seats[Side.FIRST if first > second else Side.SECOND]
    verb = "win" if winner is None else "wins"
    return Text(f"{plain(seat_name(winner), 16).capitalize()} {verb} the series of {session.length}.", "bold")


def reason_text(session: Session) -> Text:
    """Why a machine made its last move, or resigned; before its first move, a summary of the rules."""
    match = session.match
    if match.agreed:
        return Text("Both sides agreed to a draw.")
    reasons = session.current.reasons
    for ply in range(len(reasons) - 1, -1, -1):
        if reasons[ply]:
            mark = session.game.mark(session.game.side(match.positions[ply]))
            what = session.game.move_name(match.moves[ply]) if ply < len(match.moves) else "resigns"
            return Text(f"{mark} {what}: {reasons[ply]}.")
    return Text(session.game.summary, "dim")


def rules_text(game: Game) -> str:
    """How the pieces of a game move, if they do, and which side wins with best play, if one does."""
    side = winning_side(game)
    return " ".join(filter(None, (game.how_to_move, "" if side is None else f"{game.mark(side)} wins with best play.")))


def mind_text(game: Game, name: str, move: Move | None) -> str:
    """The title above a board that shows what a machine sees: `What riechel saw when it played b2`."""
    shown = plain(name, 24)
    return f"What {shown} sees here" if move is None else f"What {shown} saw when it played {game.move_name(move)}"


def moves_text(session: Session, room: int, xray: str = "") -> Text:
    """The moves so far, or the last ones if there is little room. `xray` is a text about the X-ray that comes first."""
    if xray:
        xray = plain(xray, room)
        room -= len(xray) + 3
    names = [session.game.move_name(move) for move in session.match.moves]
    pairs = [f"{turn + 1}. {' '.join(names[2 * turn : 2 * turn + 2])}" for turn in range((len(names) + 1) // 2)]
    shown, left = "   ".join(pairs) or ("" if xray else "No moves yet"), len(pairs)
    while len(shown) > room and left:
        left -= 1
        shown = "   ".join(["…", *pairs[len(pairs) - left :]]) if left else ""
    return Text("   ").join(part for part in (Text(xray, "bold not dim"), Text(shown, "dim")) if part)
