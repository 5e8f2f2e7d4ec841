"""Players that think for long, and can be stopped."""

from engine.stop import Stop
from learners.core.player import Player
from learners.players.searchers import Searcher
from learners.players.uct import UctPlayer


def stoppable(player: Player, stop: Stop) -> Player:
    """Return the player for a caller that may stop waiting: a searcher raises `Stopped` once `stop()` is true."""
    return player.stoppable(stop) if isinstance(player, Searcher | UctPlayer) else player
