"""Pictures of a finished game: its boards in a row, who was winning after each move, and what decided it."""

from collections.abc import Sequence
from math import ceil
from typing import Final

from engine.analysis.debrief import Turn, debrief
from engine.match import Match, replay_record
from lab.memory.matchbox import board_box
from lab.pictures.cards import draw_position
from lab.pictures.drawing import (
    BOLD,
    HEAD,
    MARGIN,
    Cell,
    Ink,
    Picture,
    circle,
    heading,
    line,
    number,
    rectangle,
    text,
    wrap_text,
)
from lab.review.debrief import mark_of, match_ending_text, turn_text, verdict_text, worth
from lab.review.finished_games import moment_text, short_names
from saves.library.game_record import StoredGame

BOARD: Final = 96
LINE_HEIGHT: Final = 20
PER_ROW: Final = 7
GAP: Final = 28
CAPTION_HEIGHT: Final = 44
"""The space below a board, with its caption."""
WORTH_HEIGHT: Final = 90


def game_picture(stored: StoredGame) -> Picture:
    match = replay_record(stored.record)
    return match_picture(match, stored.record.players, moment_text(stored.played), debrief(match))


def match_picture(match: Match, labels: tuple[str, str], subtitle: str, turns: Sequence[Turn]) -> Picture:
    """Return a picture of a match move by move, with the mark of each move that is known as a mistake."""
    game, names, ink = match.game, short_names(labels), Ink()
    seats = zip(game.marks, names, strict=True)
    title = f"{game.title}: {', '.join(f'{mark} {name}' for mark, name in seats)}"
    cell = min(BOARD / game.board.columns, BOARD / game.board.rows)
    board_width, board_height = game.board.columns * cell, game.board.rows * cell
    ink.over += heading(title, subtitle)
    y = float(HEAD)
    columns = max(4, min(PER_ROW, len(match.moves)))
    width = max(700.0, 2 * MARGIN + columns * (board_width + GAP) - GAP)
    words = f"{match_ending_text(match, names)} {verdict_text(match, turns) if turns else ''}"
    for line_words in wrap_text(words, 14, width - 2 * MARGIN, BOLD):
        ink.over.append(text(MARGIN, y, line_words, "ink", 14, "b"))
        y += LINE_HEIGHT
    for nth in range(len(match.moves)):
        x, top = MARGIN + nth % columns * (board_width + GAP), y + nth // columns * (board_height + CAPTION_HEIGHT)
        _draw_move(ink, match, nth, mark_of(turns[nth]) if turns else "", x, top, cell)
    y += ceil(len(match.moves) / columns) * (board_height + CAPTION_HEIGHT) + 10
    y = _draw_worth_chart(ink, match, turns, y, width)
    rows = list[Sequence[Cell]]()
    for nth, move in enumerate(match.moves):
        side, after = game.mark(game.side(match.positions[nth])), game.to_text(match.positions[nth + 1])
        value: Cell = ""
        if turns and turns[nth].played.value is not None:
            value = worth(turns[nth])
        rows.append((nth + 1, side, game.move_name(move), after, value))
    return Picture(title, width, y + MARGIN / 2, ink.elements(), ("ply", "side", "move", "position", "value"), rows)


def _draw_move(ink: Ink, match: Match, nth: int, sign: str, x: float, y: float, cell: float) -> None:  # noqa: PLR0913, PLR0917
    """Draw the board after a move, its squares shaded, with a caption; `sign` is the mark of the move."""
    game, board = match.game, match.game.board
    move, before, after = match.moves[nth], match.positions[nth], match.positions[nth + 1]
    width, height = board.columns * cell, board.rows * cell
    for square in board.squares(before, move):
        left, top = x + square % board.columns * cell, y + square // board.columns * cell
        ink.area("line", rectangle(left + 1, top + 1, cell - 2, cell - 2, 4))
    frame = rectangle(x - 5, y - 5, width + 10, height + 10, 6)
    ink.line("lit" if sign.startswith("?") else "frame", 1.4, frame)
    draw_position(ink, board_box(game, after), x, y, cell)
    caption = f"{nth + 1} {game.mark(game.side(before))} {game.move_label(before, move)} {sign}".rstrip()
    ink.over.append(text(x + width / 2, y + height + 22, caption, "lit" if sign else "quiet", 12, "m b"))


def _draw_worth_chart(ink: Ink, match: Match, turns: Sequence[Turn], y: float, width: float) -> float:
    """Draw a curve of who was winning after each move, with a text for each mistake; return the y where they end."""
    if not turns:
        return y
    game, left, right = match.game, MARGIN + 70.0, width - MARGIN
    for nth, words in enumerate((f"{game.marks[0]} wins", "draw", f"{game.marks[1]} wins")):
        row = y + WORTH_HEIGHT * nth / 2
        ink.over += [line(left, row, right, row, "line"), text(left - 10, row + 4, words, "quiet", 12, "e")]
    step = (right - left) / max(1, len(turns))
    dots = [(left + step * (nth + 0.5), y + WORTH_HEIGHT * (1 - worth(turn)) / 2) for nth, turn in enumerate(turns)]
    path = "M" + "L".join(f"{number(dot_x)} {number(dot_y)}" for dot_x, dot_y in dots)
    ink.over.append(f'<path class="curve4-s l" stroke-width="2.2" d="{path}"/>')
    for (dot_x, dot_y), turn in zip(dots, turns, strict=True):
        role, radius = ("curve1", 5.0) if turn.cost else ("curve4", 3.5)
        ink.over.append(f'<path class="{role}-f" d="{circle(dot_x, dot_y, radius)}"/>')
        ink.over.append(text(dot_x, y + WORTH_HEIGHT + 18, str(turn.ply + 1), "quiet", 11, "m"))
    y += WORTH_HEIGHT + 48
    for turn in turns:
        if turn.cost:
            for words in wrap_text(f"{turn.ply + 1}. {' '.join(turn_text(game, turn))}", 13, width - 2 * MARGIN):
                ink.over.append(text(MARGIN, y, words, "ink", 13))
                y += LINE_HEIGHT
    return y
