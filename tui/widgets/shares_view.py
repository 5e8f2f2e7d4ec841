"""A memory that is a population's: for one situation where its choices go, and its champion's strand to choose from."""

from functools import partial
from typing import Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Label

from lab.words.numbers import count_text
from learners.core.learner import Learner
from tui.shell.live_text import Steady
from tui.widgets.heat import PLAYED, heat_map, share_lines, shares_of
from tui.widgets.mark_styles import palette_of, shade_of
from tui.widgets.strand_view import StrandView

PANELS: Final = ((26, 11, (9, 3)), (14, 8, (7, 2)), (0, 5, (5, 1)))
"""From how many lines on the board takes how many, and how large its squares are then."""
GAP: Final = 2
ROOMY: Final = 70
"""The columns from which on there are words to spare."""


class SharesView(Vertical):
    """Draws the situation that the cursor of the strand is on."""

    DEFAULT_CSS = """
    SharesView {
        & > #shares-title { height: 1; }
        & > #shares-note { height: 1; color: $text-muted; }
        & > #shares-panel { height: 8; }
        & #shares-board { width: auto; }
        & #shares-moves { width: 1fr; padding-left: 2; }
        & > #strand-title { height: 1; width: 100%; color: $text-muted; }
    }
    """

    _learner: Learner | None = None

    def compose(self) -> ComposeResult:
        yield Steady(id="shares-title")
        yield Steady(id="shares-note")
        with Horizontal(id="shares-panel"):
            yield Steady(id="shares-board")
            yield Steady(id="shares-moves")
        yield Label("", id="strand-title", markup=False)
        yield StrandView(id="strand")

    def show(self, learner: Learner) -> None:
        """Draw a learner as it is now."""
        self._learner = learner
        agree = ", the brighter the more agree; ← → go over it" if self.size.width >= ROOMY else ""
        self.query_one("#strand-title", Label).update(f"{learner.view.words.strand_title}{agree}")
        self.query_one(StrandView).show(learner.view.strand())
        self._draw()

    def select(self, edge: int) -> None:
        """Go to the situation of a card."""
        self.query_one(StrandView).select(edge)

    @on(StrandView.Selected)
    def selected(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        learner, strand = self._learner, self.query_one(StrandView)
        title, note, board, moves = (
            self.query_one(f"#shares-{part}", Steady) for part in ("title", "note", "board", "moves")
        )
        if learner is None or not self.size.width:
            return
        if strand.edge is None:
            number = f"{learner.view.words.noun} {strand.cursor + 1}: never a decision"
            title.tell(Text(number if learner.rounds else learner.view.words.none, "dim"))
            for part in (note, board, moves):
                part.tell("")
            return
        game, shares, shade = learner.game, shares_of(learner, strand.edge), partial(shade_of, self)
        lines, size = next((lines, size) for least, lines, size in PANELS if self.size.height >= least)
        self.query_one("#shares-panel").styles.height = lines
        card = shares.card
        head = Text(f"{learner.view.words.noun} {card.caption}", "bold")
        title.tell(head.append(f"  {game.to_text(card.position)}  {card.group}", "not bold dim"))
        bars = f"bars: {learner.spec.round_noun}s 1 to {count_text(learner.rounds)}"
        note.tell(f"{PLAYED} the one played   {bars}" if self.size.width >= ROOMY else bars)
        board.tell(heat_map(game, shares, size, palette_of(self), shade))
        room = self.size.width - (game.board.columns * (size[0] + 1) - 1) - GAP
        moves.tell(share_lines(game, shares, room, lines))
