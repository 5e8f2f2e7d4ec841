"""The contract tests of games and learners, for packages that add their own.

    from noughts.testing import GAME_CHECKS, LEARNER_CHECKS, check_game, check_learner, trials

`check_game(game)` and `check_learner(kind, game)` raise `AssertionError` with a sentence that says what is wrong. The
checks can also be run one by one: each of `GAME_CHECKS` takes a game, each of `LEARNER_CHECKS` one of `trials(...)`.
"""

from noughts.testing.games import GAME_CHECKS, check_game
from noughts.testing.learners import LEARNER_CHECKS, Trial, check_learner, trials

__all__ = ["GAME_CHECKS", "LEARNER_CHECKS", "Trial", "check_game", "check_learner", "trials"]
