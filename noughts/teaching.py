"""The shortest course that teaches a machine never to lose."""

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real

from engine.game import BadText, Game
from engine.games import GAMES, game_of
from engine.notation import parse_sides
from lab.exact.shortest_course import teach_course, teaching_lines
from learners.core.settings import Setting
from learners.courses.finding import SECONDS, find_course
from noughts.machine import Machine, given, kind_and_preset


@dataclass(frozen=True, repr=False)
class TaughtMachine:
    """A course, and the machine that it has taught."""

    machine: Machine
    games: tuple[tuple[str, ...], ...]
    """The names of the moves of each game, which the machine plays as the course says if it has luck."""
    bound: int
    """The proved lower bound: no course has fewer games."""
    losses: Mapping[int, float]
    """The probability that the machine loses to a player that has read its memory, by the number of games so far."""
    text: str
    """The lesson in words, game by game."""

    @property
    def proved(self) -> bool:
        """Whether no course can be shorter."""
        return len(self.games) == self.bound

    def __repr__(self) -> str:
        """Return the lesson in words."""
        return self.text


def teach(
    name: str,
    game: str | Game = GAMES[0].name,
    *,
    preset: str | None = None,
    side: str | None = None,
    seconds: float = SECONDS,
    **settings: Setting,
) -> TaughtMachine:
    """Find the shortest course that teaches a machine never to lose, play it, and return it with the machine.

    `side` is `first`, `second` or `both`, by default all sides that can avoid losing; the search takes at most
    `seconds` for each. Raises `ValueError` for a machine that no course teaches.
    """
    rules = game_of(game)
    kind, chosen = kind_and_preset(name, preset, rules)
    if not isinstance(seconds, Real) or not seconds > 0:
        raise BadText(f"seconds cannot be {seconds!r:.60}: give a number above 0")
    parsed = {key: kind.spec.parse_setting(key, str(value).lower()) for key, value in settings.items()}
    course = find_course(
        kind, rules, chosen, parsed, () if side is None else parse_sides(rules, given("side", side)), seconds=seconds
    )
    teaching = teach_course(course)
    return TaughtMachine(
        Machine(teaching.learner),
        tuple(tuple(map(rules.move_name, moves)) for games in course.games.values() for moves in games),
        course.bound,
        {each.game: each.best_responder for each in teaching.losses},
        "\n".join(teaching_lines(teaching)),
    )
