"""Pictures of a save: its wall of cards as a poster, its losses as curves, and how it plays in one position."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from math import ceil, sqrt
from typing import Final

from engine.game import BadText, Position
from engine.plural import counted_noun, plural
from lab.memory.card_filter import cells_of, merges_twins, position_card, sort_by_use
from lab.memory.matchbox import card_box
from lab.pictures.cards import (
    CAPTION,
    CARD_COLUMNS,
    MOVE_COLUMNS,
    beads_of,
    box_size,
    card_rows,
    draw_beads,
    draw_box,
    draw_square,
    move_rows,
    places,
)
from lab.pictures.charts import Frame, chart_elements
from lab.pictures.drawing import (
    BOLD,
    HEAD,
    MARGIN,
    Cell,
    Ink,
    Picture,
    circle,
    heading,
    rectangle,
    size_for,
    text,
    wrap_text,
)
from lab.results.exact_results import TimelinePoint
from lab.results.score_lines import IN_SENTENCES, TELLING
from lab.results.tables import headline
from lab.text.axes import share_axes
from lab.text.curves import Series
from lab.text.numbers import count_text, percent_text
from lab.training.turning_points import TurningPoint
from learners.core.learner import Learner
from learners.core.player import Depiction
from learners.core.view import Card
from learners.menace.matchboxes import COLOURS

GAP: Final = 10
SHAPE: Final = 1.41
"""The width of a poster divided by its height, as a sheet of paper in landscape."""
MAX_CARDS: Final = 1_000
"""The maximum number of cards on a poster; the most used ones are shown."""
MIN_WIDTH: Final = 620
MAX_TURNING: Final = 8
"""The maximum number of turning points that are marked."""
LOSS_OPPONENTS: Final = ("best_responder", "perfect", "random")
"""The opponents of the curves of losses, in their order."""
LABELS_WIDTH: Final = 330
LINE_HEIGHT: Final = 20


def learner_text(learner: Learner) -> str:
    """Return a description of a learner: `MENACE, tic-tac-toe, 100,000 games`."""
    trained = counted_noun(learner.rounds, learner.spec.round_noun) if learner.spec.learns else "does not learn"
    return f"{learner.spec.title}, {learner.game.title}, {trained}"


def wall_picture(name: str, point: TimelinePoint) -> Picture:
    """Return a picture of the memory at a checkpoint: a wall of cards under headings, shaped like a sheet of paper."""
    learner = point.learner
    game, words = learner.game, learner.view.words
    edges = [int(edge) for edge in learner.view.cards()]
    cards = [learner.view.card(edge) for edge in _shown_edges(learner, edges)]
    sizes = [box_size(card_box(game, card)) for card in cards[:20]]
    card_width = max((width for width, _ in sizes), default=1.0)
    card_height = max((height for _, height in sizes), default=1.0)
    slot = max(card_width, *(6.2 * len(card.caption) for card in cards), 1.0) + GAP
    row = card_height + CAPTION + GAP
    columns = max(ceil(sqrt(len(cards) * row / slot * SHAPE)), int((MIN_WIDTH - 2 * MARGIN) / slot))
    width = max(MIN_WIDTH, 2 * MARGIN + columns * slot - GAP)
    subtitle = f"{learner_text(learner)}: {count_text(len(edges))} {words.noun_for(len(edges))}"
    if len(cards) < len(edges):
        subtitle += f", of which the {count_text(len(cards))} used most are shown"
    ink, y = Ink(), float(HEAD)
    ink.over += heading(name, subtitle)
    if point.exact and learner.rounds:
        results = headline(learner, point.exact)
        ink.over.append(text(MARGIN, y, results, "ink", size_for(results, 14, width - 2 * MARGIN), "b"))
        y += 16
    if not cards:
        ink.over.append(text(MARGIN, y + 24, f"{words.none}.", "quiet", 16))
        y += 40
    groups = [(title, list(members)) for title, members in groupby(cards, key=lambda card: card.group)]
    group_places, y = _group_places([len(members) for _, members in groups], columns, row, y)
    for (title, members), (first, top) in zip(groups, group_places, strict=True):
        count = f"{count_text(len(members))} {words.noun_for(len(members))}"
        heads = (f"{title}: {count}", title) if title else ()
        room = slot * (len(members) if first + len(members) < columns else columns - first)
        head = next((each for each in heads if BOLD * 14 * len(each) <= room), "")
        ink.over.append(text(MARGIN + first * slot, top, head, "ink", 14, "b"))
        for nth, card in enumerate(members):
            x = MARGIN + (first + nth % columns) * slot + (slot - GAP - card_width) / 2
            draw_box(ink, card_box(game, card), x, top + 12 + nth // columns * row)
    y = _draw_legend(ink, learner, cards, y + 16, width)
    title = f"{name}: {words.noun_for(2)}"
    return Picture(title, width, y + MARGIN / 2, ink.elements(), CARD_COLUMNS, card_rows(learner, cards))


def _shown_edges(learner: Learner, edges: list[int]) -> list[int]:
    """Return the edges of the cards on a poster: the most used cards, in the order of the game."""
    if len(edges) > MAX_CARDS:
        edges = sorted(sort_by_use(learner, edges)[:MAX_CARDS])
    if learner.spec.parameters:
        return edges
    return sorted(edges, key=lambda edge: int(learner.space.ply[learner.space.source[edge]]))


def _group_places(sizes: Sequence[int], columns: int, row: float, y: float) -> tuple[list[tuple[int, float]], float]:
    """Return the first column and the y of each group of cards, given their `sizes`, and the y where the last one ends.

    A group begins a new line, unless it fits beside the group before it. `row` is the height of a row of cards.
    """
    group_places, next_column, top = list[tuple[int, float]](), columns, y
    for size in sizes:
        if next_column + size <= columns:
            group_places.append((next_column, top))
            next_column += size + 1
        else:
            top, next_column = y + 28, size + 1
            y = top + 12 + ceil(size / columns) * row
            group_places.append((0, top))
    return group_places, y


def _draw_legend(ink: Ink, learner: Learner, cards: Sequence[Card], y: float, width: float) -> float:
    """Draw lines that explain the colours; return the y where they end."""
    thoughts = [thought for card in cards[:20] for thought in card.thoughts]
    if any(thought.hue for thought in thoughts):
        x = float(MARGIN)
        for hue, colour in enumerate(COLOURS, 1):
            ink.frame(f"bead{hue}", 0.8, circle(x + 6, y, 6))
            ink.over.append(text(x + 17, y + 5, colour, "quiet", 13))
            x += 76 if width > 2 * MARGIN + 9 * 76 else (width - 2 * MARGIN) / 9
        ink.over.append(text(MARGIN, y + 28, "A bar is as high as the share of its beads in the box.", "quiet", 13))
        return y + 40
    words = [f"{sign} {meaning}" for sign, meaning in learner.view.words.legend.items()]
    if any(thought.drawing is Depiction.VALUE for thought in thoughts):
        words = ["A bar shows what a move is worth: low and red for a loss, high and green for a win."]
    elif any(thought.drawing is Depiction.STRUCK for thought in thoughts):
        words = ["A struck square is a move that lost, and is not played again: the deeper, the later it was recorded."]
    elif words and not learner.spec.parameters:
        words = ["A bar is as high as the share of the memory that plays there."]
    for line in wrap_text("   ".join(words), 13, width - 2 * MARGIN):
        ink.over.append(text(MARGIN, y + 5, line, "quiet", 13))
        y += LINE_HEIGHT
    return y


def loss_points(points: Sequence[TimelinePoint], opponent: str) -> list[tuple[int, float]]:
    """Return the losses to an opponent by rounds; the untrained learner stands at 1, since the axis is logarithmic."""
    first = 1 if len(points) > 1 else 0
    losses = {max(first, point.rounds): point.loss(opponent) for point in points}
    return [(rounds, loss) for rounds, loss in losses.items() if loss is not None]


def loss_curves(points: Sequence[TimelinePoint]) -> list[Series]:
    """Return a curve of the losses to each of three opponents; the label of a curve ends with its last number."""
    curves = []
    for opponent in LOSS_OPPONENTS:
        losses = loss_points(points, opponent)
        curves.append(Series(f"{IN_SENTENCES[opponent]} {percent_text(losses[-1][1])}", losses))
    return curves


def loss_frame(points: Sequence[TimelinePoint], x: float, y: float, width: float, height: float) -> Frame:
    """Return the frame of a chart of losses; its axis ends where the training ended."""
    spec = points[-1].learner.spec
    largest = max(loss for opponent in TELLING for _, loss in loss_points(points, opponent))
    axes = share_axes(largest, max(2, points[-1].rounds), log=False)
    return Frame(x, y, width, height, replace(axes, unit=plural(spec.round_noun, 2)))


def telling_points(turning: Sequence[TurningPoint], last: TimelinePoint) -> list[TurningPoint]:
    """Return the turning points to mark, in order of time: each kind of change once, if it still holds at the end.

    If there are more than `MAX_TURNING`, those that a later one follows soonest are left out.
    """
    last_of_kind = {point.sentence.partition(":")[0]: point for point in turning if point.condition.holds(last)}
    marked = sorted(last_of_kind.values(), key=lambda point: point.rounds)
    while len(marked) > MAX_TURNING:
        gaps = [later.rounds / max(1, point.rounds) for point, later in pairwise(marked)]
        del marked[min(range(len(gaps)), key=gaps.__getitem__)]
    return marked


def curve_picture(name: str, points: Sequence[TimelinePoint], turning: Sequence[TurningPoint]) -> Picture:
    """Return a picture of the exact losses over a training, with turning points. Raises `BadText` without any."""
    learner = points[-1].learner
    if not points[-1].exact:
        raise BadText(f"{learner.game.title} is too large for exact results, so there are no losses to draw")
    width, height = 960.0, 360.0
    frame = loss_frame(points, MARGIN + 40, HEAD + 20, width - 2 * MARGIN - 40 - LABELS_WIDTH, height)
    curves, noun = loss_curves(points), learner.spec.round_noun
    sides = " and ".join(learner.game.mark(side) for side in learner.trained_sides)
    body = [
        *heading(name, f"{learner_text(learner)}: games lost as {sides}"),
        *chart_elements(frame, curves, [each.rounds for each in turning]),
    ]
    y = frame.y + height + 54
    for nth, each in enumerate(turning, 1):
        body.append(text(MARGIN + 8, y, str(nth), "lit", 13, "b m"))
        body.append(text(MARGIN + 24, y, f"{noun.capitalize()} {count_text(each.rounds)}", "quiet", 13))
        body.append(text(MARGIN + 190, y, each.sentence, "ink", 13))
        y += LINE_HEIGHT
    columns = (plural(noun, 2), *(f"lost_to_{opponent}" for opponent in TELLING))
    rows: list[tuple[Cell, ...]] = [
        (each.rounds, *(f"{each.loss(opponent):.6g}" for opponent in TELLING)) for each in points
    ]
    return Picture(f"{name}: games lost", width, y + MARGIN / 2, body, columns, rows)


def position_picture(name: str, learner: Learner, position: Position) -> Picture:
    """Return a picture of how a learner plays in one position: a large box, and beside it the chance of each move."""
    game = learner.game
    if game.outcome(position) is not None:
        raise BadText(f"{game.to_text(position)} is over: nobody moves there")
    thoughts = learner.thoughts(position)
    card = position_card(learner, position)
    box, beads = card_box(game, card), beads_of(game, card)
    cell = min(110.0, 420 / max(game.board.columns, game.board.rows))
    width, height = box.columns * cell, box.rows * cell
    ink, y = Ink(), float(HEAD)
    ink.over += heading(name, f"{learner_text(learner)}: {game.mark(game.side(position))} to move")
    ink.frame("card", 1.6, rectangle(MARGIN, y, width + 24, height + 24, 12))
    for nth, (square, left, top, size) in enumerate(places(box, MARGIN + 12, y + 12, cell)):
        if nth not in beads:
            draw_square(ink, square, left, top, size, discs=box.discs)
    each_stands_for = draw_beads(ink, game, beads, MARGIN + 12, y + 12, cell)
    if each_stands_for > 1:
        ink.over.append(text(MARGIN, y + height + 48, f"● stands for {count_text(each_stands_for)} beads", "quiet", 13))
    x, row = MARGIN + width + 64, y + 24
    for names, chance, known in _moves_by_chance(learner, position):
        ink.over.append(text(x, row, percent_text(chance), "ink", 15, ""))
        ink.over.append(text(x + 78, row, known, "quiet", 14))
        ink.over.append(text(x + 210, row, names, "ink", 15, "b"))
        row += 26
    bottom = max(y + height + 60, row) + MARGIN / 2
    title, rows = f"{name}: {game.to_text(position)}", move_rows(learner, position, thoughts)
    return Picture(title, x + 330, bottom, ink.elements(), MOVE_COLUMNS, rows)


def _moves_by_chance(learner: Learner, position: Position) -> list[tuple[str, float, str]]:
    """Return names, probability and what is known of the moves, likeliest first; those that share a number together."""
    thoughts = learner.thoughts(position)
    cells = {thought.move: thought.move for thought in thoughts}
    if merges_twins(learner):
        cells = cells_of(learner, position, thoughts)
    moves = []
    for cell in dict.fromkeys(cells.values()):
        shared = [thought for thought in thoughts if cells[thought.move] == cell]
        names = " ".join(learner.game.move_name(thought.move) for thought in shared)
        moves.append((names, sum(thought.chance for thought in shared), shared[0].words))
    return sorted(moves, key=lambda move: -move[1])
