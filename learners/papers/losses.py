"""How often a policy loses, and to whom, in the words of all papers."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.evaluate import Policy
from engine.game import Side
from engine.space import Space
from learners.players.plain import TEACHER
from learners.race.measures import JUDGED, judge_policy

WHOM: Final[Mapping[str, str]] = {
    "random": "random",
    "perfect": "perfect",
    "self": "itself",
    "best_responder": "best responder",
}
"""The names of the opponents in reports."""
TEACHERS: Final[Mapping[str, str]] = {"perfect": TEACHER}
"""The players that opponents in training stand for, where their names differ."""


def lost_to(space: Space, sides: Sequence[Side], policy: Policy) -> dict[str, float]:
    """Return the exact probabilities, in per cent, that a policy of shape (m,) loses, by label: `as X, to random`.

    A policy for only one of the `sides` has no results against itself.
    """
    judged = judge_policy(space, policy)
    return {
        f"as {space.game.mark(side)}, to {name}": 100 * float(judged[side, JUDGED.index((opponent, "loss"))])
        for side in sides
        for opponent, name in WHOM.items()
        if opponent != "self" or len(sides) == len(Side)
    }
