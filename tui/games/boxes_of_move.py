"""The box of a machine's move in a finished game: as it was before the game, and as the game left it."""

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal

from lab.board.session import GameReview
from lab.memory.open_box import OpenBox, box_before_game, open_box
from learners.core.learner import Learner
from learners.core.player import Player
from tui.shell.parts import entitle, fitting_text
from tui.widgets.open_box import OpenBoxView


class BoxesOfMove(Horizontal):
    """Shows a box before and after a game that was learned from, or a box of any other game once."""

    def compose(self) -> ComposeResult:
        for name in ("box-before", "box-after"):
            box = OpenBoxView(id=name)
            box.add_class("panel")
            yield box

    def show(self, box: OpenBox | None) -> None:
        """Show a box as the game left it; nothing for `None`."""
        before, after = self.query(OpenBoxView)
        has_changed = box is not None and any(each.gained for each in (*box.squares, *box.below))
        before.show(box_before_game(box) if box is not None and has_changed else None)
        after.show(box)
        before.display = has_changed
        if box is not None:
            entitle(before, f"{box.title} before")
            brief_note = box.note.partition(" · ")[0]
            entitle(
                after, f"{box.title} after" if has_changed else box.title, fitting_text(after, box.note, brief_note)
            )


def box_of_move(review: GameReview, seats: Sequence[Player | None], ply: int) -> OpenBox | None:
    """Return the box of the move before a position, or else that of a machine's next or last move.

    `seats` are the machines that played, once they are known; `ply` is the number of moves before the position.
    """
    if not seats:
        return None
    match, lessons = review.match, {lesson.learner.label: lesson for lesson in review.lessons}
    for nth in (ply - 1, ply, ply - 2):
        if not 0 <= nth < len(match.moves):
            continue
        position, move = match.positions[nth], match.moves[nth]
        seat = seats[match.game.side(position)]
        if not isinstance(seat, Learner):
            continue
        lesson = lessons.get(seat.label)
        if lesson is None:
            return open_box(seat, position, move, {})
        gained = {each.edge: each.after - each.before for each in lesson.changes}
        return open_box(lesson.learner, position, move, gained)
    return None
