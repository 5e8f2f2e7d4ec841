"""Films of a training or of a finished game: SVGs that move by themselves, without a script.

    moment   a checkpoint of the training, or a position of the game
    keys     pairs of a time in seconds and the moment that is shown from then on; a pause is a moment shown twice

The attributes hold the final values, so that a program that cannot animate shows the finished picture.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import ceil
from typing import Final

from engine.analysis.debrief import Turn, debrief
from engine.game import BadText, Game, Position
from engine.match import Match, replay_record
from lab.memory.card_filter import position_card, used_positions
from lab.memory.matchbox import Square, SquareKind, card_box
from lab.pictures.cards import (
    OUTLINED,
    PAD,
    SIDE,
    bar_of,
    bead_places,
    beads_of,
    box_size,
    draw_slot,
    draw_square,
    draw_tray,
    places,
    role_of,
)
from lab.pictures.charts import Frame, axis_elements, curve_role, label_rows
from lab.pictures.drawing import Ink, Picture, circle, number, rectangle, size_for, text, wrap_text
from lab.pictures.game_pictures import match_picture
from lab.pictures.save_pictures import LOSS_OPPONENTS, curve_picture, learner_text, loss_curves, loss_frame
from lab.results.exact_results import TimelinePoint
from lab.results.score_lines import IN_SENTENCES
from lab.results.tables import headline
from lab.review.debrief import mark_of, match_ending_text, turn_text, verdict_text, worth
from lab.review.finished_games import moment_text, short_names
from lab.text.numbers import count_text, percent_text
from lab.training.turning_points import TurningPoint, sentence_with_rounds
from learners.core.learner import Learner
from saves.library.game_record import StoredGame

WIDTH, HEIGHT = 960.0, 584.0
MARGIN: Final = 36.0
STEP_SECONDS: Final = 0.6
"""Seconds from one moment to the next."""
PAUSE_SECONDS: Final = 2.4
"""Seconds for which a turning point is shown."""
END_SECONDS: Final = 5.0
"""Seconds for which the last moment is shown."""
MAX_MOMENTS: Final = 40
"""The maximum number of moments in the film of a training; none with a turning point is left out."""
WALL_ROWS: Final = 2
BOX: Final = 210.0
"""The side of the open box."""
CHART: Final = 330.0, 168.0, 274.0, 190.0
"""Where the chart lies: x, y, width, height."""


@dataclass(frozen=True)
class Reel:
    keys: Sequence[tuple[float, int]]
    seconds: float

    def animate(self, attribute: str, values: Sequence[str], *, sudden: bool = False, kind: str = "") -> str:
        """Return an element that animates an attribute through its values, one a moment; empty if all are the same."""
        return self._animate(attribute, [(at, values[moment]) for at, moment in self.keys], sudden=sudden, kind=kind)

    def show(self, first: int, end: int) -> str:
        """Return an element that shows its parent from moment `first` until moment `end`, and at no other time."""
        keys = [(at, "1" if first <= moment < end else "0") for at, moment in self.keys]
        return self._animate("opacity", keys, sudden=True)

    def _animate(self, attribute: str, keys: list[tuple[float, str]], *, sudden: bool, kind: str = "") -> str:
        if len({value for _, value in keys}) == 1:
            return ""
        needed = _needed_keys([*keys, (self.seconds, keys[-1][1])], sudden=sudden)
        times = ";".join(f"{at / self.seconds:.4f}".rstrip("0").rstrip(".") for at, _ in needed)
        mode = ' calcMode="discrete"' if sudden else ""
        tag = "animateTransform" if kind else "animate"
        kind_attribute = f' type="{kind}"' if kind else ""
        return (
            f'<{tag} attributeName="{attribute}"{kind_attribute} dur="{number(self.seconds)}s" '
            f'repeatCount="indefinite"{mode} keyTimes="{times}" values="{";".join(value for _, value in needed)}"/>'
        )


def _needed_keys(keys: Sequence[tuple[float, str]], *, sudden: bool) -> list[tuple[float, str]]:
    """Leave out the keys without which the animation is the same: those between keys with the same value."""
    needed = [keys[0]]
    for before, key, after in zip(keys, keys[1:], keys[2:], strict=False):
        if before[1] != key[1] or (not sudden and after[1] != key[1]):
            needed.append(key)
    return [*needed, keys[-1]]


def reel_of(count: int, pauses: set[int], step: float = STEP_SECONDS) -> Reel:
    """Return a reel of this many moments; those in `pauses`, and the last one, stay for a while."""
    keys, now = [], 0.0
    for moment in range(count):
        keys.append((now, moment))
        if moment in pauses:
            now += PAUSE_SECONDS
            keys.append((now, moment))
        now += step
    end = keys[-1][0] + END_SECONDS
    return Reel(keys, round(end, 1))


def training_film(name: str, points: Sequence[TimelinePoint], turning: Sequence[TurningPoint]) -> Picture:
    """Return the film of a training, with a pause at each turning point. Raises `BadText` without exact results."""
    learner = points[-1].learner
    if len(points) < 2:
        raise BadText(f"{name} has no training to show: it was never trained, or its checkpoints are not known")
    still = curve_picture(name, points, turning)
    moments = chosen_moments(points, turning)
    turns = {_moment_after(moments, point): point for point in turning}
    reel = reel_of(len(moments), set(turns))
    noun = learner.spec.round_noun
    counts = [f"{noun} {count_text((turns.get(nth) or moment).rounds)}" for nth, moment in enumerate(moments)]
    body = [
        text(MARGIN, 52, name, "ink", 26, "b"),
        text(MARGIN, 76, learner_text(learner), "quiet", 14),
        *_caption_elements(reel, counts, WIDTH - MARGIN, 52, "ink", 22, "e b"),
        *_turning_elements(reel, turns, moments, noun, headline(learner, points[-1].exact)),
        *_loss_elements(reel, moments),
        *_box_elements(reel, [moment.learner for moment in moments]),
    ]
    return Picture(f"{name}: a training", WIDTH, HEIGHT, body, still.columns, still.rows)


def chosen_moments(points: Sequence[TimelinePoint], turning: Sequence[TurningPoint]) -> list[TimelinePoint]:
    """Return the moments to film: the first, the last, those just after a turning point, and others spread evenly."""
    last = len(points) - 1
    chosen = {0, last, *(round(nth * last / (MAX_MOMENTS - 1)) for nth in range(MAX_MOMENTS))}
    chosen |= {_moment_after(points, point) for point in turning}
    return [points[nth] for nth in sorted(chosen)]


def _moment_after(moments: Sequence[TimelinePoint], point: TurningPoint) -> int:
    """Return the place of the first moment that shows a turning point."""
    return next(nth for nth, moment in enumerate(moments) if moment.rounds >= point.rounds)


def _caption_elements(  # noqa: PLR0913, PLR0917  a text, a place and a style
    reel: Reel, captions: Sequence[str], x: float, y: float, role: str, size: float, more: str
) -> list[str]:
    """Return texts at one place, one a moment; equal ones that follow each other are one element."""
    elements, start = [], 0
    for caption, run in groupby(captions):
        end = start + len(list(run))
        opacity = "1" if end == len(captions) else "0"
        elements.append(f'<g opacity="{opacity}">{text(x, y, caption, role, size, more)}{reel.show(start, end)}</g>')
        start = end
    return elements


def _turning_elements(
    reel: Reel, turns: Mapping[int, TurningPoint], moments: Sequence[TimelinePoint], noun: str, end: str
) -> list[str]:
    """Return captions: the sentence of each turning point, until the next one; for the last moment, `end`."""
    caption = "" if moments[0].rounds else f"A new machine: it has played no {noun} yet."
    captions = []
    for nth in range(len(moments)):
        if nth in turns:
            caption = sentence_with_rounds(turns[nth], noun)
        captions.append(caption)
    if len(moments) - 1 not in turns:
        captions[-1] = end
    size = size_for(max(captions, key=len), 17, WIDTH - 2 * MARGIN)
    return _caption_elements(reel, captions, MARGIN, 116, "lit", size, "b")


def _loss_elements(reel: Reel, moments: Sequence[TimelinePoint]) -> list[str]:
    """Return the curves of losses, which grow with the training; each label follows the end of its curve."""
    frame = loss_frame(moments, *CHART)
    ends = [frame.across(max(1, moment.rounds)) for moment in moments]
    widths = [number(end - frame.x + 4) for end in ends]
    left, top, height = number(frame.x - 4), number(frame.y - 10), number(frame.height + 20)
    clip = (
        f'<clipPath id="grown"><rect x="{left}" y="{top}" height="{height}" width="{widths[-1]}">'
        f"{reel.animate('width', widths)}</rect></clipPath>"
    )
    elements = [text(frame.x - 34, frame.y - 20, "Games lost to", "quiet", 13), *axis_elements(frame), clip]
    losses = {opponent: [moment.loss(opponent) or 0.0 for moment in moments] for opponent in LOSS_OPPONENTS}
    for nth, (curve, opponent) in enumerate(zip(loss_curves(moments), LOSS_OPPONENTS, strict=True)):
        role = curve_role(nth)
        xs, ys = [number(end) for end in ends], [number(frame.up(loss)) for loss in losses[opponent]]
        elements.append(
            f'<path class="{role}-s l" clip-path="url(#grown)" stroke-width="2.4" d="{frame.path(curve.points)}"/>'
        )
        elements.append(
            f'<circle class="{role}-f" r="4" cx="{xs[-1]}" cy="{ys[-1]}">'
            f"{reel.animate('cx', xs)}{reel.animate('cy', ys)}</circle>"
        )
    rows = [_label_rows(frame, [losses[opponent][nth] for opponent in LOSS_OPPONENTS]) for nth in range(len(moments))]
    x = frame.x + frame.width + 18
    for nth, opponent in enumerate(LOSS_OPPONENTS):
        label_places = [f"0 {number(moment_rows[nth])}" for moment_rows in rows]
        shares = [percent_text(loss) for loss in losses[opponent]]
        moving = reel.animate("transform", label_places, kind="translate")
        label = text(x, 4, IN_SENTENCES[opponent], curve_role(nth), 12.5, "b")
        numbers = "".join(_caption_elements(reel, shares, WIDTH - MARGIN, 4, curve_role(nth), 12.5, "e b"))
        elements.append(f'<g transform="translate({label_places[-1]})">{moving}{label}{numbers}</g>')
    return elements


def _label_rows(frame: Frame, losses: Sequence[float]) -> list[float]:
    """Return the y of the label of each curve, given the losses at one moment."""
    order = sorted(range(len(losses)), key=lambda nth: (frame.up(losses[nth]), nth))
    rows = label_rows([frame.up(losses[nth]) for nth in order], frame.y, frame.y + frame.height)
    return [rows[order.index(nth)] for nth in range(len(losses))]


def _box_elements(reel: Reel, learners: Sequence[Learner]) -> list[str]:
    """Return the box that is used most, large, and below it a wall of the boxes that are used next most."""
    last = learners[-1]
    game = last.game
    cell = min(14.0, 62 / game.board.columns, 62 / game.board.rows)
    large = BOX / max(game.board.columns, game.board.rows)
    width, height = box_size(card_box(game, position_card(last, used_positions(last, 2)[-1])), cell)
    columns = int((WIDTH - 2 * MARGIN + 10) / (width + 10))
    most_used = used_positions(last, 1 + columns * WALL_ROWS)
    ink, moving = Ink(), list[str]()
    boxes = {position: card_box(game, position_card(last, position)) for position in most_used}
    coloured = [position for position, box in boxes.items() if any(map(role_of, (*box.squares, *box.below)))]
    lead = coloured[0] if coloured else most_used[0]
    caption = "the box that it opens most" if beads_of(game, position_card(last, lead)) else "what it uses most"
    _draw_moving_box(reel, ink, moving, learners, lead, MARGIN, 140, large, open_box=True)
    ink.over.append(text(MARGIN, 140 + BOX + 36, caption, "quiet", 12))
    wall = [position for position in most_used if position != lead]
    for nth, position in enumerate(sorted(wall, key=lambda each: int(last.space.ply[last.space.row(each)]))):
        x, y = MARGIN + nth % columns * (width + 10), 428 + nth // columns * (height + 14)
        _draw_moving_box(reel, ink, moving, learners, position, x, y, cell)
    return [*ink.elements(), *moving]


def _draw_moving_box(  # noqa: PLR0913, PLR0917  a place, a size, and what lies there
    reel: Reel,
    ink: Ink,
    moving: list[str],
    learners: Sequence[Learner],
    position: Position,
    x: float,
    y: float,
    cell: float,
    *,
    open_box: bool = False,
) -> None:
    """Draw a box with its upper left corner at x, y: bars that rise and fall, or the beads of an open box.

    Shapes that never change go to `ink`, the others to `moving`.
    """
    game, cards = learners[-1].game, [position_card(each, position) for each in learners]
    beads = [beads_of(game, each) for each in cards] if open_box else []
    boxes = [card_box(game, each) for each in cards]
    last = max(boxes, key=lambda each: len(each.below))
    ink.frame("card", 1.2, rectangle(x, y, *box_size(last, cell), 5))
    squares_by_moment = [[*box.squares, *box.below] for box in boxes]
    for nth, (square, left, top, size) in enumerate(places(last, x + PAD, y + PAD, cell)):
        if square.kind in (SquareKind.NOTHING, SquareKind.PIECE, SquareKind.SIGN):
            draw_square(ink, square, left, top, size, discs=last.discs)
        elif not any(beads):
            draw_slot(ink, left, top, size)
            over_time = [squares[nth] if nth < len(squares) else Square() for squares in squares_by_moment]
            moving += _moving_square(reel, over_time, left, top, size)
    if any(beads):
        moving += _moving_beads(reel, ink, beads, game, x + PAD, y + PAD, cell)


def _moving_beads(  # noqa: PLR0913, PLR0917  a place, a size, and what lies there
    reel: Reel, ink: Ink, beads: Sequence[Mapping[int, tuple[int, int]]], game: Game, x: float, y: float, cell: float
) -> list[str]:
    """Return the beads of an open box, in proportion to its shares, each visible while it lies there."""
    spots, elements = bead_places(cell), []
    for square in sorted({square for each in beads for square in each}):
        left, top = x + square % game.board.columns * cell, y + square // game.board.columns * cell
        hue = next(each[square][0] for each in beads if square in each)
        draw_tray(ink, left, top, cell)
        totals = [max(1, sum(count for _, count in each.values())) for each in beads]
        counts = [each.get(square, (hue, 0))[1] for each in beads]
        drawn = [ceil(len(spots) * count / total) for count, total in zip(counts, totals, strict=True)]
        edge = ' stroke-width="0.5"' if f"bead{hue}" in OUTLINED else ""
        classes = f"bead{hue}-f quiet-s" if edge else f"bead{hue}-f"
        for nth, (across, down, radius) in enumerate(spots[: max(drawn)]):
            opacities = ["1" if nth < count else "0" for count in drawn]
            fading = reel.animate("opacity", opacities)
            place = circle(left + across, top + down, radius)
            elements.append(f'<path class="{classes}"{edge} d="{place}" opacity="{opacities[-1]}">{fading}</path>')
    return elements


def _moving_square(reel: Reel, squares: Sequence[Square], x: float, y: float, cell: float) -> list[str]:
    """Return a square over time: for each colour a bar that rises and falls, or a struck square that appears."""
    elements = []
    roles = [role_of(square) for square in squares]
    for role in dict.fromkeys(filter(None, roles)):
        levels = [
            square.level if square_role == role else None for square, square_role in zip(squares, roles, strict=True)
        ]
        if role.startswith("struck"):
            opacities = ["0" if level is None else "1" for level in levels]
            path = rectangle(x + cell * 0.1, y + cell * 0.1, cell * 0.8, cell * 0.8)
            fading = reel.animate("opacity", opacities)
            elements.append(f'<path class="{role}-f" d="{path}" opacity="{opacities[-1]}">{fading}</path>')
            continue
        bottom, _ = bar_of(y, cell, 0)
        tops = [number(bottom if level is None else bottom - bar_of(y, cell, level)[1]) for level in levels]
        middle = number(x + cell / 2)
        elements.append(
            f'<line class="{role}-s" x1="{middle}" x2="{middle}" y1="{number(bottom)}" y2="{tops[-1]}" '
            f'stroke-width="{number(cell * (1 - 2 * SIDE))}">{reel.animate("y2", tops)}</line>'
        )
    return elements


def game_film(stored: StoredGame) -> Picture:
    """Return the film of a finished game, move by move, with a pause at each mistake."""
    game = stored.record.game
    match = replay_record(stored.record)
    turns = debrief(match)
    still = match_picture(match, stored.record.players, moment_text(stored.played), turns)
    pauses = {turn.ply + 1 for turn in turns if turn.cost} | {len(match.moves)}
    reel = reel_of(len(match.positions), pauses, step=1.4)
    cell = min(320 / game.board.columns, 320 / game.board.rows, 110)
    x, y = MARGIN, 130.0
    width, height = game.board.columns * cell, game.board.rows * cell
    ink = Ink()
    ink.frame("card", 1.4, rectangle(x, y, width + 2 * PAD, height + 2 * PAD, 8))
    body = [
        text(MARGIN, 52, still.title, "ink", 24, "b"),
        text(MARGIN, 76, moment_text(stored.played), "quiet", 14),
        *ink.elements(),
        *_moving_pieces(reel, game, match.positions, x + PAD, y + PAD, cell),
    ]
    left = x + width + 60
    room = WIDTH - MARGIN - left
    texts = _move_texts(match, turns, short_names(stored.record.players), room)
    for nth, (head, *lines) in enumerate(texts):
        parts = [text(left, y + 24, head, "lit", 20, "b")]
        parts += [text(left, y + 24 + 24 * row, line, "ink", 15) for row, line in enumerate(lines, 1)]
        opacity = "1" if nth == len(texts) - 1 else "0"
        body.append(f'<g opacity="{opacity}">{"".join(parts)}{reel.show(nth, nth + 1)}</g>')
    body += _worth_line(reel, [worth(turn) for turn in turns], game, left, y + height - 70, room)
    return Picture(still.title, WIDTH, max(y + height + 2 * PAD + MARGIN, 420.0), body, still.columns, still.rows)


def _move_texts(match: Match, turns: Sequence[Turn], names: tuple[str, str], room: float) -> list[list[str]]:
    """Return the text beside the board at the start and after each move: a head, and lines that fit into `room`."""
    game = match.game
    texts = [["The game begins."]]
    for nth, move in enumerate(match.moves):
        head = f"{nth + 1}. {game.mark(game.side(match.positions[nth]))} {game.move_name(move)}"
        lines = list[str]()
        if turns:
            head = f"{head} {mark_of(turns[nth])}".rstrip()
            lines = wrap_text(" ".join(turn_text(game, turns[nth])), 15, room)
        texts.append([head, *lines])
    texts[-1] += ["", *wrap_text(f"{match_ending_text(match, names)} {verdict_text(match, turns)}", 15, room)]
    return texts


def _moving_pieces(  # noqa: PLR0913, PLR0917  a place, a size, and what lies there
    reel: Reel, game: Game, positions: Sequence[Position], x: float, y: float, cell: float
) -> list[str]:
    cells_by_moment, elements = [game.board.cells(position) for position in positions], []
    for square, over_time in enumerate(zip(*cells_by_moment, strict=True)):
        left, top = x + square % game.board.columns * cell, y + square // game.board.columns * cell
        dot = Ink()
        dot.area("line", circle(left + cell / 2, top + cell / 2, cell / 20))
        elements += dot.elements()
        for piece in dict.fromkeys(over_time):
            if piece is None:
                continue
            opacities = ["1" if each == piece else "0" for each in over_time]
            ink = Ink()
            draw_square(ink, Square(SquareKind.PIECE, piece.mark, piece.side), left, top, cell, discs=game.board.discs)
            moving = reel.animate("opacity", opacities, sudden=True)
            elements.append(f'<g opacity="{opacities[-1]}">{"".join(ink.elements())}{moving}</g>')
    return elements


def _worth_line(reel: Reel, worths: Sequence[int], game: Game, x: float, y: float, width: float) -> list[str]:  # noqa: PLR0913, PLR0917
    """Return a line of dots, one for each move, which show who was winning after the move."""
    if not worths:
        return []
    elements, step = [], (width - 70) / max(1, len(worths))
    for nth, words in enumerate((f"{game.marks[0]} wins", "draw", f"{game.marks[1]} wins")):
        row = y + 40 * nth
        elements.append(text(x + 52, row + 4, words, "quiet", 12, "e"))
        elements.append(f'<path class="line-s l" d="M{number(x + 62)} {number(row)}h{number(width - 62)}"/>')
    dots = [(x + 76 + step * nth, y + 40 * (1 - worth)) for nth, worth in enumerate(worths)]
    path = "M" + "L".join(f"{number(dot_x)} {number(dot_y)}" for dot_x, dot_y in dots)
    elements.append(f'<path class="quiet-s l" stroke-width="1.4" opacity="0.5" d="{path}"/>')
    for nth, (dot_x, dot_y) in enumerate(dots, 1):
        elements.append(
            f'<path class="curve4-f" d="{circle(dot_x, dot_y, 5)}">{reel.show(nth, len(worths) + 2)}</path>'
        )
    return elements
