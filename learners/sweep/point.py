"""The points of a sweep: each has machines that differ only by their seeds."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite

from engine.game import BadText, Game, quoted
from engine.space import TooLarge
from learners import parse_learner
from learners.core.learner import Learner
from learners.core.player import Player
from learners.core.save_ref import is_save
from learners.core.settings import Setting
from learners.core.snapshot import ITSELF
from learners.race.entrants import entrant_text, plain_opponent


@dataclass(frozen=True)
class Point:
    learner: str
    preset: str
    game: Game
    opponent: str
    settings: tuple[tuple[str, Setting], ...]
    """The settings that were given; the preset decides the others."""

    @property
    def who(self) -> tuple[str, ...]:
        """The cells with which the rows of the point begin: see `layout.WHO`."""
        return self.learner, self.preset, self.game.name, self.opponent

    @property
    def text(self) -> str:
        """The point as a race writes an entrant: `menace:michie/random+win=5`."""
        return entrant_text(self.learner, self.preset, self.opponent, dict(self.settings))

    @property
    def all_settings(self) -> dict[str, Setting]:
        """The settings of its machines, including those of the preset."""
        return {**parse_learner(self.learner).spec.presets[self.preset], **dict(self.settings)}

    def machine(self, seed: int, opponent: Player | None) -> Learner:
        """Return an untrained machine; `opponent` is the `opponent_of` this point. Raises `BadText`, `TooLarge`."""
        machine = parse_learner(self.learner)(self.game, self.preset, seed, dict(self.settings))
        machine.set_opponent(opponent)
        return machine


def opponent_of(point: Point) -> Player | None:
    """Return the opponent of the machines of a point; `None` for self-play. Raises `BadText`, `TooLarge`.

    A save cannot be the opponent: workers on other machines do not have the library.
    """
    if is_save(point.opponent):
        raise BadText(
            "a sweep cannot train against a save, since its workers do not have your library: "
            "name a player such as random or perfect, or use noughts race"
        )
    return plain_opponent(point.opponent, point.game)


def parse_point(learner: str, preset: str, game: Game, opponent: str | None, texts: Sequence[tuple[str, str]]) -> Point:
    """Return a point; without an `opponent`, its learner has the usual one. Raises `BadText`, naming the point."""
    named = Point(learner, preset, game, opponent or ITSELF, tuple(texts))
    try:
        kind = parse_learner(learner)
        settings = tuple((key, kind.spec.parse_setting(key, text)) for key, text in texts)
        usual = kind(game, preset, 0, dict(settings)).opponent if opponent is None else opponent
        point = Point(learner, preset, game, usual, settings)
        point.machine(0, opponent_of(point))
    except (BadText, TooLarge) as error:
        raise BadText(f"the point {quoted(named.text)[1:-1]} is not valid: {error}") from error
    return point


def setting_text(value: object) -> str:
    """Return a value as `--set` takes it: `true`, `5`, `0.1`, `refill`. Raises `BadText` for any other object."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and isfinite(value):
        return repr(value)
    if isinstance(value, int | str):
        return str(value)
    raise BadText(f"{quoted(str(value))} is not a value of a setting: write a word, a number, true or false")
