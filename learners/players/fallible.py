"""A player that knows the exact values, and overlooks them as people do: the farther away, the more often."""

from collections.abc import Sequence
from itertools import product
from math import prod
from random import Random
from typing import Final, Self

from engine.analysis.rating import RatedMove
from engine.connect_solver.games import shape_of
from engine.evaluate import Policy
from engine.game import BadText, Game, Position
from engine.space import TooLarge
from learners.core.player import Choice, Thought
from learners.players.plain import SYMBOL, UNPROVEN, ExactValues, verdict_text
from learners.players.searcher import Parameter, Parametric, Searcher

USUAL_SKILL: Final = 90
SECONDS: Final = 0.5
"""The seconds for exact values: what takes longer is so far away that the player would overlook it."""


def _offered_skills(game: Game) -> dict[str, str]:
    if not FalliblePlayer.fits(game):
        return {}
    return {str(skill): f"sees {skill} % a move ahead" for skill in (60, 75, 97)}


class FalliblePlayer(Searcher[tuple[RatedMove, ...]], Parametric):
    """Sees that a move wins or loses in n moves of the winner with a probability of `skill` per cent to the power of n.

    A value that it overlooks, it takes for a draw. It chooses uniformly among the moves that seem best.
    """

    label = "fallible"
    title = "Fallible"
    summary = "overlooks what is far"
    parameter = Parameter(
        "SKILL",
        "[1-9][0-9]?",
        lambda _: "how surely it sees what the next move leads to, in per cent, from 1 to 99",
        str(USUAL_SKILL),
        _offered_skills,
    )

    @classmethod
    def fits(cls, game: Game) -> bool:
        return not game.numbered and shape_of(game) is not None

    @classmethod
    def parse(cls, game: Game, text: str) -> Self:
        return cls(game, int(text))

    def __init__(self, game: Game, skill: int = USUAL_SKILL) -> None:
        """Play a game that a solver knows. Raises `BadText`."""
        if not self.fits(game):
            raise BadText(f"{self.label} plays Connect Four and other large games with gravity, not {game.title}")
        super().__init__(game, ExactValues(game, SECONDS, proves=False))
        self.skill = skill
        if skill != USUAL_SKILL:
            self.label = f"{type(self).label}:{skill}"

    @classmethod
    def skill_of(cls, label: str) -> int:
        """Return the skill of the player with this label; 0 if it is not a fallible player."""
        name, _, skill = label.partition(":")
        return int(skill or USUAL_SKILL) if name == cls.label else 0

    def choose(self, position: Position, random: Random) -> Choice:
        rated = self.result(position)
        seen = [random.random() < chance for chance in _sight_chances(rated, self.skill)]
        choice = random.choice(_seemingly_best(rated, seen))
        verdict = "seems as good as any"
        if seen[rated.index(choice)]:
            verdict = verdict_text(choice.value or 0, choice.plies)
        overlooked = sum(bool(each.value) and not is_seen for each, is_seen in zip(rated, seen, strict=True))
        return Choice(
            choice.move,
            f"{self.game.move_name(choice.move)} {verdict}; "
            f"it overlooked what {overlooked} of {len(rated)} moves lead to",
        )

    def thoughts(self, position: Position) -> tuple[Thought, ...]:
        rated = self.result(position)
        chance = move_chances(rated, self.skill)
        return tuple(
            Thought(
                each.move,
                chance[each],
                SYMBOL[each.value],
                UNPROVEN if each.value is None else verdict_text(each.value, each.plies),
            )
            for each in rated
        )

    def policy(self) -> Policy:
        raise TooLarge(f"{self.game.title} is too large for a policy of every position")


def move_chances(rated: Sequence[RatedMove], skill: int) -> dict[RatedMove, float]:
    sight, chance = _sight_chances(rated, skill), dict.fromkeys(rated, 0.0)
    for seen in product((False, True), repeat=len(rated)):
        weight = prod(each if is_seen else 1 - each for each, is_seen in zip(sight, seen, strict=True))
        if weight:
            best = _seemingly_best(rated, seen)
            for each in best:
                chance[each] += weight / len(best)
    return chance


def _sight_chances(rated: Sequence[RatedMove], skill: int) -> list[float]:
    """Return for each move the probability that the player sees its value."""
    return [(skill / 100) ** ((each.plies + 1) // 2) if each.value else 0.0 for each in rated]


def _seemingly_best(rated: Sequence[RatedMove], seen: Sequence[bool]) -> list[RatedMove]:
    """Return the moves that seem best, if only the values that are `seen` count."""
    merits = [each.merit if is_seen else (0, 0) for each, is_seen in zip(rated, seen, strict=True)]
    return [each for each, merit in zip(rated, merits, strict=True) if merit == max(merits)]
