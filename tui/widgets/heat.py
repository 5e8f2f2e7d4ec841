"""A card of a population as a heat map: for each move, the share of the choices, now and at the checkpoints.

Each strategy of the population chooses one move of the card. The share of a move is the share of the strategies that
choose it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rich.style import Style
from rich.text import Text

from engine.game import Game, Move
from lab.memory.card_filter import cells_of
from learners.core.cards import Card
from learners.core.learner import Learner
from learners.core.snapshot import Memory
from tui.widgets.card_view import MAX_HISTORY, MIN_HISTORY, spark
from tui.widgets.tiles import EMPTY, Palette

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
    """The shares of the choices for a card of `learner.view.cards()`."""
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


def share_text(share: float) -> str:
    """A share from 0 to 1 in at most four characters; `0%` and `100%` only if that is exact."""
    shown = round(100 * share)
    if shown == 0 and share > 0:
        return "<1%"
    return ">99%" if shown == 100 and share < 1 else f"{shown}%"


def heat_map(
    game: Game, shares: Shares, size: tuple[int, int], palette: Palette, shade: Callable[[float], Style]
) -> Text:
    """The board, with a share on each square that a move leads to; `size` is that of a square, in columns and lines."""
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
    """Text and style of each square: the total share of the moves that lead there, or else the mark of a piece.

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
            words = f"{share_text(on_square[square])}{star}"
            signs.append((f"{mark}{words}"[-max(width, len(words)) :], shade(on_square[square])))
        else:
            style = palette.quiet if piece is None else palette.second if piece.side else palette.first
            signs.append((mark or EMPTY, style))
    return signs


def share_lines(game: Game, shares: Shares, width: int, height: int) -> Text:
    """A line for each move: name, share, and bars of its shares up to now. If not all fit, those chosen most often."""
    moves = sorted(shares.now, key=lambda move: -shares.now[move])[:height]
    names = max((len(game.move_name(move)) for move in moves), default=0)
    lines = []
    for move in sorted(moves):
        star = PLAYED if move == shares.played else " "
        line = Text(f"{game.move_name(move):<{names}}{star}", no_wrap=True)
        room = width - line.cell_len - SHARE
        if room >= MIN_HISTORY:
            line.append(f"{share_text(shares.now[move]):>{SHARE - 2}}  ")
        else:  # the board shows the share, too
            room += SHARE - 1
            line.append(" ")
        bars = spark([round(WHOLE * share) for share in shares.then[move]], WHOLE, max(1, min(MAX_HISTORY, room)))
        line.append(bars, "bold" if star == PLAYED else "not bold")
        lines.append(line)
    return Text("\n", no_wrap=True).join(lines)
