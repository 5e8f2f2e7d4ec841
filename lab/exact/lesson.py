"""A course as a lesson: all that a person needs to teach a machine by it, at the board or with paper and pencil."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Final, TypeGuard

from engine.game import Game, Move, Position, Side
from engine.plural import counted_noun, listed, ordinal_text
from engine.smallest.integer_program import INSTALL, has_solver
from lab.text.columns import columns
from learners import parse_learner
from learners.core.learner import Learner
from learners.core.view import Change
from learners.courses.course import Course, Moves, TaughtGame
from learners.courses.finding import SOLVED_LEARNERS, strikes_one_bead
from learners.menace.learner import Menace
from learners.menace.matchboxes import colour_of, title_of

WIDTH: Final = 100
OTHER_BOXES: Final = "Other boxes lose no bead: in their positions it may play any move."


@dataclass(frozen=True)
class GameText:
    number: int
    moves: str
    """The moves, those of the machine in brackets, and who wins."""
    learned: str
    drawn: str = ""
    """The beads that the machine draws, if it is taught with paper and pencil."""
    boxes: tuple[int, ...] = ()
    """The boxes that the machine opens, if it has boxes."""


def bracketed_moves(game: Game, side: Side, moves: Moves) -> str:
    """Return the moves of a game as text; those of the machine, which plays `side`, are in brackets."""
    position, names = game.start, list[str]()
    for move in moves:
        name = game.move_name(move)
        names.append(f"({name})" if game.side(position) is side else name)
        position = game.play(position, move)
    return " ".join(names)


def describe_game(learner: Learner, taught: TaughtGame) -> GameText:
    """Describe a game of a course, and what the learner, which has just played it, has learned from it."""
    match, game, space = taught.match, learner.game, learner.space
    moves = bracketed_moves(game, taught.side, tuple(match.moves))
    played = zip(match.positions, match.moves, strict=False)
    decisions = [(position, move) for position, move in played if game.side(position) is taught.side]
    cells, boxes = dict[int, tuple[Position, Move]](), tuple[int, ...]()
    if isinstance(learner, Menace):
        cells = {int(learner.boxes.cell[space.edge(*decision)]): decision for decision in decisions}
        opened = [int(learner.boxes.box[space.row(position)]) for position, _ in decisions]
        boxes = tuple(box for box in opened if box >= 0)
    changes = list[str]()
    for change in taught.changes:
        if int(space.side[space.source[change.edge]]) == taught.side:
            position, move = cells.get(change.edge) or learner.view.position_and_move(change.edge)
            changes.append(_change_text(learner, change, position, move))
    return GameText(
        number=taught.number,
        moves=f"{moves}, {_end_text(taught)}",
        learned="; ".join(dict.fromkeys(changes)) or "nothing new",
        drawn=_drawn_text(learner, decisions) if _strikes_beads(learner) else "",
        boxes=boxes,
    )


def _end_text(taught: TaughtGame) -> str:
    match = taught.match
    game = match.game
    if match.resigned:
        return f"{game.mark(taught.side)} has no move left"
    winner = None if match.outcome is None else match.outcome.winner
    end = "a draw" if winner is None else f"{game.mark(winner)} wins"
    reason = game.end_reason(match.position)
    return f"{end}: {reason}" if reason else end


def _change_text(learner: Learner, change: Change, position: Position, move: Move) -> str:
    if isinstance(learner, Menace):
        return _beads_text(learner, position, move, change.after - change.before)
    where = f"{learner.game.move_name(move)} in {learner.game.to_text(position)}"
    described = learner.view.describe(change)
    return described if where in described else f"{described}: {where}"


def _drawn_text(machine: Menace, decisions: Sequence[tuple[Position, Move]]) -> str:
    boxes, space, drawn = machine.boxes, machine.space, list[str]()
    for position, move in decisions:
        box = title_of(boxes, int(boxes.box[space.row(position)]))
        drawn.append(f"{colour_of(boxes, space.edge(position, move))} from box {box}")
    return f"it draws {', '.join(drawn)}"


def _beads_text(machine: Menace, position: Position, move: Move, gained: int) -> str:
    """Return which beads a box gains or loses, and the other moves of the position that share these beads."""
    space, boxes, game = machine.space, machine.boxes, machine.game
    edge, box = space.edge(position, move), title_of(machine.boxes, int(boxes.box[space.row(position)]))
    if not _strikes_beads(machine):
        return f"{gained:+} {colour_of(boxes, edge)} ({game.move_name(move)}) in box {box}".replace("-", "−")
    twins = [
        game.move_name(other)
        for other in game.moves(position)
        if other != move and boxes.cell[space.edge(position, other)] == boxes.cell[edge]
    ]
    also = f", which also stands for {listed(twins, 'and')}" if twins else ""
    where = f"{game.move_name(move)} in {game.to_text(position)}"
    return f"strike the {colour_of(boxes, edge)} bead of box {box}: {where}{also}"


def course_sentence(course: Course, title: str) -> str:
    """Return what a course teaches the machine of this title, and what is proved of its length."""
    marks = " and ".join(course.game.mark(side) for side in course.games)
    verdict = "no course is shorter" if course.proved else f"every course has at least {course.bound:,}"
    return f"{counted_noun(course.length, 'game')} teach {title} never to lose as {marks}; {verdict}."


def lesson_lines(course: Course, learner: Learner, games: tuple[GameText, ...]) -> list[str]:
    """Return how to teach a machine by a course, whose games are `games`, or the first and the last of them."""
    lines = list[str]()
    for paragraph in _how_to_teach(course, learner):
        lines += [*wrap(paragraph, WIDTH), ""]
    margin, number_before = len(f"game {course.length:,}  "), 0
    for game in games:
        if game.number > number_before + 1:
            lines.append("…")
        lines.append(f"{f'game {game.number:,}':<{margin}}{game.moves}")
        for text in filter(None, (game.drawn, game.learned)):
            lines += wrap(text, WIDTH, initial_indent=" " * margin, subsequent_indent=" " * margin)
        number_before = game.number
    if _strikes_beads(learner) and len(games) == course.length:
        lines += [
            "",
            "The boxes of these games, the bead of each move, and the beads that are left after the course",
            "",
            *_box_lines(learner, games),
            "",
            OTHER_BOXES,
        ]
    return lines


def _strikes_beads(learner: Learner) -> TypeGuard[Menace]:
    return isinstance(learner, Menace) and strikes_one_bead(learner)


def _how_to_teach(course: Course, learner: Learner) -> Iterator[str]:
    """Yield paragraphs: what the course teaches, who plays which side, what the machine is, how games are written."""
    game, order = course.game, {Side.FIRST: "who moves first", Side.SECOND: "who moves second"}
    sentence = course_sentence(course, learner.spec.title)
    if course.strikes:
        fewest = (
            "no fewer suffice"
            if course.strikes == course.least_strikes
            else f"at least {course.least_strikes:,} must be"
        )
        sentence += f" The games strike {counted_noun(course.strikes, 'move')}, which it never plays again; {fewest}."
    yield sentence
    teacher = " or ".join(f"{game.mark(side.other)}, {order[side.other]}" for side in course.games)
    rules = " ".join(filter(None, (f"{game.title}: {game.summary}", game.how_to_move)))
    yield (
        f"{rules} Columns are lettered from the left, rows numbered from the bottom. A position is written row by row "
        "from the top, with a point for an empty square, and then the side to move; the game begins with "
        f"{game.to_text(game.start)}."
    )
    rule = (
        "It has a box for each position in which it is to move, with one bead for each move; moves that are mirror "
        "images of each other share a bead. It draws a bead, each as likely as another, plays that move (of two that "
        "share a bead the one that is printed), and puts the bead back. If it loses, take out the bead of its last "
        "move for good; if it wins, change nothing. The colour of a bead has nothing to do with the sides."
    )
    about_boxes = [rule] if _strikes_beads(learner) else []
    if isinstance(learner, Menace) and len(game.symmetries) > 1:
        changed = "mirrored" if len(game.symmetries) == 2 else "mirrored or turned"
        about_boxes.append(
            f"A box also serves all positions that are symmetric to its own, with the moves {changed} alike."
        )
    if about_boxes:
        yield " ".join(about_boxes)
    yield (
        f"You play {teacher}. The moves in brackets are the machine's, each one that it may play. If it would play "
        "another move, let it choose again: the course counts on this luck."
    )


def _box_lines(machine: Menace, games: tuple[GameText, ...]) -> list[str]:
    """Return a line for each box that the games open: its number, the move that it decides, position and beads."""
    boxes, game = machine.boxes, machine.game
    rows = list[tuple[str, ...]]()
    for box in sorted({box for each in games for box in each.boxes}):
        position, _ = machine.view.position_and_move(int(boxes.cells_of(box)[0]))
        names = dict[int, list[str]]()
        for move in game.moves(position):
            names.setdefault(int(boxes.cell[machine.space.edge(position, move)]), []).append(game.move_name(move))
        beads = (f"{' or '.join(moves)} {colour_of(boxes, cell)}" for cell, moves in names.items())
        beads_left = (colour_of(boxes, cell) for cell in names if machine.memory[cell])
        rows.append(
            (
                f"box {title_of(boxes, box)}",
                f"its {ordinal_text(boxes.move_number(box))} move",
                game.to_text(position),
                ", ".join(beads),
                f"left: {', '.join(beads_left)}",
            )
        )
    return columns(rows, ">><<<")


def install_lines(course: Course) -> list[str]:
    """Return how to install the solver that may find a better course; empty if none is needed, or it is installed."""
    could_be_better = not course.proved and issubclass(parse_learner(course.learner), SOLVED_LEARNERS)
    if not could_be_better or has_solver():
        return []
    return [f"A solver can find shorter courses and better bounds: {INSTALL}"]
