"""A course as a file."""

import json
from collections.abc import Mapping
from typing import Any, Final

from engine.game import SIDES, BadText, Game, Side, quoted
from engine.games import parse_game
from engine.match import parse_moves
from engine.plural import counted_noun
from learners import parse_learner
from learners.courses.course import Course, Moves
from saves.strict_json import parse_json

KIND: Final = "course"
MAX_GAMES: Final = 200_000
"""The maximum number of games of a course in a file."""


def course_document(course: Course) -> dict[str, Any]:
    """Return a course as a JSON object, which `parse_course` reads."""
    game = course.game
    side = next(name for name, sides in SIDES.items() if sides == tuple(course.games))
    return {
        "noughts": KIND,
        "learner": course.learner,
        "preset": course.preset,
        "settings": dict(course.settings),
        "game": game.name,
        "side": side,
        "length": course.length,
        "games_as_first": len(course.games.get(Side.FIRST, ())),
        "games": [[game.move_name(move) for move in moves] for games in course.games.values() for moves in games],
        "bound": course.bound,
        "proved": course.proved,
        "entries": course.strikes,
        "entries_bound": course.least_strikes,
        "seconds": round(course.seconds, 3),
    }


def course_text(course: Course) -> str:
    return json.dumps(course_document(course), ensure_ascii=False) + "\n"


def parse_course(text: str) -> Course:
    """Parse a course from the text of a file. Raises `BadText`.

    The file may have been changed: `play_course` finds out whether the course still teaches the machine.
    """
    document = parse_json(text, fractions=True, room=5)
    if not isinstance(document, dict) or document.get("noughts") != KIND:
        raise BadText("this is no course: noughts teach LEARNER --out FILE writes one")
    game = parse_game(_field(document, "game", str))
    kind = parse_learner(_field(document, "learner", str))
    settings = {
        key: kind.spec.parse_setting(key, str(value)) for key, value in _field(document, "settings", dict).items()
    }
    side, move_lists = _field(document, "side", str), _field(document, "games", list)
    if side not in SIDES:
        raise BadText(f"the course has the side {quoted(side)}: it is first, second or both")
    if len(move_lists) > MAX_GAMES:
        raise BadText(f"the course has more than {MAX_GAMES:,} games")
    games = [_parse_moves(game, number, moves) for number, moves in enumerate(move_lists, 1)]
    games_as_first = len(games) if side == "first" else 0
    if side == "both":
        games_as_first = _field(document, "games_as_first", int)
    if not 0 <= games_as_first <= len(games):
        raise BadText(f"the course has {counted_noun(len(games), 'game')}, not {games_as_first:,} as the first side")
    parts = {Side.FIRST: tuple(games[:games_as_first]), Side.SECOND: tuple(games[games_as_first:])}
    return Course(
        learner=kind.spec.name,
        preset=_field(document, "preset", str),
        settings=settings,
        game=game,
        games={each: parts[each] for each in SIDES[side]},
        bound=_field(document, "bound", int),
        strikes=_field(document, "entries", int),
        least_strikes=_field(document, "entries_bound", int),
    )


def _field(document: Mapping[str, Any], key: str, kind: type[Any]) -> Any:  # noqa: ANN401  as the kind says
    value = document.get(key)
    if type(value) is not kind:
        raise BadText(f"{quoted(key)} is missing in the course, or has the wrong type")
    return value


def _parse_moves(game: Game, number: int, names: object) -> Moves:
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise BadText(f"game {number:,} of the course is no list of moves")
    if len(names) > game.longest:
        raise BadText(f"game {number:,} of the course has more than {game.longest} moves")
    return parse_moves(game, names)
