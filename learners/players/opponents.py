"""The opponents of a learner in training."""

from engine.game import BadText
from learners.core.learner import Learner
from learners.core.player import Player
from learners.core.snapshot import ITSELF
from learners.players.registry import is_player, parse_player


def require_opponent(learner: Learner, opponent: Player) -> None:
    """Raise `BadText` for a player of another game, or one that does not play the side that is left for it."""
    game, other = learner.game, learner.sides[0].other
    if opponent.game is not game:
        raise BadText(f"{opponent.label} plays {opponent.game.title}, not {game.title}")
    if isinstance(opponent, Learner) and other not in opponent.sides:
        raise BadText(f"{opponent.label} does not play {game.mark(other)}: choose another opponent")


def recorded_opponent(learner: Learner) -> Player | None:
    """Return the last opponent, `None` for self-play. Raises `BadText` for a player that is not available here."""
    if learner.opponent == ITSELF:
        return None
    if not is_player(learner.opponent):
        raise BadText(f"its last opponent was {learner.opponent}: name an opponent for it now")
    return parse_player(learner.opponent, learner.game)
