"""The memory of a population: its genome, and the shares of its choices for one gene.

Each strategy of the population chooses one move of a card; the share of a move is the share of the strategies that
choose it. A genome has one sign for each gene, shaded by the share of the population that agrees.

ten     a group of ten signs; there is a gap between groups, and a line has as many as fit
gutter  the columns left of a line, with the number of its first sign, counted from 1
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widgets import Label

from engine.game import Game, Move
from lab.memory.card_filter import cells_of
from lab.text.numbers import count_text, share_text, spark
from learners.core.learner import Learner
from learners.core.snapshot import Memory
from learners.core.view import Card, Strand
from tui.shell.parts import LiveText
from tui.widgets.card_view import MAX_HISTORY, MIN_HISTORY
from tui.widgets.cursor_view import SIDEWAYS, CursorView
from tui.widgets.tiles import EMPTY, Palette, palette_of, shade_of

PLAYED: Final = "*"
"""Marks the move that the learner plays."""
WHOLE: Final = 1000
"""The number that stands for a share of 1 in the bars, which count thousandths."""

SHARE: Final = 7
"""The columns of a share, between the name of a move and its bars."""


@dataclass(frozen=True)
class Shares:
    """The shares of the choices for the moves of a card."""

    card: Card
    now: Mapping[Move, float]
    """The share of each move, from 0 to 1; all 0 if there are no choices."""
    then: Mapping[Move, tuple[float, ...]]
    """The shares of each move at the checkpoints, and now."""
    played: Move | None
    """The likeliest move; `None` if several are equally likely."""


def shares_of(learner: Learner, edge: int) -> Shares:
    """Return the shares of the choices for a card of `learner.view.cards()`."""
    card = learner.view.card(edge)
    cells = cells_of(learner, card.position, card.thoughts)
    edges = np.array([*cells.values()], np.int32)
    moments = [*learner.history.numbers(edges), learner.memory[edges]]
    lines = np.array([_shares(learner, numbers) for numbers in moments])
    most = max(thought.chance for thought in card.thoughts)
    likeliest = [thought.move for thought in card.thoughts if thought.chance == most]
    then = {move: tuple(line.tolist()) for move, line in zip(cells, lines.T, strict=True)}
    return Shares(
        card, {move: line[-1] for move, line in then.items()}, then, likeliest[0] if len(likeliest) == 1 else None
    )


def _shares(learner: Learner, numbers: Memory) -> NDArray[np.float64]:
    amounts = learner.view.shown_numbers(numbers)
    shares: NDArray[np.float64] = amounts / max(1, int(amounts.sum()))
    return shares


def _short(share: float) -> str:
    return share_text(share).replace(" ", "")


def heat_map(
    game: Game, shares: Shares, size: tuple[int, int], palette: Palette, shade: Callable[[float], Style]
) -> Text:
    """Return the board, with a share on each square that a move leads to.

    `size` is that of a square, in columns and lines.
    """
    (width, height), signs, columns = size, signs_of(game, shares, palette, shade, size[0]), game.board.columns
    lines = []
    for first in range(0, len(signs), columns):
        if first:
            lines.append(Text("┼".join(["─" * width] * columns), palette.quiet))
        for inner in range(height):
            has_text = inner == (height - 1) // 2
            parts = [Text((words if has_text else "").center(width), style) for words, style in signs[first:][:columns]]
            lines.append(Text("│", palette.quiet).join(parts))
    return Text("\n", no_wrap=True).join(lines)


def signs_of(
    game: Game, shares: Shares, palette: Palette, shade: Callable[[float], Style], width: int
) -> list[tuple[str, Style]]:
    """Return text and style of each square: the total share of the moves that lead there, or else the mark of a piece.

    Where a move leads to a piece, as in a capture, its mark stands before the share, if that fits into `width` columns.
    """
    position, on_square = shares.card.position, dict[int, float]()
    for move, share in shares.now.items():
        square = game.board.squares(position, move)[-1]
        on_square[square] = on_square.get(square, 0.0) + share
    played = None if shares.played is None else game.board.squares(position, shares.played)[-1]
    signs = []
    for square, piece in enumerate(game.board.cells(position)):
        mark = "" if piece is None else piece.mark
        if square in on_square:
            star = PLAYED if square == played else ""
            words = f"{_short(on_square[square])}{star}"
            signs.append((f"{mark}{words}"[-max(width, len(words)) :], shade(on_square[square])))
        else:
            style = palette.quiet if piece is None else palette.second if piece.side else palette.first
            signs.append((mark or EMPTY, style))
    return signs


def share_lines(game: Game, shares: Shares, width: int, height: int) -> Text:
    """Return a line for each move: name, share, and bars of its shares up to now.

    If not all fit, those chosen most often.
    """
    moves = sorted(shares.now, key=lambda move: -shares.now[move])[:height]
    names = max((len(game.move_name(move)) for move in moves), default=0)
    lines = []
    for move in sorted(moves):
        star = PLAYED if move == shares.played else " "
        line = Text(f"{game.move_name(move):<{names}}{star}", no_wrap=True)
        room = width - line.cell_len - SHARE
        if room >= MIN_HISTORY:
            line.append(f"{_short(shares.now[move]):>{SHARE - 2}}  ")
        else:  # the board shows the share, too
            room += SHARE - 1
            line.append(" ")
        bars = spark([round(WHOLE * share) for share in shares.then[move]], WHOLE, max(1, min(MAX_HISTORY, room)))
        line.append(bars, "bold" if star == PLAYED else "not bold")
        lines.append(line)
    return Text("\n", no_wrap=True).join(lines)


GUTTER: Final = 5
TEN: Final = 10


class GenomeView(CursorView):
    """Shows a genome with a cursor. Posts `Selected` when the cursor moves."""

    BINDINGS: ClassVar[list[BindingType]] = [*SIDEWAYS]

    class Selected(Message):
        """Posted when the cursor moved to another sign."""

    def __init__(self, *, id: str) -> None:  # noqa: A002  Textual's own name for it
        super().__init__(id=id)
        self.strand: Strand | None = None

    @property
    def edge(self) -> int | None:
        """The edge of the card of the selected gene; `None` for a gene that never decides anything."""
        edge = -1 if self.strand is None else int(self.strand.edges[self.cursor])
        return edge if edge >= 0 else None

    def show(self, strand: Strand) -> None:
        """Draw a genome; the cursor keeps its number, or goes to the last sign if the genome is too short."""
        grown = self.strand is None or len(strand.signs) != len(self.strand.signs)
        self.strand = strand
        if grown:
            self.cursor = min(self.cursor, max(0, len(strand.signs) - 1))
            self._measure()
        self.refresh()

    def select(self, edge: int) -> None:
        """Move the cursor to the sign of a card, given by its edge."""
        found = [] if self.strand is None else (self.strand.edges == edge).nonzero()[0].tolist()
        if found:
            self.go_to(found[0])

    @property
    def _per_line(self) -> int:
        return TEN * max(1, (self.size.width - GUTTER + 1) // (TEN + 1))

    def _measure(self) -> None:
        signs = "" if self.strand is None else self.strand.signs
        self.virtual_size = Size(self.size.width, -(-len(signs) // self._per_line))

    def on_resize(self) -> None:
        self._measure()
        self.call_after_refresh(self._follow)

    def render_line(self, y: int) -> Strip:
        strand, first = self.strand, (y + self.scroll_offset.y) * self._per_line
        segments: list[Segment] = []
        if strand is not None and first < len(strand.signs):
            palette = palette_of(self)
            segments.append(Segment(f"{first + 1:>{GUTTER - 1}} ", palette.quiet))
            for number in range(first, min(first + self._per_line, len(strand.signs))):
                if number % TEN == 0 and number > first:
                    segments.append(Segment(" "))
                decides = strand.edges[number] >= 0
                style = shade_of(self, float(strand.shares[number])) if decides else palette.quiet
                if number == self.cursor:
                    style += palette.cursor + Style(reverse=self.has_focus, underline=True)
                segments.append(Segment(strand.signs[number], style))
        return Strip(segments).adjust_cell_length(self.size.width).apply_style(self.visual_style.rich_style)

    def go_to(self, place: int) -> None:
        if self.strand is not None and self.strand.signs:
            self.cursor = min(max(0, place), len(self.strand.signs) - 1)
            self._follow()
            self.refresh()
            self.post_message(self.Selected())

    def _follow(self) -> None:
        self.scroll_to_region(Region(0, self.cursor // self._per_line, 1, 1), animate=False, force=True, immediate=True)

    def action_go_rows(self, rows: int) -> None:
        signs = "" if self.strand is None else self.strand.signs
        goal = self.cursor + rows * self._per_line
        column = self.cursor % self._per_line
        last = (len(signs) - 1 - column) // self._per_line * self._per_line + column
        self.go_to(min(max(column, goal), last))

    def on_click(self, event: events.Click) -> None:
        number = self.sign_at(event.x, event.y)
        if number is not None:
            self.go_to(number)

    def sign_at(self, x: int, y: int) -> int | None:
        """Return the number of the sign at a point of the widget, from 0, if any."""
        ten, within = divmod(x - GUTTER, TEN + 1)
        number = (y + self.scroll_offset.y) * self._per_line + TEN * ten + within
        inside = x >= GUTTER and within < TEN and TEN * ten < self._per_line
        return number if inside and self.strand is not None and number < len(self.strand.signs) else None


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
        self._learner = learner
        agree = ", brighter where more of the population agree" if self.size.width >= EXPLAINED_FROM else ""
        self.query_one("#strand-title", Label).update(f"The move of each gene{agree}")
        self.query_one(GenomeView).show(learner.view.strand())
        self._draw()

    def select(self, edge: int) -> None:
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
