"""The courses that come with the program: `found.jsonl`, which `make courses` finds again with the solver.

Each line is a course of one side as JSON: `games` is a list of texts, each with the names of the moves of a game.
"""

import json
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from engine.game import Game, Side
from engine.games import parse_game
from engine.match import parse_moves
from learners.courses.course import Course

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
        "entries": course.aims,
        "entries_bound": course.least_aims,
        "seconds": round(course.seconds, 1),
        "games": [" ".join(map(game.move_name, moves)) for moves in games],
    }
    return json.dumps(document, ensure_ascii=False)


@cache
def shipped() -> dict[Pupil, Course]:
    lines = resources.files("learners.courses").joinpath(FILE).read_text("utf-8").splitlines()
    return dict(map(_parsed, lines))


def _parsed(line: str) -> tuple[Pupil, Course]:
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
        aims=document["entries"],
        least_aims=document["entries_bound"],
        seconds=document["seconds"],
    )
