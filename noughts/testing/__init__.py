"""The contract tests of games, learners and players, for packages that add their own.

    from noughts.testing import GAME_CHECKS, LEARNER_CHECKS, PLAYER_CHECKS, trials

`check_game(game)`, `check_learner(kind, game)` and `check_player(player)` raise `AssertionError` with a sentence that
says what is wrong. The checks can also be run one by one: each of `GAME_CHECKS` takes a game, each of `LEARNER_CHECKS`
one of `trials(...)`, each of `PLAYER_CHECKS` a player.
"""

from noughts.testing.games import GAME_CHECKS, check_game
from noughts.testing.learners import LEARNER_CHECKS, Trial, check_learner, trials
from noughts.testing.players import PLAYER_CHECKS, check_player

__all__ = [
    "GAME_CHECKS",
    "LEARNER_CHECKS",
    "PLAYER_CHECKS",
    "Trial",
    "check_game",
    "check_learner",
    "check_player",
    "trials",
]
