"""How often what was learned loses, and to whom: the same everywhere in the papers."""

from collections.abc import Mapping, Sequence
from typing import Final

from engine.evaluate import Policy
from engine.game import Side
from engine.space import Space
from learners.race.measures import JUDGED, judge

WHOM: Final[Mapping[str, str]] = {
    "random": "random",
    "perfect": "perfect",
    "self": "itself",
    "best_responder": "best responder",
}
"""The opponents, each as a report calls it."""


def lost_to(space: Space, sides: Sequence[Side], policy: Policy) -> dict[str, float]:
    """The exact chances in a hundred that a policy loses, by what it plays and to whom: `as X, to random`.

    A policy for one side only does not meet itself.
    """
    judged = judge(space, policy)
    return {
        f"as {space.game.mark(side)}, to {name}": 100 * float(judged[side, JUDGED.index((opponent, "loss"))])
        for side in sides
        for opponent, name in WHOM.items()
        if opponent != "self" or len(sides) == len(Side)
    }
