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
class GameTold:
    number: int
    moves: str
    """The moves, those of the machine in brackets, and who wins."""
    learned: str
    drawn: str = ""
    """The beads that the machine draws, if it is taught with paper and pencil."""
    boxes: tuple[int, ...] = ()
    """The boxes that the machine opens, if it has boxes."""


def moves_told(game: Game, side: Side, moves: Moves) -> str:
    """Return the moves of a game as text; those of the machine, which plays `side`, are in brackets."""
    position, told = game.start, list[str]()
    for move in moves:
        name = game.move_name(move)
        told.append(f"({name})" if game.side(position) is side else name)
        position = game.play(position, move)
    return " ".join(told)


def game_told(learner: Learner, taught: TaughtGame) -> GameTold:
    match, game, space = taught.match, learner.game, learner.space
    moves = moves_told(game, taught.side, tuple(match.moves))
    made = [each for each in zip(match.positions, match.moves, strict=False) if game.side(each[0]) is taught.side]
    if match.resigned:
        end = f"{game.mark(taught.side)} has no move left"
    else:
        winner = None if match.outcome is None else match.outcome.winner
        end = "a draw" if winner is None else f"{game.mark(winner)} wins"
        if reason := game.end_reason(match.position):
            end += f": {reason}"
    if isinstance(learner, Menace):
        cells = {int(learner.boxes.cell[space.edge(*each)]): each for each in made}
        boxes = tuple(box for position, _ in made if (box := int(learner.boxes.box[space.row(position)])) >= 0)
    else:
        cells, boxes = {}, ()
    own = [each for each in taught.changes if int(space.side[space.source[each.edge]]) == taught.side]
    learned = [
        _change_told(learner, each, *(cells.get(each.edge) or learner.view.position_and_move(each.edge)))
        for each in own
    ]
    return GameTold(
        number=taught.number,
        moves=f"{moves}, {end}",
        learned="; ".join(dict.fromkeys(learned)) or "nothing new",
        drawn=_beads_drawn(learner, made) if _is_struck(learner) else "",
        boxes=boxes,
    )


def _change_told(learner: Learner, change: Change, position: Position, move: Move) -> str:
    if isinstance(learner, Menace):
        return _beads_told(learner, position, move, change.after - change.before)
    where = f"{learner.game.move_name(move)} in {learner.game.to_text(position)}"
    described = learner.view.describe(change)
    return described if where in described else f"{described}: {where}"


def _beads_drawn(machine: Menace, made: Sequence[tuple[Position, Move]]) -> str:
    boxes, space, drawn = machine.boxes, machine.space, list[str]()
    for position, move in made:
        box = title_of(boxes, int(boxes.box[space.row(position)]))
        drawn.append(f"{colour_of(boxes, space.edge(position, move))} from box {box}")
    return f"it draws {', '.join(drawn)}"


def _beads_told(machine: Menace, position: Position, move: Move, gained: int) -> str:
    """Return which beads a box gains or loses, and the other moves of the position that share these beads."""
    space, boxes, game = machine.space, machine.boxes, machine.game
    edge, box = space.edge(position, move), title_of(machine.boxes, int(boxes.box[space.row(position)]))
    if not _is_struck(machine):
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


def lesson_lines(course: Course, learner: Learner, told: tuple[GameTold, ...]) -> list[str]:
    lines = [line for paragraph in _how_to_teach(course, learner) for line in (*wrap(paragraph, WIDTH), "")]
    room, before = len(f"game {course.length:,}  "), 0
    for each in told:
        if each.number > before + 1:
            lines.append("…")
        lines.append(f"{f'game {each.number:,}':<{room}}{each.moves}")
        for text in filter(None, (each.drawn, each.learned)):
            lines += wrap(text, WIDTH, initial_indent=" " * room, subsequent_indent=" " * room)
        before = each.number
    if _is_struck(learner) and len(told) == course.length:
        lines += [
            "",
            "The boxes of these games, the bead of each move, and the beads that are left after the course",
            "",
            *_box_lines(learner, told),
            "",
            OTHER_BOXES,
        ]
    return lines


def _is_struck(learner: Learner) -> TypeGuard[Menace]:
    return isinstance(learner, Menace) and strikes_one_bead(learner)


def _how_to_teach(course: Course, learner: Learner) -> Iterator[str]:
    """Yield paragraphs: what the course teaches, who plays which side, what the machine is, how games are written."""
    game, order = course.game, {Side.FIRST: "who moves first", Side.SECOND: "who moves second"}
    what = course_sentence(course, learner.spec.title)
    fewest = (
        "no fewer suffice" if course.strikes == course.least_strikes else f"at least {course.least_strikes:,} must be"
    )
    struck = f" The games strike {counted_noun(course.strikes, 'move')}, which it never plays again; {fewest}."
    yield f"{what}{struck if course.strikes else ''}"
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
    changed = "mirrored" if len(game.symmetries) == 2 else "mirrored or turned"
    alike = f"A box also serves all positions that are symmetric to its own, with the moves {changed} alike."
    boxed = isinstance(learner, Menace) and len(game.symmetries) > 1
    if told := [text for text, holds in ((rule, _is_struck(learner)), (alike, boxed)) if holds]:
        yield " ".join(told)
    yield (
        f"You play {teacher}. The moves in brackets are the machine's, each one that it may play. If it would play "
        "another move, let it choose again: the course counts on this luck."
    )


def _box_lines(machine: Menace, told: tuple[GameTold, ...]) -> list[str]:
    """Return a line for each box that the games open: its number, the move that it decides, position and beads."""
    boxes, game = machine.boxes, machine.game
    rows = list[tuple[str, ...]]()
    for box in sorted({box for each in told for box in each.boxes}):
        position, _ = machine.view.position_and_move(int(boxes.cells_of(box)[0]))
        names = dict[int, list[str]]()
        for move in game.moves(position):
            names.setdefault(int(boxes.cell[machine.space.edge(position, move)]), []).append(game.move_name(move))
        beads = (f"{' or '.join(moves)} {colour_of(boxes, cell)}" for cell, moves in names.items())
        left = (colour_of(boxes, cell) for cell in names if machine.memory[cell])
        number = f"its {ordinal_text(boxes.move_number(box))} move"
        rows.append(
            (
                f"box {title_of(boxes, box)}",
                number,
                game.to_text(position),
                ", ".join(beads),
                f"left: {', '.join(left)}",
            )
        )
    return columns(rows, ">><<<")


def install_lines(course: Course) -> list[str]:
    """Return how to install the solver that may find a better course; empty if none is needed, or it is installed."""
    asked = not course.proved and issubclass(parse_learner(course.learner), SOLVED_LEARNERS) and not has_solver()
    return [f"A solver can find shorter courses and better bounds: {INSTALL}"] if asked else []
