"""A course: games that a teacher plays with a machine, one after another, and what each teaches the machine.

The courses of one side that come with the program are in `found.jsonl`, which `make courses` finds again with the
solver. Each line is a course as JSON: `games` is a list of texts, each with the names of the moves of a game.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from time import perf_counter
from typing import Final, NamedTuple

from engine.evaluate import SAME
from engine.game import BadText, Game, IllegalMove, Move, Side
from engine.games import parse_game
from engine.match import Match, parse_moves
from engine.stop import Stop
from learners.core.learner import PERSON, Learner
from learners.core.settings import Setting
from learners.core.training import Progress, record_moment
from learners.core.view import Change

INTERVAL_SECONDS: Final = 0.5
"""The seconds between two reports."""
SEED: Final = 0
"""The seed of a machine that is taught: a course needs no luck that is not chosen."""
Moves = tuple[Move, ...]


@dataclass(frozen=True)
class Course:
    """The games of a course, and what is proved of their number.

    In each game, the machine plays one side by its memory, with the luck that the teacher wants, and the teacher plays
    the other side. In a game whose moves do not end it, the machine resigns.
    """

    learner: str
    preset: str
    settings: Mapping[str, Setting]
    game: Game
    games: Mapping[Side, tuple[Moves, ...]]
    """The games that teach each side, in the order of the sides."""
    bound: int
    """The proved lower bound: no course has fewer games."""
    strikes: int
    """How many moves the course strikes: failures of the side, or beads taken; 0 if that is not counted."""
    least_strikes: int
    """The proved lower bound of `strikes`."""
    seconds: float = 0.0

    @property
    def length(self) -> int:
        return sum(map(len, self.games.values()))

    @property
    def proved(self) -> bool:
        return self.length == self.bound


@dataclass(frozen=True)
class TaughtGame:
    number: int
    """The number of the game in the course, from 1."""
    side: Side
    """The side of the machine."""
    match: Match
    changes: tuple[Change, ...]


def play_course(learner: Learner, course: Course) -> Iterator[TaughtGame]:
    """Play a course with a learner, which learns from each game as it does at the board.

    Raises `BadText` for a game that is illegal, or for a move that the learner would never play.
    """
    learner.record_opponent(PERSON)
    number = 0
    for side, games in course.games.items():
        for moves in games:
            number += 1
            try:
                match = forced_match(learner, side, moves)
            except BadText as error:
                raise BadText(f"game {number:,} of the course: {error}") from error
            yield TaughtGame(number, side, match, teach_game(learner, side, match))


def progress_of(learner: Learner, games: Iterable[TaughtGame], total: int, stop: Stop) -> Iterator[Progress]:
    """Play `total` games of a course; yield progress now and then, and at the end or once `stop()` is true."""
    start, shown, done = perf_counter(), 0.0, 0
    for done, _ in enumerate(games, 1):
        seconds = perf_counter() - start
        if stop():
            break
        if seconds - shown > INTERVAL_SECONDS and done < total:
            shown = seconds
            yield Progress(done, total, seconds, learner.snapshot())
    yield Progress(done, total, perf_counter() - start, learner.snapshot())


def forced_match(learner: Learner, side: Side, moves: Moves) -> Match:
    """Return the match of these moves, if the learner may play those of `side`. Raises `BadText`."""
    game = learner.game
    match = Match(game)
    for move in moves:
        if match.side is side and match.outcome is None:
            _require_playable(learner, match, move)
        try:
            match.play(move)
        except IllegalMove as error:
            raise BadText(str(error)) from error
    if match.outcome is None:
        where = game.to_text(match.position)
        if match.side is not side:
            raise BadText(f"it stops in {where}, before the end of the game")
        if any(thought.chance > SAME for thought in learner.thoughts(match.position)):
            raise BadText(f"it stops in {where}, where {learner.spec.title} would go on")
        match.resign()
    return match


def _require_playable(learner: Learner, match: Match, move: Move) -> None:
    for thought in learner.thoughts(match.position):
        if thought.move == move and thought.chance > SAME:
            return
    game, where = learner.game, learner.game.to_text(match.position)
    raise BadText(f"{learner.spec.title} never plays {game.move_name(move)} in {where} then")


def teach_game(learner: Learner, side: Side, match: Match) -> tuple[Change, ...]:
    """Let a learner learn from a finished match that it played as `side`; return the changes of its memory."""
    players = (learner.label, PERSON) if side is Side.FIRST else (PERSON, learner.label)
    changes = learner.learn_record(match.record(players), (side,))
    record_moment(learner)
    return changes


def own_changes(learner: Learner, sides: Collection[Side], changes: Iterable[Change]) -> int:
    """Return how many changes are in positions of `sides`; a reasoner also learns from the other side's positions."""
    space = learner.space
    return sum(int(space.side[space.source[each.edge]]) in sides for each in changes)


FILE: Final = "found.jsonl"


class Pupil(NamedTuple):
    learner: str
    preset: str
    game: Game
    side: Side


def line_of(course: Course) -> str:
    game, ((side, games),) = course.game, course.games.items()
    document = {
        "learner": course.learner,
        "preset": course.preset,
        "game": course.game.name,
        "side": side.name.lower(),
        "bound": course.bound,
        "entries": course.strikes,
        "entries_bound": course.least_strikes,
        "seconds": round(course.seconds, 1),
        "games": [" ".join(map(game.move_name, moves)) for moves in games],
    }
    return json.dumps(document, ensure_ascii=False)


@cache
def shipped_courses() -> dict[Pupil, Course]:
    lines = resources.files("learners.courses").joinpath(FILE).read_text("utf-8").splitlines()
    return dict(map(_parse_line, lines))


def _parse_line(line: str) -> tuple[Pupil, Course]:
    document = json.loads(line)
    pupil = Pupil(document["learner"], document["preset"], parse_game(document["game"]), Side[document["side"].upper()])
    games = tuple(parse_moves(pupil.game, text.split()) for text in document["games"])
    return pupil, Course(
        learner=pupil.learner,
        preset=pupil.preset,
        settings={},
        game=pupil.game,
        games={pupil.side: games},
        bound=document["bound"],
        strikes=document["entries"],
        least_strikes=document["entries_bound"],
        seconds=document["seconds"],
    )
