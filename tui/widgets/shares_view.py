"""The memory of a population: the shares of its choices for one gene, and the genome to choose the gene from."""

from functools import partial
from typing import Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Label

from lab.text.numbers import count_text
from learners.core.learner import Learner
from tui.shell.live_text import LiveText
from tui.widgets.genome_view import GenomeView
from tui.widgets.heat import PLAYED, heat_map, share_lines, shares_of
from tui.widgets.mark_styles import palette_of, shade_of

PANELS: Final = ((26, 11, (9, 3)), (14, 8, (7, 2)), (0, 5, (5, 1)))
"""(minimum height of the widget, lines of the board, columns and lines of a square), the largest first."""
GAP: Final = 2
EXPLAINED_FROM: Final = 70
"""The minimum width of the widget, in columns, with explanations."""


class SharesView(Vertical):
    """Shows the genome of a population's champion, and the shares of the population's choices for the selected gene."""

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
        yield LiveText(id="shares-title")
        yield LiveText(id="shares-note")
        with Horizontal(id="shares-panel"):
            yield LiveText(id="shares-board")
            yield LiveText(id="shares-moves")
        yield Label("", id="strand-title", markup=False)
        yield GenomeView(id="strand")

    def show(self, learner: Learner) -> None:
        """Draw the population as it is now."""
        self._learner = learner
        agree = ", brighter where more agree; ← → move along it" if self.size.width >= EXPLAINED_FROM else ""
        self.query_one("#strand-title", Label).update(f"{learner.view.words.strand_title}{agree}")
        self.query_one(GenomeView).show(learner.view.strand())
        self._draw()

    def select(self, edge: int) -> None:
        """Move the cursor to the gene of a card."""
        self.query_one(GenomeView).select(edge)

    @on(GenomeView.Selected)
    def selected(self) -> None:
        self._draw()

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        learner, strand = self._learner, self.query_one(GenomeView)
        title, note, board, moves = (
            self.query_one(f"#shares-{part}", LiveText) for part in ("title", "note", "board", "moves")
        )
        if learner is None or not self.size.width:
            return
        if strand.edge is None:
            number = f"{learner.view.words.noun} {strand.cursor + 1}: never a decision"
            title.set_text(Text(number if learner.rounds else learner.view.words.none, "dim"))
            for part in (note, board, moves):
                part.set_text("")
            return
        game, shares, shade = learner.game, shares_of(learner, strand.edge), partial(shade_of, self)
        lines, size = next((lines, size) for least, lines, size in PANELS if self.size.height >= least)
        self.query_one("#shares-panel").styles.height = lines
        card = shares.card
        head = Text(learner.view.title(card), "bold")
        title.set_text(head.append(f"  {game.to_text(card.position)}  {card.group}", "not bold dim"))
        bars = f"bars: {learner.spec.round_noun}s 1 to {count_text(learner.rounds)}"
        note.set_text(f"{PLAYED} the one played   {bars}" if self.size.width >= EXPLAINED_FROM else bars)
        board.set_text(heat_map(game, shares, size, palette_of(self), shade))
        room = self.size.width - (game.board.columns * (size[0] + 1) - 1) - GAP
        moves.set_text(share_lines(game, shares, room, lines))
