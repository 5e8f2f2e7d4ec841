"""A game at the board in words: who plays, why a machine did what it did, the moves so far, how it ended."""

from rich.text import Text

from engine.game import Outcome, Side
from lab.board.session import Session
from lab.words.sanitise import plain
from learners.core.player import Player
from saves.library.library import SAVE


def seat_name(seat: Player | None) -> str:
    """A player's name for a person to read."""
    return "you" if seat is None else seat.label.removeprefix(SAVE)


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


def status_text(session: Session, does: str, refused: str, room: int, *, chosen: bool) -> Text:
    """Whose turn it is, or how the game ended, as much as there is room for.

    `does` tells what a machine is about, `refused` the square where no move leads, `chosen` that one leads further.
    """
    match = session.match
    if match.outcome is not None:
        result = result_text(session, match.outcome)
        following = f"   Enter: new {'series' if session.series_over else 'game'}"
        return Text(result + (following if len(result + following) <= room else ""), style="bold reverse")
    if refused:
        return Text(f"{refused} cannot be played here", "bold")
    mark, who = session.game.mark(match.side), seat_name(session.player)
    if session.player is not None:
        return Text(f"{mark} to move: {who} {does} …")
    return Text(f"{mark} to move: {who}" + ("   now where to?" if chosen else ""))


def seats_text(session: Session, room: int) -> Text:
    """Both players, who is to move, and the score, in lines of `room` characters."""
    rows, width = [], max(8, min(18, room - 18))
    for side in Side:
        active = session.match.outcome is None and session.match.side is side
        name = plain(seat_name(session.seats[side]), width - 1)
        row = f"{'▸' if active else ' '} {session.game.mark(side)}  {name:<{width}}{session.points[side]:>3}"
        rows.append(Text(row, "bold" if active else ""))
    rows[Side.SECOND].append(f"{session.draws:>4} drawn", "dim")
    if session.sitting.practice:
        rows.append(Text("Practice: it counts in no score.", "dim"))
    elif session.length:
        rows.append(series_text(session))
    return Text("\n").join(rows)


def series_text(session: Session) -> Text:
    """Where a series is, and at its end who has won it."""
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
    """Why a machine made its last move, or gave the game up; before that, what the game is about."""
    match = session.match
    if match.agreed:
        return Text("Both sides agreed to a draw.")
    for ply in range(len(session.reasons) - 1, -1, -1):
        if session.reasons[ply]:
            mark = session.game.mark(session.game.side(match.positions[ply]))
            does = session.game.move_name(match.moves[ply]) if ply < len(match.moves) else "resigns"
            return Text(f"{mark} {does}: {session.reasons[ply]}.")
    return Text(session.game.summary, "dim")


def moves_text(session: Session, room: int, seen: str = "") -> Text:
    """The moves so far, the last ones where there is little room; `seen` is what the X-ray shows."""
    if seen:
        seen = plain(f"X-ray: {seen}", room)
        room -= len(seen) + 3
    names = [session.game.move_name(move) for move in session.match.moves]
    pairs = [f"{turn + 1}. {' '.join(names[2 * turn : 2 * turn + 2])}" for turn in range((len(names) + 1) // 2)]
    shown = "   ".join(pairs) or "No moves yet"
    told = Text(shown if len(shown) <= room else f"…{shown[-room + 1 :]}" if room > 1 else "", "dim")
    return Text.assemble((seen, "bold not dim"), "   ", told) if seen else told
