"""Films of a training or of a finished game: SVGs that move by themselves, without a script.

    moment   a checkpoint of the training, or a position of the game
    keys     pairs of a time in seconds and the moment that is shown from then on; a pause is a moment shown twice

The attributes hold the final values, so that a program that cannot animate shows the finished picture.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from engine.analysis.debrief import debrief
from engine.game import BadText, Game, Position
from engine.match import replay_record
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
from lab.pictures.drawing import Ink, Picture, circle, number, rectangle, size_for, text, wrapped
from lab.pictures.game_pictures import match_picture
from lab.pictures.save_pictures import curve_picture, described, loss_curves, loss_frame
from lab.results.exact_results import TimelinePoint
from lab.results.score_lines import IN_SENTENCES
from lab.results.tables import headline
from lab.review.debrief import mark_of, match_ending_text, turn_text, verdict_text, worth
from lab.review.finished_games import moment_text, short_names
from lab.text.numbers import count_text, percent_text
from lab.training.turning_points import TurningPoint
from learners.core.learner import Learner
from saves.library.game_record import StoredGame

WIDTH, HEIGHT = 960.0, 584.0
MARGIN: Final = 36.0
STEP: Final = 0.6
"""Seconds from one moment to the next."""
PAUSE: Final = 2.4
"""Seconds for which a turning point is shown."""
END: Final = 5.0
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
        keys = [*keys, (self.seconds, keys[-1][1])]
        kept = [
            key
            for nth, key in enumerate(keys)
            if nth in (0, len(keys) - 1) or keys[nth - 1][1] != key[1] or (not sudden and keys[nth + 1][1] != key[1])
        ]
        times = ";".join(f"{at / self.seconds:.4f}".rstrip("0").rstrip(".") for at, _ in kept)
        mode = ' calcMode="discrete"' if sudden else ""
        tag = "animateTransform" if kind else "animate"
        which = f' type="{kind}"' if kind else ""
        return (
            f'<{tag} attributeName="{attribute}"{which} dur="{number(self.seconds)}s" repeatCount="indefinite"{mode} '
            f'keyTimes="{times}" values="{";".join(value for _, value in kept)}"/>'
        )


def reel_of(count: int, pauses: set[int], step: float = STEP) -> Reel:
    """Return a reel of this many moments; those in `pauses`, and the last one, stay for a while."""
    keys, now = [], 0.0
    for moment in range(count):
        keys.append((now, moment))
        if moment in pauses:
            now += PAUSE
            keys.append((now, moment))
        now += step
    end = keys[-1][0] + END
    return Reel(keys, round(end, 1))


def training_film(name: str, points: Sequence[TimelinePoint], turning: Sequence[TurningPoint]) -> Picture:
    """Return the film of a training, with a pause at each turning point. Raises `BadText` without exact results."""
    learner = points[-1].learner
    if len(points) < 2:
        raise BadText(f"{name} has no training to show: it was never trained, or its checkpoints are not known")
    still = curve_picture(name, points, turning)
    shown = chosen_moments(points, turning)
    told = {next(nth for nth, each in enumerate(shown) if each.rounds >= point.rounds): point for point in turning}
    reel = reel_of(len(shown), set(told))
    noun = learner.spec.round_noun
    counts = [f"{noun} {count_text((told.get(nth) or each).rounds)}" for nth, each in enumerate(shown)]
    body = [
        text(MARGIN, 52, name, "ink", 26, "b"),
        text(MARGIN, 76, described(learner), "quiet", 14),
        *_captions(reel, counts, WIDTH - MARGIN, 52, "ink", 22, "e b"),
        *_told(reel, told, shown, noun, headline(learner, points[-1].exact)),
        *_losses(reel, shown),
        *_boxes(reel, [each.learner for each in shown]),
    ]
    return Picture(f"{name}: a training", WIDTH, HEIGHT, body, still.columns, still.rows)


def chosen_moments(points: Sequence[TimelinePoint], turning: Sequence[TurningPoint]) -> list[TimelinePoint]:
    """Return the moments to film: the first, the last, those just after a turning point, and others spread evenly."""
    count = len(points)
    wanted = {0, count - 1, *(round(nth * (count - 1) / (MAX_MOMENTS - 1)) for nth in range(MAX_MOMENTS))}
    wanted |= {next(nth for nth, each in enumerate(points) if each.rounds >= point.rounds) for point in turning}
    return [points[nth] for nth in sorted(wanted)]


def _captions(reel: Reel, captions: Sequence[str], x: float, y: float, role: str, size: float, more: str) -> list[str]:  # noqa: PLR0913, PLR0917
    last, found = len(captions) - 1, []
    for nth, caption in enumerate(captions):
        if nth and caption == captions[nth - 1]:
            continue
        end = next((later for later in range(nth, len(captions)) if captions[later] != caption), len(captions))
        shown = "1" if end > last else "0"
        found.append(f'<g opacity="{shown}">{text(x, y, caption, role, size, more)}{reel.show(nth, end)}</g>')
    return found


def _told(reel: Reel, told: dict[int, TurningPoint], shown: Sequence[TimelinePoint], noun: str, end: str) -> list[str]:
    """Return captions: the sentence of each turning point, until the next one; for the last moment, `end`."""
    captions, now = [], f"A new machine: it has played no {noun} yet." if not shown[0].rounds else ""
    for nth in range(len(shown)):
        if nth in told:
            point = told[nth]
            now = f"{noun.capitalize()} {count_text(point.rounds)}: {point.sentence[0].lower()}{point.sentence[1:]}"
        captions.append(now)
    captions[-1] = end if len(shown) - 1 not in told else captions[-1]
    size = size_for(max(captions, key=len), 17, WIDTH - 2 * MARGIN)
    return _captions(reel, captions, MARGIN, 116, "lit", size, "b")


def _losses(reel: Reel, shown: Sequence[TimelinePoint]) -> list[str]:
    """Return the curves of losses, which grow with the training; each label follows the end of its curve."""
    frame = loss_frame(shown, *CHART)
    curves, losses = loss_curves(shown), {}
    ends = [frame.across(max(1, each.rounds)) for each in shown]
    widths = [number(end - frame.x + 4) for end in ends]
    left, top, high = number(frame.x - 4), number(frame.y - 10), number(frame.height + 20)
    grown = (
        f'<clipPath id="grown"><rect x="{left}" y="{top}" height="{high}" width="{widths[-1]}">'
        f"{reel.animate('width', widths)}</rect></clipPath>"
    )
    found = [text(frame.x - 34, frame.y - 20, "Games lost to", "quiet", 13), *axis_elements(frame), grown]
    opponents = ("best_responder", "perfect", "random")
    for nth, (curve, opponent) in enumerate(zip(curves, opponents, strict=True)):
        role = curve_role(nth)
        losses[opponent] = [each.loss(opponent) or 0.0 for each in shown]
        xs, ys = [number(each) for each in ends], [number(frame.up(each)) for each in losses[opponent]]
        found.append(
            f'<path class="{role}-s l" clip-path="url(#grown)" stroke-width="2.4" d="{frame.path(curve.points)}"/>'
        )
        found.append(
            f'<circle class="{role}-f" r="4" cx="{xs[-1]}" cy="{ys[-1]}">'
            f"{reel.animate('cx', xs)}{reel.animate('cy', ys)}</circle>"
        )
    rows = [_rows_of(frame, [losses[each][nth] for each in opponents]) for nth in range(len(shown))]
    x = frame.x + frame.width + 18
    for nth, opponent in enumerate(opponents):
        places = [f"0 {number(each[nth])}" for each in rows]
        captions = [percent_text(each) for each in losses[opponent]]
        moving = reel.animate("transform", places, kind="translate")
        label = text(x, 4, IN_SENTENCES[opponent], curve_role(nth), 12.5, "b")
        numbers = "".join(_captions(reel, captions, WIDTH - MARGIN, 4, curve_role(nth), 12.5, "e b"))
        found.append(f'<g transform="translate({places[-1]})">{moving}{label}{numbers}</g>')
    return found


def _rows_of(frame: Frame, losses: Sequence[float]) -> list[float]:
    order = sorted(range(len(losses)), key=lambda nth: (frame.up(losses[nth]), nth))
    rows = label_rows([frame.up(losses[nth]) for nth in order], frame.y, frame.y + frame.height)
    return [rows[order.index(nth)] for nth in range(len(losses))]


def _boxes(reel: Reel, learners: Sequence[Learner]) -> list[str]:
    """Return the box that is used most, large, and below it a wall of the boxes that are used next most."""
    last = learners[-1]
    game = last.game
    cell = min(14.0, 62 / game.board.columns, 62 / game.board.rows)
    large = BOX / max(game.board.columns, game.board.rows)
    wide, high = box_size(card_box(game, position_card(last, used_positions(last, 2)[-1])), cell)
    columns = int((WIDTH - 2 * MARGIN + 10) / (wide + 10))
    wall = used_positions(last, 1 + columns * WALL_ROWS)
    ink, moving = Ink(), list[str]()
    boxes = {each: card_box(game, position_card(last, each)) for each in wall}
    lead = next((each for each, box in boxes.items() if any(map(role_of, (*box.squares, *box.below)))), wall[0])
    most_used = "the box that it opens most" if beads_of(game, position_card(last, lead)) else "what it uses most"
    _box(reel, ink, moving, learners, lead, MARGIN, 140, large, open_box=True)
    ink.over.append(text(MARGIN, 140 + BOX + 36, most_used, "quiet", 12))
    order = sorted((each for each in wall if each != lead), key=lambda each: int(last.space.ply[last.space.row(each)]))
    for nth, position in enumerate(order):
        x, y = MARGIN + nth % columns * (wide + 10), 428 + nth // columns * (high + 14)
        _box(reel, ink, moving, learners, position, x, y, cell)
    return [*ink.elements(), *moving]


def _box(  # noqa: PLR0913, PLR0917  a place, a size, and what lies there
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
    wide, high = box_size(last, cell)
    ink.framed("card", 1.2, rectangle(x, y, wide, high, 5))
    over_time = [[square for square, *_ in places(each, 0, 0, 1)] for each in boxes]
    for nth, (square, left, top, size) in enumerate(places(last, x + PAD, y + PAD, cell)):
        if square.kind in (SquareKind.NOTHING, SquareKind.PIECE, SquareKind.SIGN):
            draw_square(ink, square, left, top, size, discs=last.discs)
        elif not any(beads):
            draw_slot(ink, left, top, size)
            signs = [each[nth] if nth < len(each) else Square() for each in over_time]
            moving += _moving_square(reel, signs, left, top, size)
    if any(beads):
        moving += _moving_beads(reel, ink, beads, game, x + PAD, y + PAD, cell)


def _moving_beads(  # noqa: PLR0913, PLR0917  a place, a size, and what lies there
    reel: Reel, ink: Ink, beads: Sequence[Mapping[int, tuple[int, int]]], game: Game, x: float, y: float, cell: float
) -> list[str]:
    """Return the beads of an open box, in proportion to its shares, each visible while it lies there."""
    spots, found = bead_places(cell), []
    for square in sorted({square for each in beads for square in each}):
        left, top = x + square % game.board.columns * cell, y + square // game.board.columns * cell
        hue = next(each[square][0] for each in beads if square in each)
        draw_tray(ink, left, top, cell)
        total = [max(1, sum(count for _, count in each.values())) for each in beads]
        counts = [each.get(square, (hue, 0))[1] for each in beads]
        lying = [ceil(len(spots) * count / every) for count, every in zip(counts, total, strict=True)]
        for nth, (across, down, radius) in enumerate(spots[: max(lying)]):
            values = ["1" if nth < number_then else "0" for number_then in lying]
            fading = reel.animate("opacity", values)
            place = circle(left + across, top + down, radius)
            edge = ' stroke-width="0.5"' if f"bead{hue}" in OUTLINED else ""
            classes = f"bead{hue}-f quiet-s" if edge else f"bead{hue}-f"
            found.append(f'<path class="{classes}"{edge} d="{place}" opacity="{values[-1]}">{fading}</path>')
    return found


def _moving_square(reel: Reel, squares: Sequence[Square], x: float, y: float, cell: float) -> list[str]:
    """Return a square over time: for each colour a bar that rises and falls, or a struck square that appears."""
    found = []
    for role in dict.fromkeys(role for each in squares if (role := role_of(each))):
        mine = [each if role_of(each) == role else None for each in squares]
        if any(each is not None and each.kind is SquareKind.STRUCK for each in mine):
            values = ["0" if each is None else "1" for each in mine]
            square = rectangle(x + cell * 0.1, y + cell * 0.1, cell * 0.8, cell * 0.8)
            fading = reel.animate("opacity", values)
            found.append(f'<path class="{role}-f" d="{square}" opacity="{values[-1]}">{fading}</path>')
            continue
        bottom = bar_of(y, cell, 0)[0]
        tops = [number(bottom if each is None else bottom - bar_of(y, cell, each.level)[1]) for each in mine]
        middle = number(x + cell / 2)
        found.append(
            f'<line class="{role}-s" x1="{middle}" x2="{middle}" y1="{number(bottom)}" y2="{tops[-1]}" '
            f'stroke-width="{number(cell * (1 - 2 * SIDE))}">{reel.animate("y2", tops)}</line>'
        )
    return found


def game_film(kept: StoredGame) -> Picture:
    """Return the film of a finished game, move by move, with a pause at each mistake."""
    game = kept.record.game
    match, names = replay_record(kept.record), short_names(kept.record.players)
    turns = debrief(match)
    still = match_picture(match, kept.record.players, moment_text(kept.played), turns)
    pauses = {each.ply + 1 for each in turns if each.cost} | {len(match.moves)}
    reel = reel_of(len(match.positions), pauses, step=1.4)
    cell = min(320 / game.board.columns, 320 / game.board.rows, 110)
    x, y = MARGIN, 130.0
    wide, high = game.board.columns * cell, game.board.rows * cell
    ink = Ink()
    ink.framed("card", 1.4, rectangle(x, y, wide + 2 * PAD, high + 2 * PAD, 8))
    body = [
        text(MARGIN, 52, still.title, "ink", 24, "b"),
        text(MARGIN, 76, moment_text(kept.played), "quiet", 14),
        *ink.elements(),
        *_moving_pieces(reel, game, match.positions, x + PAD, y + PAD, cell),
    ]
    left = x + wide + 60
    room = WIDTH - MARGIN - left
    texts = [["The game begins."]]
    for turn_number, move in enumerate(match.moves, 1):
        turn = turns[turn_number - 1] if turns else None
        side = game.mark(game.side(match.positions[turn_number - 1]))
        head = f"{turn_number}. {side} {game.move_name(move)} {mark_of(turn) if turn else ''}".rstrip()
        texts.append([head, *wrapped(" ".join(turn_text(game, turn)) if turn else "", 15, room)])
    texts[-1] += ["", *wrapped(f"{match_ending_text(match, names)} {verdict_text(match, turns)}", 15, room)]
    for nth, lines in enumerate(texts):
        parts = "".join(
            text(left, y + 24 + 24 * row, words, "ink" if row else "lit", 15 if row else 20, "" if row else "b")
            for row, words in enumerate(lines)
        )
        shown = "1" if nth == len(texts) - 1 else "0"
        body.append(f'<g opacity="{shown}">{parts}{reel.show(nth, nth + 1)}</g>')
    body += _worth_line(reel, [worth(each) for each in turns], game, left, y + high - 70, WIDTH - MARGIN - left)
    height = max(y + high + 2 * PAD + MARGIN, 420.0)
    return Picture(still.title, WIDTH, height, body, still.columns, still.rows)


def _moving_pieces(  # noqa: PLR0913, PLR0917  a place, a size, and what lies there
    reel: Reel, game: Game, positions: Sequence[Position], x: float, y: float, cell: float
) -> list[str]:
    over_time, found = [game.board.cells(each) for each in positions], []
    for square in range(len(over_time[0])):
        left, top = x + square % game.board.columns * cell, y + square // game.board.columns * cell
        dot = Ink()
        dot.area("line", circle(left + cell / 2, top + cell / 2, cell / 20))
        found += dot.elements()
        for piece in dict.fromkeys(piece for cells in over_time if (piece := cells[square]) is not None):
            values = ["1" if cells[square] == piece else "0" for cells in over_time]
            drawn, shown = Ink(), Square(SquareKind.PIECE, piece.mark, piece.side)
            draw_square(drawn, shown, left, top, cell, discs=game.board.discs)
            moving = reel.animate("opacity", values, sudden=True)
            found.append(f'<g opacity="{values[-1]}">{"".join(drawn.elements())}{moving}</g>')
    return found


def _worth_line(reel: Reel, worths: Sequence[int], game: Game, x: float, y: float, width: float) -> list[str]:  # noqa: PLR0913, PLR0917
    """Return a line of dots, one for each move, which show who was winning after the move."""
    if not worths:
        return []
    found, step = [], (width - 70) / max(1, len(worths))
    for nth, words in enumerate((f"{game.marks[0]} wins", "draw", f"{game.marks[1]} wins")):
        at = y + 40 * nth
        found += [text(x + 52, at + 4, words, "quiet", 12, "e")]
        found.append(f'<path class="line-s l" d="M{number(x + 62)} {number(at)}h{number(width - 62)}"/>')
    places = [(x + 76 + step * nth, y + 40 * (1 - worth)) for nth, worth in enumerate(worths)]
    path = "M" + "L".join(f"{number(at)} {number(high)}" for at, high in places)
    found.append(f'<path class="quiet-s l" stroke-width="1.4" opacity="0.5" d="{path}"/>')
    for nth, (at, high) in enumerate(places, 1):
        found.append(f'<path class="curve4-f" d="{circle(at, high, 5)}">{reel.show(nth, len(worths) + 2)}</path>')
    return found
