"""What the app remembers of the board from one start to the next: the players, their score, and an unfinished game."""

from dataclasses import replace

from lab.board.first_game import fresh_seating, missing_save
from lab.board.seating import Seating, seating_choices, seating_for, seating_from_choices
from lab.board.session import BoardGame, read_unfinished, score_text, unfinished_text
from lab.board.table import Table
from tui.shell.lab_app import LabApp


def recall(lab: LabApp) -> tuple[Seating, BoardGame | None, str]:
    """Return who sits at the board at the start, their unfinished game, and their score as text.

    Players that the command line names are seated without either; somebody new plays a fresh machine.
    """
    if not lab.recalls_seats:
        return replace(seating_for(lab.game, *lab.seats), learning=lab.learning), None, ""
    seating = seating_from_choices(lab.preference)
    if seating is None:
        return fresh_seating(lab.library), None, ""
    missing = missing_save(lab.library, seating)
    if missing:
        lab.warn(f"The library has no save '{missing}': a fresh MENACE takes the seat.")
        return fresh_seating(lab.library), None, ""
    return seating, read_unfinished(lab.preference("unfinished", ""), seating.game), lab.preference("score", "")


def remember(lab: LabApp, table: Table) -> None:
    """Store the players and the unfinished game for the next start; the settings are written when the app ends."""
    session = table.session
    if not lab.recalls_seats or table.loading or session.current.practice:
        return
    game_choices = {"unfinished": unfinished_text(session), "score": score_text(session)}
    lab.preferences.set_changed(seating_choices(table.seating) | game_choices)
