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
        learned = box is not None and any(each.gained for each in (*box.squares, *box.below))
        before.show(None if box is None or not learned else box_before_game(box))
        after.show(box)
        before.display = learned
        if box is not None:
            entitle(before, f"{box.title} before")
            drawn = box.note.partition(" · ")[0]
            entitle(after, f"{box.title} after" if learned else box.title, fitting_text(after, box.note, drawn))


def box_of_move(review: GameReview, seats: Sequence[Player | None], ply: int) -> OpenBox | None:
    """Return the box of the move before a position, or else that of a machine's next or last move.

    `seats` are the machines that played, once they are known; `ply` is the number of moves before the position.
    """
    match, taught = review.match, {lesson.learner.label: lesson for lesson in review.lessons}
    for at in (ply - 1, ply, ply - 2):
        moved = seats and 0 <= at < len(match.moves)
        seat = seats[match.game.side(match.positions[at])] if moved else None
        if isinstance(seat, Learner):
            lesson = taught.get(seat.label)
            gained = {each.edge: each.after - each.before for each in lesson.changes} if lesson else {}
            learner = seat if lesson is None else lesson.learner
            return open_box(learner, match.positions[at], match.moves[at], gained)
    return None
