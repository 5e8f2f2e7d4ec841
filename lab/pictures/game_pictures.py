"""Pictures of a finished game: its boards in a row, who was winning after each move, and what decided it."""

from collections.abc import Sequence
from typing import Final

from engine.analysis.debrief import Turn, debrief
from engine.match import Match, replay_record
from lab.memory.matchbox import board_box
from lab.pictures.cards import draw_position
from lab.pictures.drawing import (
    BOLD,
    HEAD,
    MARGIN,
    Ink,
    Picture,
    circle,
    heading,
    line,
    number,
    rectangle,
    text,
    wrapped,
)
from lab.review.debrief import mark_of, match_ending_text, turn_text, verdict_text, worth
from lab.review.finished_games import moment_text, short_names
from saves.library.game_record import StoredGame

BOARD: Final = 96
LINE_HEIGHT: Final = 20
PER_ROW: Final = 7
GAP: Final = 28
WORTH_HEIGHT: Final = 90


def game_picture(kept: StoredGame) -> Picture:
    match = replay_record(kept.record)
    return match_picture(match, kept.record.players, moment_text(kept.played), debrief(match))


def match_picture(match: Match, labels: tuple[str, str], subtitle: str, turns: Sequence[Turn]) -> Picture:
    """Return a picture of a match move by move, with the mark of each move that is known as a mistake."""
    game, names, ink = match.game, short_names(labels), Ink()
    seats = zip(game.marks, names, strict=True)
    title = f"{game.title}: {', '.join(f'{mark} {name}' for mark, name in seats)}"
    cell = min(BOARD / game.board.columns, BOARD / game.board.rows)
    wide, high = game.board.columns * cell, game.board.rows * cell
    ink.over += heading(title, subtitle)
    y = float(HEAD)
    columns = max(4, min(PER_ROW, len(match.moves)))
    width = max(700.0, 2 * MARGIN + columns * (wide + GAP) - GAP)
    words = f"{match_ending_text(match, names)} {verdict_text(match, turns) if turns else ''}"
    for sentence in wrapped(words, 14, width - 2 * MARGIN, BOLD):
        ink.over.append(text(MARGIN, y, sentence, "ink", 14, "b"))
        y += LINE_HEIGHT
    for nth, (move, before, after) in enumerate(zip(match.moves, match.positions, match.positions[1:], strict=False)):
        x, top = MARGIN + nth % columns * (wide + GAP), y + nth // columns * (high + 44)
        sign = mark_of(turns[nth]) if turns else ""
        for square in game.board.squares(before, move):
            left, upper = x + square % game.board.columns * cell, top + square // game.board.columns * cell
            ink.area("line", rectangle(left + 1, upper + 1, cell - 2, cell - 2, 4))
        frame = rectangle(x - 5, top - 5, wide + 10, high + 10, 6)
        ink.line("lit" if sign.startswith("?") else "frame", 1.4, frame)
        draw_position(ink, board_box(game, after), x, top, cell)
        caption = f"{nth + 1} {game.mark(game.side(before))} {game.move_label(before, move)} {sign}".rstrip()
        ink.over.append(text(x + wide / 2, top + high + 22, caption, "lit" if sign else "quiet", 12, "m b"))
    y += -(-len(match.moves) // columns) * (high + 44) + 10
    y = _worth_chart(ink, match, turns, y, width)
    rows = [
        (
            nth + 1,
            game.mark(game.side(match.positions[nth])),
            game.move_name(move),
            game.to_text(match.positions[nth + 1]),
            "" if not turns or turns[nth].played.value is None else worth(turns[nth]),
        )
        for nth, move in enumerate(match.moves)
    ]
    return Picture(title, width, y + MARGIN / 2, ink.elements(), ("ply", "side", "move", "position", "value"), rows)


def _worth_chart(ink: Ink, match: Match, turns: Sequence[Turn], y: float, width: float) -> float:
    """Draw a curve of who was winning after each move, with a text for each mistake; return the y where they end."""
    if not turns:
        return y
    game, left, right = match.game, MARGIN + 70.0, width - MARGIN
    for nth, words in enumerate((f"{game.marks[0]} wins", "draw", f"{game.marks[1]} wins")):
        at = y + WORTH_HEIGHT * nth / 2
        ink.over += [line(left, at, right, at, "line"), text(left - 10, at + 4, words, "quiet", 12, "e")]
    step = (right - left) / max(1, len(turns))
    places = [(left + step * (nth + 0.5), y + WORTH_HEIGHT * (1 - worth(each)) / 2) for nth, each in enumerate(turns)]
    path = "M" + "L".join(f"{number(x)} {number(at)}" for x, at in places)
    ink.over.append(f'<path class="curve4-s l" stroke-width="2.2" d="{path}"/>')
    for (x, at), each in zip(places, turns, strict=True):
        role = "curve1" if each.cost else "curve4"
        ink.over.append(f'<path class="{role}-f" d="{circle(x, at, 5 if each.cost else 3.5)}"/>')
        ink.over.append(text(x, y + WORTH_HEIGHT + 18, str(each.ply + 1), "quiet", 11, "m"))
    y += WORTH_HEIGHT + 48
    for each in turns:
        if each.cost:
            for sentence in wrapped(f"{each.ply + 1}. {' '.join(turn_text(game, each))}", 13, width - 2 * MARGIN):
                ink.over.append(text(MARGIN, y, sentence, "ink", 13))
                y += LINE_HEIGHT
    return y
